import { describe, expect, it } from 'vitest';
import { configOrder, sourceOrder } from '../../../src/parse/format/canonical-order.ts';
import { formatYaml } from '../../../src/parse/format/format-yaml.ts';

const formatted = (text: string, order = sourceOrder) => {
  const once = formatYaml(text, order);
  if (once !== undefined) expect(formatYaml(once, order)).toBe(once);
  return once;
};

describe('order', () => {
  it('is that of the tables, own anchors and defaults first, comments with what they are about', () => {
    expect(
      formatted(`# yaml-language-server: $schema=x

# The report of the board.
schedules:
  # Every week.
  weekly:
    # With a colon.
    subject: "Sales: week"
    name: Weekly # as people see it
    # trailing

  daily:
    identifier: a
# Filters
dashboards: { x: { filterOrder: [b], identifier: c } }
x-anchors: [1]
defaults:
  schedules:
    format: csv
    timezone: UTC
`),
    ).toBe(`# yaml-language-server: $schema=x

x-anchors: [1]
defaults:
  schedules:
    timezone: UTC
    format: csv
# Filters
dashboards: { x: { identifier: c, filterOrder: [b] } }
# The report of the board.
schedules:
  # Every week.
  weekly:
    name: Weekly # as people see it
    # With a colon.
    subject: "Sales: week"
    # trailing

  daily:
    identifier: a
`);
  });

  it('never takes an alias before its anchor, or to another one', () => {
    const text = `schedules:
  a: &a
    identifier: x
dashboards:
  b: *a
`;
    expect(formatted(text)).toBe(text);
    expect(formatted('schedules:\n  a:\n    subject: &s hello\n    name: *s\n    identifier: b\n')).toBe(
      'schedules:\n  a:\n    identifier: b\n    subject: &s hello\n    name: *s\n',
    );
  });

  it('puts merge keys first, unknown fields last, and leaves what is the user’s', () => {
    expect(
      formatted(`x-a: &a { b: 1, a: 2 }
schedules:
  weekly:
    filterConfig: { z: 1, a: 2 }
    zzz: 1
    <<: *a
    identifier: b
    lifecycle: { ignoreChanges: [], preventDestroy: true }
`),
    ).toBe(`x-a: &a { b: 1, a: 2 }
schedules:
  weekly:
    <<: *a
    identifier: b
    filterConfig: { z: 1, a: 2 }
    lifecycle: { preventDestroy: true, ignoreChanges: [] }
    zzz: 1
`);
  });

  it('of almanac.yaml', () => {
    const text = `environments:
  prod:
    defaults: { schedules: { format: csv, timezone: UTC } }
    api: { operations: full, baseUrl: https://a.example.com }
variables: { z: 1, a: 2 }
api:
  timeout: 3
  baseUrl: https://b.example.com
`;
    expect(formatted(text, configOrder)).toBe(`api:
  baseUrl: https://b.example.com
  timeout: 3
variables: { z: 1, a: 2 }
environments:
  prod:
    api: { baseUrl: https://a.example.com, operations: full }
    defaults: { schedules: { timezone: UTC, format: csv } }
`);
  });
});

describe('blank lines', () => {
  const ofWeekly = (lines: string) => `schedules:\n  weekly:\n${lines}`;

  it('above a field that becomes the first go to the one that was', () => {
    expect(formatted(ofWeekly('    subject: a\n\n\n\n    # Of the name.\n    name: b\n'))).toBe(
      ofWeekly('    # Of the name.\n    name: b\n\n    subject: a\n'),
    );
  });

  it('that would belong to a text which keeps its own are left out', () => {
    expect(formatted(ofWeekly('    textBody: a\n\n    subject: |+\n      b\n\n'))).toBe(
      ofWeekly('    subject: |+\n      b\n\n    textBody: a\n'),
    );
    expect(formatted(ofWeekly('    textBody: a\n\n    extra:\n      c: |+\n        b\n'))).toBe(
      ofWeekly('    textBody: a\n\n    extra:\n      c: |+\n        b\n'),
    );
  });
});

describe('style', () => {
  it.each([
    ['two spaces a level', 'a:\n     b:\n        c: 1\n', 'a:\n  b:\n    c: 1\n'],
    ['lists inside their key', 'a:\n- b\n-   c: 1\n    d: 2\n-\n  e: 3\n', 'a:\n  - b\n  - c: 1\n    d: 2\n  - e: 3\n'],
    ['one space after a colon', 'a:    b\n', 'a: b\n'],
    ['spaces in brackets and braces', 'a: {b: [ 1,2 ],c: {}}\n', 'a: { b: [1, 2], c: {} }\n'],
    ['a comma at the end', 'a: [1, 2, ]\n', 'a: [1, 2]\n'],
    ['quotes that nobody needs', `a: "b c"\n'd': 'e'\nf: ["g", 'h']\n`, 'a: b c\nd: e\nf: [g, h]\n'],
    ['double quotes', `a: 'x: y'\n`, 'a: "x: y"\n'],
    ['no spaces at the end', 'a: b   \n# c  \n', 'a: b\n# c\n'],
    ['one blank line for several', '\n\na: b\n\n\n\nc: d\n\n\n', 'a: b\n\nc: d\n'],
    ['no blank lines in a file of nothing else', '\n\n', ''],
    ['an end of the last line', 'a: b', 'a: b\n'],
    ['comments at the place of what they are about', 'a:\n        # c\n    b: 1\n', 'a:\n  # c\n  b: 1\n'],
    ['a value on the line of its key', 'a:\n  b\n', 'a: b\n'],
    ['an anchor on the line of its key', 'a:\n  &x\n  b: 1\n', 'a: &x\n  b: 1\n'],
  ])('%s', (_, before, after) => {
    expect(formatted(before)).toBe(after);
  });

  it.each([
    [
      'quotes',
      `a: ["1", "no", "12:30", "2026-01-01", "0042", "a, b", "{{x}}", "", " a", "y", "*", "null", "~", "="]\n`,
    ],
    ['escapes of what nobody would see', 'a: "\\u202eevil"\nb: "no\\u200bwidth"\nc: "bell\\a"\n'],
    ['other quotes', `a: "12e10945"\nb: "# c"\nc: 'say: "x"'\nd: "tab\\there"\ne: "a: b"\nf: "\${env.X} # x"\n`],
    ['an interpolation', 'a: ${var.x}\n'],
    ['texts of several lines', 'a: |\n  b\n\n\n    c\n\nb: >-\n  d\n  e\nc: |2+\n    f\n\n\n'],
    ['folded texts', 'a: one\n  two\n\n  three\nb: "one\n\n\n  two"\n'],
    ['brackets over several lines', 'a: [\n    b, # c\n    "d"\n  ]\n'],
    ['several documents', '--- # first\na: b\n---\n# second\nc: d\n...\n# third\n---\n'],
    ['an empty file', ''],
    ['comments alone', '# a\n\n# b\n'],
    ['comments at the end', 'a:\n  b:\n    c: 1\n    # of c\n  # of b\n# of a\n'],
    ['nulls', 'a:\n  # none\nb:\n'],
    ['a document that is no map', '- a\n- b\n'],
    ['lists in lists', 'a:\n  - - 1\n    - 2\n  - b: |\n      text\n    c: 3\n'],
  ])('%s stay', (_, text) => {
    expect(formatted(text)).toBe(text);
  });

  it('keeps the line ends of Windows, all of them', () => {
    expect(formatted('a:\r\n    b:   "c"\r\n    d: |\r\n      e\n')).toBe('a:\r\n  b: c\r\n  d: |\r\n    e\r\n');
  });

  it('leaves explicit keys alone', () => {
    expect(formatted('? a\n: b\n')).toBeUndefined();
  });
});
