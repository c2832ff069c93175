// The requests of one change, in order: what is recorded if it breaks off between them, what counts as done although
// the service refuses it, and what is left for the next apply.

import { describe, expect, it } from 'vitest';
import type { StateResource, Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { at, orphanOf, schedule, stateOf } from '../support/apply/declared.ts';
import { breakAt, notesOf, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, arrived, madeId, refusal } from '../support/emulator/service.ts';
import { failureOf } from '../support/failure-of.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const s = 'schedules.s';
const x = madeId(77);
const paused = { paused: true };

interface There {
  readonly tracked?: JsonObject;
  readonly resource?: Partial<StateResource>;
  readonly unresolved?: readonly Unresolved[];
}

/** `schedules.s` as declared, and, if given, as it was applied with the id `x`. */
function having(declared: JsonObject | undefined, { tracked, resource = {}, unresolved = [] }: There = {}): Stage {
  const state = tracked && stateOf({ [s]: { id: x, attributes: tracked, ...resource } }, { unresolved });
  const made = stage({ schedules: { s: declared, other: schedule('Other', { identifier: '3f9c2b71' }) } }, { state });
  if (tracked) made.service.add(x, tracked, at);
  return made;
}

/** Of `schedules.s`; the other schedule is there so that something is declared. */
const only = { targets: [s] };
const resultOf = async (made: Stage, options = {}) => (await made.apply({ ...only, ...options })).document?.results[0];
const planned = async (made: Stage) => (await made.plan()).changes.filter(({ address }) => address === s);
const tracked = ({ store }: Stage) => store.stored.state?.resources[s];

/** As a person would in the browser. */
const pauseByHand = ({ service }: Stage, isPaused: boolean) =>
  Object.assign(service.schedules().get(x) ?? {}, { disabledAt: isPaused ? at : undefined });

describe('a create that is to be paused', () => {
  it('a create whose pause is refused counts as created, and the next apply only pauses it', async () => {
    const made = having(schedule('S', paused));
    breakAt(made, `before PAUSE ${madeId(1)}`, () => refusal(403, 'api-unauthorized'), 1);
    expect(await resultOf(made)).toMatchObject({
      status: 'failed',
      id: madeId(1),
      error: { message: expect.stringContaining(`It was created (${madeId(1)}), and is not paused yet.`) },
    });
    expect(tracked(made)).toMatchObject({ id: madeId(1), attributes: schedule('S') });
    made.service.sent.length = 0;
    expect(await resultOf(made)).toMatchObject({ status: 'applied', requests: 1 });
    expect(made.service.sent).toEqual([`PAUSE ${madeId(1)}`]);
    expect(await planned(made)).toEqual([]);
  });

  it('a create that is interrupted before its pause is paused all the same, and says so', async () => {
    const made = having(schedule('S', paused));
    const stop = new AbortController();
    made.service.reach = (point) => {
      if (point === 'after POST S') stop.abort();
    };
    expect(await resultOf(made, { signal: stop.signal })).toMatchObject({ status: 'applied', requests: 2 });
    expect(made.service.sent).toEqual(['POST S', `PAUSE ${madeId(1)}`]);
    expect(notesOf(made)).toEqual([
      'Interrupted: no more changes are started. Finishing first: schedules.s (create). Interrupt again to leave at once; the journal keeps what was started.',
    ]);
    expect(await planned(made)).toEqual([]);
  });

  it('a create that has not been sent when the run is interrupted is not started, though its owner was asked for', async () => {
    const made = having(schedule('S', { ...paused, owner: 'bo@example.com' }));
    const stop = new AbortController();
    made.service.instead = ({ listUsers }) => ({
      listUsers: async (...request) => {
        const users = await listUsers(...request);
        stop.abort();
        return users;
      },
    });
    expect(await resultOf(made, { signal: stop.signal })).toMatchObject({
      status: 'skipped',
      error: { code: 'interrupted' },
    });
    expect(made.service.sent).toEqual([]);
  });
});

/** Omni finds nothing by the id x, and lists it: the token may not see it, or an answer is older than another. */
function unfound(made: Stage): Stage {
  const notFound = () => Promise.reject(refusal(404));
  made.service.instead = () => ({ deleteSchedule: notFound, getSchedule: notFound });
  return made;
}

describe('a delete that Omni answers with 404', () => {
  it('a delete that Omni answers with 404 has failed if the list still shows the schedule, which stays tracked and is deleted by a later apply', async () => {
    const made = having(undefined, { tracked: schedule('S') });
    unfound(made);
    expect(await resultOf(made)).toMatchObject({
      status: 'failed',
      error: {
        code: 'api-rejected',
        message: expect.stringContaining(`does not find the schedule ${x} to delete it, and still lists it`),
      },
    });
    expect(tracked(made)?.id).toBe(x);
    made.service.instead = () => ({});
    expect(await resultOf(made)).toMatchObject({ status: 'applied' });
    expect(made.service.schedules().has(x)).toBe(false);
  });

  it('a delete that Omni answers with 404 is done if the list of the dashboard does not show the schedule', async () => {
    const made = having(undefined, { tracked: schedule('S') });
    made.service.reach = (point) => {
      if (point === `before DELETE ${x}`) made.service.remove(x);
    };
    made.service.listed.length = 0;
    expect(await resultOf(made)).toMatchObject({ status: 'applied', requests: 2 });
    expect(made.service.listed).toEqual(['12db1a0a', '12db1a0a']);
    expect(tracked(made)).toBeUndefined();
  });

  it('a delete that Omni answers with 404 is looked for in the whole list if the list of its dashboard is refused', async () => {
    const made = unfound(having(undefined, { tracked: schedule('S') }));
    let isDeleted = false;
    made.service.instead = ({ listSchedules }) => ({
      deleteSchedule: () => {
        isDeleted = true;
        return Promise.reject(refusal(404));
      },
      listSchedules: (...asked) =>
        isDeleted && asked[0].identifier !== undefined ? Promise.reject(refusal(403)) : listSchedules(...asked),
    });
    expect(await resultOf(made)).toMatchObject({ status: 'failed' });
  });

  it('a delete that Omni answers with 404 leaves what was replaced as an orphan if the list still shows it', async () => {
    const made = having(schedule('S'), { tracked: schedule('S') });
    made.service.instead = () => ({ deleteSchedule: () => Promise.reject(refusal(404)) });
    expect(await resultOf(made, { replace: [s] })).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('may run alongside it') },
    });
    expect(made.store.stored.state?.orphans).toMatchObject([{ id: x, replaced: true }]);
  });

  it('a delete that Omni answers with 404 is not settled as gone after a lost answer if the list still shows the schedule', async () => {
    const open: Unresolved = { address: s, action: 'delete', since: at };
    const made = unfound(having(undefined, { tracked: schedule('S'), unresolved: [open] }));
    expect(await resultOf(made)).toMatchObject({ status: 'failed' });
    expect(tracked(made)?.id).toBe(x);
  });
});

describe('a replace', () => {
  const replace = { replace: [s] };

  it.each<[string, string, () => Failure]>([
    ['that was refused', `before DELETE ${x}`, () => refusal(403, 'api-unauthorized')],
    ['whose answer was lost before the work', `before DELETE ${x}`, answerLost],
    ['whose answer was lost after the work', `after DELETE ${x}`, answerLost],
  ])('a replace with a delete %s lists the old schedule, and the next apply deletes it', async (_, point, failure) => {
    const made = having(schedule('S'), { tracked: schedule('S') });
    breakAt(made, point, failure, 1);
    const applied = await made.apply({ ...only, ...replace });
    expect(applied.document?.results[0]?.error?.message).toContain(`The new schedule runs (${madeId(1)})`);
    expect(applied.document?.results[0]?.error?.hint).toContain(`almanac state orphans --clear ${x}`);
    expect(applied.document?.orphans).toMatchObject([{ id: x, address: s, name: 'S' }]);
    expect(tracked(made)?.id).toBe(madeId(1));
    expect(made.store.stored.state?.unresolved).toEqual([]);
    expect(await made.plan()).toMatchObject({ orphans: [{ id: x }], unresolved: [] });
    await expectRest(made, point.startsWith('after') ? 2 : 1);
  });

  /** Another apply deletes x, and nothing else. One that is gone is looked for. */
  async function expectRest(made: Stage, requests: number) {
    expect(await planned(made)).toMatchObject([{ action: 'delete', reason: 'replaced', id: x, requests: 1 }]);
    made.service.sent.length = 0;
    await made.clock.sleep(10_000);
    expect(await resultOf(made)).toMatchObject({ action: 'delete', status: 'applied', requests });
    expect(made.service.sent).toEqual([`DELETE ${x}`]);
    expect([...made.service.schedules().keys()]).toEqual([madeId(1)]);
    expect(made.store.stored.state).toMatchObject({ orphans: [], resources: { [s]: { id: madeId(1) } } });
    expect(await planned(made)).toEqual([]);
  }

  it('a replace that is interrupted before the delete deletes the old schedule all the same', async () => {
    const made = having(schedule('S'), { tracked: schedule('S') });
    const stop = new AbortController();
    made.service.reach = (point) => {
      if (point === 'after POST S') stop.abort();
    };
    const applied = await made.apply({ ...only, ...replace, signal: stop.signal });
    expect(applied.document).toMatchObject({ orphans: [], summary: { applied: 1 } });
    expect(made.service.sent).toEqual(['POST S', `DELETE ${x}`]);
    expect(await planned(made)).toEqual([]);
  });

  /** The create of another schedule fails while the new one is made, and before the old one is deleted. */
  function failingBeside(failure: () => Failure) {
    const made = having(schedule('S'), { tracked: schedule('S') });
    made.service.instead = ({ createSchedule }) => ({
      createSchedule: async (...request) => {
        if (request[0]['name'] === 'Other') {
          while (!made.service.sent.includes('POST S')) await arrived();
          throw failure();
        }
        const created = await createSchedule(...request);
        while (!made.events.some(({ type }) => type === 'change-ended')) await arrived();
        return created;
      },
    });
    return made;
  }

  it('a replace that has started is finished when another change fails, also with --fail-fast', async () => {
    const made = failingBeside(() => refusal(400));
    const { document } = await made.apply({ ...replace, failFast: true });
    expect(document?.summary).toMatchObject({ applied: 1, failed: 1 });
    expect(made.service.sent).toEqual(['POST S', `DELETE ${x}`]);
    expect(made.store.stored.state?.orphans).toEqual([]);
  });

  it('a replace that has started is not finished once Omni no longer accepts the token', async () => {
    const made = failingBeside(() => refusal(401, 'api-unauthorized'));
    const { document } = await made.apply(replace);
    expect(document?.summary).toMatchObject({ applied: 0, failed: 2 });
    expect(made.service.sent).toEqual(['POST S']);
    expect(made.store.stored.state?.orphans).toMatchObject([{ id: x, replaced: true }]);
  });

  it('the old schedule of an incomplete replace is not deleted if an adopt entry asks for it', async () => {
    const orphan = { ...orphanOf(x, schedule('S')), replaced: true as const };
    const made = stage(
      { schedules: { s: schedule('S') }, adopt: [{ to: s, id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' }] },
      {
        state: stateOf({}, { orphans: [{ ...orphan, id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' }] }),
      },
    );
    expect((await made.plan()).changes).toMatchObject([{ action: 'create' }]);
  });

  it('a replace of a schedule that is gone creates it, unless it is all that was tracked', async () => {
    const made = having(schedule('S'), { tracked: schedule('S') });
    made.service.remove(x);
    expect((await failureOf(made.apply({ ...only, ...replace }))).message).toContain(
      'None of the tracked schedules was found',
    );
    expect(await resultOf(made, { ...replace, force: true })).toMatchObject({ status: 'applied', id: madeId(1) });
    expect(made.store.stored.state?.orphans).toEqual([]);
    expect(made.clock.slept).toEqual([]);
  });
});

describe('counts as done', () => {
  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['a pause of what is paused', paused, {}, true],
    ['a resume of what runs', {}, paused, false],
  ])('an update counts as done for %s', async (_, declared, before, isPaused) => {
    const made = having(schedule('S', declared), { tracked: schedule('S', before) });
    pauseByHand(made, isPaused);
    expect(await resultOf(made)).toMatchObject({ action: 'update', status: 'applied' });
    expect(await planned(made)).toEqual([]);
  });
});

it.each<[string, JsonObject, JsonObject]>([
  ['PAUSE', paused, {}],
  ['RESUME', {}, paused],
])(
  'a %s that Omni refuses although there is something to do fails, and the next apply sends it again',
  async (request, declared, before) => {
    const made = having(schedule('S', declared), { tracked: schedule('S', before) });
    breakAt(made, `before ${request} ${x}`, () => refusal(400), 1);
    expect(await resultOf(made)).toMatchObject({ status: 'failed', error: { code: 'api-rejected' } });
    expect(await resultOf(made)).toMatchObject({ status: 'applied' });
    expect(made.service.sent).toEqual([`${request} ${x}`]);
    expect(await planned(made)).toEqual([]);
  },
);

describe('a schedule that Omni itself has stopped', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['paused', paused, {}],
    ['resumed', {}, paused],
  ])(
    'a schedule that Omni itself has stopped cannot be %s: the change fails with the reason',
    async (verb, declared, before) => {
      const made = having(schedule('S', declared), { tracked: schedule('S', before) });
      pauseByHand(made, verb === 'resumed');
      Object.assign(made.service.schedules().get(x) ?? {}, { systemDisabled: { at, reason: 'noAccess' } });
      const result = await resultOf(made);
      expect(result).toMatchObject({ status: 'failed', error: { code: 'api-rejected' } });
      expect(result?.error?.message).toContain(`It cannot be ${verb}: Omni itself has stopped it (noAccess).`);
      expect(await planned(made)).toHaveLength(1);
    },
  );

  it('a schedule that nobody has paused and that Omni itself has stopped counts as resumed, and the plan says that it is stopped', async () => {
    const made = having(schedule('S'), { tracked: schedule('S', paused) });
    pauseByHand(made, false);
    Object.assign(made.service.schedules().get(x) ?? {}, { systemDisabled: { at, reason: 'noAccess' } });
    const { plan } = await made.apply(only);
    expect(made.service.sent).toEqual([]);
    expect(plan.diagnostics).toMatchObject([{ code: 'stopped-by-service', address: s }]);
    expect(await planned(made)).toEqual([]);
  });
});

describe('a schedule that was created a moment ago', () => {
  const createdAt = '2026-02-28T23:59:58.000Z';

  const four = (request: string) => [request, request, request, request];

  it.each<[string, JsonObject | undefined, number, readonly string[]]>([
    // The look waits.
    ['an update', schedule('S', { url: 'https://new.example.com/' }), 1, [`PUT ${x}`]],
    ['a pause', schedule('S', paused), 4, four(`PAUSE ${x}`)],
    ['a delete', undefined, 4, four(`DELETE ${x}`)],
  ])(
    'a schedule that was just created is asked for again by %s until it is found',
    async (_, declared, requests, sent) => {
      const made = having(declared, { tracked: schedule('S'), resource: { createdAt } });
      Object.assign(made.service.schedules().get(x) ?? {}, { createdAt });
      made.service.consistencyMs = 4500;
      expect(await resultOf(made)).toMatchObject({ status: 'applied', requests });
      expect(made.service.sent).toEqual(sent);
      expect(made.clock.slept).toEqual([1000, 1000, 1000]);
    },
  );

  it('a schedule is gone if it is not found ten seconds after it was created', async () => {
    const made = having(schedule('S', paused), { tracked: schedule('S'), resource: { createdAt } });
    made.service.remove(x);
    expect(await resultOf(made)).toMatchObject({ status: 'failed', requests: 9 });
    expect(made.clock.slept.reduce((sum, each) => sum + each, 0)).toBe(8000);
  });
});

describe('an update of which nobody knows whether it was done, and another one that breaks off', () => {
  const open = (attributes: JsonObject): Unresolved[] => [{ address: s, action: 'update', since: at, attributes }];

  const refused = () => refusal(403, 'api-unauthorized');
  const renamed = schedule('S', { url: 'https://new.example.com/' });

  it.each<[string, JsonObject, JsonObject, JsonObject, string, () => Failure, 'failed' | 'unknown']>([
    [
      'resumes what may have been paused',
      renamed,
      schedule('S'),
      schedule('S', paused),
      `RESUME ${x}`,
      refused,
      'failed',
    ],
    [
      'sends what may have been overwritten, though it was paused since',
      schedule('S', paused),
      schedule('S', paused),
      renamed,
      `PUT ${x}`,
      refused,
      'failed',
    ],
    [
      'pauses what may have been resumed',
      schedule('S', paused),
      schedule('S', paused),
      schedule('S'),
      `PAUSE ${x}`,
      answerLost,
      'unknown',
    ],
  ])(
    'an incomplete update after one with an unknown outcome still %s',
    async (_, declared, before, lost, request, failure, status) => {
      const made = having(declared, { tracked: before, unresolved: open(lost) });
      pauseByHand(made, lost['paused'] === true);
      breakAt(made, `before ${request}`, failure, 1);
      expect(await resultOf(made)).toMatchObject({ status });
      made.service.sent.length = 0;
      await resultOf(made);
      expect(made.service.sent).toContain(request);
      expect(made.service.schedules().get(x)?.disabledAt !== undefined).toBe(declared['paused'] === true);
      expect(await planned(made)).toEqual([]);
    },
  );
});

describe('an update that the service refuses because it names another destination or dashboard', () => {
  it.each<[string, JsonObject]>([
    ['destination', { destinationType: 'email', recipients: ['ana@example.com'], subject: 'S' }],
    ['dashboard', { identifier: '3f9c2b71' }],
  ])(
    'the refusal of an update that changes the destination or the dashboard names --replace: another %s',
    async (_, change) => {
      const declare = (fields: JsonObject) => ({ 'schedules/all.yaml': { schedules: { s: fields } } });
      const workspace = await openWorld(declare(schedule('S')), { fixedDestination: true });
      await workspace.apply();
      const { url: webhook, ...rest } = schedule('S', change);
      workspace.write(declare('recipients' in change ? rest : { ...rest, url: webhook ?? null }));
      const refused = await workspace.run('apply', '--auto-approve');
      expect(refused.code).toBe(1);
      expect(refused.stdout).toEqual(says(`almanac apply --replace ${s}`));
      await workspace.apply('--replace', s);
      expect(workspace.emulator.data().schedules).toHaveLength(1);
      expect((await workspace.plan()).changes).toEqual([]);
    },
  );
});
