// The pages on the emulator name its organization, operations and faults correctly. The examples on the pages work.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { faultNames, parseFault, type Quirks } from '../../src/emulator/faults.ts';
import { coreOperations, fullOperations } from '../../src/emulator/operations.ts';
import { startEmulator } from '../support/emulator/start-emulator.ts';

const page = readFileSync('docs/emulator.md', 'utf8');
const section = page.slice(page.indexOf('## The demo organization'), page.indexOf('## From tests'));
const { organization, tokens, members, userGroups = [], folders, documents, models, jobs } = demoOrganization();

/** Runs an example unchanged, except for the path of its import. */
async function runExample(code: string): Promise<{ emulator: Emulator }> {
  const imported = /^import \{ (.*) \} from 'almanac';$/m.exec(code)?.[1] ?? '';
  const body = code.replace(/^import .*$/m, `const { ${imported} } = almanac;`);
  const run = new Function('almanac', `return (async () => {\n${body}\nreturn { emulator };\n})();`);
  return (await run({ createEmulator, parseFault })) as { emulator: Emulator };
}

const inCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
const row = (...cells: string[]) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;

test.each(documents)('the emulator page shows the document $identifier', ({ identifier, name, dashboard, deleted }) => {
  const line = section.split('\n').find((text) => text.includes(`\`${identifier}\``)) ?? '';
  const { filters = {}, controls = [], tiles = [], draft = null } = dashboard ?? {};
  const cells = [
    inCode(Object.keys(filters)),
    inCode(controls.map(({ id }) => id)),
    inCode(tiles.map(({ key }) => key)),
  ];
  expect(line).toContain(`| ${name}`);
  expect(line.endsWith(row('', `\`${identifier}\``, ...cells).slice(2))).toBe(true);
  expect(line.includes('deleted')).toBe(deleted);
  expect(line.includes('without a dashboard')).toBe(dashboard === null);
  expect(line.includes('open draft')).toBe(draft !== null);
});

test('the emulator page has every id and no invented ones', () => {
  const ids = [
    organization.id,
    ...tokens.map(({ token }) => token),
    ...[...members, ...userGroups, ...folders, ...models].map(({ id }) => id),
    ...models.flatMap(({ branches, topics }) => [...branches.map(({ id }) => id), ...topics]),
    ...jobs.flatMap(({ id, conversationId }) => [id, conversationId]),
  ];
  const named = [...section.slice(section.indexOf('| what |')).matchAll(/`([^`]+)`/g)].map(([, id = '']) => id);
  expect(named.sort()).toEqual(ids.sort());
  for (const { name } of [...members, ...userGroups, ...folders]) expect(section).toContain(name);
});

test('the emulator page lists the operations, core operations first', () => {
  const rows = [...page.matchAll(/^\| `([A-Z]+ \/(?:v\d|scim)\S*)` \|/gm)].map(([, operation = '']) => operation);
  const operations = fullOperations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{id}')}`);
  expect(rows.slice(0, coreOperations.length)).toEqual(operations.slice(0, coreOperations.length));
  expect(rows.sort()).toEqual(operations.sort());
});

test('the emulator page lists the faults', () => {
  const faults = page.slice(page.indexOf('## Faults'), page.indexOf('## The demo organization'));
  const rows = faults.slice(faults.indexOf('| fault |'), faults.indexOf('| setting |')).split('\n').slice(2);
  const named = rows.flatMap((text) => [...(text.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(named).toEqual(faultNames);
  const examples = [...faults.matchAll(/--fault '([^']+)'/g)].map(([, spec = '']) => parseFault(spec));
  expect(examples.length).toBeGreaterThan(3);
});

test('the quirks in the emulator page are options', () => {
  const quirks: Required<Quirks> = {
    eventualConsistencyMs: 0,
    put: 'replace',
    fixedDestination: false,
    signatureEncoding: 'hex',
    recipientCount: 'addresses',
    sftpAddress: 'any',
    emailDomains: [],
    dropShortFilters: false,
    pngUnfiltered: false,
    andFilters: false,
    queriesWithoutQuery: false,
    storedFilters: 'as-sent',
  };
  const rows = [
    ...page
      .slice(page.indexOf('## From tests'), page.indexOf('# How the emulator'))
      .matchAll(/^\| `(\w+)` \| .* \|$/gm),
  ].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(quirks));
});

test('the library examples in the emulator page work', async () => {
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(examples).toHaveLength(2);
  for (const code of examples) {
    const { emulator } = await runExample(code);
    await emulator.close();
  }
});

test('the emulator page shows the line that the emulator prints', async () => {
  const shown = /^\{"baseUrl".*\}$/m.exec(page)?.[0] ?? '{}';
  const { emulator } = await startEmulator();
  await emulator.close();
  expect(JSON.parse(shown)).toEqual({ ...(await emulator.listen()), baseUrl: 'http://127.0.0.1:4010/api' });
  await emulator.close();
});

test('the emulator page shows the form of an error', async () => {
  const shown = /^\{ "detail".*\}$/m.exec(page)?.[0] ?? '{}';
  const { send } = await startEmulator();
  const slack = { destinationType: 'slack', slackRecipientType: 'channel', recipients: ['C1', 'C2'] };
  const common = { identifier: '12db1a0a', name: 'x', schedule: '0 9 ? * MON *', timezone: 'UTC', format: 'csv' };
  expect((await send('POST', '/v1/schedules', { ...common, ...slack })).body).toEqual(JSON.parse(shown));
});
