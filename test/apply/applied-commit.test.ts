// Which commit the state names: reviews since that commit are what the next apply may carry out, so it must not advance
// past anything that is still open.

import { expect, it } from 'vitest';
import type { ApplyEvent } from '../../src/model/plan/apply-outcome.ts';
import type { Journal } from '../../src/model/plan/journal.ts';
import { schedule } from '../support/apply/declared.ts';
import { apiWith, breakAt, stage, unwritable } from '../support/apply/stage.ts';
import { refusal } from '../support/memory-service.ts';

const [first, second] = ['1'.repeat(40), '2'.repeat(40)];
const two = { schedules: { a: schedule('A'), b: schedule('B') } };
const almanac = apiWith({ concurrency: 1 });

/** Has applied one schedule at the first commit; two are declared at the second. */
async function begun() {
  const made = stage({ schedules: { a: schedule('A0') } }, { almanac });
  made.environment['GITHUB_SHA'] = first;
  await made.apply();
  expect(made.store.stored.state?.commit).toBe(first);
  made.environment['GITHUB_SHA'] = second;
  made.files['schedules/all.yaml'] = two;
  return { made, commit: () => made.store.stored.state?.commit };
}

it('an apply that carries out everything records the commit that CI names', async () => {
  const { made, commit } = await begun();
  await made.apply();
  expect(commit()).toBe(second);
});

it('GitLab names the commit as well, and a text that is no commit is left out', async () => {
  const made = stage(two);
  made.environment['GITHUB_SHA'] = 'main';
  made.environment['CI_COMMIT_SHA'] = second;
  await made.apply();
  expect(made.store.stored.state?.commit).toBe(second);
});

it('an apply outside CI keeps the commit that was recorded', async () => {
  const { made, commit } = await begun();
  delete made.environment['GITHUB_SHA'];
  await made.apply();
  expect(commit()).toBe(first);
});

it('an apply of which a change fails keeps the earlier commit, and the one that makes up for it records its own', async () => {
  const { made, commit } = await begun();
  breakAt(made, 'before POST B', () => refusal(400), 1);
  await made.apply();
  expect(made.store.stored.state).toMatchObject({ serial: 2, commit: first });
  await made.apply();
  expect(commit()).toBe(second);
});

it('a first apply of which a change fails records no commit', async () => {
  const made = stage(two);
  breakAt(made, 'before POST B', () => refusal(400));
  made.environment['GITHUB_SHA'] = first;
  await made.apply();
  expect(made.store.stored.state).not.toHaveProperty('commit');
});

it.each<[string, Parameters<ReturnType<typeof stage>['apply']>[0]]>([
  ['--target', { targets: ['schedules.a'] }],
  ['--refresh-only', { refresh: { depth: 'list', only: true }, force: true }],
])('an apply with %s keeps the earlier commit, because the rest is still open', async (_, options) => {
  const { made, commit } = await begun();
  if (options?.refresh !== undefined) made.service.schedules.clear();
  const { document } = await made.apply(options);
  expect(document?.summary.applied).toBe(1);
  expect(commit()).toBe(first);
});

it('an apply that was interrupted keeps the earlier commit', async () => {
  const stop = new AbortController();
  const { made, commit } = await begun();
  const interrupting = (event: ApplyEvent) => event.type === 'change-ended' && stop.abort();
  await made.apply({ signal: stop.signal, reporter: { emit: interrupting } });
  expect(commit()).toBe(first);
});

it('an apply whose journal breaks keeps the earlier commit', async () => {
  const { made, commit } = await begun();
  made.store.fail = (call, lines) =>
    call === 'append' && lines.some((line) => line.type === 'outcome') ? unwritable() : undefined;
  await expect(made.apply()).rejects.toThrow('The disk is full.');
  expect(commit()).toBe(first);
});

it('the journal of a run that was killed keeps the earlier commit when it is folded', async () => {
  const { made, commit } = await begun();
  let journal: Journal | undefined;
  made.store.fail = (call) => {
    if (call === 'commit') journal = structuredClone(made.store.stored.journal);
    return undefined;
  };
  const { state } = made.store.stored;
  await made.apply();
  expect(commit()).toBe(second);
  made.store.stored = { state, journal };
  expect((await made.apply()).document?.results).toEqual([]);
  expect(made.store.stored.state).toMatchObject({ serial: 2, commit: first });
});

it('a saved plan that was limited to some resources keeps the earlier commit; a whole one records its own', async () => {
  const { made, commit } = await begun();
  const whole = await made.save();
  await made.apply({ saved: { ...whole, targets: whole.changes.map(({ address }) => address) } });
  expect(commit()).toBe(first);
  made.files['schedules/all.yaml'] = { schedules: { a: schedule('A'), b: schedule('B2') } };
  await made.apply({ saved: await made.save() });
  expect(commit()).toBe(second);
});
