// A saved plan is applied exactly, or refused with a reason; the digest is the same whenever the effect is the same.

import { describe, expect, it } from 'vitest';
import { readSavedPlan } from '../../src/apply/propose/saved-plan.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { schedule } from '../support/apply/declared.ts';
import { baseUrl, core, stage as openStage } from '../support/apply/stage.ts';

const stage = (declared: Record<string, unknown>, rest: Parameters<typeof openStage>[1] = {}) =>
  openStage(declared, { almanac: core, ...rest });

describe('a saved plan', () => {
  it('a saved plan without changes is refused where a secret has changed, before any request, and names it', async () => {
    const made = openStage({ schedules: { a: schedule('A', { url: 'https://e.com/${env.HOOK}' }) } });
    made.environment = { OMNI_API_TOKEN: 'omni_osk_token', HOOK: 'one' };
    await made.apply();
    made.environment = { OMNI_API_TOKEN: 'omni_osk_token' };
    const nothing = await made.save();
    expect(nothing.changes).toEqual([]);
    made.environment = { OMNI_API_TOKEN: 'omni_osk_token', HOOK: 'two' };
    const failure = await made.apply({ saved: nothing }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'plan-stale',
      message: 'The saved plan does not contain that HOOK has changed.',
      hint: expect.stringContaining('where HOOK is set'),
    });
    expect(made.service.sent).toHaveLength(1);
    made.environment['HOOK'] = 'one';
    expect((await made.apply({ saved: nothing })).document?.results).toEqual([]);
  });

  const refused = async (
    made: ReturnType<typeof stage>,
    saved: Awaited<ReturnType<typeof made.save>>,
    options = {},
  ) => {
    made.service.sent.length = 0;
    const failure = (await made.apply({ saved, ...options }).catch((error: unknown) => error)) as Failure;
    expect(made.service.sent).toEqual([]);
    expect(failure).toMatchObject({ code: 'plan-stale', hint: expect.any(String) });
    return failure.message;
  };

  it('a saved plan is refused once a state exists where there was none', async () => {
    const made = stage({ schedules: { a: schedule('A') } });
    const saved = await made.save();
    expect(saved.state).toEqual({ lineage: null, serial: 0 });
    await made.apply();
    expect(await refused(made, saved)).toContain('made where no state was');
  });

  it('a saved plan is refused after another apply', async () => {
    const made = stage({ schedules: { a: schedule('A') } });
    await made.apply();
    made.files['schedules/all.yaml'] = { schedules: { a: schedule('A'), b: schedule('B') } };
    const saved = await made.save();
    await made.apply();
    expect(await refused(made, saved)).toContain('the state had serial 1 and has 2 now');
  });

  it('a saved plan is refused for another state', async () => {
    const [made, other] = [stage({ schedules: { a: schedule('A') } }), stage({ schedules: { a: schedule('A') } })];
    await made.apply();
    const state = made.store.stored.state as NonNullable<typeof made.store.stored.state>;
    other.store.stored = { state: { ...state, lineage: 'another' }, journal: undefined };
    expect(await refused(made, await other.save())).toContain('from another state');
  });

  it('a saved plan is refused for another organization', async () => {
    const made = stage({ schedules: { a: schedule('A') } });
    const saved = await made.save();
    made.files['almanac.yaml'] = { api: { baseUrl: 'https://other.omniapp.co/api' } };
    const message = await refused(made, saved);
    expect(message).toContain(baseUrl);
    expect(message).toContain('https://other.omniapp.co/api');
  });

  it('a saved plan is refused if a declaration changed, including one that it left out', async () => {
    const made = stage({ schedules: { a: schedule('A') } });
    const saved = await made.save();
    made.files['schedules/all.yaml'] = {
      schedules: { a: schedule('A', { userId: '987fcdeb-51a2-43d7-9b56-254415f67890' }) },
    };
    expect(await refused(made, saved)).toContain('declarations have changed');
    made.files['schedules/all.yaml'] = {
      schedules: { a: schedule('A') },
      aiJobs: { j: { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'x' } },
    };
    expect(await refused(made, saved)).toContain('declarations have changed');
  });

  it('a saved plan is refused if a secret causes more changes than the plan showed', async () => {
    const made = stage({
      schedules: { a: schedule('A', { url: 'https://hooks.example.com/${env.HOOK}' }), b: schedule('B') },
    });
    made.environment['HOOK'] = 'one';
    await made.apply();
    made.files['schedules/all.yaml'] = {
      schedules: { a: schedule('A2', { url: 'https://hooks.example.com/${env.HOOK}' }), b: schedule('B') },
    };
    const saved = await made.save();
    made.environment['HOOK'] = 'two';
    expect(await refused(made, saved, { allowOrphans: true })).toContain('does not contain that HOOK has changed');
  });

  it('a saved plan is still accepted after files were renamed and entries moved between them', async () => {
    const entries = (names: readonly string[]) =>
      names.map((name) => ({ from: `schedules.old-${name}`, to: `schedules.${name}` }));
    const made = stage({ schedules: { a: schedule('A'), b: schedule('B') }, moved: entries(['a', 'b']) });
    const saved = await made.save();
    made.files = {
      'almanac.yaml': made.files['almanac.yaml'],
      'schedules/b.yaml': { moved: entries(['b', 'a']) },
      'schedules/z.yaml': { schedules: { b: schedule('B'), a: schedule('A') } },
    };
    expect((await made.apply({ saved })).document?.summary.applied).toBe(2);
  });
});

describe('a plan file', () => {
  const read = (change: (document: Record<string, unknown>) => unknown) => async () => {
    const saved = await stage({ schedules: { a: schedule('A') } }).save();
    const changed = change(structuredClone(saved) as unknown as Record<string, unknown>);
    return readSavedPlan(typeof changed === 'string' ? changed : JSON.stringify(changed), 'p.json');
  };

  it.each<[string, (document: Record<string, unknown>) => unknown, RegExp]>([
    ['that is cut short', (document) => JSON.stringify(document).slice(0, 100), /p\.json is not JSON, or cut short/],
    ['that is something else', () => ({ resources: {} }), /not a plan .* saved: \/formatVersion is missing\./],
    [
      'with an action that there is not',
      ({ changes, ...document }) => ({
        ...document,
        changes: (changes as readonly object[]).map((change) => ({ ...change, action: 'burn' })),
      }),
      /not a plan .* saved: \/changes\/0\/action is not "create"/,
    ],
    ['of a newer version', (document) => ({ ...document, formatVersion: 2 }), /format version 2.*newer/],
    ['that is what plan --format json prints', ({ desiredDigest: _, ...document }) => document, /plan --out/],
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
    ['a PATCH', 'full', { dashboards: { a: board } }, { dashboards: { a: patched } }, { userId: 'ana' }],
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
