// Somebody who reads the state and tries out passwords: with ALMANAC_STATE_KEY, the state alone is not enough.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSealedSecret, secretKey } from '../../src/model/values/secret.ts';
import { makeFingerprint } from '../../src/plan/fingerprints.ts';
import { schedule } from '../support/apply/declared.ts';
import { baseUrl, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, madeId } from '../support/emulator/service.ts';
import { aiJob } from '../support/vocabulary.ts';

const address = 'schedules.s';
const hook = (fields = {}) => schedule('S', { url: 'https://hooks.example.com/${env.HOOK}', ...fields });
const job = aiJob({ webhookUrl: 'https://hooks.example.com/job', webhookSigningSecret: '${env.SIGNING}' });
const nameOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16);

async function applied(key?: string, operations = 'full'): Promise<Stage> {
  const made = stage(
    { schedules: { s: hook(), t: schedule('T') }, aiJobs: { j: job } },
    { almanac: { api: { baseUrl, rateLimit: 0, operations } } },
  );
  Object.assign(made.environment, { HOOK: 'secret-one', SIGNING: 'secret-two' });
  if (key !== undefined) made.environment['ALMANAC_STATE_KEY'] = key;
  await made.apply();
  return made;
}

const fingerprintIn = ({ store }: Stage) => {
  const url = store.stored.state?.resources[address]?.attributes['url'];
  return isSealedSecret(url) ? url[secretKey] : undefined;
};
const codesOf = async (made: Stage) => (await made.plan()).diagnostics.map(({ code }) => code);

it('a keyed fingerprint cannot be made from the state alone, and the state names the key without containing it', async () => {
  const made = await applied('the-key');
  const { state } = made.store.stored;
  const text = 'https://hooks.example.com/secret-one';
  expect(fingerprintIn(made)).not.toBe(await makeFingerprint(state?.salt ?? '')(text));
  expect(fingerprintIn(made)).toBe(await makeFingerprint(state?.salt ?? '', 'the-key')(text));
  expect(state?.secretKey).toBe(nameOf('the-key'));
  expect(JSON.stringify(made.store.stored)).not.toContain('the-key');
  expect((await made.plan()).changes).toEqual([]);
  expect(await codesOf(made)).toEqual([]);
});

describe('another key', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['a key where there was none', undefined, 'the-key'],
    ['another key', 'the-key', 'another-key'],
    ['no key where there was one', 'the-key', undefined],
  ])('%s plans nothing by itself, and the plan says what it means', async (_, before, after) => {
    const made = await applied(before);
    if (after === undefined) delete made.environment['ALMANAC_STATE_KEY'];
    else made.environment['ALMANAC_STATE_KEY'] = after;
    const { changes, diagnostics } = await made.plan();
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'other-state-key', severity: 'warning' }]);
    made.environment['HOOK'] = 'changed';
    expect((await made.plan()).changes).toEqual([]);
  });

  it('an apply with the new key and the secrets sees those of schedules in Omni, sends nothing, and runs no job twice', async () => {
    const made = await applied('the-key');
    const [sent, before] = [made.service.sent.length, fingerprintIn(made)];
    made.environment['ALMANAC_STATE_KEY'] = 'another-key';
    await made.apply();
    expect(made.service.sent.slice(sent)).toEqual([]);
    expect(fingerprintIn(made)).not.toBe(before);
    expect(made.store.stored.state?.secretKey).toBe(nameOf('another-key'));
    expect(JSON.stringify(made.store.stored.state?.resources['aiJobs.j'])).toContain('"$secret":null');
    expect((await made.plan()).changes).toEqual([]);
    expect(await codesOf(made)).toEqual([]);
    await made.apply();
    expect(made.service.sent).toHaveLength(sent);
    made.environment['HOOK'] = 'changed';
    expect((await made.plan()).changes).toMatchObject([{ address, action: 'update' }]);
  });

  it('an apply with a key leaves no fingerprint without one, also of a change with an unknown outcome', async () => {
    const made = await applied();
    made.environment['HOOK'] = 'secret-three';
    made.service.reach = (point) => {
      if (point.startsWith('after PUT')) throw answerLost();
    };
    await made.apply();
    made.service.reach = () => undefined;
    made.environment['ALMANAC_STATE_KEY'] = 'the-key';
    made.files['schedules/all.yaml'] = { schedules: { s: hook(), t: schedule('T2') }, aiJobs: { j: job } };
    await made.apply({ targets: ['schedules.t'] });
    const { state } = made.store.stored;
    expect(state?.unresolved).toMatchObject([{ address }]);
    for (const value of ['secret-one', 'secret-three']) {
      const guessed = await makeFingerprint(state?.salt ?? '')(`https://hooks.example.com/${value}`);
      expect(JSON.stringify(state)).not.toContain(guessed);
    }
  });

  it('an apply of a reviewed plan sends what was reviewed, and keeps the key of the state', async () => {
    const made = await applied('the-key');
    const sent = made.service.sent.length;
    made.environment['ALMANAC_STATE_KEY'] = 'another-key';
    made.files['schedules/all.yaml'] = { schedules: { s: hook(), t: schedule('T2') }, aiJobs: { j: job } };
    const { digest } = await made.plan();
    const before = fingerprintIn(made);
    await made.apply({ expect: digest });
    expect(made.service.sent.slice(sent)).toEqual([`PUT ${madeId(2)}`]);
    expect(made.store.stored.state?.secretKey).toBe(nameOf('the-key'));
    expect(fingerprintIn(made)).toBe(before);
  });

  it('an apply without the key never puts a fingerprint into the state that could be guessed', async () => {
    const made = await applied('the-key');
    delete made.environment['ALMANAC_STATE_KEY'];
    made.files['schedules/all.yaml'] = { schedules: { s: hook({ name: 'S2' }), t: schedule('T') }, aiJobs: { j: job } };
    await made.apply();
    expect(made.store.stored.state?.secretKey).toBe(nameOf('the-key'));
    expect(fingerprintIn(made)).toBeNull();
    made.environment['ALMANAC_STATE_KEY'] = 'the-key';
    expect((await made.plan()).changes).toMatchObject([{ address, diff: [{ path: '/url', sensitive: true }] }]);
    await made.apply();
    expect(fingerprintIn(made)).not.toBeNull();
    expect((await made.plan()).changes).toEqual([]);
  });

  it('with operations core, another key replaces no schedule', async () => {
    const made = await applied('the-key', 'core');
    const sent = made.service.sent.length;
    made.environment['ALMANAC_STATE_KEY'] = 'another-key';
    await made.apply();
    expect(made.service.sent).toHaveLength(sent);
  });
});
