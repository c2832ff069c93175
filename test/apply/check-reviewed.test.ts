// --expect-changes: what was reviewed is applied, whatever else was reviewed with it; anything else is refused before the
// first request. The values of secrets are no matter of a review. A change that did not come to its end (its answer was
// lost, a request of it was refused, or the run was killed) is planned again as it was reviewed, so the same review carries
// it out, and until then the state keeps its commit.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { at, schedule } from '../support/apply/declared.ts';
import { type ApplyOptions, baseUrl, notesOf, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, refusal } from '../support/emulator/service.ts';
import { failureOf } from '../support/failure-of.ts';
import { aiJob, dashboard, sales, sftp as toSftp } from '../support/vocabulary.ts';

type Declared = Record<string, unknown>;

const almanac = (operations: string) => ({ api: { baseUrl, rateLimit: 0, operations } });
const sftp = (name: string, passwordUnencrypted: string, fields: JsonObject = {}): JsonObject =>
  toSftp({ name, passwordUnencrypted, ...fields });
const hooked = (name: string, fields: JsonObject = {}): JsonObject =>
  schedule(name, { url: 'https://hooks.example.com/${env.HOOK}', ...fields });
const hookedJob = (prompt: string): JsonObject =>
  aiJob({ prompt, webhookUrl: 'https://hooks.example.com/${env.HOOK}', webhookSigningSecret: '${env.SIGN}' });
const token = { OMNI_API_TOKEN: 'omni_osk_token' };

/** A workspace of which this was applied. */
async function applied(declared: Declared, secrets: Record<string, string> = {}, operations = 'full'): Promise<Stage> {
  const made = stage(declared, { almanac: almanac(operations) });
  made.environment = { ...token, ...secrets };
  await made.apply();
  declare(made, declared, secrets);
  return made;
}

/** What is declared now, and which secrets are set; forgets what was sent and said before. */
function declare(made: Stage, declared: Declared, secrets: Record<string, string> = {}): void {
  made.files['schedules/all.yaml'] = declared;
  made.environment = { ...token, ...secrets };
  made.service.sent.length = 0;
  made.events.length = 0;
}

/** The digests that a pull request with these declarations shows. */
async function reviewOf(made: Stage, declared: Declared, secrets: Record<string, string> = {}): Promise<string[]> {
  declare(made, declared, secrets);
  return (await made.plan()).changes.flatMap(({ digest }) => digest ?? []);
}

const applyReviewed = (made: Stage, digests: readonly string[], options: ApplyOptions = {}) =>
  made.apply({ expectChanges: new Set(digests), ...options });

/** Refused with nothing sent and nothing written. */
async function refused(made: Stage, digests: readonly string[], options: ApplyOptions = {}): Promise<Failure> {
  const { stored } = made.store;
  const failure = await failureOf(applyReviewed(made, digests, options));
  expect(made.service.sent).toEqual([]);
  expect(made.store.stored).toEqual(stored);
  return failure;
}

async function isSettled(made: Stage): Promise<void> {
  expect((await made.plan()).changes).toEqual([]);
}

describe('an apply of reviewed changes', () => {
  const before = { schedules: { a: schedule('A'), b: schedule('B'), c: schedule('C') } };
  const [a2, b2] = [{ a: schedule('A2') }, { b: schedule('B2') }];

  it('a refusal names the first change and counts the others, and programs get every address', async () => {
    const made = await applied(before);
    declare(made, { schedules: { ...a2, ...b2 } });
    expect(await refused(made, [])).toMatchObject({
      message:
        'schedules.a will be updated in place, which is not among the reviewed changes; neither are 2 more changes of the plan.',
      addresses: ['schedules.a', 'schedules.b', 'schedules.c'],
    });
  });

  it('an acceptance alone needs no review, and one beside a reviewed change does not matter', async () => {
    const made = await applied(before);
    const digests = await reviewOf(made, { schedules: { ...before.schedules, ...a2 } });
    const accept = { 'cron-too-frequent': 'allowed' };
    const after = { a: schedule('A2', { accept }), b: schedule('B', { accept }), c: schedule('C') };
    expect(await reviewOf(made, { schedules: after })).toEqual(digests);
    const { document } = await applyReviewed(made, digests);
    expect(document?.results.map(({ address, requests }) => [address, requests])).toEqual([
      ['schedules.a', 1],
      ['schedules.b', 0],
    ]);
    expect(JSON.stringify(made.service.sent)).not.toContain('allowed');
    await isSettled(made);
    expect(await reviewOf(made, { schedules: before.schedules })).toHaveLength(1);
  });

  it('a saved plan is applied only if its changes were reviewed', async () => {
    const made = await applied(before);
    const digests = await reviewOf(made, { schedules: { ...before.schedules, ...a2 } });
    const saved = await made.save();
    expect((await refused(made, [], { saved })).code).toBe('not-reviewed');
    expect((await applyReviewed(made, digests, { saved })).document?.summary.applied).toBe(1);
    await isSettled(made);
  });
});

describe('a secret with another value', () => {
  const before = { schedules: { a: hooked('A'), b: schedule('B') } };
  const [one, two] = [{ HOOK: 'one' }, { HOOK: 'two' }];

  it('a change that is there only because the value of a secret differs needs no review and is named', async () => {
    const made = await applied(before, one);
    declare(made, before, two);
    expect((await applyReviewed(made, [])).document?.results).toMatchObject([{ address: 'schedules.a' }]);
    expect(notesOf(made)).toEqual(['The value of HOOK has changed, so no review is needed for schedules.a.']);
    await isSettled(made);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the secrets, which is rotated since', {}, two],
    ['with the secrets, before the secret is rotated', one, two],
    ['with other values of the secrets', { HOOK: 'of-the-pull-request' }, two],
  ])('a change of a resource with a secret is applied if it was planned %s', async (_, planned, applying) => {
    const made = await applied(before, one);
    const declared = { schedules: { ...before.schedules, a: hooked('A2') } };
    const digests = await reviewOf(made, declared, planned);
    declare(made, declared, applying);
    await applyReviewed(made, digests);
    expect(made.service.schedules().size).toBe(2);
    await isSettled(made);
  });

  it('an update that takes back what a lost request may have sent needs a review', async () => {
    const made = await applied(before, one);
    const declared = { schedules: { ...before.schedules, b: schedule('B2') } };
    const digests = await reviewOf(made, declared);
    declare(made, declared, one);
    made.service.reach = (point) => {
      if (point.startsWith('after PUT')) throw answerLost();
    };
    expect((await applyReviewed(made, digests)).document?.summary).toMatchObject({ unknown: 1 });
    made.service.reach = () => undefined;
    declare(made, before, one);
    expect((await refused(made, digests)).addresses).toEqual(['schedules.b']);
    const back = await reviewOf(made, before);
    declare(made, before, one);
    expect((await applyReviewed(made, back)).document?.summary).toMatchObject({ applied: 1 });
    await isSettled(made);
  });

  it('a rotated secret does not carry an unreviewed change of the same resource with it', async () => {
    const made = await applied(before, one);
    declare(made, { schedules: { ...before.schedules, a: hooked('A2') } }, two);
    expect(await refused(made, [])).toMatchObject({ code: 'not-reviewed', addresses: ['schedules.a'] });
  });

  it.each<[string, JsonObject, JsonObject, Record<string, string>]>([
    ['another text in a URL', hooked('S'), schedule('S', { url: 'https://evil.example.com/${env.HOOK}' }), two],
    ['another text that is written in the file', sftp('S', 'first'), sftp('S', 'second'), one],
    ['text that is added beside a variable', sftp('S', '${env.HOOK}'), sftp('S', 'x${env.HOOK}'), one],
  ])('%s counts as a change that needs a review', async (_, declaredBefore, declaredNow, secrets) => {
    const made = await applied({ schedules: { s: declaredBefore } }, one);
    declare(made, { schedules: { s: declaredNow } }, secrets);
    expect(await refused(made, [])).toMatchObject({ code: 'not-reviewed', addresses: ['schedules.s'] });
  });

  it('a rotated secret does not send an ignored field whose declaration nobody reviewed', async () => {
    const lifecycle = { ignoreChanges: ['paperOrientation'] };
    const made = await applied({ schedules: { s: hooked('S', { lifecycle, paperOrientation: 'portrait' }) } }, one);
    const other = { schedules: { s: hooked('S', { lifecycle, paperOrientation: 'landscape' }) } };
    expect(await reviewOf(made, other)).toEqual([]);
    declare(made, other, two);
    // The look has read what Omni has, and that is sent.
    const { plan } = await applyReviewed(made, []);
    expect(plan.changes).toMatchObject([
      {
        after: { paperOrientation: 'portrait' },
        kept: [{ field: 'paperOrientation', declared: 'landscape', applied: 'portrait' }],
      },
    ]);
  });

  it('a reviewed move of a resource whose secret was rotated is refused: the plan of the review sends nothing', async () => {
    const made = await applied(before, one);
    const declared = {
      schedules: { moved: hooked('A'), b: schedule('B') },
      moved: [{ from: 'schedules.a', to: 'schedules.moved' }],
    };
    const digests = await reviewOf(made, declared);
    declare(made, declared, two);
    expect(await refused(made, digests)).toMatchObject({ code: 'not-reviewed', addresses: ['schedules.moved'] });
    declare(made, declared, one);
    const { plan } = await applyReviewed(made, digests);
    expect(plan.changes).toMatchObject([{ action: 'move', previousAddress: 'schedules.a' }]);
  });

  const waiting = async (made: Stage) => (await made.plan()).diagnostics.filter(({ code }) => code === 'secret-waits');

  it.each<[what: string, operations: string, of: (prompt: string) => Declared, sent: string]>([
    ['an AI job does not run', 'full', (prompt) => ({ aiJobs: { w: hookedJob(prompt) } }), 'RUN two'],
    [
      'a test delivery is not sent',
      'full',
      (name) => ({ schedules: { w: hooked(name, { testNow: true }) } }),
      'POST two',
    ],
    ['with core a schedule is not replaced', 'core', (name) => ({ schedules: { w: hooked(name) } }), 'POST two'],
  ])('%s for a rotated secret alone: a note says so, and it goes with the next change', async (...row) => {
    const [, operations, of, sent] = row;
    const made = await applied(of('one'), { HOOK: 'first-value', SIGN: 'sign' }, operations);
    const rotated = { HOOK: 'second-value', SIGN: 'sign' };
    declare(made, of('one'), rotated);
    expect(await waiting(made)).toMatchObject([
      { severity: 'note', message: expect.stringMatching(/^The value of HOOK has changed\. /) },
    ]);
    expect((await made.apply()).document?.results).toEqual([]);
    const digests = await reviewOf(made, of('two'));
    declare(made, of('two'), rotated);
    expect((await applyReviewed(made, digests, { allow: { orphans: true } })).document?.summary.applied).toBe(1);
    expect(made.service.sent).toEqual([sent]);
    await isSettled(made);
    expect(await waiting(made)).toEqual([]);
  });

  it('what only the state records of a resource whose secret waits keeps it waiting', async () => {
    const of = (ticket: string) => ({ aiJobs: { j: { ...hookedJob('x'), meta: { ticket } } } });
    const made = await applied(of('1'), { HOOK: 'first-value', SIGN: 'sign' });
    declare(made, of('2'), { HOOK: 'second-value', SIGN: 'sign' });
    expect((await applyReviewed(made, [])).document?.summary.applied).toBe(1);
    expect(made.service.sent).toEqual([]);
    expect(await waiting(made)).toHaveLength(1);
  });

  it('secrets under a new state key are sent again, although no review shows them', async () => {
    const made = await applied(before, one);
    const { state } = made.store.stored;
    declare(made, before, { ...one, ALMANAC_STATE_KEY: 'a-key-of-the-state-that-is-long' });
    expect((await applyReviewed(made, [])).document?.results).toMatchObject([{ address: 'schedules.a' }]);
    expect(made.store.stored.state?.secretKey).not.toBe(state?.secretKey);
    await isSettled(made);
  });
});

describe('a reviewed change that did not come to its end', () => {
  const [first, second] = ['1'.repeat(40), '2'.repeat(40)];
  const [ana, bo] = [{ owner: 'ana@example.com' }, { owner: 'bo@example.com' }];
  const dashboards = (value: string) => ({ d: dashboard({ filters: { f1: { kind: 'EQUALS', values: [value] } } }) });
  const a = schedule('A');

  /** `before` was applied at the first commit; `after` is declared at the second, and its changes are reviewed. */
  async function reviewed(before: Declared, after: Declared) {
    const made = stage(before, { almanac: almanac('full') });
    made.environment = { ...token, GITHUB_SHA: first, HOOK: 'one' };
    await made.apply();
    declare(made, after, { GITHUB_SHA: second, HOOK: 'one' });
    const changes = await shownIn(made);
    return { made, changes, digests: digestsOf(changes) };
  }

  /** What a reviewer sees of each change. */
  const shownIn = async (made: Stage) =>
    (await made.plan()).changes.map(({ address, action, id, before, after, diff, digest }) => ({
      ...{ address, action, id, before, after, diff, digest },
    }));
  const digestsOf = (changes: Awaited<ReturnType<typeof shownIn>>) => changes.map(({ digest }) => digest ?? '');
  const commitOf = ({ store }: Stage) => store.stored.state?.commit;
  const applyAgain = (made: Stage, digests: readonly string[]) => applyReviewed(made, digests, { force: true });

  /** The state and the service as they are at a moment: what a run that is killed then leaves. */
  function leftBy({ store, service }: Stage) {
    const stored = structuredClone(store.stored);
    const schedules = structuredClone(service.data.schedules);
    return () => {
      store.stored = stored;
      service.data.schedules = schedules;
    };
  }

  /** Throws, or returns what to do once the run is over. */
  const troubles: readonly [string, (made: Stage) => () => void][] = [
    ['the answer was lost', () => fail(answerLost())],
    ['the service refused it', () => fail(refusal(422))],
    ['the run was killed', leftBy],
  ];

  function fail(failure: Failure): never {
    throw failure;
  }

  it.each<[string, Declared, Declared]>([
    ['an update', { schedules: { a } }, { schedules: { a: schedule('A2') } }],
    ['a pause', { schedules: { a } }, { schedules: { a: schedule('A', { paused: true }) } }],
    ['a resume', { schedules: { a: schedule('A', { paused: true }) } }, { schedules: { a } }],
    ['an update with a pause', { schedules: { a } }, { schedules: { a: schedule('A2', { paused: true }) } }],
    [
      'an update with a resume and a transfer',
      { schedules: { a: schedule('A', { paused: true, ...ana }) } },
      { schedules: { a: schedule('A2', bo) } },
    ],
    ['a transfer', { schedules: { a: schedule('A', ana) } }, { schedules: { a: schedule('A', bo) } }],
    [
      'a transfer with a pause',
      { schedules: { a: schedule('A', ana) } },
      { schedules: { a: schedule('A', { paused: true, ...bo }) } },
    ],
    ['a delete', { schedules: { a, b: schedule('B') } }, { schedules: { b: schedule('B') } }],
    ['a create', { schedules: { a } }, { schedules: { a, b: schedule('B') } }],
    ['the filters of a dashboard', { dashboards: dashboards('x') }, { dashboards: dashboards('y') }],
    ['the first filters of a dashboard', { schedules: { a } }, { schedules: { a }, dashboards: dashboards('x') }],
    ['an update of what has a secret', { schedules: { a: hooked('A') } }, { schedules: { a: hooked('A2') } }],
    [
      'an update of what is moved',
      { schedules: { a } },
      { schedules: { b: schedule('A2') }, moved: [{ from: 'schedules.a', to: 'schedules.b' }] },
    ],
  ])(
    'a reviewed change that did not come to its end is carried out by the same review: %s',
    async (_, before, after) => {
      const { made: undisturbed, digests: list } = await reviewed(before, after);
      const points: string[] = [];
      undisturbed.service.reach = (point) => void points.push(point);
      await applyAgain(undisturbed, list);
      expect(points.length).toBeGreaterThan(1);
      for (const point of points) {
        for (const [trouble, meet] of troubles) {
          if (point.startsWith('after') && trouble === 'the service refused it') continue;
          const { made, changes, digests } = await reviewed(before, after);
          const where = `${point}: ${trouble}`;
          let die = () => {};
          made.service.reach = (reached) => {
            if (reached !== point) return;
            made.service.reach = () => undefined;
            die = meet(made);
          };
          await applyAgain(made, digests);
          die();
          const open = await shownIn(made);
          if (commitOf(made) === second) expect(open, where).toEqual([]);
          if (open.length > 0) expect(digestsOf(open), where).toEqual(digests);
          if (!('moved' in after) && open.length > 0) expect(open, where).toEqual(changes);
          made.service.sent.length = 0;
          const { document } = await applyAgain(made, digests);
          const left = document?.results.filter(({ status }) => status !== 'applied');
          expect(left, where).toEqual([]);
          expect(await shownIn(made), where).toEqual([]);
          expect(made.store.stored.state?.unresolved, where).toEqual([]);
        }
      }
    },
  );

  it('the state keeps its commit while a change is unresolved, although everything else was applied', async () => {
    const { made } = await reviewed({ schedules: { a } }, { schedules: { a: schedule('A2') } });
    const { state } = made.store.stored;
    if (state === undefined) throw new Error('nothing was applied');
    const lost = { address: 'dashboards.d', action: 'create', since: at, attributes: { identifier: sales } } as const;
    made.store.stored = { state: { ...state, unresolved: [lost] }, journal: undefined };
    expect((await made.apply()).document?.summary).toMatchObject({ applied: 1, failed: 0 });
    expect(commitOf(made)).toBe(first);
  });

  it('a rotated secret whose update broke off before it resumed the schedule needs no review', async () => {
    const resumed = { schedules: { a: hooked('A') } };
    const { made, digests } = await reviewed({ schedules: { a: { ...hooked('A'), paused: true } } }, resumed);
    made.environment['HOOK'] = 'two';
    made.service.reach = (point) => {
      if (point.startsWith('before RESUME')) throw refusal(422);
    };
    await applyAgain(made, digests);
    made.service.reach = () => undefined;
    expect((await applyAgain(made, digests)).document?.summary).toMatchObject({ applied: 1 });
    expect(await shownIn(made)).toEqual([]);
  });
});
