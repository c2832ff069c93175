// A lost state must not become a second copy of everything: with operations full, what exists under the same name on the
// same dashboard is not created again unasked.

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Orphan, State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Secret } from '../../src/model/values/secret.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { makeMemoryService } from '../support/memory-service.ts';
import { baseUrl, type Stage, stage } from './applying.ts';
import { orphanOf, schedule, stateOf } from './declared.ts';

const full = { api: { baseUrl, rateLimit: 0, operations: 'full' } };
const declaring = (schedules: Record<string, JsonObject>, almanac: object = full, state?: State) =>
  stage({ schedules }, { almanac, service: makeMemoryService, ...(state === undefined ? {} : { state }) });
const leaving = (orphan: Partial<Orphan> = {}) => {
  const orphans = [{ ...orphanOf('left', schedule('A')), ...orphan }];
  const made = declaring({ a: schedule('A') }, full, stateOf({}, { orphans }));
  made.service.add('left', schedule('A'));
  return made;
};

const refusalOf = async (made: Stage) => (await made.apply().catch((error: unknown) => error)) as Failure;
const loseState = ({ store }: Stage) => {
  store.stored = { state: undefined, journal: undefined };
};

describe('after the state was lost', () => {
  const schedules = { a: schedule('A'), b: schedule('B'), c: schedule('C', { identifier: '3f9c2b71' }) };

  it('nothing is created; the entries that are printed take everything over', async () => {
    const made = declaring(schedules);
    await made.apply();
    loseState(made);
    made.service.sent.length = made.asked.length = 0;
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({ code: 'blocked', message: expect.stringMatching(/^3 schedules .*schedules\.a, /) });
    expect(failure.hint).toContain('--allow-duplicates');
    expect(made.service.sent).toEqual([]);
    expect(made.asked).toEqual([]);
    expect(made.store.stored.state).toBeUndefined();

    const printed = failure.hint?.slice(failure.hint.indexOf('adopt:'), failure.hint.indexOf('\n\nIf')) ?? '';
    made.files['schedules/adopt.yaml'] = parse(printed);
    expect((await made.plan()).changes.map(({ address, action, requests }) => [address, action, requests])).toEqual([
      ['schedules.a', 'adopt', 0],
      ['schedules.b', 'adopt', 0],
      ['schedules.c', 'adopt', 0],
    ]);
    await made.apply();
    expect(made.service.sent).toEqual([]);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('--allow-duplicates creates all of them a second time, and looks at nothing', async () => {
    const made = declaring(schedules);
    await made.apply();
    loseState(made);
    made.service.listed.length = 0;
    expect((await made.apply({ allowDuplicates: true })).document?.summary.applied).toBe(3);
    expect(made.service).toMatchObject({ listed: [] });
    expect(made.service.schedules.size).toBe(6);
  });

  it('several that may be it are offered as a choice', async () => {
    const made = declaring({ a: schedule('A') });
    made.service.add('one', schedule('A'));
    made.service.add('two', schedule('A'));
    const { hint } = await refusalOf(made);
    expect(hint).toContain('one for each');
    expect(hint).toContain('- { to: schedules.a, id: one }');
    expect(hint).toContain('# or: - { to: schedules.a, id: two }');
  });

  it('operations core can not look, and creates', async () => {
    const made = declaring({ a: schedule('A') }, { api: { baseUrl, rateLimit: 0 } });
    made.service.add('there', schedule('A'));
    await made.apply();
    expect(made.service).toMatchObject({ sent: ['POST A'], listed: [] });
  });
});

describe('what the list does not tell', () => {
  const listing = (row: object) => {
    const made = stage({ schedules: { s: schedule('S') } }, { almanac: full, service: makeMemoryService });
    const whole = { schedule: '', timezone: '', format: '', destinationType: '', paused: false, isTile: false };
    Object.assign(made.service.api, { listSchedules: async () => [{ ...whole, id: 'x', ...row }] });
    return made;
  };

  it.each([
    { identifier: '', name: 'S' },
    { identifier: '12db1a0a', name: '' },
  ])('is not guessed: %j is refused by its id', async (row) => {
    const made = listing(row);
    await expect(made.apply()).rejects.toMatchObject({ code: 'blocked', message: expect.stringContaining('x') });
    expect(made.service.sent).toEqual([]);
  });

  it.each([
    { identifier: '', name: 'T' },
    { identifier: '3f9c2b71', name: '' },
  ])('and can not be it: %j', async (row) => {
    const made = listing(row);
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
  });
});

it('is refused beside an orphan of that name, which an adopt entry takes over', async () => {
  const made = leaving();
  await expect(made.apply()).rejects.toMatchObject({
    code: 'blocked',
    hint: expect.stringContaining('- { to: schedules.a, id: left }'),
  });
  expect(made.service.sent).toEqual([]);
});

describe('is no duplicate', () => {
  it('one of the same name on another dashboard, or of another name', async () => {
    const made = declaring({ a: schedule('A') });
    made.service.add('elsewhere', schedule('A', { identifier: '3f9c2b71' }));
    made.service.add('other', schedule('a'));
    await made.apply();
    expect(made.service).toMatchObject({ sent: ['POST A'], listed: ['12db1a0a'] });
  });

  it('what a replacement left, which the same apply deletes', async () => {
    const made = leaving({ replaced: true });
    await made.apply();
    expect(made.service.sent.sort()).toEqual(['DELETE left', 'POST A']);
  });

  it('one that is tracked', async () => {
    const made = declaring({ a: schedule('A') });
    await made.apply();
    made.files['schedules/all.yaml'] = {
      schedules: { a: schedule('A'), b: schedule('A', { url: 'https://b.example.com/' }) },
    };
    await made.apply();
    expect(made.service.sent).toEqual(['POST A', 'POST A']);
  });

  it('what an update, a replace or a test delivery is about', async () => {
    const made = declaring({ a: schedule('A') });
    await made.apply();
    made.service.listed.length = 0;
    made.service.add('by-hand', schedule('B'));
    made.files['schedules/all.yaml'] = { schedules: { a: schedule('B'), once: schedule('B', { testNow: true }) } };
    await made.apply();
    await made.apply({ replace: ['schedules.a'] });
    expect(made.service.listed).toEqual([]);
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

  it('is each dashboard, up to five of them', async () => {
    const made = declaring(on(5));
    await made.apply();
    expect(made.service.listed).toEqual(['board0', 'board1', 'board2', 'board3', 'board4']);
    expect(made.expected).toEqual([{ requests: 10, seconds: 0 }]);
  });

  it('is everything, where there are more', async () => {
    const made = declaring(on(6));
    made.service.add('there', schedule('S5', { identifier: 'board5' }));
    made.service.add('elsewhere', schedule('S4', { identifier: 'board5' }));
    expect(await refusalOf(made)).toMatchObject({
      message: expect.stringContaining('schedules.s5'),
      hint: expect.not.stringContaining('schedules.s4'),
    });
    expect(made.service).toMatchObject({ listed: [undefined], sent: [] });
  });

  it('is asked for with an identifier from the environment as the secret that it is', async () => {
    const made = declaring({ a: schedule('A', { identifier: '${env.BOARD}' }) });
    made.environment['BOARD'] = 'a-secret-board';
    const asked: unknown[] = [];
    const { listSchedules } = made.service.api;
    Object.assign(made.service.api, {
      listSchedules: (only: { identifier?: unknown }) => {
        asked.push(only.identifier);
        return listSchedules(only as never);
      },
    });
    made.service.add('there', schedule('A', { identifier: 'a-secret-board' }));
    const { message, hint } = await refusalOf(made);
    expect(asked).toEqual([expect.any(Secret)]);
    expect(`${message}${hint}`).not.toContain('a-secret-board');
  });
});
