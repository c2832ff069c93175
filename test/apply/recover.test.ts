// What an apply with operations full does about a POST whose answer was lost: it reads the list of the service, and
// never sends the POST again on a guess.

import { describe, expect, it } from 'vitest';
import { recover } from '../../src/apply/recover.ts';
import { entityIdOf } from '../../src/emulator/store.ts';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import { withoutMarks } from '../../src/model/values/command.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Api } from '../../src/omni/api.ts';
import { lostCreate, orphanOf, schedule, stateOf } from '../support/apply/declared.ts';
import { refusalOf } from '../support/apply/refusal-of.ts';
import { apiWith, breakAt, notesOf, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, idOf, refusal, renameDashboard } from '../support/emulator/service.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { processorTime } from '../support/processor-time.ts';

const s = 'schedules.s';
const duringTheApply = '2026-02-28T23:59:01.000Z';

function recovering(declared: Record<string, JsonObject>, state: State): Stage {
  return stage({ schedules: declared }, { state });
}

/** Each look after the first, every five seconds for half a minute. */
const halfAMinute = [5000, 5000, 5000, 5000, 5000, 5000];

/** Of `schedules.s`, whose POST was lost. */
const openState = (rest: Partial<State> = {}) =>
  stateOf({ 'dashboards.d': { attributes: {} } }, { unresolved: [lostCreate(s, schedule('S'))], ...rest });
const missing = stateOf({ [s]: { id: idOf('dead'), attributes: schedule('S') } });
const lost = (rest: Partial<State> = {}) => recovering({ s: schedule('S') }, { ...openState(rest), resources: {} });
/** The ids were on the dashboard when it was sent; undefined: nobody looked. */
const besides = (existing: readonly string[] | undefined): State => {
  const { existing: _, ...open } = lostCreate(s, schedule('S'));
  const unresolved = [existing === undefined ? open : { ...open, existing }];
  return openState({ resources: {}, unresolved });
};
const sealedAs = (sent: JsonObject, rest: Partial<Unresolved>) =>
  stateOf({}, { unresolved: [lostCreate(s, sent, rest)] });

interface Case {
  /** As `schedules.s` as it was sent unless told otherwise. */
  readonly declared?: Readonly<Record<string, JsonObject>>;
  readonly state?: State;
  /** Made by a person or by the POST, by the name of the id. */
  readonly there: Readonly<Record<string, JsonObject>>;
  readonly sent: readonly string[];
  /** What `schedules.s` is then, where something is declared there; `made`: what a POST of this apply made. */
  readonly id?: string;
}

const withId = (line: string) => line.replace(/(?<=^(?:PUT|PAUSE|DELETE) ).*/, idOf);

const replacing = (open: Partial<Unresolved>) =>
  stateOf(
    { [s]: { id: idOf('old'), attributes: schedule('S') } },
    { unresolved: [lostCreate(s, schedule('S'), { action: 'replace', ...open })] },
  );
const t = { id: idOf('t'), attributes: schedule('T') };
const openBeside = (resources: Parameters<typeof stateOf>[0]) => ({
  ...openState(),
  resources: stateOf(resources).resources,
});
const elsewhere = schedule('T', { identifier: '3f9c2b71' });
const twins = {
  a: schedule('S', { url: 'https://a.example.com/' }),
  b: schedule('S', { url: 'https://b.example.com/' }),
};
const bothLost = stateOf({}, { unresolved: [lostCreate('schedules.a', twins.a), lostCreate('schedules.b', twins.b)] });
const hookT = schedule('S', { url: 'https://hooks.example.com/t' });

describe('a POST whose answer was lost', () => {
  it.each<[string, Case]>([
    [
      'is adopted as it was sent, and later changes of the declaration become an update',
      {
        declared: { s: schedule('S', { url: 'https://new.example.com/' }) },
        there: { there: schedule('S') },
        sent: ['PUT there'],
        id: 'there',
      },
    ],
    [
      'is found by the name and dashboard that were sent, whatever is declared now',
      { declared: { s: elsewhere }, there: { there: schedule('S'), other: elsewhere }, sent: ['PUT there'] },
    ],
    [
      'is adopted and deleted if it is no longer declared',
      {
        declared: { t: schedule('T') },
        state: openBeside({ 'schedules.t': t }),
        there: { t: schedule('T'), there: schedule('S') },
        sent: ['DELETE there'],
      },
    ],
    [
      'moves to the new address if its key was renamed meanwhile',
      { declared: { renamed: schedule('S') }, there: { there: schedule('S') }, sent: [] },
    ],
    [
      'is paused if it was to be paused',
      {
        declared: { s: schedule('S', { paused: true }) },
        there: { there: schedule('S') },
        sent: ['PAUSE there'],
        id: 'there',
      },
    ],
    [
      'of a replacement with operations core keeps the old schedule, which the next apply does not delete',
      { state: replacing({}), there: { old: schedule('S'), new: schedule('S') }, sent: [], id: 'new' },
    ],
    [
      'does not match what was there before, as far as the journal says: a time says nothing',
      { state: besides([idOf('x')]), there: { x: schedule('S') }, sent: ['POST S'] },
    ],
    [
      'does not match a tracked schedule or an orphan',
      {
        declared: { s: schedule('S'), t: hookT },
        state: {
          ...openBeside({ 'schedules.t': { id: idOf('t'), attributes: hookT } }),
          orphans: [orphanOf(idOf('left'), schedule('S'))],
        },
        there: { t: schedule('S'), left: schedule('S') },
        sent: ['POST S'],
      },
    ],
    [
      'stops tracking the missing id of a schedule that was to be created again',
      { state: openState({ resources: missing.resources }), there: {}, sent: ['POST S'] },
    ],
    [
      'for a missing schedule that exists after all keeps its id',
      {
        state: openState({ resources: missing.resources }),
        there: { dead: schedule('S') },
        sent: [],
        id: 'dead',
      },
    ],
    [
      'is not one of another name that is tracked',
      {
        declared: { s: schedule('S'), t: schedule('T') },
        state: openBeside({ 'schedules.t': t }),
        there: { t: schedule('T') },
        sent: ['POST S'],
      },
    ],
    [
      'is not one with the name of something else that was sent to the dashboard',
      {
        declared: { s: schedule('S'), t: schedule('T') },
        state: stateOf({}, { unresolved: [lostCreate(s, schedule('S')), lostCreate('schedules.t', schedule('T'))] }),
        there: { 'of t': schedule('T') },
        sent: ['POST S'],
      },
    ],
    [
      'and another one of the same name are both created again if there is no match',
      { declared: twins, state: bothLost, there: {}, sent: ['POST S', 'POST S'] },
    ],
  ])('%s', async (_, { declared = { s: schedule('S') }, state = besides([]), there, sent, id }) => {
    const made = recovering(declared, state);
    for (const [each, attributes] of Object.entries(there)) made.service.add(idOf(each), attributes, duringTheApply);
    await made.apply({ allow: { duplicates: true } });
    expect(made.service.sent).toEqual(sent.map(withId));
    const isMissing = sent.some((line) => line.startsWith('POST')) || id === 'dead' || id === 'old';
    expect(made.clock.slept).toEqual(isMissing ? halfAMinute : []);
    const { unresolved, resources, orphans } = made.store.stored.state as State;
    expect(unresolved).toEqual([]);
    if (id !== undefined) expect(resources[s]?.id).toBe(idOf(id));
    expect(
      Object.keys(resources)
        .filter((address) => address !== 'dashboards.d')
        .sort(),
    ).toEqual(Object.keys(declared).map((key) => `schedules.${key}`));
    expect(orphans.map((orphan) => orphan.id)).toEqual(
      'left' in there ? [idOf('left')] : 'old' in there && sent.length === 0 ? [idOf('old')] : [],
    );
    expect((await made.plan()).changes).toEqual([]);
  });

  it.each<[string, Pick<Case, 'declared' | 'state' | 'there'>, readonly string[]]>([
    [
      'several of its name are there',
      { there: { one: schedule('S'), two: schedule('S') } },
      [`${idOf('one')}, ${idOf('two')}`],
    ],
    [
      'one of another name may be it, renamed by someone',
      { there: { there: schedule('Mine') } },
      [`${idOf('there')} (named "Mine")`],
    ],
    [
      'one of its name and one of another are there',
      { there: { one: schedule('S'), two: schedule('Mine') } },
      [`${idOf('two')} (named "Mine"), ${idOf('one')}`],
    ],
    [
      'nobody noted what was there before, and one of its name is',
      { state: besides(undefined), there: { there: schedule('S') } },
      [idOf('there'), 'It is not recorded what was there before'],
    ],
    [
      'another one of the same name was lost and only one is there, so that they cannot be told apart',
      { declared: twins, state: bothLost, there: { 'of b': twins.b } },
      [idOf('of b'), 'schedules.a', 'schedules.b'],
    ],
    [
      'nobody knows its name any more',
      { state: sealedAs({ ...schedule('S'), name: { $secret: 'another' } }, { name: '(sensitive)' }), there: {} },
      ['name'],
    ],
  ])('is left with the way out, stays open, and nothing is sent for it, if %s', async (_, given, words) => {
    const { declared = { s: schedule('S') }, state = besides([]), there } = given;
    const made = recovering(declared, state);
    for (const [each, attributes] of Object.entries(there)) made.service.add(idOf(each), attributes, duringTheApply);
    const failure = await refusalOf(made);
    expect(failure.code).toBe('blocked');
    for (const each of words) expect(`${failure.message} ${failure.hint}`).toContain(each);
    expect(failure.hint).toMatch(/almanac state resolve schedules\.[sab] --id ID/);
    expect(failure.hint).toContain('--retry');
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.unresolved).toEqual(state.unresolved);
  });

  it('a POST whose answer was lost is said to be made, when it was sent, and found without waiting', async () => {
    const made = lost();
    made.service.add(idOf('there'), schedule('S'), duringTheApply);
    expect((await made.apply()).document?.results).toEqual([]);
    expect(made.service).toMatchObject({ sent: [], listed: ['12db1a0a'] });
    expect(notesOf(made)).toEqual([
      expect.stringContaining('schedules.s, sent at 2026-02-28T23:59:00.000Z: it was created'),
    ]);
    expect(made.clock.slept).toEqual([]);
    expect(made.store.stored.state?.serial).toBe(8);
  });

  it.each([
    ['the consistency of the service', { consistencyMs: 64_000 }, '2026-02-28T23:59:00.000Z', [5000]],
    ['a list that lags', { listLagMs: 20_000 }, '2026-03-01T00:00:00.000Z', [5000, 5000, 5000, 5000]],
  ])('is looked for again, so that nothing is made twice because of %s', async (_, lag, createdAt, slept) => {
    const made = lost();
    Object.assign(made.service, lag);
    made.service.add(idOf('there'), schedule('S'), createdAt);
    await made.apply();
    expect(made.clock.slept).toEqual(slept);
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.resources[s]?.id).toBe(idOf('there'));
  });

  it('a POST whose answer was lost is waited for once, however many are open', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const made = recovering(
      Object.fromEntries(names.map((name) => [name, schedule(name)])),
      stateOf({}, { unresolved: names.map((name) => lostCreate(`schedules.${name}`, schedule(name))) }),
    );
    made.service.add(idOf('b'), schedule('b'), duringTheApply);
    await made.apply();
    expect(made.clock.slept).toEqual(halfAMinute);
    // And once all that is listed, for what nobody knows to be on another dashboard.
    expect(made.service.listed).toHaveLength(halfAMinute.length + 3);
    expect(made.service.listed.filter((identifier) => identifier === undefined)).toHaveLength(1);
    expect(made.service.sent).toEqual(['POST a', 'POST c', 'POST d']);
  });

  it('a POST whose answer was lost does not match a schedule that disappears after it was listed', async () => {
    const made = lost();
    made.service.add(idOf('there'), schedule('S'), duringTheApply);
    made.service.instead = ({ getSchedule }) => ({
      getSchedule: (id: string) => {
        made.service.remove(id);
        return getSchedule(id);
      },
    });
    await made.apply();
    expect(made.service.sent).toEqual(['POST S']);
  });

  it('a POST whose answer was lost matches by the name in the details if the list omits it, and never where no dashboard is reported', async () => {
    for (const identifier of ['12db1a0a', '']) {
      const made = recovering({ s: schedule('S') }, besides([idOf('other')]));
      made.service.add(idOf('there'), schedule('S'), duringTheApply);
      made.service.add(idOf('other'), schedule('T'), duringTheApply);
      made.service.instead = ({ listSchedules }) => ({
        listSchedules: async () => (await listSchedules({})).map((row) => ({ ...row, name: '', identifier })),
      });
      if (identifier !== '') {
        await made.apply();
        expect(made.store.stored.state?.resources[s]?.id).toBe(idOf('there'));
      } else {
        expect(await refusalOf(made)).toMatchObject({
          code: 'blocked',
          message: expect.stringContaining(idOf('there')),
        });
        expect(made.service.sent).toEqual([]);
      }
    }
  });
});

describe('an apply that lost a POST, and the one after it', () => {
  const minute = 60_000;
  const others = schedule('S', { url: 'https://hooks.example.com/of-a-stranger' });

  interface Play {
    /** Applied first, and then replaced. */
    readonly replaces?: boolean;
    /** A stranger had the name before, so duplicates are allowed. */
    readonly beside?: boolean;
    /** A stranger makes one of the same name before the next apply. */
    readonly meanwhile?: boolean;
    readonly isMade: boolean;
    /** What the next apply sends; undefined: it refuses, and names them all. */
    readonly sends: readonly string[] | undefined;
  }

  const plays: Readonly<Record<string, Play>> = {
    'a create that was made is adopted': { isMade: true, sends: [] },
    'a create that was not made is made once': { isMade: false, sends: ['POST'] },
    'a create that was made is refused beside what a stranger made meanwhile': {
      ...{ meanwhile: true, isMade: true, sends: undefined },
    },
    'a create that was made is adopted, and not the stranger that had the name': {
      ...{ beside: true, isMade: true, sends: [] },
    },
    'a create that was not made is made once beside the stranger that had the name': {
      ...{ beside: true, isMade: false, sends: ['POST'] },
    },
    'a replacement that was made is adopted, and the old schedule is deleted': {
      ...{ replaces: true, beside: true, isMade: true, sends: ['DELETE'] },
    },
    'the old schedule stays where its replacement was not made': {
      ...{ replaces: true, beside: true, isMade: false, sends: [] },
    },
  };

  describe.each<[string, number]>([
    ['with equal clocks', 0],
    ['with a service whose clock is ten minutes behind', -10 * minute],
    ['with a service whose clock is ten minutes ahead', 10 * minute],
  ])('%s', (_, serviceAhead) => {
    it.each(Object.entries(plays))('%s', async (__, { replaces, beside = false, meanwhile, isMade, sends }) => {
      const made = stage({ schedules: { s: schedule('S') } }, { serviceAhead });
      const { service, clock, store } = made;
      if (replaces) await made.apply();
      if (beside) service.add(idOf('stranger'), others);
      await clock.sleep(minute);
      breakAt(made, `${isMade ? 'after' : 'before'} POST S`, answerLost, 1);
      await made.apply({ allow: { duplicates: beside }, replace: replaces ? [s] : [] });
      expect(store.stored.state?.unresolved).toHaveLength(1);
      if (meanwhile) service.add(idOf('stranger'), others);
      service.sent.length = 0;
      if (sends === undefined) {
        const { message } = await refusalOf(made);
        for (const id of service.schedules().keys()) expect(message).toContain(id);
        return expect(service.sent).toEqual([]);
      }
      await made.apply({ allow: { duplicates: beside } });
      expect(service.sent.map((line) => line.split(' ')[0])).toEqual(sends);
      const ours = [...service.schedules().keys()].filter((id) => id !== idOf('stranger'));
      expect(ours).toEqual([store.stored.state?.resources[s]?.id]);
      expect(store.stored.state).toMatchObject({ unresolved: [], orphans: [] });
      expect((await made.plan()).changes).toEqual([]);
    });
  });

  it('a schedule that the same apply released is not taken for the one that was not made under its name', async () => {
    const made = stage({ schedules: { b: schedule('S') } });
    await made.apply();
    made.files['schedules/all.yaml'] = { schedules: { s: others }, removed: [{ from: 'schedules.b', keep: true }] };
    breakAt(made, 'before POST S', answerLost, 1);
    await made.apply();
    expect(await refusalOf(made)).toMatchObject({ code: 'blocked', addresses: [s] });
  });
});

describe('what was there before', () => {
  it.each([0, 60_000])(
    'is noted before a POST, other names included, and tracked ones that are listed %i ms later, and kept with what is unresolved',
    async (lag) => {
      const tracked = { 'schedules.t': { id: idOf('t'), attributes: schedule('T') } };
      const made = stage({ schedules: { s: schedule('S'), t: schedule('T') } }, { state: stateOf(tracked) });
      made.service.listLagMs = lag;
      made.service.add(idOf('u'), schedule('U'), '2026-01-01T00:00:00.000Z');
      made.service.add(idOf('t'), schedule('T'));
      made.service.add(idOf('elsewhere'), schedule('S', { identifier: '3f9c2b71' }));
      made.service.reach = (point) => {
        if (point === 'after POST S') throw answerLost();
      };
      await made.apply();
      expect(made.store.stored.state?.unresolved).toMatchObject([{ address: s, existing: [idOf('t'), idOf('u')] }]);
    },
  );

  it.each([undefined, ['schedules.s']])(
    'is listed once for --replace %s and for --allow duplicates',
    async (replace) => {
      const state = replace && stateOf({ [s]: { id: idOf('old'), attributes: schedule('S') } });
      const made = stage({ schedules: { s: schedule('S') } }, { state });
      if (replace) made.service.add(idOf('old'), schedule('S'));
      await made.apply({ allow: { duplicates: true }, replace: replace ?? [] });
      expect(made.service.listed).toEqual(['12db1a0a']);
      expect(made.service.sent).toEqual(['POST S', ...(replace ? [`DELETE ${idOf('old')}`] : [])]);
    },
  );
});

describe('a request about which nothing is certain', () => {
  it('a request about which nothing is certain does not hold up the others: what was found out about them is written before the apply is refused', async () => {
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
    made.service.add(idOf('one'), schedule('A'), duringTheApply);
    made.service.add(idOf('two'), schedule('A'), duringTheApply);
    made.service.add(idOf('of b'), schedule('B'), duringTheApply);
    const failure = await refusalOf(made);
    expect(failure.message).toContain(`${idOf('one')}, ${idOf('two')}`);
    expect(failure.message).toContain('what was sent for schedules.c');
    expect(made.store.stored.state).toMatchObject({
      resources: { 'schedules.b': { id: idOf('of b') } },
      unresolved: [{ address: 'schedules.a' }, { address: 'schedules.c' }],
    });
    expect((await refusalOf(made)).message).toContain(`${idOf('one')}, ${idOf('two')}`);
  });
});

/** Its answer was lost, and somebody renamed its dashboard before the next apply. */
function lostAndRenamed(
  rest: Partial<Unresolved> = {},
  there: Readonly<Record<string, JsonObject>> = { there: schedule('S') },
) {
  const sent = lostCreate(s, schedule('S'), rest);
  const made = recovering({ s: schedule('S', { identifier: 'sales-now' }) }, stateOf({}, { unresolved: [sent] }));
  for (const [each, attributes] of Object.entries(there)) made.service.add(idOf(each), attributes, duringTheApply);
  made.service.addDashboard(schedule('S'));
  renameDashboard(made.service.data, '12db1a0a', 'sales-now');
  return made;
}
const entityId = entityIdOf({ identifier: '12db1a0a' });

describe('a create whose answer was lost, on a dashboard that was renamed', () => {
  it('a lost create is found on its dashboard, whatever that is called now, by the id that the record holds', async () => {
    const made = lostAndRenamed({ entityId });
    await made.apply();
    expect(made.service.sent.filter((line) => line.startsWith('POST'))).toEqual([]);
    expect(made.store.stored.state).toMatchObject({
      resources: { [s]: { id: idOf('there'), entityId } },
      unresolved: [],
    });
    await made.apply({ refresh: { depth: 'deep', only: false } });
    expect((await made.plan()).changes).toEqual([]);
  });

  it.each<[string, Partial<Unresolved>, Readonly<Record<string, JsonObject>>, string]>([
    [
      'its dashboard is called otherwise now and has nothing new',
      { entityId },
      {},
      'its dashboard is called sales-now now',
    ],
    [
      'nobody knows the id of its dashboard, and one of its name is on another one',
      {},
      { there: schedule('S') },
      `the dashboard sales-now has a schedule of that name that nothing tracks: ${idOf('there')}`,
    ],
    [
      'nobody knows the id of its dashboard, and Omni shows none of that identifier',
      {},
      {},
      'Omni does not show its dashboard under that identifier',
    ],
  ])('a lost create stays open, with both ways out, if %s', async (_, rest, there, why) => {
    const made = lostAndRenamed(rest, there);
    const { code, message, hint } = await refusalOf(made);
    expect(code).toBe('blocked');
    expect(message).toContain(
      `Nothing that this apply may have created is listed on the dashboard 12db1a0a, but ${why}.`,
    );
    expect(withoutMarks(hint ?? '')).toContain(
      [
        `If the schedule was created: \`almanac state resolve ${s} --id ID\`, or \`almanac import\` of the id.`,
        `If not: \`almanac state resolve ${s} --retry\`.`,
      ].join('\n'),
    );
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.unresolved).toHaveLength(1);
  });

  it('a lost create is closed by an entry of `adopt` that names what it made', async () => {
    const made = lostAndRenamed();
    made.files['schedules/all.yaml'] = {
      adopt: [{ to: s, id: idOf('there') }],
      schedules: { s: schedule('S', { identifier: 'sales-now' }) },
    };
    await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state).toMatchObject({ resources: { [s]: { id: idOf('there') } }, unresolved: [] });
  });

  it('a create notes the id of its dashboard where the state or a look of this run knows it', async () => {
    const beside = { id: idOf('t'), attributes: schedule('T'), entityId };
    const made = recovering({ s: schedule('S'), t: schedule('T') }, stateOf({ 'schedules.t': beside }));
    made.service.add(idOf('t'), schedule('T'));
    breakAt(made, 'after POST S', answerLost);
    await made.apply();
    expect(made.store.stored.state?.unresolved).toMatchObject([{ address: s, entityId }]);
  });
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
    const almanac = apiWith({ rateLimit: 8 });
    const state = { ...openState(), resources: {} };
    const made = stage({ schedules: { s: schedule('S') } }, { state, almanac });
    await made.apply({ allow: { duplicates: true } });
    expect(made.expected).toEqual([{ requests: 11, sent: 10, seconds: 60 }]);
  });

  it('recovery writes what it found, even if the plan is then declined', async () => {
    const made = recovering({ s: schedule('S'), t: schedule('T') }, { ...openState(), resources: {} });
    made.service.add(idOf('there'), schedule('S'), duringTheApply);
    expect((await made.apply({ confirm: async () => false })).document).toBeUndefined();
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state).toMatchObject({
      serial: 8,
      resources: { [s]: { id: idOf('there') } },
      unresolved: [],
    });
  });

  it('a recovery that cannot list schedules leaves the open create, and says so', async () => {
    const made = lost();
    made.service.instead = () => ({ listSchedules: () => Promise.reject(refusal(500, 'api-answer-lost')) });
    expect(await refusalOf(made)).toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('cannot look for what was sent'),
    });
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored.state?.unresolved).toHaveLength(1);
  });
});

it('thousands of creates whose answers were lost are recovered in seconds', async () => {
  const count = 5000;
  const names = Array.from({ length: count }, (_, index) => `S${index}`);
  const idOfRow = (kind: string, index: number) => `${kind}-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const existing = names.map((_, index) => idOfRow('00000000', index));
  const unresolved = names.map((name, index) => lostCreate(`schedules.s${index}`, schedule(name), { existing }));
  const row = (name: string, id: string) => ({ id, name, identifier: String(schedule(name)['identifier']) });
  const rows = names.flatMap((name, index) => [
    row(name, existing[index] ?? ''),
    row(name, idOfRow('11111111', index)),
  ]);
  const api = {
    listSchedules: async () => rows,
    getSchedule: async (id: string) => ({ id, name: 'as listed', paused: false }),
  } as unknown as Api;
  const ports = {
    service: { api: async () => api, call: {} },
    clock: makeInstantClock(),
    signal: undefined,
    reporter: { emit: () => undefined },
  } as unknown as Parameters<typeof recover>[1];
  const start = processorTime();
  const { state, refusals } = await recover(stateOf({}, { unresolved }), ports);
  expect(processorTime() - start).toBeLessThan(5000);
  expect(refusals).toEqual([]);
  expect(state.unresolved).toEqual([]);
  expect(Object.values(state.resources).map(({ id }) => id)).toEqual(
    names.map((_, index) => idOfRow('11111111', index)),
  );
});
