// What --target and --replace select: what is looked up for them, and which addresses they refuse.

import { describe, expect, it } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { hook } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

const named = (name: string) => ({ ...hook, name });

async function stage(applied: object) {
  const workspace = await openApplied({ schedules: applied });
  const change = (name: string) => workspace.change(name, (fields) => (fields['timezone'] = 'Asia/Tokyo'));
  return { ...workspace, workspace, change };
}

const drifted = ({ drift }: PlanDocument) => drift.map(({ address }) => address);

describe('a look at targets', () => {
  it('a plan with targets looks at what moves to a target, over several entries and by its content', async () => {
    const { workspace, declare, change } = await stage({ a: named('A'), b: named('B'), other: named('Other') });
    const moved = [
      { from: 'schedules.a', to: 'schedules.between' },
      { from: 'schedules.between', to: 'schedules.x' },
    ];
    declare({ x: named('A'), y: named('B'), other: named('Other') }, { moved });
    for (const name of ['A', 'B', 'Other']) change(name);
    const plan = await workspace.plan('--refresh', '--target', 'schedules.x', 'schedules.y');
    expect(drifted(plan)).toEqual(['schedules.a', 'schedules.b']);
    expect(plan.changes.map(({ address, action, previousAddress }) => [action, address, previousAddress])).toEqual([
      ['update', 'schedules.x', 'schedules.a'],
      ['update', 'schedules.y', 'schedules.b'],
    ]);
  });

  it('a plan with targets looks at what makes room for a target', async () => {
    const { workspace, declare, change } = await stage({ a: named('A'), b: named('B') });
    const moved = [
      { from: 'schedules.a', to: 'schedules.b' },
      { from: 'schedules.b', to: 'schedules.c' },
    ];
    declare({ b: named('A'), c: named('B') }, { moved });
    change('B');
    expect(drifted(await workspace.plan('--refresh', '--target', 'schedules.a'))).toEqual(['schedules.b']);
  });
});

describe('an address', () => {
  const refused = async (...argv: string[]) => {
    const { workspace, declare } = await stage({ weekly: named('A'), daily: named('B') });
    declare(
      { monday: named('A'), daily: named('B') },
      { moved: [{ from: 'schedules.weekly', to: 'schedules.monday' }] },
    );
    const { code, stderr } = await workspace.run('plan', ...argv);
    expect(code).toBe(1);
    return stderr.replaceAll(/\s+/g, ' ');
  };

  it.each([
    ['is where it was before a move', ['--replace', 'schedules.weekly'], '`schedules.monday`'],
    [
      'is not among the targets',
      ['--replace', 'schedules.daily', '--target', 'schedules.monday'],
      '--target schedules.daily',
    ],
    ['is to be replaced where nothing is sent', ['--replace', 'schedules.daily', '--refresh-only'], '--refresh-only'],
  ])('an address of --replace that %s is refused with an explanation', async (_, argv, words) => {
    const stderr = await refused(...argv);
    expect(stderr).toContain('error[usage]');
    expect(stderr).toContain(words);
  });

  it('--replace of a sent test delivery is refused, with the way to send another', async () => {
    const { workspace, emulator } = await stage({ once: { ...named('A'), testNow: true } });
    const before = emulator.requests().length;
    const { code, stderr } = await workspace.run('apply', '--auto-approve', '--replace', 'schedules.once');
    expect({ code, words: stderr.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 1,
      words: expect.stringContaining('almanac test schedules.once'),
    });
    expect(emulator.requests()).toHaveLength(before);
  });

  it('--replace accepts the address of a target that moves', async () => {
    const { workspace, declare } = await stage({ weekly: named('A') });
    declare({ monday: named('A') });
    const plan = await workspace.plan('--replace', 'schedules.monday', '--target', 'schedules.weekly');
    expect(plan.changes).toMatchObject([{ action: 'replace', previousAddress: 'schedules.weekly' }]);
  });
});

it('an apply of a saved plan asks only about the targets of the plan', async () => {
  const { emulator, workspace, declare } = await stage({ a: named('A'), b: named('B'), c: named('C') });
  declare({ a: named('A2'), b: named('B'), c: named('C') });
  const reads = async (...argv: readonly string[]) => {
    const before = emulator.requests().length;
    const { code, stdout, stderr } = await workspace.run(...argv);
    expect(code, stdout + stderr).toBe(0);
    return emulator
      .requests()
      .slice(before)
      .filter(({ method }) => method === 'GET').length;
  };
  const planned = await reads('plan', '--target', 'schedules.a', '--refresh=deep', '--out', 'p.json');
  expect(await reads('apply', '--auto-approve', 'p.json')).toBe(planned);
});
