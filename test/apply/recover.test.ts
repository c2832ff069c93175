// What an apply with operations full does about a POST whose answer was lost: it reads the list of the service, and
// never sends the POST again on a guess.

import { describe, expect, it } from 'vitest';
import { makeFingerprint } from '../../src/apply/propose/fingerprint-secrets.ts';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { lostCreate, orphanOf, schedule, stateOf } from '../support/apply/declared.ts';
import { baseUrl, type Stage, stage } from '../support/apply/stage.ts';
import { failureOf } from '../support/failure-of.ts';
import { answerLost, madeId, makeMemoryService, refusal } from '../support/memory-service.ts';

const s = 'schedules.s';
const full = { api: { baseUrl, rateLimit: 0, operations: 'full' } };
const duringTheApply = '2026-02-28T23:59:01.000Z';

function recovering(declared: Record<string, JsonObject>, state: State): Stage {
  return stage({ schedules: declared }, { state, almanac: full, service: makeMemoryService });
}

/** Each look after the first, every five seconds for half a minute. */
const halfAMinute = [5000, 5000, 5000, 5000, 5000, 5000];

/** Of `schedules.s`, whose POST was lost. */
const openState = (rest: Partial<State> = {}) =>
  stateOf({ 'dashboards.d': { attributes: {} } }, { unresolved: [lostCreate(s, schedule('S'))], ...rest });
const missing = stateOf({ [s]: { id: 'dead', attributes: schedule('S') } });
const lost = (rest: Partial<State> = {}) => recovering({ s: schedule('S') }, { ...openState(rest), resources: {} });
/** The ids were on the dashboard when it was sent; undefined: nobody looked. */
const lostBeside = (existing: readonly string[] | undefined) => {
  const { existing: _, ...open } = lostCreate(s, schedule('S'));
  return lost({ unresolved: [existing === undefined ? open : { ...open, existing }] });
};

const notes = ({ events }: Stage) => events.flatMap((event) => (event.type === 'note' ? [event.message] : []));
const refusalOf = (made: Stage, options = {}) => failureOf(made.apply(options));

describe('one schedule that may be it', () => {
  it('a create whose answer was lost is adopted when exactly one schedule matches, and nothing is sent', async () => {
    const made = lost();
    made.service.add('there', schedule('S'), duringTheApply);
    const { document } = await made.apply();
    expect(document?.results).toEqual([]);
    expect(made.service).toMatchObject({ sent: [], listed: ['12db1a0a'] });
    expect(made.store.stored.state).toMatchObject({
      serial: 8,
      unresolved: [],
      resources: { [s]: { id: 'there', attributes: schedule('S') } },
    });
    expect(notes(made)).toEqual([
      expect.stringContaining('schedules.s, sent at 2026-02-28T23:59:00.000Z: it was made'),
    ]);
    expect(made.clock.slept).toEqual([]);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a recovered create is adopted as it was sent, and later changes of the declaration become an update', async () => {
    const made = recovering(
      { s: schedule('S', { url: 'https://new.example.com/' }) },
      { ...openState(), resources: {} },
    );
    made.service.add('there', schedule('S'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual(['PUT there']);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a lost create is found by the name and dashboard that were sent, whatever is declared now', async () => {
    const made = recovering({ s: schedule('T', { identifier: '3f9c2b71' }) }, { ...openState(), resources: {} });
    made.service.add('there', schedule('S'), duringTheApply);
    made.service.add('not this', schedule('T', { identifier: '3f9c2b71' }), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual(['PUT there']);
  });

  it('a recovered create that is no longer declared is adopted and deleted', async () => {
    const made = recovering(
      { t: schedule('T') },
      stateOf(
        { 'schedules.t': { id: 't', attributes: schedule('T') } },
        { unresolved: [lostCreate(s, schedule('S'))] },
      ),
    );
    made.service.add('t', schedule('T'));
    made.service.add('there', schedule('S'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual(['DELETE there']);
    expect([...made.service.schedules.keys()]).toEqual(['t']);
    expect(made.store.stored.state).toMatchObject({ unresolved: [] });
  });

  it('a recovered create whose key was renamed meanwhile moves to the new address', async () => {
    const made = recovering({ renamed: schedule('S') }, { ...openState(), resources: {} });
    made.service.add('there', schedule('S'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.resources).toMatchObject({ 'schedules.renamed': { id: 'there' } });
  });

  it('a recovered create that was to be paused is paused', async () => {
    const made = recovering({ s: schedule('S', { paused: true }) }, { ...openState(), resources: {} });
    made.service.add('there', schedule('S'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual(['PAUSE there']);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a lost replace was not made if the only match was there before, and the old schedule stays', async () => {
    const open = lostCreate(s, schedule('S'), { action: 'replace', replaced: 'old', existing: ['old', 'other'] });
    const tracked = stateOf({ [s]: { id: 'old', attributes: schedule('S') } }, { unresolved: [open] });
    const made = recovering({ s: schedule('S') }, tracked);
    made.service.add('old', schedule('S'));
    made.service.add('other', schedule('S'));
    await made.apply();
    expect(made.service.sent).toEqual(['PUT old']);
    expect(made.store.stored.state).toMatchObject({ unresolved: [], orphans: [], resources: { [s]: { id: 'old' } } });
  });

  it('a recovered replace deletes the old schedule as planned', async () => {
    const open = lostCreate(s, schedule('S'), { action: 'replace', replaced: 'old' });
    const made = recovering(
      { s: schedule('S') },
      stateOf({ [s]: { id: 'old', attributes: schedule('S') } }, { unresolved: [open] }),
    );
    made.service.add('old', schedule('S'), duringTheApply);
    made.service.add('new', schedule('S'), duringTheApply);
    const { document } = await made.apply();
    expect(made.service.sent).toEqual(['DELETE old']);
    expect(document?.orphans).toEqual([]);
    expect(made.store.stored.state?.resources[s]?.id).toBe('new');
  });

  it('a recovered replace with operations core keeps the old schedule as an orphan', async () => {
    const open = lostCreate(s, schedule('S'), { action: 'replace' });
    const made = recovering(
      { s: schedule('S') },
      stateOf({ [s]: { id: 'old', attributes: schedule('S') } }, { unresolved: [open] }),
    );
    made.service.add('old', schedule('S'), duringTheApply);
    made.service.add('new', schedule('S'), duringTheApply);
    const { document } = await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(document?.orphans).toMatchObject([{ id: 'old', address: s, name: 'S', identifier: '12db1a0a' }]);
    expect(made.store.stored.state?.resources[s]?.id).toBe('new');
  });

  it('a lost create whose identifier an older version kept as a secret is searched for once the declaration holds the text', async () => {
    const state = stateOf({});
    const identifier = { $secret: await makeFingerprint(state.salt)('12db1a0a') };
    const open = lostCreate(s, { ...schedule('S'), identifier }, { identifier: '(sensitive)' });
    const made = recovering({ s: schedule('S') }, { ...state, unresolved: [open] });
    made.service.add('made', schedule('S'), duringTheApply);
    await made.apply();
    expect(made.service.sent).not.toContain('POST S');
    expect(made.store.stored.state?.resources[s]?.id).toBe('made');
  });

  it.each(['identifier', 'name'])(
    'a lost create is not sent again if an older version sent another secret %s, which cannot be searched for',
    async (field) => {
      const open = lostCreate(s, { ...schedule('S'), [field]: { $secret: 'another' } }, { [field]: '(sensitive)' });
      const made = recovering({ s: schedule('S') }, stateOf({}, { unresolved: [open] }));
      const failure = await refusalOf(made);
      expect(failure).toMatchObject({ code: 'blocked', message: expect.stringContaining(field) });
      expect(failure.hint).toContain(`almanac state resolve ${s} --id ID`);
      expect(made.service.sent).toEqual([]);
    },
  );

  it('a lost create whose secret identifier is no longer declared is refused with the way out', async () => {
    const sealed = { identifier: { $secret: 'x' }, name: 'S' };
    const made = recovering(
      { t: schedule('T') },
      stateOf({}, { unresolved: [lostCreate(s, sealed, { identifier: '(sensitive)' })] }),
    );
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({
      code: 'blocked',
      hint: expect.stringContaining(`almanac state resolve ${s} --id ID`),
    });
    expect(made.service).toMatchObject({ sent: [], listed: [] });
  });
});

describe('none', () => {
  it('a lost create that has no match after half a minute is planned and created', async () => {
    const made = lost();
    await made.apply();
    expect(made.clock.slept).toEqual(halfAMinute);
    expect(made.events).toContainEqual({ type: 'waiting', seconds: 30, why: expect.stringContaining('not list yet') });
    expect(made.service.sent).toEqual(['POST S']);
    expect(notes(made)).toEqual([expect.stringContaining('it was not made, so it is planned again')]);
    expect(made.store.stored.state).toMatchObject({ unresolved: [], resources: { [s]: { id: madeId(1) } } });
  });

  it('a lost create whose match appears after five seconds is adopted', async () => {
    const made = lost();
    made.service.consistencyMs = 60_000 + 4000;
    made.service.add('there', schedule('S'), '2026-02-28T23:59:00.000Z');
    await made.apply();
    expect(made.clock.slept).toEqual([5000]);
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.resources[s]?.id).toBe('there');
  });

  it.each<[string, readonly string[], JsonObject]>([
    ['that was there before, as far as the journal says', ['x'], schedule('S')],
    ['of another name that was there before', ['x'], schedule('S ')],
    ['on another dashboard', [], schedule('S', { identifier: '3f9c2b71' })],
  ])('a lost create does not match a schedule %s', async (_, existing, attributes) => {
    const made = lostBeside(existing);
    // A time says nothing.
    made.service.add('x', attributes, duringTheApply);
    await made.apply({ allowDuplicates: true });
    expect(made.service.sent).toEqual(['POST S']);
  });

  it('a lost create does not match a tracked schedule or an orphan', async () => {
    const made = recovering(
      { s: schedule('S'), t: schedule('S', { url: 'https://hooks.example.com/t' }) },
      {
        ...openState({ orphans: [orphanOf('left', schedule('S'))] }),
        resources: stateOf({
          'schedules.t': { id: 't', attributes: schedule('S', { url: 'https://hooks.example.com/t' }) },
        }).resources,
      },
    );
    made.service.add('t', schedule('S'), duringTheApply);
    made.service.add('left', schedule('S'), duringTheApply);
    await made.apply({ allowDuplicates: true });
    expect(made.service.sent).toEqual(['POST S']);
  });

  it('a lost create for a missing schedule stops tracking the missing id and is created again', async () => {
    const made = recovering({ s: schedule('S') }, openState({ resources: missing.resources }));
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
    expect(made.store.stored.state).toMatchObject({ unresolved: [], resources: { [s]: { id: madeId(1) } } });
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a lost create for a missing schedule that exists after all keeps its id and is updated', async () => {
    const made = recovering({ s: schedule('S') }, openState({ resources: missing.resources }));
    made.service.add('dead', schedule('S'), '2026-01-01T00:00:00.000Z');
    await made.apply();
    expect(made.service.sent).toEqual(['PUT dead']);
    expect(made.store.stored.state).toMatchObject({ unresolved: [], resources: { [s]: { id: 'dead' } } });
  });

  it('recovery waits once, however many creates are open', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const made = recovering(
      Object.fromEntries(names.map((name) => [name, schedule(name)])),
      stateOf({}, { unresolved: names.map((name) => lostCreate(`schedules.${name}`, schedule(name))) }),
    );
    made.service.add('b', schedule('b'), duringTheApply);
    await made.apply();
    expect(made.clock.slept).toEqual(halfAMinute);
    expect(made.service.listed).toHaveLength(halfAMinute.length + 2);
    expect(made.service.sent).toEqual(['POST a', 'POST c', 'POST d']);
  });

  it('a lost create does not match a schedule that disappears after it was listed', async () => {
    const made = lost();
    made.service.add('there', schedule('S'), duringTheApply);
    const { getSchedule } = made.service.api;
    Object.assign(made.service.api, {
      getSchedule: (id: string) => {
        made.service.schedules.delete(id);
        return getSchedule(id);
      },
    });
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
  });
});

describe('one of which the list tells only a part', () => {
  const withoutNames = (made: Stage, given: { identifier?: string; name?: string }) => {
    const { listSchedules } = made.service.api;
    Object.assign(made.service.api, {
      listSchedules: async () =>
        (await listSchedules({})).map((row) => ({ ...row, identifier: '', name: '', ...given })),
    });
  };

  it('a lost create matches by the name in the details if the list omits the name', async () => {
    const made = lostBeside(['other']);
    made.service.add('there', schedule('S'), duringTheApply);
    made.service.add('other', schedule('T'), duringTheApply);
    withoutNames(made, { identifier: '12db1a0a' });
    await made.apply();
    expect(made.store.stored.state?.resources[s]?.id).toBe('there');
  });

  it('a schedule whose dashboard is not reported is never assumed to match a lost create', async () => {
    const made = lost();
    made.service.add('there', schedule('S'), duringTheApply);
    withoutNames(made, {});
    expect(await refusalOf(made)).toMatchObject({ code: 'blocked', message: expect.stringContaining('there') });
    expect(made.service.sent).toEqual([]);
  });
});

describe('what was there before', () => {
  it.each([0, 60_000])(
    'is noted before a POST, other names included, and tracked ones that are listed %i ms later, and kept with what is unresolved',
    async (lag) => {
      const tracked = { 'schedules.t': { id: 't', attributes: schedule('T') } };
      const made = stage(
        { schedules: { s: schedule('S'), t: schedule('T') } },
        { almanac: full, service: makeMemoryService, state: stateOf(tracked) },
      );
      made.service.listLagMs = lag;
      made.service.add('u', schedule('U'), '2026-01-01T00:00:00.000Z');
      made.service.add('t', schedule('T'));
      made.service.add('elsewhere', schedule('S', { identifier: '3f9c2b71' }));
      made.service.reach = (point) => {
        if (point === 'after POST S') throw answerLost();
      };
      await made.apply();
      expect(made.store.stored.state?.unresolved).toMatchObject([{ address: s, existing: ['t', 'u'] }]);
    },
  );

  it.each([undefined, ['schedules.s']])(
    'is listed once for --replace %s and for --allow-duplicates',
    async (replace) => {
      const state = replace && stateOf({ [s]: { id: 'old', attributes: schedule('S') } });
      const made = stage({ schedules: { s: schedule('S') } }, { almanac: full, service: makeMemoryService, state });
      if (replace) made.service.add('old', schedule('S'));
      await made.apply({ allowDuplicates: true, replace: replace ?? [] });
      expect(made.service.listed).toEqual(['12db1a0a']);
      expect(made.service.sent).toEqual(['POST S', ...(replace ? ['DELETE old'] : [])]);
    },
  );

  it.each(['S', 'T'])('leaves %s in doubt if nobody noted it: the apply is refused with its id', async (name) => {
    const made = lostBeside(undefined);
    made.service.add('there', schedule(name), '2026-01-01T00:00:00.000Z');
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({ code: 'blocked', message: expect.stringContaining('there') });
    expect(failure.message).toContain('Nobody noted what was there before');
    expect(failure.hint).toContain(`almanac state resolve ${s} --id ID`);
    expect(made.service.sent).toEqual([]);
  });

  it('leaves no doubt if nobody noted it and nothing is there', async () => {
    const made = lostBeside(undefined);
    await made.apply();
    expect(made.clock.slept).toEqual(halfAMinute);
    expect(made.service.sent).toEqual(['POST S']);
  });
});

describe('one of another name', () => {
  it('may be what was sent, renamed by someone: the apply is refused with its id and name', async () => {
    const made = lost();
    made.service.add('there', schedule('Mine'), duringTheApply);
    expect(await refusalOf(made)).toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('there (named "Mine")'),
      hint: expect.stringContaining(`almanac state resolve ${s} --id ID`),
    });
    expect(made.service.sent).toEqual([]);
  });

  it('beside one of the name leaves open which of them was sent: the apply is refused with both ids', async () => {
    const made = lost();
    made.service.add('one', schedule('S'), duringTheApply);
    made.service.add('two', schedule('Mine'), duringTheApply);
    expect((await refusalOf(made)).message).toContain('one, two (named "Mine")');
    expect(made.service.sent).toEqual([]);
  });

  it('is not what was sent if it is tracked', async () => {
    const tracked = stateOf({ 'schedules.t': { id: 'tracked', attributes: schedule('Mine') } });
    const made = recovering(
      { s: schedule('S'), t: schedule('Mine') },
      { ...openState(), resources: tracked.resources },
    );
    made.service.add('tracked', schedule('Mine'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
  });

  it('is not what was sent if it has the name of something else that was sent to the dashboard', async () => {
    const made = recovering(
      { s: schedule('S'), t: schedule('T') },
      stateOf({}, { unresolved: [lostCreate(s, schedule('S')), lostCreate('schedules.t', schedule('T'))] }),
    );
    made.service.add('of t', schedule('T'), duringTheApply);
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
    expect(made.store.stored.state?.resources).toMatchObject({ 'schedules.t': { id: 'of t' } });
  });
});

describe('a list that lags', () => {
  it('by twenty seconds is asked again: nothing is made twice', async () => {
    const young = { ...lostCreate(s, schedule('S')), since: '2026-02-28T23:59:59.000Z' };
    const made = recovering({ s: schedule('S') }, stateOf({}, { unresolved: [young] }));
    made.service.listLagMs = 20_000;
    made.service.add('there', schedule('S'), '2026-02-28T23:59:59.000Z');
    await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(made.clock.slept).toEqual([5000, 5000, 5000, 5000]);
    expect(made.store.stored.state?.resources[s]?.id).toBe('there');
  });
});

describe('a request about which nothing is certain', () => {
  it('does not hold up the others: what was found out about them is written before the apply is refused', async () => {
    const made = recovering(
      { a: schedule('A'), b: schedule('B'), c: schedule('C') },
      stateOf(
        {},
        {
          unresolved: [
            lostCreate('schedules.a', schedule('A')),
            lostCreate('schedules.b', schedule('B')),
            lostCreate('schedules.c', { identifier: { $secret: 'x' }, name: 'C' }, { identifier: '(sensitive)' }),
          ],
        },
      ),
    );
    made.service.add('one', schedule('A'), duringTheApply);
    made.service.add('two', schedule('A'), duringTheApply);
    made.service.add('of b', schedule('B'), duringTheApply);
    const failure = await refusalOf(made);
    expect(failure.message).toContain('one, two');
    expect(failure.message).toContain('what was sent for schedules.c');
    expect(made.store.stored.state).toMatchObject({
      serial: 8,
      resources: { 'schedules.b': { id: 'of b' } },
      unresolved: [{ address: 'schedules.a' }, { address: 'schedules.c' }],
    });
    expect((await refusalOf(made)).message).toContain('one, two');
    expect(made.store.stored.state?.serial).toBe(8);
  });
});

describe('several', () => {
  it('a lost create with several matches is refused with all ids before any request, and nothing is written', async () => {
    const made = lost();
    made.service.add('one', schedule('S'), duringTheApply);
    made.service.add('two', schedule('S'), duringTheApply);
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({ code: 'blocked', message: expect.stringContaining('one, two') });
    expect(failure.hint).toContain(`almanac state resolve ${s} --id ID`);
    expect(failure.hint).toContain('--retry');
    expect(made.service.sent).toEqual([]);
    expect(made.store.log).toEqual(['lock', 'release']);
  });

  it('two lost creates with the same name and only one match are refused, because they cannot be told apart', async () => {
    const twins = {
      a: schedule('S', { url: 'https://a.example.com/' }),
      b: schedule('S', { url: 'https://b.example.com/' }),
    };
    const made = recovering(
      twins,
      stateOf({}, { unresolved: [lostCreate('schedules.a', twins.a), lostCreate('schedules.b', twins.b)] }),
    );
    made.service.add('of b', twins.b, duringTheApply);
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({ code: 'blocked', message: expect.stringContaining('of b') });
    for (const address of ['schedules.a', 'schedules.b']) expect(failure.hint).toContain(address);
    expect(made.service.sent).toEqual([]);
  });

  it('two lost creates with the same name and no match are both created again', async () => {
    const twins = {
      a: schedule('S', { url: 'https://a.example.com/' }),
      b: schedule('S', { url: 'https://b.example.com/' }),
    };
    const made = recovering(
      twins,
      stateOf({}, { unresolved: [lostCreate('schedules.a', twins.a), lostCreate('schedules.b', twins.b)] }),
    );
    await made.apply();
    expect(made.service.sent).toEqual(['POST S', 'POST S']);
  });
});

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
          service: makeMemoryService,
        },
      );
      const failure = await refusalOf(made);
      expect(failure).toMatchObject({ code: 'blocked', message: expect.stringContaining(words) });
      for (const way of ['--done', '--retry']) expect(failure.message).toContain(`almanac state resolve ${s} ${way}`);
      expect(made.store.stored.state?.unresolved).toEqual([open]);
    },
  );
});

describe('an apply that recovers', () => {
  it.each([undefined, ['schedules.t']])(
    'recovery asks Omni nothing before the secrets of %s are set',
    async (targets) => {
      const made = recovering(
        { s: schedule('S'), t: schedule('T', { url: 'https://hooks.example.com/${env.HOOK}' }) },
        { ...openState(), resources: {} },
      );
      const refresh = { depth: 'list', only: false } as const;
      expect(await refusalOf(made, { targets, refresh })).toMatchObject({ code: 'missing-secret' });
      expect(made.connections).toEqual([]);
      expect(made.store.stored.state?.serial).toBe(7);
      made.environment['HOOK'] = 'x';
      await made.apply();
      expect((await made.plan()).changes).toEqual([]);
    },
  );

  it('recovery stops at once if it is interrupted while it waits', async () => {
    const made = lost();
    const stop = new AbortController();
    const { sleep } = made.clock;
    Object.assign(made.clock, {
      sleep: (milliseconds: number) => {
        stop.abort();
        return sleep(milliseconds, stop.signal);
      },
    });
    expect(await refusalOf(made, { signal: stop.signal })).toMatchObject({ code: 'interrupted' });
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.unresolved).toHaveLength(1);
  });

  it('the requests of a recovery and those of the apply count together toward the rate limit', async () => {
    const almanac = { api: { baseUrl, rateLimit: 8, operations: 'full' } };
    const state = { ...openState(), resources: {} };
    const made = stage({ schedules: { s: schedule('S') } }, { state, almanac, service: makeMemoryService });
    await made.apply({ allowDuplicates: true });
    expect(made.expected).toEqual([{ requests: 9, sent: 8, seconds: 60 }]);
  });

  it('recovery writes what it found, even if the plan is then declined', async () => {
    const made = recovering({ s: schedule('S'), t: schedule('T') }, { ...openState(), resources: {} });
    made.service.add('there', schedule('S'), duringTheApply);
    expect((await made.apply({ confirm: async () => false })).document).toBeUndefined();
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state).toMatchObject({ serial: 8, resources: { [s]: { id: 'there' } }, unresolved: [] });
  });

  it('an apply that must recover asks for the token first', async () => {
    const made = lost();
    made.environment = {};
    expect(await refusalOf(made)).toMatchObject({ code: 'missing-token' });
  });

  it('a recovery that cannot list schedules says so and changes nothing', async () => {
    const made = lost();
    Object.assign(made.service.api, { listSchedules: () => Promise.reject(refusal(500, 'api-answer-lost')) });
    expect(await refusalOf(made)).toMatchObject({ code: 'api-answer-lost' });
    expect(made.store.log).toEqual(['lock', 'release']);
  });

  it('recovery leaves an open test delivery and an open AI job to people', async () => {
    const job = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'x' };
    const once = schedule('S', { testNow: true });
    const open = [
      { address: 'aiJobs.j', action: 'run', since: duringTheApply, attributes: job },
      lostCreate(s, once, { action: 'run' }),
    ] as const;
    const made = stage(
      { schedules: { s: once }, aiJobs: { j: job } },
      { state: stateOf({}, { unresolved: open }), almanac: full, service: makeMemoryService },
    );
    const failure = await refusalOf(made);
    expect(failure).toMatchObject({ code: 'blocked' });
    for (const words of ['almanac state resolve aiJobs.j --done', `almanac state resolve ${s} --done`, '--retry'])
      expect(failure.message).toContain(words);
    expect(made.service).toMatchObject({ sent: [], listed: [] });
  });

  it('an apply with operations core refuses a lost create before any request, and names the ways out', async () => {
    const made = stage(
      { schedules: { s: schedule('S') } },
      { state: { ...openState(), resources: {} }, service: makeMemoryService },
    );
    made.service.add('there', schedule('S'), duringTheApply);
    const failure = await refusalOf(made);
    expect(failure.message).toContain(`almanac state resolve ${s} --id ID`);
    expect(failure.message).toContain(`almanac state resolve ${s} --retry`);
    expect(made.service).toMatchObject({ sent: [], listed: [] });
    expect(made.connections).toEqual([]);
  });
});
