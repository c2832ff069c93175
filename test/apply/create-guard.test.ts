// A lost state must not create a second copy of everything: with operations full, a schedule that exists under the same
// name on the same dashboard is not created again unless asked.

import { describe, expect, it } from 'vitest';
import type { Orphan, State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { orphanOf, schedule, stateOf } from '../support/apply/declared.ts';
import { apiWith, baseUrl, type Stage, stage } from '../support/apply/stage.ts';
import { idOf } from '../support/emulator/service.ts';
import { failureOf } from '../support/failure-of.ts';

const declaring = (schedules: Record<string, JsonObject>, almanac: object = apiWith(), state?: State) =>
  stage({ schedules }, { almanac, state });
const leaving = (orphan: Partial<Orphan> = {}) => {
  const orphans = [{ ...orphanOf(idOf('left'), schedule('A')), ...orphan }];
  const made = declaring({ a: schedule('A') }, apiWith(), stateOf({}, { orphans }));
  made.service.add(idOf('left'), schedule('A'));
  return made;
};

const refusalOf = (made: Stage) => failureOf(made.apply());
const loseState = ({ store }: Stage) => {
  store.stored = { state: undefined, journal: undefined };
};

describe('after the state was lost', () => {
  it('a name that Omni keeps without the blanks around it, or with its letters composed, is the same', async () => {
    const made = declaring({ a: schedule('A '), b: schedule('Re\u0301gion') });
    made.service.add(idOf('x'), schedule('A'));
    made.service.add(idOf('y'), schedule('R\u00e9gion'));
    expect((await refusalOf(made)).message).toContain('2 schedules that would be created');
    expect(made.service.sent).toEqual([]);
  });

  const schedules = { a: schedule('A'), b: schedule('B'), c: schedule('C', { identifier: '3f9c2b71' }) };

  it('nothing is created after the state was lost, and the refusal says in few words what to do', async () => {
    const made = declaring({ ...schedules, d: schedule('D') });
    await made.apply();
    loseState(made);
    made.service.sent.length = made.asked.length = 0;
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({
      code: 'blocked',
      message: expect.stringMatching(/^4 schedules .*: schedules\.a, schedules\.b, schedules\.c, schedules\.d\.$/),
      addresses: ['schedules.a', 'schedules.b', 'schedules.c', 'schedules.d'],
    });
    expect(failure.hint).toMatch(
      /^If somebody made them in Omni, or the state was lost: `almanac import --write-state --declared` finds [^\n]*\nIf this is the first apply of another environment .*--allow duplicates/,
    );
    expect(made.service.sent).toEqual([]);
    expect(made.asked).toEqual([]);
    expect(made.store.stored.state).toBeUndefined();
  });

  it('what an entry of adopt takes over does not stand in the way of another schedule of that name', async () => {
    const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
    const made = declaring({ a: schedule('A'), b: schedule('A', { timezone: 'Europe/London' }) });
    made.service.add(id, schedule('A'));
    made.files['schedules/adopt.yaml'] = { adopt: [{ to: 'schedules.a', id }] };
    await made.apply();
    expect(made.service.sent).toEqual(['POST A']);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('operations core cannot list schedules, so it creates them after the state was lost', async () => {
    const made = declaring({ a: schedule('A') }, { api: { baseUrl, rateLimit: 0 } });
    made.service.add(idOf('there'), schedule('A'));
    await made.apply();
    expect(made.service).toMatchObject({ sent: ['POST A'], listed: [] });
  });
});

describe('what the list does not tell', () => {
  const listing = (row: { readonly identifier: string; readonly name: string }) => {
    const made = stage({ schedules: { s: schedule('S') } });
    const whole = { schedule: '', timezone: '', format: '', destinationType: '', paused: false, isTile: false };
    made.service.instead = () => ({ listSchedules: async () => [{ ...whole, id: 'x', ...row }] });
    return made;
  };

  it.each([
    { identifier: '', name: 'S' },
    { identifier: '12db1a0a', name: '' },
  ])('a create is refused with the id of a listed schedule that may match: %j', async (row) => {
    const made = listing(row);
    await expect(made.apply()).rejects.toMatchObject({ code: 'blocked', message: expect.stringContaining('x') });
    expect(made.service.sent).toEqual([]);
  });

  it.each([
    { identifier: '', name: 'T' },
    { identifier: '3f9c2b71', name: '' },
  ])('a create goes on if a listed schedule with missing fields cannot match: %j', async (row) => {
    const made = listing(row);
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
  });
});

it('a create is refused if an orphan has the same name, and the refusal says how to clear it', async () => {
  const made = leaving();
  expect(await refusalOf(made)).toMatchObject({
    code: 'blocked',
    hint: expect.stringContaining(`\`almanac state orphans --clear ${idOf('left')}\``),
  });
  expect(made.service.sent).toEqual([]);
});

it('a schedule that was found missing is not created again if Omni lists it a moment later', async () => {
  const state = stateOf({
    'schedules.a': { id: idOf('a'), attributes: schedule('A') },
    'schedules.b': { id: idOf('b'), attributes: schedule('B') },
  });
  const made = declaring({ a: schedule('A'), b: schedule('B') }, apiWith(), state);
  made.service.add(idOf('b'), schedule('B'));
  made.service.instead = ({ getSchedule }) => ({
    getSchedule: (...asked) =>
      getSchedule(...asked).finally(() => {
        made.service.add(idOf('a'), schedule('A'));
      }),
  });
  const { document } = await made.apply({ refresh: { depth: 'list', only: false } });
  expect(document?.results).toMatchObject([
    { status: 'skipped', error: { hint: expect.stringContaining(`Omni lists ${idOf('a')} again`) } },
  ]);
  expect(made.service.sent).toEqual([]);
});

describe('what is not a duplicate', () => {
  it('a schedule on another dashboard, or with another name, is not a duplicate', async () => {
    const made = declaring({ a: schedule('A') });
    made.service.add(idOf('elsewhere'), schedule('A', { identifier: '3f9c2b71' }));
    made.service.add(idOf('other'), schedule('a'));
    await made.apply();
    expect(made.service).toMatchObject({ sent: ['POST A'], listed: ['12db1a0a'] });
  });

  it('a schedule left by a replacement is not a duplicate if the same apply deletes it', async () => {
    const made = leaving({ replaced: true });
    await made.apply();
    expect(made.service.sent.sort()).toEqual([`DELETE ${idOf('left')}`, 'POST A']);
  });

  it('an update, a replace and a test delivery are not checked for duplicates', async () => {
    const made = declaring({ a: schedule('A') });
    await made.apply();
    made.service.listed.length = 0;
    made.service.add(idOf('by-hand'), schedule('B'));
    made.files['schedules/all.yaml'] = { schedules: { a: schedule('B'), once: schedule('B', { testNow: true }) } };
    await made.apply();
    expect(made.service.listed).toEqual(['12db1a0a']);
    await made.apply({ replace: ['schedules.a'] });
    expect(made.service.sent.slice(-2)).toEqual(['POST B', expect.stringMatching(/^DELETE/)]);
  });
});

describe('what is listed', () => {
  const on = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `s${index}`,
        schedule(`S${index}`, { identifier: `board${index}` }),
      ]),
    );

  it('the check for duplicates lists each dashboard if there are at most five', async () => {
    const made = declaring(on(5));
    await made.apply();
    expect(made.service.listed).toEqual(['board0', 'board1', 'board2', 'board3', 'board4']);
    expect(made.expected).toEqual([{ requests: 10, sent: 5, seconds: 0 }]);
  });

  it('the check for duplicates lists all schedules if there are more than five dashboards', async () => {
    const made = declaring(on(6));
    made.service.add(idOf('there'), schedule('S5', { identifier: 'board5' }));
    made.service.add(idOf('elsewhere'), schedule('S4', { identifier: 'board5' }));
    expect(await refusalOf(made)).toMatchObject({
      addresses: ['schedules.s5'],
    });
    expect(made.service).toMatchObject({ listed: [undefined], sent: [] });
  });
});
