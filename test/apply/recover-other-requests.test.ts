// What an apply does about updates and deletes with lost answers. Covers a dashboard that it cannot look at.

import { describe, expect, it } from 'vitest';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { lostCreate, schedule, stateOf } from '../support/apply/declared.ts';
import { refusalOf } from '../support/apply/refusal-of.ts';
import { core, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, idOf, refusal } from '../support/emulator/service.ts';
import { mail } from '../support/vocabulary.ts';

const s = 'schedules.s';
const x = idOf('x');
const duringTheApply = '2026-02-28T23:59:01.000Z';

function recovering(declared: Record<string, JsonObject>, state: State): Stage {
  return stage({ schedules: declared }, { state });
}

describe('a delete whose answer was lost', () => {
  const open = { address: s, action: 'delete', since: '2026-02-28T23:59:00.000Z' } as const;
  const deleting = () =>
    recovering({ s: schedule('S') }, stateOf({ [s]: { id: x, attributes: schedule('S') } }, { unresolved: [open] }));

  it('a schedule that is declared again after a lost delete is created if it is gone', async () => {
    const made = deleting();
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('nothing is sent to a schedule that is declared again after a lost delete and still exists', async () => {
    const made = deleting();
    made.service.add(x, schedule('S'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect((await made.plan()).changes).toEqual([]);
  });
});

it('a create that did not hear whether its groups were added adds them in the next apply, and creates nothing', async () => {
  const declared = mail({ name: 'S', userGroups: ['Board'], subject: 'One' });
  const made = stage({ schedules: { s: declared } });
  const board = { name: 'Board', id: '00000000-0000-4000-9000-000000000001', memberIds: [] };
  Object.assign(made.service.data, { userGroups: [board] });
  for (const document of made.service.data.documents)
    Object.assign(document, { scope: 'organization', sharedWithGroups: [board.id] });
  made.service.reach = (point) => {
    if (point.startsWith('before PUT add')) throw answerLost();
  };
  expect((await made.apply()).document?.summary).toMatchObject({ unknown: 1 });
  const { resources, unresolved } = made.store.stored.state as State;
  expect(unresolved).toMatchObject([{ address: s, action: 'update', groups: [{ id: board.id }] }]);
  made.service.reach = () => undefined;
  made.service.sent.length = 0;
  await made.apply();
  expect(made.service.sent).toEqual([`PUT ${resources[s]?.id}`, `PUT add ${resources[s]?.id}`]);
  expect((await made.plan()).changes).toEqual([]);
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
          state: stateOf({ [s]: { id: x, attributes: schedule('S') } }, { unresolved: [open] }),
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

describe('a dashboard whose list is refused', () => {
  const elsewhereB = schedule('B', { identifier: '3f9c2b71' });
  const refusing = (state: State) => {
    const made = recovering({ a: schedule('A'), b: elsewhereB }, state);
    const refused = () => Promise.reject(refusal(403, 'api-unauthorized'));
    made.service.instead = ({ listSchedules, getSchedule }) => ({
      listSchedules: (...asked) => (asked[0].identifier === '12db1a0a' ? refused() : listSchedules(...asked)),
      getSchedule: (...asked) => (asked[0] === x ? refused() : getSchedule(...asked)),
    });
    made.service.add(idOf('of b'), elsewhereB, duringTheApply);
    return made;
  };

  it('a dashboard whose list is refused is refused by address with the way out, and what was sent to the others is found', async () => {
    const unresolved = [lostCreate('schedules.a', schedule('A')), lostCreate('schedules.b', elsewhereB)];
    const made = refusing(stateOf({}, { unresolved }));
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({
      code: 'blocked',
      message: expect.stringMatching(/^Almanac cannot look for what was sent for schedules\.a: .*403/),
      hint: expect.stringContaining('Check in Omni, then: almanac state resolve schedules.a --id ID, or --retry.'),
    });
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state).toMatchObject({
      resources: { 'schedules.b': { id: idOf('of b') } },
      unresolved: [{ address: 'schedules.a' }],
    });
  });

  it('a dashboard whose list is refused does not hold up a schedule that was to be deleted and may not be read', async () => {
    const open: Unresolved = { address: 'schedules.a', action: 'delete', since: duringTheApply };
    const unresolved = [open, lostCreate('schedules.b', elsewhereB)];
    const made = refusing(stateOf({ 'schedules.a': { id: x, attributes: schedule('A') } }, { unresolved }));
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({
      code: 'blocked',
      message: expect.stringMatching(/^Almanac cannot tell whether schedules\.a \(\S+\) was deleted: .*403/),
      hint: expect.stringContaining('Check in Omni, then: almanac state resolve schedules.a --done, or --retry.'),
    });
    expect(made.store.stored.state).toMatchObject({ unresolved: [{ address: 'schedules.a' }] });
  });
});
