// Which commit the state names: reviews since that commit are what the next apply may carry out, so it must not advance
// past anything that is still open.

import { expect, it } from 'vitest';
import type { Journal } from '../../src/model/plan/journal.ts';
import { schedule } from '../support/apply/declared.ts';
import { type ApplyOptions, apiWith, breakAt, type Stage, stage, unwritable } from '../support/apply/stage.ts';
import { refusal } from '../support/emulator/service.ts';

const [first, second] = ['1'.repeat(40), '2'.repeat(40)];
const two = { schedules: { a: schedule('A'), b: schedule('B') } };
const commitOf = ({ store }: Stage) => store.stored.state?.commit;

/** Has applied one schedule at the first commit; two are declared at the second. */
async function begun() {
  const made = stage({ schedules: { a: schedule('A0') } }, { almanac: apiWith({ concurrency: 1 }) });
  made.environment['GITHUB_SHA'] = first;
  await made.apply();
  expect(commitOf(made)).toBe(first);
  made.environment['GITHUB_SHA'] = second;
  made.files['schedules/all.yaml'] = two;
  return made;
}

it.each<[string, (made: Stage) => ApplyOptions | undefined | Promise<ApplyOptions>]>([
  ['outside CI', ({ environment }) => void delete environment['GITHUB_SHA']],
  ['in which a change fails', (made) => void breakAt(made, 'before POST B', () => refusal(400), 1)],
  ['with --target', () => ({ targets: ['schedules.a'] })],
  [
    'with --refresh-only',
    ({ service }) => {
      service.data.schedules = [];
      return { refresh: { depth: 'list', only: true }, force: true };
    },
  ],
  [
    'that is interrupted',
    () => {
      const stop = new AbortController();
      return { signal: stop.signal, reporter: { emit: ({ type }) => type === 'change-ended' && stop.abort() } };
    },
  ],
  [
    'whose journal breaks',
    ({ store }) => {
      store.fail = (call, lines) =>
        call === 'append' && lines.some(({ type }) => type === 'outcome') ? unwritable() : undefined;
    },
  ],
  [
    'of a saved plan beside which something else is planned',
    async (made) => {
      const saved = await made.save();
      made.files['schedules/all.yaml'] = { schedules: { ...two.schedules, c: schedule('C') } };
      return { saved };
    },
  ],
])('an apply %s keeps the earlier commit, and one that carries out everything records its own', async (_, spoil) => {
  const made = await begun();
  await made
    .apply((await spoil(made)) ?? {})
    .catch((error) => expect(error).toMatchObject({ code: 'state-unwritable' }));
  expect(commitOf(made)).toBe(first);
  made.environment['GITHUB_SHA'] = second;
  made.store.fail = () => undefined;
  made.files['schedules/all.yaml'] = { schedules: { a: schedule('A'), b: schedule('B2') } };
  await made.apply({ saved: await made.save() });
  expect(commitOf(made)).toBe(second);
});

it('an apply of a saved plan records its commit where nothing else is planned, whatever the plan was limited to', async () => {
  const made = await begun();
  const saved = { ...(await made.save()), selection: { targets: ['schedules.a', 'schedules.b'] } };
  await made.apply({ saved });
  expect(commitOf(made)).toBe(second);
});

it('GitLab names the commit as well, and a text that is no commit is left out', async () => {
  const made = stage(two);
  made.environment['GITHUB_SHA'] = 'main';
  made.environment['CI_COMMIT_SHA'] = second;
  await made.apply();
  expect(commitOf(made)).toBe(second);
});

it('the journal of a run that was killed keeps the earlier commit when it is folded', async () => {
  const made = await begun();
  let journal: Journal | undefined;
  made.store.fail = (call) => {
    if (call === 'commit') journal = structuredClone(made.store.stored.journal);
    return undefined;
  };
  const { state } = made.store.stored;
  await made.apply();
  expect(commitOf(made)).toBe(second);
  made.store.stored = { state, journal };
  expect((await made.apply()).document?.results).toEqual([]);
  expect(made.store.stored.state).toMatchObject({ serial: 2, commit: first });
});

/** All that is declared is applied, at the first commit; the second one declares the same. */
async function settled() {
  const made = stage(two);
  made.environment['GITHUB_SHA'] = first;
  await made.apply();
  made.environment['GITHUB_SHA'] = second;
  return made;
}

const ofReviews = { expectChanges: new Set<string>() };

it('an apply of reviews with nothing to do records its commit once and sends nothing, so that the reviews before it end', async () => {
  const made = await settled();
  const { state } = made.store.stored;
  const schedules = structuredClone(made.service.data.schedules);
  expect((await made.apply(ofReviews)).document?.results).toEqual([]);
  const commitAt = expect.stringMatching(/Z$/);
  expect(made.store.stored).toEqual({
    state: { ...state, serial: (state?.serial ?? 0) + 1, commit: second, commitAt },
  });
  await made.apply(ofReviews);
  expect(made.store.stored.state?.serial).toBe((state?.serial ?? 0) + 1);
  expect(made.service.data.schedules).toEqual(schedules);
});

it.each<[string, (made: Stage) => ApplyOptions | Promise<ApplyOptions>]>([
  ['without a list of reviews', () => ({})],
  ['with --target', () => ({ ...ofReviews, targets: ['schedules.a'] })],
  [
    'outside CI',
    ({ environment }) => {
      delete environment['GITHUB_SHA'];
      return ofReviews;
    },
  ],
])('an apply with nothing to do keeps the state as it is %s', async (_, given) => {
  const made = await settled();
  const before = structuredClone(made.store.stored);
  await made.apply(await given(made));
  expect(made.store.stored).toEqual(before);
});
