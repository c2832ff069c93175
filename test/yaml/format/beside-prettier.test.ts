// A file that Prettier has formatted: `fmt` changes nothing in it but the order, the quotes and the sections, and Prettier
// has nothing left to do after it. Brackets that are too long for a line, and texts of several lines, stand below their key
// then, and comments where Prettier put them.

import fc from 'fast-check';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { equalJson } from '../../../src/model/values/json.ts';
import { hasErrors } from '../../../src/model/workspace/diagnostic.ts';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../../src/yaml/format/source-order.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { runs } from '../../support/runs/runs.ts';

const byPrettier = (text: string) => format(text, { parser: 'yaml' });

/** The lines without what `fmt` may change. */
const unsorted = (text: string) =>
  text
    .split('\n')
    .map((line) => [...line.replaceAll(/["']|^ *- /g, '').trim()].sort().join(''))
    .filter((line) => line !== '')
    .sort();

const meaning = (text: string) => {
  const { value: documents, findings } = parseSource({ path: 'a.yaml', text });
  return hasErrors(findings) ? undefined : documents.map(({ value: own }) => own);
};

/** Prettier breaks some files, such as one with a comment in empty brackets, or writes them otherwise the second time. */
const isSure = async (text: string, pretty: string) =>
  meaning(pretty) !== undefined && equalJson(meaning(pretty), meaning(text)) && (await byPrettier(pretty)) === pretty;

async function expectRest(text: string): Promise<void> {
  const pretty = await byPrettier(text);
  fc.pre(await isSure(text, pretty));
  const formatted = formatYaml(pretty, sourceOrder) ?? '';
  expect(unsorted(formatted)).toEqual(unsorted(pretty));
  expect(await byPrettier(formatted)).toBe(formatted);
}

const words = 'The numbers of last week are attached, and questions about them go to the analytics team.';
const texts = [
  ...['a', 'Weekly sales', '12', '"12"', 'true', '~', '${var.x}', '0 9 ? * MON *', '"0 9 ? * MON *"', words],
  ...[`"${words}"`, `'${words}'`, `'it''s: x'`, `"say \\"x\\": y"`, `'say "x"'`, '"a: b"', '"tab\\there"', '"\\u200b"'],
  ...[
    'one\n  two',
    'one\n\ntwo three',
    '"one\ntwo"',
    "'it''s\n\ntwo'",
    '"one \\\n  two"',
    '!!str 1',
    '&t one',
    '&u\n  two',
  ],
];
const blockTexts = ['|\n  one\n\n    two', '|-\n  one\n\n', '>\n  one\n  two', '>2-\n    one\n  two', '|\n  # no'];
const comments = ['', '', '', '', ' # beside', '\n# below', '\n  # deeper', '\n\n# apart', '\n'];
const keys = [
  ...['name', 'identifier', 'recipients', '"subject"', "'filterConfig'", 'extra', 'schedule', 'x-own', 'another'],
];

const text = fc.constantFrom(...texts);
/** As they stand between brackets, over several lines and with comments too. */
const gaps = fc.constantFrom('', '', '', ' ', '\n', '\n\n', ' # in brackets\n');
const { flow } = fc.letrec<{ flow: string; item: string }>((tie) => ({
  item: fc.oneof({ maxDepth: 3 }, { weight: 4, arbitrary: fc.constantFrom(...texts.slice(0, 18)) }, tie('flow')),
  flow: fc
    .tuple(fc.boolean(), fc.array(fc.tuple(fc.constantFrom(...keys), tie('item'), gaps), { maxLength: 4 }), gaps)
    .map(([isMap, items, gap]) => {
      const inside = new Map(
        items.map(([key, item, after]) => [key, (isMap ? `${key}: ${item},` : `${item},`) + after]),
      );
      const all = gap + [...inside.values()].join(' ');
      return isMap ? `{${all}}` : `[${all}]`;
    }),
}));

/** What follows a key or a dash, with lines that are indented as seen from it. */
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.tuple(text, fc.constantFrom(...comments)).map(([own, comment]) => ` ${own.replaceAll('\n', '\n  ')}${comment}`),
    fc.constantFrom(...blockTexts.map((own) => ` ${own}`)),
    fc
      .tuple(fc.constantFrom(' ', ' ', '\n  ', ' # above\n  ', ' &f ', '\n  &g '), flow, fc.constantFrom(...comments))
      .map(([gap, own, comment]) => `${gap}${own.replaceAll('\n', '\n    ')}${comment}`),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }).map((items) => below(items.map((item) => `-${item}`))),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...keys), tie('value')), {
        minLength: 1,
        maxLength: 5,
        selector: ([key]) => key,
      })
      .map((entries) => below(entries.map(([key, own]) => `${key}:${own}`))),
  ),
}));

const below = (entries: readonly string[]) => entries.map((entry) => `\n  ${entry.replaceAll('\n', '\n  ')}`).join('');

const sections = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('schedules', 'dashboards', 'defaults', 'x-mine', 'adopt'),
    value,
    fc.constantFrom('', '\n', '# Of it.\n', '\n\n# Of it.\n\n'),
  ),
  { minLength: 1, maxLength: 3, selector: ([name]) => name },
);
const merged = [
  '',
  '',
  '# yaml-language-server: $schema=x\n',
  'x-a: &x { name: a }\naudiences:\n  <<: *x\n  other: b\n',
];
const document = fc
  .tuple(fc.constantFrom(...merged), sections)
  // Prettier has its own idea of a blank line between a block text and a comment at the end of a document.
  .map(
    ([head, all]) => `${head}${all.map(([name, own, above]) => `${above}${name}:${own}\n`).join('')}last: 1\n# end\n`,
  );
const files = fc.array(document, { minLength: 1, maxLength: 2 }).map((documents) => documents.join('---\n'));

test('fmt changes only order, quotes and sections of what Prettier wrote, and Prettier nothing of what fmt wrote', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (source) => {
      fc.pre(meaning(source) !== undefined);
      await expectRest(source);
    }),
    { numRuns: runs(300) },
  );
});
