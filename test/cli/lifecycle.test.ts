// A schedule that is let go, taken back, or named by its id in capitals: it keeps running, and is tracked once.

import { expect, it } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

async function open() {
  const stage = await openApplied({ schedules: { daily } });
  const id = stage.idOf('schedules.daily');
  /** What is planned, applied and sent; the plan after that is empty. */
  const step = async (declared: object) => {
    stage.write({ 'schedules/all.yaml': declared });
    const { changes } = await stage.plan('--allow-empty');
    await stage.apply('--allow-empty', '--force');
    expect((await stage.plan('--allow-empty')).changes).toEqual([]);
    return { planned: changes.map(({ action, reason }) => `${action} (${reason})`), sent: stage.sent() };
  };
  return { stage, id, step };
}

it('a removed entry releases a schedule without deleting it, and adopt takes it back', async () => {
  const { stage, id, step } = await open();
  const released = await step({ removed: [{ from: 'schedules.daily', keep: true }] });
  expect(released).toEqual({ planned: ['forget (removed)'], sent: [] });
  expect(stage.emulator.data().schedules.map((each) => each.id)).toEqual([id]);
  expect(stage.state()).toMatchObject({ resources: {}, orphans: [] });
  const adopted = await step({ schedules: { daily }, adopt: [{ to: 'schedules.daily', id }] });
  expect(adopted).toEqual({ planned: ['adopt (adopt-entry)'], sent: [] });
  expect(stage.idOf('schedules.daily')).toBe(id);
});

it('an id in capitals is the same id, so no schedule is tracked twice', async () => {
  const { stage, id } = await open();
  stage.declare(
    { daily, again: { ...daily, name: 'Again' } },
    { adopt: [{ to: 'schedules.again', id: id.toUpperCase() }] },
  );
  const applied = await stage.run('apply', '--auto-approve');
  expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('is already tracked as') });
  expect(stage.idOf('schedules.daily')).toBe(id);
  expect(stage.idOf('schedules.again')).not.toBe(id);
});
