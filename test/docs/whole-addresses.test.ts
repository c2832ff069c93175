// Pages, and the jobs that somebody copies or gets, name resources by whole addresses: a key that is unique today need not be
// tomorrow.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kinds, kindsInOrder } from '../../src/model/values/address.ts';
import { pages } from '../support/docs/page-sessions.ts';

const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => statSync(path).isFile());

const files = [
  ...pages,
  ...['.github/actions', '.github/workflows', 'src/commands/ci', 'src/commands/init/scaffold'].flatMap(below),
];
const texts = files.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const address = new RegExp(
  `\\b(?:${kindsInOrder.map((kind) => kinds[kind].section).join('|')})\\.([A-Za-z][\\w-]*)`,
  'g',
);
const keys = new Set(texts.flatMap(({ text }) => [...text.matchAll(address)].map(([, key = '']) => key)));

const taking = 'next|prove|trigger|test|status|who|page|preview|fold|show|plan|apply|drift|ai \\w+|state (?:list|show)';
const command = new RegExp(`\\balmanac(?: (?:-C|--env) \\S+)* (?:${taking})((?: +[^\\s\`|&;#)]+)+)`, 'g');

/** The words of a text that a command takes, and that are the key of something. */
function keysTaken(text: string): readonly string[] {
  return [...text.matchAll(command)].flatMap(([whole, said = '']) => {
    const words = said.trim().split(/ +/);
    const isValue = (at: number) => /^--(?:name|csv|out|env|state|config|report|format)$/.test(words[at - 1] ?? '');
    return words.some((word, at) => keys.has(word.replaceAll(/["',]/g, '')) && !isValue(at)) ? [whole] : [];
  });
}

test('the check knows the keys of the pages, and finds one behind a command and behind --target', () => {
  expect(keys).toContain('weekly-sales');
  const found = ['almanac trigger --if-stale 6h weekly-sales', 'almanac -C a plan --target weekly-sales'];
  expect(keysTaken(found.map((each) => `$ ${each}`).join('\n'))).toEqual(found);
  expect(keysTaken('almanac trigger schedules.weekly-sales')).toEqual([]);
});

test.each(texts)('$path names resources by whole addresses', ({ text }) => {
  expect(keysTaken(text)).toEqual([]);
});
