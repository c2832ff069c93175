// An apply of a saved plan does exactly its changes, or is refused. Equal effects have equal digests.

import { describe, expect, it } from 'vitest';
import type { AppliedPlan } from '../../src/apply/apply-request.ts';
import type { SavedPlan } from '../../src/model/plan/plan.ts';
import { readSavedPlan } from '../../src/plan/saved-plan.ts';
import { schedule } from '../support/apply/declared.ts';
import { type ApplyOptions, baseUrl, core, notesOf, stage as openStage, type Stage } from '../support/apply/stage.ts';
import { failureOf } from '../support/failure-of.ts';

const stage = (declared: Record<string, unknown>, rest: Parameters<typeof openStage>[1] = {}) =>
  openStage(declared, { almanac: core, ...rest });

describe('a saved plan', () => {
  const two = { schedules: { a: schedule('A'), b: schedule('B') } };
  const changed = { schedules: { a: schedule('A2'), b: schedule('B2') } };
  const saved = async (declared: Record<string, unknown>, next: Record<string, unknown>) => {
    const made = openStage(declared);
    await made.apply();
    made.files['schedules/all.yaml'] = next;
    const plan = await made.save();
    made.service.sent.length = 0;
    return { made, plan };
  };
  const resultsOf = ({ document }: AppliedPlan) =>
    document?.results.map(({ address, action, status }) => `${action} ${address}: ${status}`);

  /** Refused with nothing sent and nothing written. */
  const refused = async (made: Stage, plan: SavedPlan, options: ApplyOptions = {}) => {
    const { stored } = made.store;
    made.service.sent.length = 0;
    const failure = await failureOf(made.apply({ saved: plan, ...options }));
    expect(made.service.sent).toEqual([]);
    expect(made.store.stored).toEqual(stored);
    expect(failure).toMatchObject({ hint: expect.stringContaining('plan --out') });
    return `${failure.code}: ${failure.message}`;
  };

  it('a saved plan is applied where all of it is still planned, whatever else was applied since', async () => {
    const { made, plan } = await saved(two, changed);
    made.files['schedules/all.yaml'] = { schedules: { ...two.schedules, c: schedule('C') } };
    await made.apply();
    made.files['schedules/all.yaml'] = { schedules: { ...changed.schedules, c: schedule('C') } };
    expect(resultsOf(await made.apply({ saved: plan }))).toEqual([
      'update schedules.a: applied',
      'update schedules.b: applied',
    ]);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('what is planned beside it is left out, named and still planned', async () => {
    const { made, plan } = await saved(two, { schedules: { a: schedule('A2'), b: schedule('B') } });
    made.files['schedules/all.yaml'] = { schedules: { a: schedule('A2'), c: schedule('C') } };
    expect(resultsOf(await made.apply({ saved: plan }))).toEqual(['update schedules.a: applied']);
    expect(made.service.sent).toHaveLength(1);
    expect(made.asked.at(-1)?.changes.map(({ address }) => address)).toEqual(['schedules.a']);
    expect(made.asked.at(-1)?.summary).toMatchObject({ update: 1, create: 0, delete: 0 });
    expect(notesOf(made)).toEqual([
      '2 planned changes are not in the saved plan, and not applied now: schedules.b, schedules.c.',
    ]);
    expect((await made.plan()).changes).toMatchObject([{ address: 'schedules.b' }, { address: 'schedules.c' }]);
  });

  it('a saved plan is done where none of it is planned any more: nothing is sent, and nobody is asked', async () => {
    const { made, plan } = await saved(two, changed);
    await made.apply({ saved: plan });
    const { stored } = made.store;
    made.service.sent.length = 0;
    made.asked.length = 0;
    expect(resultsOf(await made.apply({ saved: plan }))).toEqual([]);
    expect([made.service.sent, made.asked, made.store.stored]).toEqual([[], [], stored]);
  });

  it('a saved plan of which a part is done does the rest, and names what is done', async () => {
    const { made, plan } = await saved(two, changed);
    await made.apply({ targets: ['schedules.b'] });
    expect(resultsOf(await made.apply({ saved: plan }))).toEqual(['update schedules.a: applied']);
    expect(notesOf(made)).toEqual([
      '1 change of the saved plan is no longer planned: it is done, or somebody took it back: schedules.b.',
    ]);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('of many changes it names some, of those that are done and of those that are left out', async () => {
    const many = (name: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, schedule(`${name} ${index}`)]));
    const first = { schedules: { ...many('A'), s0: schedule('B 0') } };
    const { made, plan } = await saved({ schedules: many('A') }, first);
    made.files['schedules/all.yaml'] = { schedules: many('B') };
    const whole = await made.save();
    await made.apply({ saved: plan });
    expect(notesOf(made)).toEqual([
      expect.stringMatching(/^29 planned changes are not in the saved plan, .* and 9 more\.$/),
    ]);
    await made.apply({ targets: Array.from({ length: 28 }, (_, index) => `schedules.s${index + 1}`) });
    await made.apply({ saved: whole });
    expect(notesOf(made).at(-1)).toMatch(/^29 changes of the saved plan are no longer planned: .* and 9 more\.$/);
    expect((await made.plan()).changes).toEqual([]);
  });

  it('a saved plan is refused where something else is planned for the same resource', async () => {
    const { made, plan } = await saved(two, changed);
    for (const b of ['B2', 'B']) {
      made.files['schedules/all.yaml'] = { schedules: { a: schedule('A3'), b: schedule(b) } };
      expect(await refused(made, plan)).toBe(
        'not-reviewed: schedules.a will be updated in place, which is not among the reviewed changes.',
      );
    }
  });

  it('a saved plan is refused where a move of it needs room that another move makes', async () => {
    const moved = (...names: readonly (readonly [string, string])[]) =>
      names.map(([from, to]) => ({ from: `schedules.${from}`, to: `schedules.${to}` }));
    const { made, plan } = await saved(
      { schedules: { a: schedule('A') } },
      { schedules: { b: schedule('A') }, moved: moved(['a', 'b']) },
    );
    made.files['schedules/all.yaml'] = { schedules: { a: schedule('A'), b: schedule('B') } };
    await made.apply();
    made.files['schedules/all.yaml'] = {
      schedules: { b: schedule('A'), c: schedule('B') },
      moved: moved(['b', 'c'], ['a', 'b']),
    };
    expect(await refused(made, plan)).toBe(
      'not-reviewed: schedules.c has moved, which is not among the reviewed changes.',
    );
  });

  it('a saved plan is refused for another organization', async () => {
    const { made, plan } = await saved(two, changed);
    made.store.stored = { state: undefined, journal: undefined };
    made.files['almanac.yaml'] = { api: { baseUrl: 'https://other.omniapp.co/api' } };
    const message = await refused(made, plan);
    expect(message).toContain(`plan-stale: The saved plan cannot be applied: it was made for ${baseUrl}`);
    expect(message).toContain('https://other.omniapp.co/api');
  });

  it('a saved plan is refused for another state of the organization, also where nothing of it is planned there', async () => {
    const { made, plan } = await saved(two, changed);
    await made.apply();
    const { state } = made.store.stored;
    made.store.stored = { state: state && { ...state, lineage: 'another' }, journal: undefined };
    expect(await refused(made, plan)).toContain('it was made from a different state');
  });

  it('a saved plan is still accepted after files were renamed and entries moved between them', async () => {
    const entries = (names: readonly string[]) =>
      names.map((name) => ({ from: `schedules.old-${name}`, to: `schedules.${name}` }));
    const made = stage({ schedules: { a: schedule('A'), b: schedule('B') }, moved: entries(['a', 'b']) });
    const plan = await made.save();
    made.files = {
      'almanac.yaml': made.files['almanac.yaml'],
      'schedules/b.yaml': { moved: entries(['b', 'a']) },
      'schedules/z.yaml': { schedules: { b: schedule('B'), a: schedule('A') } },
    };
    expect((await made.apply({ saved: plan })).document?.summary.applied).toBe(2);
  });

  describe('and a rotated secret', () => {
    const hooked = (name: string) => schedule(name, { url: 'https://e.com/${env.HOOK}' });
    const rotating = async (next: Record<string, unknown>) => {
      const made = openStage({ schedules: { a: hooked('A'), b: schedule('B') } });
      made.environment['HOOK'] = 'one';
      await made.apply();
      made.files['schedules/all.yaml'] = { schedules: { a: hooked('A'), b: schedule('B'), ...next } };
      made.service.sent.length = 0;
      return made;
    };
    const left =
      'The value of HOOK has changed, and the saved plan does not hold schedules.a: the next apply of the files sends the new value.';

    it.each([
      ['a plan without changes', {}, []],
      ['a plan of something else', { b: schedule('B2') }, ['update schedules.b: applied']],
    ])('%s is applied, and names the secret, which goes with the next apply', async (_, next, results) => {
      const made = await rotating(next);
      const plan = await made.save();
      made.environment['HOOK'] = 'two';
      expect(resultsOf(await made.apply({ saved: plan }))).toEqual(results);
      expect(JSON.stringify(made.service.sent)).not.toContain('PUT A');
      expect(notesOf(made)).toEqual([left]);
      expect(resultsOf(await made.apply())).toEqual(['update schedules.a: applied']);
    });

    it('a plan that holds it sends it, and one of another change of that schedule sends it along', async () => {
      const made = await rotating({});
      made.environment['HOOK'] = 'two';
      const held = await made.save();
      expect(resultsOf(await made.apply({ saved: held }))).toEqual(['update schedules.a: applied']);
      expect(resultsOf(await made.apply({ saved: held }))).toEqual([]);
      made.files['schedules/all.yaml'] = { schedules: { a: hooked('A2'), b: schedule('B') } };
      const renamed = await made.save();
      made.environment['HOOK'] = 'three';
      expect(resultsOf(await made.apply({ saved: renamed }))).toEqual(['update schedules.a: applied']);
      expect((await made.plan()).changes).toEqual([]);
    });
  });
});

describe('a plan file', () => {
  const read = (change: (document: Record<string, unknown>) => unknown) => async () => {
    const saved = await stage({ schedules: { a: schedule('A') } }).save();
    const changed = change(structuredClone(saved) as unknown as Record<string, unknown>);
    return readSavedPlan(typeof changed === 'string' ? changed : JSON.stringify(changed), 'p.json');
  };

  it.each<[string, (document: Record<string, unknown>) => unknown, RegExp]>([
    ['that is cut short', (document) => JSON.stringify(document).slice(0, 100), /p\.json is not JSON, cut short, or/],
    [
      'that is nested without end',
      (document) => JSON.stringify(document).replace(/"after":"[^"]*"/, `"after":${'['.repeat(1e5)}${']'.repeat(1e5)}`),
      /nested too deeply/,
    ],
    ['that is something else', () => ({ resources: {} }), /not a plan .* saves: \/formatVersion is missing\./],
    [
      'with an action that there is not',
      ({ changes, ...document }) => ({
        ...document,
        changes: (changes as readonly object[]).map((change) => ({ ...change, action: 'burn' })),
      }),
      /not a plan .* saves: \/changes\/0\/action is not "create"/,
    ],
    ['of a newer version', (document) => ({ ...document, formatVersion: 2 }), /format version 2.*newer/],
    ['that is what plan --format json prints', ({ selection: _, ...document }) => document, /plan --out/],
    ['with a change taken out', (document) => ({ ...document, changes: [] }), /changed after it was saved/],
    [
      'with another base URL',
      (document) => ({ ...document, baseUrl: 'https://evil.example.com/api' }),
      /changed after it was saved/,
    ],
  ])('a plan file %s is refused', async (_, change, words) => {
    await expect(read(change)()).rejects.toMatchObject({
      code: 'plan-unreadable',
      message: expect.stringMatching(words),
      hint: expect.stringContaining('plan --out'),
    });
  });
});

describe('the digest', () => {
  const one = { schedules: { a: schedule('A'), b: schedule('B') } };

  it('a digest does not depend on files, lines, warnings or the version of the state', async () => {
    const made = stage(one);
    const { digest } = await made.plan();
    made.files = {
      'almanac.yaml': { api: { baseUrl: 'https://acme.omniapp.co/', rateLimit: 7 } },
      'schedules/1.yaml': { schedules: { b: schedule('B') }, moved: [{ from: 'schedules.gone', to: 'schedules.b' }] },
      'schedules/2.yaml': { schedules: { a: schedule('A') } },
    };
    const other = await made.plan();
    expect(other.diagnostics.map(({ code }) => code)).toEqual(['stale-moved']);
    expect(other.digest).toBe(digest);
  });

  it('a digest does not depend on the serial, and differs for another id', async () => {
    const made = stage(one);
    await made.apply();
    made.files['schedules/all.yaml'] = { schedules: { a: schedule('A2'), b: schedule('B') } };
    const { digest } = await made.plan();
    const state = made.store.stored.state as NonNullable<typeof made.store.stored.state>;
    made.store.stored = { state: { ...state, serial: 99, lineage: 'other' }, journal: undefined };
    expect((await made.plan()).digest).toBe(digest);
    const a = state.resources['schedules.a'] as NonNullable<(typeof state.resources)[string]>;
    made.store.stored = {
      state: { ...state, resources: { ...state.resources, 'schedules.a': { ...a, id: 'another' } } },
      journal: undefined,
    };
    expect((await made.plan()).digest).not.toBe(digest);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['another value', { schedules: { a: schedule('A2'), b: schedule('B') } }, { baseUrl }],
    ['another address', { schedules: { c: schedule('A'), b: schedule('B') } }, { baseUrl }],
    [
      'one resource more',
      { ...one, aiJobs: { j: { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'x' } } },
      { baseUrl },
    ],
    ['another organization', one, { baseUrl: 'https://other.omniapp.co/api' }],
    ['other operations', one, { baseUrl, operations: 'full' }],
    [
      'another owner of what is created',
      { schedules: { a: schedule('A', { userId: '987fcdeb-51a2-43d7-9b56-254415f67890' }), b: schedule('B') } },
      { baseUrl },
    ],
  ])('a digest, and that of the change, is different for %s', async (what, declared, api) => {
    const [before, after] = [await stage(one).plan(), await stage(declared, { almanac: { api } }).plan()];
    expect(after.digest).not.toBe(before.digest);
    const own = (plan: typeof before) => plan.changes[0]?.digest;
    if (what === 'one resource more') expect(own(after)).toBe(own(before));
    else expect(after.changes.map(({ digest }) => digest)).not.toContain(own(before));
  });

  const job = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'x' };
  const board = { identifier: '12db1a0a', filters: { region: { values: ['EU'] } } };
  const patched = { ...board, filters: { region: { values: ['US'] } } };
  const userId = '987fcdeb-51a2-43d7-9b56-254415f67890';

  it.each<[string, string, object, object, object]>([
    ['a replacement', 'core', { schedules: { a: schedule('A') } }, { schedules: { a: schedule('B') } }, { userId }],
    ['a job that runs again', 'full', { aiJobs: { a: job } }, { aiJobs: { a: { ...job, prompt: 'y' } } }, { userId }],
    ['a PATCH', 'full', { dashboards: { a: board } }, { dashboards: { a: patched } }, { userId }],
    ['a PATCH', 'full', { dashboards: { a: board } }, { dashboards: { a: patched } }, { clearExistingDraft: true }],
  ])(
    'a digest depends on the options of the requests that are sent: %s',
    async (_, operations, before, after, options) => {
      const made = stage(before as Record<string, unknown>, { almanac: { api: { baseUrl, operations } } });
      await made.apply();
      const planWith = async (declared: object, given: object) => {
        const [[section, entries]] = Object.entries(declared) as [[string, { a: object }]];
        made.files['schedules/all.yaml'] = { [section]: { a: { ...entries.a, ...given } } };
        return made.plan();
      };
      expect((await planWith(before, options)).changes).toEqual([]);
      expect((await planWith(after, options)).digest).not.toBe((await planWith(after, {})).digest);
    },
  );

  it('a digest shows whether a secret changed, not its value, and counts an unknown secret as unchanged', async () => {
    const declared = {
      schedules: { a: schedule('A', { url: 'https://hooks.example.com/${env.HOOK}' }), b: schedule('B') },
    };
    const made = openStage(declared);
    const digestWith = async (hook?: string) => {
      if (hook === undefined) delete made.environment['HOOK'];
      else made.environment['HOOK'] = hook;
      return (await made.plan()).digest;
    };
    const first = await digestWith('one');
    expect([await digestWith('two'), await digestWith()]).toEqual([first, first]);
    made.environment['HOOK'] = 'one';
    await made.apply();
    const nothing = await digestWith('one');
    expect(await digestWith()).toBe(nothing);
    const changed = await digestWith('two');
    expect(changed).not.toBe(nothing);
    expect(await digestWith('three')).toBe(changed);
  });
});
