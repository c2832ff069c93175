// Ctrl-C while a command only reads: it says that nothing was done, and how to go on.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { connecting } from '../support/cli/connecting.ts';
import { daily, weekly } from '../support/cli/open-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { inOneLine, says } from '../support/vocabulary.ts';
import { outsideIn, workspaceIn } from '../support/workspace.ts';
import { openApplied, type World } from '../support/world.ts';

const again = 'Run the command again.';
const progress = '.almanac-recipients.json';
const offboard = ['offboard', 'ana@example.com', '--to', 'bo@example.com'];

/** One schedule that is tracked, and one that somebody made in Omni. */
async function open(): Promise<World> {
  const mail = { ...weekly, schedule: daily.schedule };
  const stage = await openApplied({ schedules: { mail } });
  stage.emulator.edit(({ schedules }) => {
    const [first] = schedules;
    if (first === undefined) throw new Error('nothing was applied');
    schedules.push({ ...structuredClone(first), id: ids.stranger, ownerId: ids.ana });
  });
  stage.sent();
  return stage;
}

/** Ctrl-C comes with the list of schedules, the nth time that it is asked for. */
function interruptedAtList(stage: World, nth = 1) {
  const controller = new AbortController();
  const clock = makeInstantClock(Date.UTC(2026, 2, 1));
  let count = 0;
  const connect = connecting(({ listSchedules }) => ({
    listSchedules: (...call) => {
      count += 1;
      if (count === nth) controller.abort();
      return listSchedules(...call);
    },
  }));
  return workspaceIn(stage, stage.environment, { connect, clock, signal: controller.signal });
}

it.each<[string, string, string[], number?]>([
  ['status', 'changed', ['status']],
  ['status --retry', 'delivered', ['status', '--retry', 'failed', '--auto-approve']],
  ['who --online', 'changed', ['who', '--online']],
  ['offboard', 'changed', offboard],
  ['offboard --apply', 'transferred', [...offboard, '--apply', '--auto-approve'], 2],
  ['plan --refresh', 'changed', ['plan', '--refresh']],
])('an interruption of %s says that nothing was %s, and what to do', async (_, what, argv, nth = 1) => {
  const stage = await open();
  const { code, stderr } = await interruptedAtList(stage, nth).run(...argv);
  expect(code).toBe(1);
  expect(inOneLine(stderr)).toMatch(/^(?:Reading [^.]*\. )?error\[interrupted\]: Interrupted /);
  expect(stderr).toEqual(says(`hint: Nothing was ${what}. ${again}`));
  expect(stage.sent()).toEqual([]);
});

it.each([
  ['an apply', ['apply', '--auto-approve']],
  ['a plan that looks at Omni', ['plan', '--refresh']],
])('an interruption while the files are read ends %s before anything is locked or sent', async (_, argv) => {
  const stage = await open();
  stage.write({ 'schedules/all.yaml': { schedules: { mail: { ...weekly, name: 'Another name' } } } });
  const controller = new AbortController();
  const silent = { write: () => undefined, isTerminal: false, width: 80 };
  const outside = outsideIn(stage.path, stage.environment, { stdout: silent, stderr: silent });
  const openWorkspace: Outside['openWorkspace'] = async (how) => {
    const workspace = await outside.openWorkspace(how);
    const read: typeof workspace.read = (path) => {
      if (path.startsWith('schedules/')) controller.abort();
      return workspace.read(path);
    };
    return { ...workspace, read };
  };
  const before = stage.state();
  const interrupted = workspaceIn(stage, stage.environment, { openWorkspace, signal: controller.signal });
  const { code, stderr } = await interrupted.run(...argv);
  expect(code).toBe(1);
  expect(inOneLine(stderr)).toMatch(/error\[interrupted\]: Interrupted /);
  expect(stderr).toEqual(says(`hint: Nothing was changed. ${again}`));
  expect([stage.sent(), stage.state()]).toEqual([[], before]);
});

it('an interruption of the proof of offboard keeps what was read, and says so', async () => {
  const stage = await open();
  const controller = new AbortController();
  const silent = { write: () => undefined, isTerminal: false, width: 80 };
  const outside = outsideIn(stage.path, stage.environment, { stdout: silent, stderr: silent });
  // The first question about a file that may be edited comes after the reading.
  const openWorkspace: Outside['openWorkspace'] = async (how) => {
    const workspace = await outside.openWorkspace(how);
    const readOnlyReason: typeof workspace.readOnlyReason = (path) => {
      controller.abort();
      return workspace.readOnlyReason(path);
    };
    return { ...workspace, readOnlyReason: readOnlyReason };
  };
  const before = stage.read('schedules/all.yaml');
  const interrupted = workspaceIn(stage, stage.environment, { openWorkspace, signal: controller.signal });
  const { code, stderr } = await interrupted.run(...offboard, '--write');
  expect(code).toBe(1);
  expect(stderr).toEqual(says(`hint: ${progress} keeps what was read, 1 of 1: continue with --resume.`));
  expect(stage.read('schedules/all.yaml')).toBe(before);
  const { code: ended, stdout } = await stage.run(...offboard, '--write', '--resume');
  // The state has the address until it is applied.
  expect([ended, stdout]).toEqual([1, says('Made 1 edit in 1 file.')]);
  expect(existsSync(join(stage.path, progress))).toBe(false);
});
