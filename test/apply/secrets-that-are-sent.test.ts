// An apply needs the secrets that its changes send, and no others. What it could not compare, it counts.

import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { schedule } from '../support/apply/declared.ts';
import { type ApplyOptions, baseUrl, notesOf, type Stage, stage } from '../support/apply/stage.ts';
import { madeId } from '../support/emulator/service.ts';

const almanac = { api: { baseUrl, rateLimit: 0, operations: 'full' } };
const hook = (name: string, variable = 'HOOK', more = {}) =>
  schedule(name, { url: `https://hooks.example.com/\${env.${variable}}`, ...more });
const open = (url: string) => schedule('Open', { url });
const before = { s: hook('S'), t: hook('T', 'OTHER'), u: open('https://hooks.example.com/u') };
const secrets = { HOOK: 'first', OTHER: 'other' };

/** Applied with all secrets, which are then gone. */
async function applied(): Promise<Stage> {
  const made = stage({ schedules: before }, { almanac });
  Object.assign(made.environment, secrets);
  await made.apply();
  made.service.sent.length = made.events.length = 0;
  for (const name of Object.keys(secrets)) delete made.environment[name];
  return made;
}

const declare = (made: Stage, schedules: object, more = {}) => {
  made.files['schedules/all.yaml'] = { schedules, ...more };
};
const two = 'The secrets of 2 resources were not compared, because 2 secrets are not set: HOOK, OTHER.';

/** With the secrets of the first apply nothing is planned: what the state knew of them was kept. */
async function expectSettled(made: Stage) {
  Object.assign(made.environment, secrets);
  expect((await made.plan()).changes).toEqual([]);
}

describe('without the secrets', () => {
  it.each<[what: string, declared: object, sent: readonly string[], count: string]>([
    [
      'changes a schedule that has none',
      { ...before, u: open('https://hooks.example.com/v') },
      [`PUT ${madeId(3)}`],
      two,
    ],
    [
      'pauses one that has a secret',
      { ...before, s: hook('S', 'HOOK', { paused: true }) },
      [`PAUSE ${madeId(1)}`],
      two,
    ],
    [
      'deletes one that had a secret',
      { t: before.t, u: before.u },
      [`DELETE ${madeId(1)}`],
      'The secrets of 1 resource were not compared, because 1 secret is not set: OTHER.',
    ],
  ])('an apply that %s needs none, says once what was not compared, and forgets no fingerprint', async (...row) => {
    const [, declared, sent, count] = row;
    const made = await applied();
    declare(made, declared);
    await made.apply({ force: true });
    expect(made.service.sent).toEqual(sent);
    expect(notesOf(made)).toEqual([count]);
    await expectSettled(made);
  });

  it('an apply that adopts a schedule needs none, and the next one with the secret sees that Omni has it already', async () => {
    const [made, x] = [await applied(), madeId(9)];
    made.service.add(x, schedule('X', { url: 'https://hooks.example.com/first' }), '2026-02-01T00:00:00.000Z');
    declare(made, { ...before, x: hook('X') }, { adopt: [{ to: 'schedules.x', id: x }] });
    await made.apply();
    expect(made.service.sent).toEqual([]);
    Object.assign(made.environment, secrets);
    await made.apply();
    expect(made.service.sent).toEqual([]);
    await expectSettled(made);
  });

  it.each<[what: string, declared: object, missing: string, options?: ApplyOptions]>([
    ['updates a schedule', { ...before, s: hook('S', 'HOOK', { subject: undefined, format: 'png' }) }, 'HOOK'],
    ['creates a schedule', { ...before, w: hook('W') }, 'HOOK'],
    ['replaces a schedule', before, 'OTHER', { replace: ['schedules.t'] }],
    ['updates what it moves', { s2: hook('S', 'HOOK', { format: 'png' }), t: before.t, u: before.u }, 'HOOK'],
    ['transfers and updates', { ...before, s: hook('S2', 'HOOK', { owner: 'ana@example.com' }) }, 'HOOK'],
  ])('an apply that %s is refused before any request, and names only the secret that is sent', async (...row) => {
    const [, declared, missing, options] = row;
    const made = await applied();
    declare(made, declared);
    made.connections.length = 0;
    const failure = (await made.apply(options).catch((error: unknown) => error)) as Failure;
    expect(failure).toMatchObject({
      code: 'missing-secret',
      message: `An environment variable is not set, or empty: ${missing}.`,
    });
    expect(made.connections).toEqual([]);
    expect(made.store.stored.state?.serial).toBe(1);
  });

  it('an apply that would create what somebody deleted in Omni is refused before it sends anything', async () => {
    const made = await applied();
    made.service.remove(madeId(1));
    await expect(made.apply({ refresh: { depth: 'list', only: false } })).rejects.toMatchObject({
      code: 'missing-secret',
      message: expect.stringMatching(/: HOOK\.$/),
    });
    expect(made.service.sent).toEqual([]);
    await expectSettled(made);
  });

  it('a saved plan that says that a secret has changed is refused by the name of the secret', async () => {
    const made = await applied();
    Object.assign(made.environment, { ...secrets, HOOK: 'second' });
    const saved = await made.save();
    for (const name of Object.keys(secrets)) delete made.environment[name];
    await expect(made.apply({ saved })).rejects.toMatchObject({
      code: 'missing-secret',
      message: expect.stringMatching(/: HOOK\.$/),
    });
    expect(made.service.sent).toEqual([]);
  });

  it('a job whose secret is not set is neither run again nor forgotten, and what would run it is refused', async () => {
    const job = (prompt: string, more = {}) => ({
      modelId: '770e8400-e29b-41d4-a716-446655440002',
      prompt,
      webhookUrl: 'https://hooks.example.com/job',
      webhookSigningSecret: '${env.SIGNING}',
      ...more,
    });
    const made = stage({ aiJobs: { j: job('Count.') } }, { almanac });
    made.environment['SIGNING'] = 'a-signing-secret';
    await made.apply();
    delete made.environment['SIGNING'];
    made.files['schedules/all.yaml'] = { aiJobs: { j: job('Count.', { meta: { tags: ['board'] } }) } };
    await made.apply();
    made.environment['SIGNING'] = 'a-signing-secret';
    expect((await made.plan()).changes).toEqual([]);
    delete made.environment['SIGNING'];
    made.files['schedules/all.yaml'] = { aiJobs: { j: job('Count again.') } };
    await expect(made.apply()).rejects.toMatchObject({ code: 'missing-secret' });
    expect(made.service.sent).toEqual(['RUN Count.']);
  });
});
