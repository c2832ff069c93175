// An imported source file as YAML: any values are read back unchanged.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpolate } from '../../src/declare/expand/interpolate.ts';
import { define, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { renderSource } from '../../src/report/source-text.ts';
import { escapeInterpolation } from '../../src/yaml/format/print-string.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import { runs } from '../support/runs/runs.ts';

const empty = { path: 'a.yaml', comments: [], resources: {}, adoptions: [] };

function render(value: Json, comment = 'x'): string {
  const draft = { key: 'a', comments: [comment], fields: [{ name: 'value', value, comment }] };
  return renderSource({ ...empty, comments: [comment], resources: { schedules: [draft] } });
}

function readBack(text: string): Json {
  const { value: documents, findings } = parseSource({ path: 'a.yaml', text });
  expect(findings).toEqual([]);
  const [document] = documents as unknown as [{ value: { schedules: { a: { value: Json } } } }];
  return document.value.schedules.a.value;
}

/** What trips YAML, terminals and interpolation. */
const awkward = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...['a', ' ', '\n', '\r', '\t', '#', ': ', '- ', '"', "'", '\\', '$', '{', '}', '${', '$${', '|', '>', '*'],
        ...['&', '<<', '~', 'no', '0042', '1e3', '\u001b[31m', '\u0085', '\u2028', '\u202e', '\ufeff', '\u{e0041}'],
        ...['\ud800', '👩‍👧', '--- ', '...', '%', '@', '`', '[', ']', ',', '? ', '! '],
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    awkward,
    fc.constantFrom<Json>(null, true, false, 0, -1.5, 1_000_000),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(awkward, tie('value')), { maxLength: 3 }).map((entries): JsonObject => {
      const object: Record<string, Json> = {};
      for (const [key, value] of entries) define(object, key, value);
      return object;
    }),
  ),
})).value;

test('every value of a written source file is read back unchanged, and no invisible character is in the file', () => {
  fc.assert(
    fc.property(json, awkward, (value, comment) => {
      const text = render(escapeInterpolation(value), comment);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\ufeff]|\p{Surrogate}/u);
      const scope = {
        variables: {},
        environment: () => undefined,
        isReserved: () => false,
        readFile: () => ({ text: '' }),
      };
      const { value: meant, problems } = interpolate(readBack(text), scope);
      expect(problems).toEqual([]);
      expect(meant).toEqual(value);
    }),
    { numRuns: runs(2000) },
  );
});

test('what a reader of YAML 1.1 would take for something else has quotes in a source file, keys too', () => {
  const fields = [
    { name: 'name', value: 'No' },
    { name: 'subject', value: '1_000' },
    { name: 'schedule', value: '0 9 ? * MON *' },
    { name: 'values', value: ['1_000', 'No', '12:30', '=', 'What?', ':x', 'a b'] },
  ];
  const text = renderSource({ ...empty, resources: { schedules: [{ key: 'no', comments: [], fields }] } });
  expect(text).toBe(`schedules:
  "no":
    name: "No"
    subject: "1_000"
    schedule: 0 9 ? * MON *
    values: ["1_000", "No", "12:30", "=", "What?", ":x", a b]
`);
});

test('equal values in a source file are written out at each place', () => {
  const list = ['a'];
  expect(render({ one: list, two: list })).not.toMatch(/[&*]/);
});

test('a source file starts with its schema and has its sections in order', () => {
  const resource = (key: string) => ({ key, comments: [], fields: [{ name: 'identifier', value: '0042' }] });
  const text = renderSource({
    ...empty,
    schema: '../r.json',
    comments: ['Sales'],
    resources: { schedules: [resource('a'), resource('b')], dashboards: [resource('d')] },
    adoptions: [{ to: 'schedules.a', id: 'an-id' }],
  });
  expect(text).toBe(`# yaml-language-server: $schema=../r.json
# Sales
dashboards:
  d:
    identifier: "0042"

schedules:
  a:
    identifier: "0042"

  b:
    identifier: "0042"

adopt:
  - to: schedules.a
    id: an-id
`);
});
