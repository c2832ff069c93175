// What an apply does about an update or a delete whose answer was lost.

import { describe, expect, it } from 'vitest';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { schedule, stateOf } from '../support/apply/declared.ts';
import { core, type Stage, stage } from '../support/apply/stage.ts';
import { failureOf } from '../support/failure-of.ts';

const s = 'schedules.s';
const duringTheApply = '2026-02-28T23:59:01.000Z';

function recovering(declared: Record<string, JsonObject>, state: State): Stage {
  return stage({ schedules: declared }, { state });
}

const refusalOf = (made: Stage, options = {}) => failureOf(made.apply(options));

describe('a delete whose answer was lost', () => {
  const open = { address: s, action: 'delete', since: '2026-02-28T23:59:00.000Z' } as const;
  const deleting = () =>
    recovering({ s: schedule('S') }, stateOf({ [s]: { id: 'x', attributes: schedule('S') } }, { unresolved: [open] }));

  it('a schedule that is declared again after a lost delete is created if it is gone', async () => {
    const made = deleting();
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a schedule that is declared again after a lost delete is updated and resumed if it still exists', async () => {
    const made = deleting();
    made.service.add('x', schedule('S'), duringTheApply).paused = true;
    await made.apply();
    expect(made.service.sent).toEqual(['PUT x', 'RESUME x']);
    expect((await made.plan()).changes).toEqual([]);
  });
});

describe('an update or a delete whose answer was lost, and then operations core, which can send neither', () => {
  it.each<[Unresolved['action'], JsonObject, string]>([
    ['update', schedule('S'), 'an update of it'],
    ['update', schedule('S', { lifecycle: { preventDestroy: true } }), 'an update of it'],
    ['delete', schedule('S'), 'its deletion'],
  ])(
    'an open %s is refused by address with operations core until someone says what became of it',
    async (action, declared, words) => {
      const since = '2026-02-28T23:59:00.000Z';
      const open = { address: s, action, since, attributes: action === 'update' ? schedule('T') : undefined };
      const made = stage(
        { schedules: { s: declared } },
        {
          state: stateOf({ [s]: { id: 'x', attributes: schedule('S') } }, { unresolved: [open] }),
          almanac: core,
        },
      );
      const failure = await refusalOf(made);
      expect(failure).toMatchObject({ code: 'blocked', message: expect.stringContaining(words) });
      for (const way of ['--done', '--retry']) expect(failure.message).toContain(`almanac state resolve ${s} ${way}`);
      expect(made.store.stored.state?.unresolved).toEqual([open]);
    },
  );
});
