// Mistakes that people make in YAML: each is reported once, at the place of the mistake.

import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/yaml/yaml-documents.ts';
import { atFullSize } from '../support/runs/runs.ts';

function complaintsAbout(text: string): readonly string[] {
  return parseYaml({ path: 'a.yaml', text }).findings.map(({ code, place }) => {
    const span = place && 'span' in place ? place.span : { start: 0, end: 0 };
    const before = text.slice(0, span.start).split('\n');
    return `${code} ${before.length}:${(before.at(-1) ?? '').length + 1} ${text.slice(span.start, span.end)}`;
  });
}

describe('a mistake', () => {
  it.each([
    ['a single quote that is not closed', "a: 'x\nb: y\n", "yaml-syntax 1:4 '"],
    ['a list that is not closed', 'a: [x, y\nb: z\n', 'yaml-syntax 1:4 ['],
    ['a list in a map, not closed', 'a: {b: [x, y}\n', 'yaml-syntax 1:8 ['],
    ['a bracket too many', 'a: [x]]\n', 'yaml-syntax 1:7 ]'],
    ['a comma too many', 'a: [x,, y]\n', 'yaml-syntax 1:7 ,'],
    ['a comma too few', 'a: {x: 1 y: 2}\n', 'yaml-syntax 1:8 1 y: 2'],
    ['a line that is indented too much', 'a:\n  b: 1\n   c: 2\n', 'yaml-syntax 2:6 1'],
    ['a key without its colon, at the end', 'a:\n  b: 1\n  weekly\n', 'yaml-syntax 3:3 weekly'],
    ['a colon without its space', 'a:1\nb: 2\n', 'yaml-syntax 1:1 a:1'],
    ['a value that begins with &', 'a: & co\n', 'yaml-syntax 1:4 &'],
    ['a backslash between double quotes', 'a: "C:\\dir"\n', 'yaml-syntax 1:7 \\'],
    ['a text after a quoted one', 'a: "x" y\n', 'yaml-syntax 1:8 y'],
    ['a text on the line of a block', 'a: |x\n  y\n', 'yaml-syntax 1:5 x'],
    ['braces that are not quoted', 'a: {{x}}-y\n', 'invalid-key 1:5 {'],
    ['a tag', 'a: !secret x\n', 'unknown-tag 1:4 !secret'],
    ['a tag of YAML that JSON has not', 'a: !!timestamp 2026-01-01\n', 'unknown-tag 1:4 !!timestamp'],
    ['a set', 'a: !!set {x, y}\n', 'unknown-tag 1:4 !!set'],
    ['a cron expression in a list', '- * * ? * * *\n', 'unquoted-asterisk 1:3 * * ? * * *'],
    ['a lone asterisk', 'a: *\n', 'unquoted-asterisk 1:4 *'],
    ['a key that stands twice', 'a: { b: 1, c: 2, b: 3 }\n', 'duplicate-key 1:18 b'],
  ])('a YAML mistake is reported at its place: %s', (_, text, complaint) =>
    expect(complaintsAbout(text)).toEqual([complaint]),
  );

  it('several YAML mistakes on separate lines are all reported', () => {
    expect(complaintsAbout('a: @x\nb: `y`\nc: 1\nc: 2\n')).toEqual([
      'yaml-syntax 1:4 @',
      'yaml-syntax 2:4 `',
      'duplicate-key 4:1 c',
    ]);
  });

  it('a tab is reported without the errors that follow from it', () => {
    expect(complaintsAbout('a:\n  b:\n    c: 1\n\td: 2\n    e: 3\n    f: 4\n')).toEqual(['tab-indent 4:1 \t']);
  });

  it('a YAML mistake quotes nothing of the file but a cron expression', () => {
    const secret = 'hunter2';
    const texts = [
      `a: "${secret}`,
      `a: [${secret}`,
      `a: x: ${secret}`,
      `a: *${secret} x`,
      `a: "\\${secret}"`,
      `a: |${secret}`,
      `a: !${secret} x`,
    ];
    for (const text of texts) {
      const words = parseYaml({ path: 'a.yaml', text }).findings.map(({ message, hint }) => `${message} ${hint}`);
      expect(words.length, text).toBeGreaterThan(0);
      expect(words.join(), text).not.toContain(secret);
    }
  });
});

describe('what is not a mistake', () => {
  it.each([
    'a: 1',
    '',
    '---\n---\n',
    'a: &x [1]\nb: *x\n',
    'a: *x.y\nb: 1\n',
    '"*": 1\n',
    'a: "* * * * ? *"\n',
    'a: !!str 1\n',
    '%YAML 1.2\n---\na: 1\n',
    'a: "x\n  y"\n',
    'a: |\n  <<<<<<< HEAD\n',
    'a: { b: 1 }\nc: { b: 1 }\n',
  ])('the text %j has no YAML mistake', (text) => expect(complaintsAbout(text)).toEqual([]));
});

describe('a hostile file', () => {
  it.each([
    ['brackets', '['.repeat(100_000)],
    ['braces', '{a: '.repeat(50_000)],
    ['dashes', '- '.repeat(50_000)],
    ['question marks', '? '.repeat(50_000)],
    ['indentation', Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('a file with deeply nested %s is refused as too deep', (_, text) =>
    expect(complaintsAbout(text).map((each) => each.split(' ')[0])).toEqual(['too-deep']),
  );

  atFullSize('a file with many duplicate keys is read in reasonable time', () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}: 1\n`).join('');
    expect(complaintsAbout(keys)).toEqual([]);
    expect(parseYaml({ path: 'a.yaml', text: keys + keys }).findings).toHaveLength(40_000);
  });

  it('a file with many mistakes reports the first of them', () => {
    const { findings } = parseYaml({ path: 'a.yaml', text: 'a: @x\n'.repeat(5000) });
    expect(findings.length).toBeGreaterThan(100);
  });
});
