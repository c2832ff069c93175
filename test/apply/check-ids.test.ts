// An id is checked before it is used: what Omni lists under it must be what the state says it is.

import { describe, expect, it } from 'vitest';
import type { Orphan, State, StateResource, Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { sealedSecret } from '../../src/model/values/secret.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { at, orphanOf, schedule, stateOf } from '../support/apply/declared.ts';
import { refusalOf as whyNothing } from '../support/apply/refusal-of.ts';
import { breakAt, core, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, idOf, madeId, refusal } from '../support/emulator/service.ts';

const a = 'schedules.a';
const [x, y] = [idOf('x'), idOf('y')];
const own = schedule('A');
const elsewhere = schedule('Board pack', { identifier: 'b4d86e20' });
const refresh = { depth: 'list', only: false } as const;

interface Given {
  readonly declared?: Record<string, unknown>;
  /** As the state has `schedules.a`. */
  readonly tracked?: Partial<StateResource>;
  /** As Omni has it. */
  readonly there?: JsonObject;
  readonly rest?: Partial<State>;
}

/** The state says that the id `x` is schedules.a; Omni has something else under it. */
function planted({ declared, tracked, there = elsewhere, rest }: Given = {}): Stage {
  const state = stateOf({ [a]: { id: x, attributes: own, ...tracked } }, rest);
  const made = stage(declared ?? { schedules: { a: schedule('A', { timezone: 'Europe/London' }) } }, { state });
  made.service.add(x, { ...there, paused: tracked?.attributes?.['paused'] === true }, at);
  return made;
}

async function refusalOf(
  made: Stage,
  options: Parameters<Stage['apply']>[0] = {},
  sent: readonly string[] = [],
): Promise<Failure> {
  made.service.sent.length = 0;
  const failure = await whyNothing(made, options);
  expect(failure.code, String(failure)).toBe('blocked');
  expect(made.service.sent).toEqual(sent);
  return failure;
}

const paused = schedule('A', { paused: true });

describe('an id that Omni lists on another dashboard, under another name', () => {
  it.each<[what: string, given: Given, options?: Parameters<Stage['apply']>[0]]>([
    ['updated', {}],
    ['paused', { declared: { schedules: { a: paused } } }],
    ['resumed', { declared: { schedules: { a: own } }, tracked: { attributes: paused } }],
    ['transferred', { declared: { schedules: { a: schedule('A', { owner: 'ana@example.com' }) } } }],
    ['deleted', { declared: {} }],
    ['replaced', { declared: { schedules: { a: own } } }, { replace: [a] }],
    ['moved and updated', { declared: { schedules: { b: paused }, moved: [{ from: a, to: 'schedules.b' }] } }],
  ])('is refused before the schedule is %s, with both sides, and nothing is sent', async (_, given, options) => {
    const { message } = await refusalOf(planted(given), { allow: { empty: true }, ...options });
    expect(message).toContain('the state has "A" on the dashboard 12db1a0a');
    expect(message).toContain(`schedules.a (${x})`);
    expect(message).toContain('Omni lists "Board pack" on the dashboard b4d86e20');
  });

  it('an id that Omni lists on another dashboard, under another name, is refused before an orphan that a replacement has left is deleted, also where only the name differs', async () => {
    const orphan: Orphan = { ...orphanOf(x, own), replaced: true };
    const left = (there: JsonObject) =>
      planted({ declared: {}, tracked: { id: y }, there, rest: { orphans: [orphan] } });
    for (const there of [elsewhere, schedule('Board pack')]) {
      const made = left(there);
      made.service.add(y, own, at);
      const { hint } = await refusalOf(made, { allow: { empty: true } }, [`DELETE ${y}`]);
      expect(hint).toContain(`\`almanac state orphans --clear ${x}\``);
      await refusalOf(made, { allow: { empty: true }, refresh });
    }
  });

  it('an id that Omni lists on another dashboard, under another name, is refused before whoever reviews is asked, and all ids at once', async () => {
    const state = stateOf({ [a]: { id: x, attributes: own }, 'schedules.b': { id: y, attributes: schedule('B') } });
    const made = stage({ schedules: { a: paused, b: schedule('B', { paused: true }) } }, { state });
    made.service.add(x, schedule('B'), at);
    made.service.add(y, own, at);
    const { message, hint } = await refusalOf(made, { expectChanges: new Set() });
    const lines = `schedules\\.a \\(${x}\\): .*\nschedules\\.b \\(${y}\\): `;
    expect(message).toMatch(new RegExp(`^The state and Omni disagree about 2 ids\\.\n${lines}`));
    expect(hint).toContain('`almanac apply --refresh-only --target schedules.a schedules.b`');
  });
});

describe('where this run has looked', () => {
  it('the update of a planted id is planned as drift, which no earlier review shows', async () => {
    const made = planted();
    const reviewed = new Set((await made.plan()).changes.flatMap(({ digest }) => digest ?? []));
    await expect(made.apply({ refresh, expectChanges: reviewed })).rejects.toMatchObject({ code: 'not-reviewed' });
    expect(made.service.sent).toEqual([]);
    const { plan } = await made.apply({ refresh });
    const paths = plan.changes.flatMap(({ diff }) => diff.map(({ path }) => path));
    expect(paths).toEqual(expect.arrayContaining(['/identifier', '/name']));
  });

  it.each<[what: string, declared: Record<string, unknown>, options?: object]>([
    ['deletion', {}],
    ['replacement', { schedules: { a: own } }, { replace: [a] }],
  ])('the %s of what is on another dashboard is left', async (_, declared, options) => {
    const made = planted({ declared });
    const { message, hint } = await refusalOf(made, { allow: { empty: true }, refresh, ...options });
    expect(message).toContain(
      'the state has "A" on the dashboard 12db1a0a, Omni lists "Board pack" on the dashboard b4d86e20.',
    );
    expect(hint).toContain('`almanac state rm schedules.a`');
  });

  it('what is only called otherwise is deleted, as the plan shows', async () => {
    const made = planted({ declared: {}, there: schedule('Renamed') });
    await made.apply({ allow: { empty: true }, refresh });
    expect(made.service.sent).toEqual([`DELETE ${x}`]);
  });

  it('a schedule whose details may not be read is not seen, so its id is refused', async () => {
    const made = planted();
    const getRecipients = () => Promise.reject(refusal(403, 'api-unauthorized'));
    made.service.instead = () => ({ getRecipients });
    expect((await refusalOf(made, { refresh })).message).toContain('Omni lists "Board pack"');
  });
});

it('a rename in Omni is taken over by the printed command, and the next plan shows what an apply then changes', async () => {
  const made = planted({ there: schedule('Renamed') });
  const { hint } = await refusalOf(made);
  expect(hint).toContain('`almanac apply --refresh-only --target schedules.a`');
  await made.apply({ refresh: { ...refresh, only: true }, targets: [a] });
  const [change] = (await made.plan()).changes;
  expect(change?.diff).toContainEqual(expect.objectContaining({ path: '/name', before: 'Renamed', after: 'A' }));
  made.asked.length = 0;
  await made.apply();
  expect(made.service.sent).toEqual([`PUT ${x}`]);
  expect((await made.plan()).changes).toEqual([]);
});

describe('what is not another schedule', () => {
  const sealed = (fields: JsonObject): JsonObject => ({ ...own, ...fields });
  const secret = sealedSecret(null, '${env.OLD}') as unknown as JsonObject;
  const dashboardId = '5b6c9a5e-6f0e-4d5c-9a68-4f3b1f0b1b1b';
  it.each<[what: string, given: Given]>([
    [
      'a name with other spaces around it and another normal form',
      { tracked: { attributes: schedule(' Cafe\u0301') }, there: schedule('Caf\u00e9 ') },
    ],
    [
      'a dashboard that the state names by its UUID',
      { tracked: { attributes: sealed({ identifier: dashboardId }) }, there: own },
    ],
    [
      'a name and a dashboard that the state keeps sealed, where Omni has those that are declared',
      { tracked: { attributes: sealed({ identifier: secret, name: secret }) }, there: own },
    ],
    ['what an open change has sent', { there: schedule('B'), rest: { unresolved: [open(schedule('B'))] } }],
    [
      'what an open change before the last one has sent',
      {
        there: schedule('B'),
        rest: { unresolved: [{ ...open(schedule('C')), earlier: [schedule('B')] }] },
      },
    ],
  ])('%s is updated', async (_, given) => {
    const made = planted(given);
    await made.apply();
    expect(made.service.sent).toEqual([`PUT ${x}`]);
  });

  it('what the list does not tell is updated', async () => {
    const made = planted({ there: own });
    made.service.instead = ({ listSchedules }) => ({
      listSchedules: async (...asked) =>
        (await listSchedules(...asked)).map((row) => ({ ...row, name: '', identifier: '' })),
    });
    await made.apply();
    expect(made.service.sent).toEqual([`PUT ${x}`]);
  });

  it('nothing is sent where the only id is in no list: the token may be of another organization', async () => {
    const made = planted();
    made.service.remove(x);
    expect((await refusalOf(made)).message).toContain('None of the tracked schedules was found in Omni.');
    expect(made.service.listed).toContain(undefined);
  });

  it('with operations core nothing is listed', async () => {
    const made = planted({ declared: {} });
    made.files['almanac.yaml'] = core;
    await made.apply({ allow: { empty: true, orphans: true } });
    expect(made.service.listed).toEqual([]);
  });
});

it('an update, a delete and a replacement whose answers were lost in a row are carried out under the name that arrived', async () => {
  const made = planted({ there: own });
  const lose = async (declared: object, point: string, options: object = {}) => {
    breakAt(made, point, answerLost);
    made.files['schedules/all.yaml'] = declared;
    await made.apply({ allow: { empty: true }, ...options });
  };
  const named = (name: string) => ({ schedules: { a: schedule(name) } });
  await lose(named('B'), `after PUT ${x}`);
  await lose(named('C'), `before PUT ${x}`);
  await lose({}, `before DELETE ${x}`);
  await lose(named('D'), `before DELETE ${x}`, { replace: [a] });
  expect(made.service.schedules().get(x)?.fields).toMatchObject({ name: 'B' });
  made.service.reach = () => undefined;
  await made.apply();
  expect([...made.service.schedules().values()].map(({ fields }) => fields['name'])).toEqual(['D']);
  expect((await made.plan()).changes).toEqual([]);
});

function open(attributes: JsonObject): Unresolved {
  return { address: a, action: 'update', since: at, attributes };
}

describe('an entry of adopt', () => {
  const adopting = { schedules: { a: own }, adopt: [{ to: a, id: x }] };
  const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
  const adopted = () => {
    const made = stage({ ...adopting, adopt: [{ to: a, id }] });
    made.service.add(id, elsewhere, at);
    made.service.add(idOf('other'), schedule('Other'), at);
    return made;
  };

  it.each([undefined, refresh])(
    'whose id is on another dashboard than declared is left, and nothing is tracked: look %j',
    async (look) => {
      const made = adopted();
      const { message } = await refusalOf(made, { refresh: look });
      expect(message).toContain(`Omni lists this id on b4d86e20, as "Board pack"`);
      expect(made.store.stored.state?.resources ?? {}).toEqual({});
    },
  );
});

describe('what exists is asked once', () => {
  const dashboards = (count: number) => Array.from({ length: count }, (_, n) => `dash000${n}`);
  const tracking = (identifiers: readonly string[]) => {
    const keys = identifiers.map((identifier, n) => [`s${n}`, schedule(`S${n}`, { identifier })] as const);
    const resources = keys.map(([key, attributes]) => [`schedules.${key}`, { id: idOf(key), attributes }] as const);
    const changed = keys.map(([key, attributes]) => [key, { ...attributes, timezone: 'Europe/London' }] as const);
    const made = stage({ schedules: Object.fromEntries(changed) }, { state: stateOf(Object.fromEntries(resources)) });
    for (const [key, attributes] of keys) made.service.add(idOf(key), attributes, at);
    return made;
  };

  it('at most five dashboards are listed one by one, and the whole list of more', async () => {
    const five = tracking([...dashboards(5), ...dashboards(5)]);
    await five.apply();
    expect([...five.service.listed].sort()).toEqual(dashboards(5));
    const six = tracking(dashboards(6));
    await six.apply();
    expect(six.service.listed).toEqual([undefined]);
  });

  it('an apply says before it asks what it takes in all, each look at what it adopts included', async () => {
    const keys = Array.from(
      { length: 12 },
      (_, n) => [`s${n}`, schedule(`S${n}`, { identifier: `d${n % 3}` })] as const,
    );
    const adopt = keys.map(([key], n) => ({ to: `schedules.${key}`, id: madeId(n) }));
    const made = stage({
      schedules: { ...Object.fromEntries(keys), new: schedule('New', { identifier: 'd0' }) },
      adopt,
    });
    for (const [n, [, attributes]] of keys.entries()) made.service.add(madeId(n), attributes, at);
    await made.apply();
    // The list of each dashboard, two requests for each schedule, and the filters of each dashboard.
    const sent = 3 + 2 * 12 + 3;
    expect(made.expected).toEqual([{ requests: sent + 1, sent, seconds: 0 }]);
  });

  it('the guard against duplicates and the check of ids ask for a dashboard once', async () => {
    const made = tracking(dashboards(1));
    const { schedules } = made.files['schedules/all.yaml'] as { readonly schedules: object };
    made.files['schedules/all.yaml'] = {
      schedules: { ...schedules, new: schedule('New', { identifier: 'dash0000' }) },
    };
    await made.apply();
    expect(made.service.listed).toEqual(['dash0000']);
    expect(made.service.sent.sort()).toEqual(['POST New', `PUT ${idOf('s0')}`]);
  });

  it('the whole list is read where the list of a dashboard is refused', async () => {
    const made = tracking(dashboards(2));
    made.service.instead = ({ listSchedules }) => ({
      listSchedules: (...asked) =>
        asked[0].identifier === 'dash0001' ? Promise.reject(refusal(404)) : listSchedules(...asked),
    });
    await made.apply();
    expect(made.service.listed).toEqual(['dash0000', undefined]);
    expect(made.service.sent).toHaveLength(2);
  });

  it('nothing is created on a dashboard whose list is refused, because a duplicate could not be seen', async () => {
    const made = tracking(dashboards(1));
    made.files['schedules/all.yaml'] = { schedules: { new: schedule('New', { identifier: 'dash0001' }) } };
    made.service.instead = ({ listSchedules }) => ({
      listSchedules: (...asked) =>
        asked[0].identifier === 'dash0001' ? Promise.reject(refusal(403, 'api-unauthorized')) : listSchedules(...asked),
    });
    const { message } = await refusalOf(made, { force: true }, [`DELETE ${idOf('s0')}`]);
    expect(message).toContain('Omni does not list the schedules of the dashboard dash0001');
  });

  it('a look is not asked again', async () => {
    const made = tracking(dashboards(2));
    await made.apply({ refresh });
    expect(made.service.listed).toEqual([undefined]);
  });
});
