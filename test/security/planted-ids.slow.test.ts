// Threat: as in planted-ids.test.ts, where the state is a branch that everybody with write access may push to.

import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { boards, plantId } from '../support/security/planted-id.ts';
import { makeGitStage } from '../support/state/git-remote.ts';
import { openWorld } from '../support/world.ts';

const address = 'schedules.hook';

it('the built program refuses an id that somebody planted in the branch of the state, and a rename has a way out', {
  timeout: 120_000,
}, async () => {
  const remote = makeGitStage();
  onTestFinished(() => remote.remove());
  const declared = { schedules: { hook, weekly } };
  const environment = Object.fromEntries(Object.entries(remote.environment).flatMap(([k, v]) => (v ? [[k, v]] : [])));
  const world = await openWorld(declared, { config: { state: { backend: 'git' } }, environment });
  execFileSync('git', ['init', '-q'], { cwd: world.path, env: remote.environment });
  execFileSync('git', ['remote', 'add', 'origin', remote.remote], { cwd: world.path, env: remote.environment });
  const run = async (...argv: readonly string[]) => world.spawn(argv.join(' '));
  const mustSucceed = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };
  await mustSucceed('apply', '--auto-approve');
  const ownId = (JSON.parse(await mustSucceed('state', 'pull')) as ReturnType<typeof world.state>).resources[address]
    ?.id;
  const boardId = world.makeByHand(boards);
  world.sent();
  await plantId({ ...world, run }, address, boardId);
  world.declare({ hook: { ...hook, timezone: 'Europe/London' }, weekly });
  for (const command of [['apply'], ['apply', '--replace', address], ['trigger', address]]) {
    const { code, stderr } = await run(...command, '--auto-approve');
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `${address} (${boardId}): the state has "Stock feed" on the dashboard`,
    );
  }
  expect(world.sent()).toEqual([]);

  await plantId({ ...world, run }, address, ownId ?? '');
  world.change(hook.name, (fields) => Object.assign(fields, { name: 'Stock feed, renamed' }));
  const refused = await run('apply', '--auto-approve');
  const [, way = ''] = /`almanac (apply --refresh-only --target \S+)`/.exec(refused.stderr.replace(/\s+/g, ' ')) ?? [];
  await mustSucceed(...way.split(' '), '--auto-approve');
  expect(await mustSucceed('plan')).toMatch(/~ name: +"Stock feed, renamed" -> "Stock feed"/);
  await mustSucceed('apply', '--auto-approve');
  expect(world.sent()).toEqual([`PUT /api/v1/schedules/${ownId}`]);
});
