// What people see before they are asked.

import { expect, it } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

it('state unlock says whose lock it breaks, and asks only if there is a lock', async () => {
  const lock = {
    who: 'bo',
    host: 'ci-7',
    pid: 4711,
    command: 'apply',
    since: '2026-03-01T00:00:00.000Z',
    id: 'x',
    runUrl: 'https://ci.example.com/7',
  };
  const asked: string[] = [];
  const answers = ['no', 'yes'];
  const ask = async (question: string) => {
    asked.push(question);
    return answers[asked.length - 1];
  };
  const folder = makeFolder({ 'almanac.yaml': {}, 'almanac.state.json.lock': lock });
  const environment = { OMNI_BASE_URL: 'http://127.0.0.1:9/api' };
  const { run } = workspaceIn(folder, environment, { asker: () => ask });
  expect(await run('state', 'unlock')).toMatchObject({ code: 1, stdout: '' });
  for (const words of ['bo on ci-7', '4711', lock.since, lock.runUrl]) expect(asked[0]).toContain(words);
  expect((await workspaceIn(folder, environment).run('state', 'unlock')).stderr).toContain('bo on ci-7');
  expect((await run('state', 'unlock')).stdout).toContain('is broken');
  expect((await run('state', 'unlock')).stdout).toContain('is not locked');
  expect(asked).toHaveLength(2);
});

it('an apply without a terminal names the ways to review a plan only where none is used', async () => {
  const workspace = workspaceIn(makeFolder({ 'almanac.yaml': {}, 'schedules/all.yaml': { schedules: { hook } } }), {
    OMNI_BASE_URL: 'http://127.0.0.1:9/api',
  });
  expect((await workspace.run('apply')).stderr).toContain('apply a saved plan');
  const asJson = await workspace.run('apply', '--format', 'json');
  expect(expectDocument('error', asJson.stdout)).toMatchObject({ error: { code: 'usage' } });
  await workspace.run('plan', '--out', 'saved.plan');
  const { code, stderr } = await workspace.run('apply', 'saved.plan');
  expect(code).toBe(1);
  expect(stderr).toContain('hint: Use --auto-approve. It applies only what was reviewed.');
});

it('an apply that prints JSON shows the plan on stderr before it asks', async () => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return 'yes';
  };
  const workspace = await openWorld({ schedules: { hook } }, { outside: { asker: () => ask } });
  const { code, stdout, stderr } = await workspace.run('apply', '--format', 'json');
  expect(code).toBe(0);
  expect(asked).toHaveLength(1);
  expect(stderr).toContain('create  schedules.hook: ');
  expect(JSON.parse(stdout)).toMatchObject({ summary: { applied: 1 } });
});
