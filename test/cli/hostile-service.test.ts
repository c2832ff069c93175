// Text from the service reaches a terminal without control sequences: error messages, names and ids.

import { expect, it, onTestFinished } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { obeyed } from '../support/report/strip-sgr.ts';
import { type Act, answer, startServer } from '../support/state/scripted-server.ts';
import { says } from '../support/vocabulary.ts';
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
/** Of the schedule that is asked for. */
const details: Act = (response, request) => {
  const id = decodeURIComponent(request.url.split('/').at(-1) ?? '');
  const said = { ...row(id), createdAt: new Date().toISOString(), metadata: {}, destinations: [] };
  answer(200, said)(response, request);
};
const list = (...records: readonly object[]) => answer(200, { records, pageInfo: { hasNextPage: false } });

it.each([
  ['the text of an error', [list(), answer(400, { detail: `${evil}No such tile`, status: 400 })], 'No such tile'],
  ['the id of a schedule', [list(), answer(200, { id: `${evil}2abba91d` })], ''],
  [
    'listed ids in the refusal of a create',
    [list(row(`${evil}one`), row(`${evil}two`))],
    'that Almanac does not track',
  ],
  [
    'listed ids in a recovery',
    [list(), answer(500, 'lost'), list(row(`${evil}one`), row(`${evil}two`)), details],
    'schedules that nothing tracks and that were not there before',
  ],
])('a service cannot control the terminal through %s', async (_, acts, words) => {
  const workspace = await openStage(acts);
  let shown = '';
  for (const argv of [
    ['apply', '--auto-approve'],
    ['state', 'list'],
    ['plan'],
    ['show'],
    ['apply', '--auto-approve'],
  ]) {
    const { code, stdout, stderr } = await workspace.run(...argv);
    if (argv[0] === 'apply') expect(code).toBe(1);
    shown += stdout + stderr;
  }
  expect(shown).toEqual(says(words));
  expect(shown).not.toMatch(obeyed);
});
