// A small workspace whose references and loops multiply: a list of people in a loop of customers, a text in a text, a
// CSV file of nothing but mistakes. It costs no more than an error.

import { expect, it } from 'vitest';
import { startExpansion } from '../../src/declare/expand/expansion-room.ts';
import { interpolate } from '../../src/declare/expand/interpolate.ts';
import type { Scope } from '../../src/declare/expand/resolve-reference.ts';
import { loadConfig } from '../../src/declare/load/load-config.ts';
import { scopes } from '../../src/declare/load/source-scopes.ts';
import { parseResources } from '../../src/declare/parse-resources.ts';
import type { Workspace } from '../../src/declare/workspace.ts';
import type { Json } from '../../src/model/values/json.ts';
import { makeLocator } from '../../src/yaml/locate.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';
import { openWorld } from '../support/world.ts';

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
  const stage = await openWorld({
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

it.each<[string, string]>([
  ['secrets in a URL', `https://example.com/${'${env.A}'.repeat(20_000)}`],
  ['missing secrets in a URL', `https://example.com/${'${env.B}'.repeat(20_000)}`],
])('a text of very many %s is read once, and not again for each of them', (_, url) => {
  const scope: Scope = {
    variables: {},
    environment: (name) => (name === 'A' ? 'secret' : undefined),
    isReserved: () => false,
    readFile: () => ({ text: '' }),
  };
  interpolate({ url }, scope, { roomAt: () => 'path-and-query' });
});

it('very many mistakes in one folded text are placed in one pass', () => {
  const text = `a: >-\n  ${'${var.x}\n  '.repeat(10_000)}`;
  const locator = makeLocator(() => ({ path: 'a.yaml', text }));
  const placeOf = (index: number) => {
    const within = { start: index * 9, end: index * 9 + 8 };
    return locator.locate({ file: 'a.yaml', document: 0, pointer: '/a', at: 'value', within })?.line;
  };
  expect(Array.from({ length: 10_000 }, (_, index) => placeOf(index))).toEqual(
    Array.from({ length: 10_000 }, (_, index) => index + 2),
  );
});

it('a file that a text names very often is read once', async () => {
  const read: string[] = [];
  const workspace: Workspace = {
    ...makeMemoryWorkspace({ 'almanac.yaml': '' }),
    readReference: (path) => {
      read.push(path);
      return { text: 'x' };
    },
  };
  const { usable } = await loadConfig(workspace, () => undefined, undefined);
  const scopeOf = await scopes({ workspace, environment: () => undefined }, usable, {
    files: new Map(),
    texts: new Set(),
  });
  const { readFile } = scopeOf('schedules/a.yaml');
  for (let count = 0; count < 3; count += 1) expect(readFile('body.md')).toMatchObject({ text: 'x' });
  expect(read).toEqual(['schedules/body.md']);
});
