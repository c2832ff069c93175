// What a mistake causes is not said in place of the mistake: in what depends on a state, on Omni or on a repository.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inOneLine, mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openApplied, openWorld } from '../support/world.ts';

const team = mail({ name: 'Team' });

test.each([
  ['a misspelled address', 'schedules.tem', 'Did you mean `schedules.team`?'],
  ['an address that never was', 'schedules.of-another-workspace', 'Correct the address, or remove the entry.'],
])('validate and plan say of an entry of moved from %s that it moves nothing', async (_, from, hint) => {
  const world = await openApplied({ schedules: { team } });
  world.write({ 'schedules/all.yaml': { schedules: { crew: team }, moved: [{ from, to: 'schedules.crew' }] } });
  for (const command of ['validate -v', 'plan -v']) {
    const { stdout, stderr } = await world.run(command);
    const said = inOneLine(`${stdout} ${stderr}`);
    expect(said, command).toContain('note[stale-moved]');
    expect(said, command).toContain(`Nothing is tracked as \`${from}\`, so nothing becomes \`schedules.crew\`.`);
    expect(said, command).toContain(hint);
  }
});

test('validate says nothing of an entry of moved before the first apply, or after it has taken effect', async () => {
  const world = await openWorld({ schedules: { team }, moved: [{ from: 'schedules.a', to: 'schedules.team' }] });
  expect((await world.run('validate')).stdout).toBe('No errors in 1 file.\n');
  await world.apply();
  expect((await world.run('validate')).stdout).toBe('No errors in 1 file.\n');
});

test.each([
  ['all tiles, beside an alert that has asked for them', {}, 1],
  ['one tile', { queryIdentifierMapKey: 'Jmn2r3KV' }, 0],
  ['all tiles as another format', { format: 'xlsx' }, 0],
])('validate --online says that a CSV of several tiles is a ZIP: %s', async (_, change, said) => {
  const watched = mail({ name: 'Alert', conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' });
  const schedules = { csv: mail({ format: 'csv', ...change }), watched };
  const { run } = await openWorld({ schedules });
  const { stdout } = await run('validate --online --format json');
  const found = JSON.parse(stdout).diagnostics.filter(({ code }: { code: string }) => code === 'csv-of-tiles');
  expect(found).toHaveLength(said);
  for (const { message } of found) expect(message).toMatch(/has \d tiles, and several come as a ZIP/);
});

test('an update that is refused for its filters is not answered with a replacement, which would be refused as well', async () => {
  const filtered = (identifier: string) =>
    mail({ identifier, filterConfig: { region: { type: 'string', kind: 'EQUALS', values: ['Europe'] } } });
  const world = await openApplied({ schedules: { team: filtered('12db1a0a') } });
  world.write({ 'schedules/all.yaml': { schedules: { team: filtered('e5521fd8') } } });
  const { code, stdout, stderr } = await world.run('apply --auto-approve');
  const said = inOneLine(`${stdout} ${stderr}`);
  expect(code).toBe(1);
  expect(said).toContain('Invalid filter keys');
  expect(said).toContain('`almanac validate --online` says what it has.');
  expect(said).not.toContain('--replace');
});

test('a plan shows the difference between a letter with an accent and a letter with an accent behind it', async () => {
  const world = await openApplied({ schedules: { team: mail({ name: 'Caf\u00e9', subject: 'Caf\u00e9' }) } });
  world.write({ 'schedules/all.yaml': { schedules: { team: mail({ name: 'Caf\u00e9', subject: 'Cafe\u0301' }) } } });
  expect((await world.run('plan')).stdout).toContain('subject: "Caf\u00e9" -> "Cafe\\u0301"');
});

test('init writes settings of VS Code at the root of the repository, where an editor looks for them', async () => {
  const { path, run } = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
  expect(await run('init', '--yes', '--dir', 'teams/reports', '--editor', 'vscode')).toMatchObject({ code: 0 });
  expect(existsSync(join(path, 'teams/reports/.vscode'))).toBe(false);
  const { 'yaml.schemas': schemas } = JSON.parse(readFileSync(join(path, '.vscode/settings.json'), 'utf8'));
  expect(Object.values(schemas).flat()).toContain('teams/reports/almanac.yaml');
  for (const file of Object.keys(schemas)) expect(existsSync(join(path, file)), file).toBe(true);
  const second = await run('init', '--yes', '--dir', 'customers', '--editor', 'vscode');
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('--editor none') });
});
