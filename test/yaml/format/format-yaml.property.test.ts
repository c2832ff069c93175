// For any declarations in any layout: formatting keeps the meaning and all comments, and has nothing left to do the
// second time.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../../src/yaml/format/sort-entries.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { arbitraryDeclarations, type Declarations } from '../../support/property/arbitrary-declarations.ts';
import { runs } from '../../support/runs/runs.ts';

const style = fc.record({
  indent: fc.constantFrom(2, 3, 4),
  indentSeq: fc.boolean(),
  flowCollectionPadding: fc.boolean(),
  lineWidth: fc.constantFrom(0, 40, 80),
  collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
  defaultStringType: fc.constantFrom(
    'PLAIN' as const,
    'QUOTE_DOUBLE' as const,
    'QUOTE_SINGLE' as const,
    'BLOCK_LITERAL' as const,
    'BLOCK_FOLDED' as const,
  ),
  // Keys in the reverse order, and every field that two schedules share under an anchor.
  reversed: fc.boolean(),
  shared: fc.boolean(),
});

const reverse = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, entry]) => [key, reverse(entry)])
      .reverse(),
  );
};

const written = fc.tuple(arbitraryDeclarations, style).map(([declarations, { reversed, shared, ...options }]) => {
  const named = withAnchors(declarations, shared);
  return stringify(reversed ? reverse(named) : named, {
    ...options,
    defaultKeyType: 'PLAIN',
    aliasDuplicateObjects: shared,
  });
});

/** Equal values become one object, which is written as an anchor and an alias. */
function withAnchors(declarations: Declarations, shared: boolean): unknown {
  if (!shared) return declarations;
  const known = new Map<string, unknown>();
  const same = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const key = JSON.stringify(value);
    if (!known.has(key)) {
      known.set(
        key,
        Array.isArray(value)
          ? value.map(same)
          : Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, same(entry)])),
      );
    }
    return known.get(key);
  };
  return same(declarations);
}

const insertions = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom('# note', '', '      # far right', '  # a: b', ' # at the end'),
    fc.nat(1_000_000),
  ),
  { maxLength: 8 },
);

const meaning = (text: string) => {
  const { value: documents, findings } = parseSource({ path: 'a.yaml', text });
  return findings.length === 0 ? documents.map(({ value }) => value) : undefined;
};

const texts = fc.tuple(written, insertions, fc.constantFrom('\n', '\r\n')).map(([text, inserted, lineEnd]) => {
  let whole = text;
  for (const [at, line, mark] of inserted) {
    const lines = whole.split('\n');
    const index = at % lines.length;
    const words = line === '' ? '' : `${line} ${mark}`;
    if (line.startsWith(' # at')) lines[index] = `${lines[index]}${words}`;
    else lines.splice(index, 0, words);
    const candidate = lines.join('\n');
    // Inside a text it would be part of it.
    if (JSON.stringify(meaning(candidate)) === JSON.stringify(meaning(whole))) whole = candidate;
  }
  return whole.replaceAll('\n', lineEnd);
});

const marks = (text: string) =>
  [...text.matchAll(/# (?:note|far right|a: b|at the end) \d+/g)].map(([found]) => found).sort();

it('formatting YAML changes no meaning, loses no comment, and is complete after one pass', () => {
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(meaning(text) !== undefined);
      const formatted = formatYaml(text, sourceOrder);
      if (formatted === undefined) throw new Error('left as it is');
      expect(meaning(formatted)).toEqual(meaning(text));
      expect(marks(formatted)).toEqual(marks(text));
      expect(formatYaml(formatted, sourceOrder)).toBe(formatted);
    }),
    { numRuns: runs(300) },
  );
});
