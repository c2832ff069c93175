// Which secrets get a fingerprint: one takes some 40 ms of processor time, so only those get one that decide something.

import { expect, test } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { isSealedSecret, Secret, sealedSecret, secretKey } from '../../src/model/values/secret.ts';
import { appliedTo } from '../../src/plan/applied.ts';
import { makeFingerprint } from '../../src/plan/fingerprints.ts';
import { makeInputs } from '../../src/plan/inputs.ts';
import { schedule } from '../support/apply/declared.ts';
import { loadedOf, randomness } from '../support/apply/in-memory.ts';
import { stateOf } from '../support/plan/planning.ts';

const ofRun = { randomness, toolVersion: '0.1.0' };
const fingerprint = makeFingerprint('c2FsdA==');
const shown = 'https://hooks.example.com/$' + '{env.HOOK}';

function hook(value: string, name = 'Hook') {
  const url = new Secret(`https://hooks.example.com/${value}`, ['HOOK'], [value], shown);
  return { ...schedule, name, destinationType: 'webhook', url };
}

async function applied(value: string, name = 'Hook') {
  const url = sealedSecret(await fingerprint(`https://hooks.example.com/${value}`), shown);
  return { ...schedule, name, destinationType: 'webhook', url };
}

/** The addresses whose secrets have one. */
async function fingerprinted(
  declared: Parameters<typeof loadedOf>[0],
  state: State | undefined,
  options?: Parameters<typeof makeInputs>[3],
) {
  const { desired } = await makeInputs(loadedOf(declared), state, ofRun, options);
  return desired.resources.flatMap(({ address, attributes: { url } }) =>
    isSealedSecret(url) && url[secretKey] !== null ? address : [],
  );
}

const two = { 'schedules.a': hook('one', 'A'), 'schedules.b': hook('two', 'B') };

test('a first plan makes no fingerprint, because nothing is compared', async () => {
  expect(await fingerprinted(two, undefined)).toEqual([]);
});

test('a plan makes the fingerprints of what was applied, and none of what is new', async () => {
  const state = stateOf({ 'schedules.a': { id: '1', attributes: await applied('one', 'A') } });
  expect(await fingerprinted(two, state)).toEqual(['schedules.a']);
});

test('an apply makes all of them, because it records what it sends', async () => {
  expect(await fingerprinted(two, undefined, { secrets: 'recording' })).toEqual(['schedules.a', 'schedules.b']);
});

test('who, next and page make no fingerprint of what has its address', async () => {
  const state = stateOf({ 'schedules.a': { id: '1', attributes: await applied('one', 'A') } });
  expect(await fingerprinted(two, state, { secrets: 'matching' })).toEqual([]);
});

test('secrets decide which schedule has another key now, whatever is made of the rest', async () => {
  const state = stateOf({
    'schedules.old-one': { id: '1', attributes: await applied('one') },
    'schedules.old-two': { id: '2', attributes: await applied('two') },
  });
  const declared = { 'schedules.new-two': hook('two'), 'schedules.new-one': hook('one') };
  const { idOf } = await appliedTo(loadedOf(declared), state, ofRun);
  expect([idOf('schedules.new-one'), idOf('schedules.new-two')]).toEqual(['1', '2']);
  expect(await fingerprinted({ 'schedules.new': hook('three') }, state, { secrets: 'matching' })).toEqual([
    'schedules.new',
  ]);
});
