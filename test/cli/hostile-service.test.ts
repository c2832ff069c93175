// Text from the service reaches a terminal without control sequences: error messages, names and ids.

import { expect, it, onTestFinished } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { obeyed } from '../support/report/strip-sgr.ts';
import { answer, startServer } from '../support/state/scripted-server.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';

async function openStage(acts: Parameters<typeof startServer>[0], files: object = {}) {
  const server = await startServer(acts);
  onTestFinished(() => server.close());
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl: server.baseUrl, operations: 'full', rateLimit: 0 } },
    'schedules/all.yaml': { schedules: { a: hook } },
    ...files,
  });
  return workspaceIn(folder, { OMNI_API_TOKEN: 'omni_osk_x' });
}

const row = (id: string) => ({
  id,
  identifier: hook.identifier,
  name: hook.name,
  schedule: hook.schedule,
  timezone: hook.timezone,
  format: hook.format,
  destinationType: hook.destinationType,
  dashboardName: evil,
});
const list = (...records: readonly object[]) => answer(200, { records, pageInfo: { hasNextPage: false } });

it('a service cannot control the terminal through the text of an error', async () => {
  const workspace = await openStage([list(), answer(400, { detail: `${evil}No such tile`, status: 400 })]);
  const { code, stdout, stderr } = await workspace.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('No such tile');
  expect(stdout + stderr).not.toMatch(obeyed);
});

it('a service cannot control the terminal through the id of a schedule', async () => {
  const workspace = await openStage([list(), answer(200, { id: `${evil}2abba91d` })]);
  const { stdout, stderr } = await workspace.run('apply', '--auto-approve');
  expect(stdout + stderr).not.toMatch(obeyed);
  for (const argv of [['state', 'list'], ['plan'], ['show']]) {
    const later = await workspace.run(...argv);
    expect(later.stdout + later.stderr).not.toMatch(obeyed);
  }
});

it('a service cannot control the terminal through listed ids in the refusal of a create', async () => {
  const workspace = await openStage([list(row(`${evil}one`), row(`${evil}two`))]);
  const { code, stdout, stderr } = await workspace.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('adopt:');
  expect(stdout + stderr).not.toMatch(obeyed);
});

it('a service cannot control the terminal through listed ids in a recovery', async () => {
  const details = answer(200, {
    ...row('x'),
    createdAt: new Date().toISOString(),
    updatedAt: '2026-03-01T00:00:00.000Z',
    metadata: {},
    destinations: [],
  });
  const workspace = await openStage([list(), answer(500, 'lost'), list(row(`${evil}one`), row(`${evil}two`)), details]);
  expect((await workspace.run('apply', '--auto-approve')).code).toBe(1);
  const { code, stdout, stderr } = await workspace.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain('schedules that nothing tracks and that were not there before');
  expect(stdout + stderr).not.toMatch(obeyed);
});
