// The files that `almanac import` writes: folders as in Omni, and the head with the schema, the owner and the page.

import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { connecting } from '../support/cli/connecting.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

/** The service answers as if it were at acme.omniapp.co. */
async function openStage(
  config: object = {},
  files: Readonly<Record<string, unknown>> = {},
  change?: Parameters<typeof connecting>[0],
) {
  const there = { baseUrl: '' };
  const connect: Outside['connect'] = (settings) => connecting(change, there)(settings);
  const api = { baseUrl: 'https://acme.omniapp.co/api' };
  const workspace = await openWorld(files, { api, config, outside: { connect } });
  there.baseUrl = workspace.baseUrl;
  await workspace.create('webhook', { name: 'Hook', format: 'json' });
  return workspace;
}

type Stage = Awaited<ReturnType<typeof openStage>>;

const headOf = (text: string) => text.split('\n').filter((line) => line.startsWith('# '));

it('a file begins with the schema, the dashboard, its owner and its page', async () => {
  const stage = await openStage();
  expect(await stage.import()).toMatchObject({ schema: '.almanac/resources.schema.json' });
  expect(headOf(stage.read('schedules/sales/sales-overview.yaml'))).toEqual([
    '# yaml-language-server: $schema=../../.almanac/resources.schema.json',
    '# The dashboard Sales overview (12db1a0a) of Ana Ortiz, as almanac import read it.',
    '# https://acme.omniapp.co/dashboards/12db1a0a',
    '# Filters that may be those of the dashboard: order_date, order_status. The next update of a schedule makes them its own.',
  ]);
  expect(statSync(join(stage.path, '.almanac/resources.schema.json')).size).toBeGreaterThan(10_000);
});

it('a file that appears while an import reads stays as it is, and what was read is written beside it', async () => {
  const path = 'schedules/sales/sales-overview.yaml';
  let write: Stage['write'] = () => undefined;
  const stage = await openStage({}, {}, ({ getSchedule }) => ({
    getSchedule: async (...argv) => {
      write({ [path]: '# Mine\n' });
      return getSchedule(...argv);
    },
  }));
  write = stage.write;
  const beside = 'schedules/sales/sales-overview-2.yaml';
  expect((await stage.import()).beside).toEqual([{ path: beside, there: path }]);
  expect(stage.read(path)).toBe('# Mine\n');
  expect(stage.read(beside)).toContain('as almanac import read it');
});

it('an import leaves the schema of the workspace as it is, and requires what the defaults do not give', async () => {
  const defaults = { schedules: { timezone: 'UTC' } };
  const stage = await openStage({ defaults }, { '.almanac/resources.schema.json': '{}' });
  expect(await stage.import()).not.toHaveProperty('schema');
  expect(stage.read('.almanac/resources.schema.json')).toBe('{}');
  const other = await openStage({ defaults });
  await other.import();
  const { stdout } = await other.run('schema', '--workspace');
  expect(other.read('.almanac/resources.schema.json')).toBe(stdout);
});

it('an import stays inside the workspace whatever the folders are called, and no name ends a comment', async () => {
  const stage = await openStage();
  stage.emulator.edit((data) => {
    for (const folder of data.folders) folder.path = '../../..//C:\\con/nul';
    for (const member of data.members) member.name = 'Ana\nadopt: []\n\u202e';
  });
  const { files } = await stage.import();
  expect(files).toEqual([{ path: 'schedules/c-con/nul-folder/sales-overview.yaml', resources: 1 }]);
  const text = stage.read('schedules/c-con/nul-folder/sales-overview.yaml');
  expect(text).toContain('of Ana\\nadopt: []\\n\\u202e, as');
  expect(existsSync(join(stage.path, '..', 'c-con'))).toBe(false);
  expect(await stage.run('validate')).toMatchObject({ code: 0 });
});

it('many schedules that cannot be declared for one reason are one warning, and -v lists all', async () => {
  const stage = await openStage();
  for (let index = 1; index <= 40; index += 1) await stage.create('email', { name: `Report ${index}`, format: 'pdf' });
  stage.emulator.edit(({ schedules }) => {
    for (const { fields } of schedules) if (fields['destinationType'] === 'email') fields['format'] = 'pptx';
  });
  const { stderr, stdout } = await stage.run('import');
  expect(stderr.match(/not declared: Report \d+/g)).toHaveLength(5);
  expect(stderr).toEqual(says('warning: and 35 more (-v lists all) The API cannot create its format (pptx).'));
  expect(stdout).toContain('Imported 1 schedule into 1 file; 40 could not be declared.');
  rmSync(join(stage.path, 'schedules'), { recursive: true });
  const all = await stage.run('import', '-v');
  expect(all.stderr.match(/not declared: Report \d+/g)).toHaveLength(40);
});
