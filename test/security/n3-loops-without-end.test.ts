// A small workspace whose references and loops multiply: a list of people in a loop of customers, a text in a text, a
// CSV file of nothing but mistakes. It costs no more than an error.

import { expect, it } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { startExpansion } from '../../src/parse/expand/expansion.ts';
import type { Scope } from '../../src/parse/expand/resolve-reference.ts';
import { parseResources } from '../../src/parse/parse-resources.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import { openStage } from '../support/security/attack-stage.ts';

const people = Array.from({ length: 50 }, (_, index) => `u${index}@example.com`);

/** The instances and findings of a workspace that may have 120 values. */
function parsed(schedules: Json) {
  const expansion = startExpansion(120);
  const scope: Scope = {
    variables: { people, long: 'x'.repeat(100) },
    environment: () => undefined,
    isReserved: () => false,
    readFile: () => ({ code: 'unreadable-reference', message: '' }),
    expansion,
  };
  const { value: documents } = parseSource({ path: 'a.yaml', text: JSON.stringify({ schedules }) });
  const { value, findings } = parseResources(documents, [], () => scope);
  return { made: value.length, codes: findings.map(({ code }) => code) };
}

const items = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, index]));
const loop = (recipients: Json) => ({ l: { forEach: items, name: '${each.value}', recipients } });

it.each<[string, Json]>([
  ['that the declaration writes', people],
  ['that a variable gives', '${var.people}'],
  ['that another list takes in', ['${var.people}', 'cfo@example.com']],
])('a list %s is not repeated for every item of a loop without end', (_, recipients) => {
  const { made, codes } = parsed(loop(recipients));
  expect(codes).toEqual(['alias-expansion']);
  expect(made).toBeLessThan(3);
});

it('several loops share one limit', () => {
  const small = loop(people.slice(0, 3));
  expect(parsed(small).codes).toEqual([]);
  expect(parsed({ ...small, m: small.l }).codes).toEqual(['alias-expansion']);
});

it('a text made of the same long text again and again is an error', () => {
  expect(parsed({ s: { textBody: '${var.long} '.repeat(200) } }).codes).toEqual(['alias-expansion']);
});

const codesOf = async (rows: readonly string[]): Promise<readonly string[]> => {
  const stage = await openStage({
    'schedules/a.yaml': { schedules: { s: { forEachRow: { file: 'rows.csv', key: 'code' }, name: '${each.name}' } } },
    'schedules/rows.csv': ['code,name,mail', ...rows].join('\n'),
  });
  const { stdout } = await stage.run('validate', '--format', 'json');
  const codes: string[] = JSON.parse(stdout).diagnostics.map((each: { code: string }) => each.code);
  return codes.filter((code) => code !== 'required-field');
};

it('a CSV file with too many rows is one mistake, whatever its rows hold', async () => {
  expect(await codesOf(Array.from({ length: 5001 }, () => '!,${env.A},${env.B}'))).toEqual(['for-each-many']);
});

it('a row of a CSV file whose every cell holds a reference is one mistake', async () => {
  expect(await codesOf(['a,${env.A},${env.B}'])).toEqual(['not-interpolated']);
});
