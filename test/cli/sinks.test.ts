// Ways on which a schedule of staging could deliver to its declared receivers. The schedule was adopted, imported or
// moved, an apply broke off, or the state says more than was ever sent. What counts is what the service holds at the
// end and what was sent to it.

import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import type { State, StateResource } from '../../src/model/plan/state.ts';
import {
  bodiesOf,
  bucket,
  existing,
  job,
  mail,
  openStage,
  production,
  type Stage,
  send,
  sinks,
  staging,
  stored,
} from '../support/cli/environments-stage.ts';

/** Declares the sink itself, so the declaration does not tell whether anything was sent. */
const own = { ...mail, recipients: ['qa@acme.com'] };
const address = 'schedules.mail';

async function planned(stage: Stage, ...argv: readonly string[]): Promise<readonly string[]> {
  const { changes } = await stage.plan(...argv, ...staging);
  return changes.map(({ action, reason, address: at }: Change) => `${action} ${reason} ${at}`);
}

/** In Omni it delivers to customers, in the declaration to the sink, and nothing was ever sent. */
async function adoptedUnseen(): Promise<Stage> {
  const stage = await openStage({}, undefined, { core: true });
  const id = await existing(stage);
  stage.write({ 'schedules/all.yaml': { schedules: { mail: own }, adopt: [{ to: address, id }] } });
  await stage.apply(...staging);
  stage.write({ 'almanac.yaml': full(stage) });
  stage.proxy.sent.length = 0;
  return stage;
}

function full(stage: Stage, deliver: object | undefined = sinks): object {
  const settings = stage.settings(deliver) as { readonly api: object };
  return { ...settings, api: { ...settings.api, operations: 'full' } };
}

/** The sink is all that was sent and all that is there, and nothing is left to do. */
async function expectSunk(stage: Stage): Promise<void> {
  expect(bodiesOf(stage)).not.toContain('customer');
  expect(JSON.stringify(stage.emulator.data().schedules.filter(isOurs))).not.toContain('customer');
  expect(await planned(stage)).toEqual([]);
  expect(await planned(stage, '--refresh=deep')).toEqual([]);
}

const isOurs = ({ fields }: { readonly fields: object }) => JSON.stringify(fields).includes('"name":"Mail');

function resourceOf(stage: Stage): StateResource | undefined {
  return stage.stateOf('staging').resources[address];
}

const changing = ({ proxy }: Stage) => proxy.sent.filter(({ method }) => method !== 'GET');

function editState(stage: Stage, edit: (state: State) => unknown): void {
  stage.write({ 'staging.state.json': edit(stage.stateOf('staging')) });
}

const test = (stage: Stage) => stage.run('test', address, '--auto-approve', ...staging);

describe('a schedule of which the state records the sink and nothing was sent', () => {
  it('a schedule of which the state records the sink and nothing was sent is updated if it was adopted before the environment had a sink', async () => {
    const stage = await adoptedUnseen();
    expect(await planned(stage)).toEqual([`update sink ${address}`]);
    expect((await test(stage)).stderr).toContain('was not applied through the sink of staging');
    expect(stage.proxy.sent).toEqual([]);
    await stage.apply(...staging);
    expect(resourceOf(stage)).toMatchObject({ throughSink: true });
    await expectSunk(stage);
    expect((await test(stage)).code).toBe(0);
    expect(bodiesOf(stage)).not.toContain('customer');
  });

  it('a schedule of which the state records the sink and nothing was sent is updated before it is resumed', async () => {
    const stage = await adoptedUnseen();
    const { id = '' } = resourceOf(stage) ?? {};
    await send(stage, 'PUT', `/v1/schedules/${id}/pause`, {});
    editState(stage, (state) => {
      const held = state.resources[address];
      return {
        ...state,
        resources: { [address]: { ...held, attributes: { ...held?.attributes, paused: true } } },
      };
    });
    await stage.apply(...staging);
    expect(changing(stage).map(({ method, path }) => `${method} ${path.slice(-6)}`)).toEqual([
      `PUT ${id.slice(-6)}`,
      'PUT resume',
    ]);
    await expectSunk(stage);
  });

  it('a schedule of which the state records the sink and nothing was sent is blocked with operations core, with both ways out', async () => {
    const stage = await adoptedUnseen();
    stage.write({ 'almanac.yaml': stage.settings(sinks) });
    const [change] = (await stage.plan(...staging)).changes;
    expect(change).toMatchObject({ action: 'update', reason: 'sink', requests: 0 });
    expect(change?.blocked).toContain(`almanac apply --env staging --replace ${address}`);
    expect((await stage.run('apply', '--auto-approve', ...staging)).code).toBe(1);
    expect(stage.proxy.sent).toEqual([]);
    await stage.apply('--replace', address, '--allow', 'orphans', ...staging);
    expect(bodiesOf(stage)).not.toContain('customer');
    expect(await planned(stage)).toEqual([]);
  });

  it('a schedule of which the state records the sink and nothing was sent stays so under another address, and is not resolved by observing it', async () => {
    const stage = await adoptedUnseen();
    expect(await stage.run('state', 'mv', address, 'schedules.moved', ...staging)).toMatchObject({ code: 0 });
    stage.write({ 'schedules/all.yaml': { schedules: { moved: own } } });
    expect(await planned(stage)).toEqual(['update sink schedules.moved']);
    await stage.apply('--refresh-only', ...staging);
    expect((await planned(stage)).map((words) => words.split(' ')[0])).toEqual(['update']);
    await stage.apply(...staging);
    await expectSunk(stage);
  });
});

it('nothing is adopted in an environment with a sink, and the plan names the ways out', async () => {
  const stage = await openStage({}, sinks);
  const id = await existing(stage);
  stage.write({ 'schedules/all.yaml': { schedules: { mail }, adopt: [{ to: address, id }] } });
  const [change] = (await stage.plan(...staging)).changes;
  expect(change).toMatchObject({ action: 'adopt', requests: 0 });
  expect(change?.blocked).toContain('Adopt it in an environment without a sink first');
  expect((await stage.run('apply', '--auto-approve', ...staging)).code).toBe(1);
  expect(changing(stage)).toEqual([]);
  expect(stored(stage)).toMatchObject({ Mail: { recipients: mail.recipients } });
});

describe('an apply that broke off', () => {
  it('between the pause and the update of what was adopted before leaves the update to the next one', async () => {
    const stage = await adoptedUnseen();
    const { id = '' } = resourceOf(stage) ?? {};
    const declared = (paused: boolean) => ({ schedules: { mail: { ...own, paused: paused || undefined } } });
    stage.write({ 'schedules/all.yaml': declared(true) });
    const { pass } = stage.proxy;
    stage.proxy.pass = async (request, forward) =>
      request.method === 'PUT' && request.path.endsWith(id) ? { status: 400, text: '{"detail":"not now"}' } : forward();
    expect((await stage.run('apply', '--auto-approve', ...staging)).code).toBe(1);
    expect(stage.stateOf('staging').unresolved).toMatchObject([{ address, attributes: { paused: true } }]);
    expect(stored(stage)).toMatchObject({ Mail: { recipients: mail.recipients } });
    stage.proxy.pass = pass;
    expect((await test(stage)).code).toBe(1);
    stage.write({ 'schedules/all.yaml': declared(false) });
    stage.proxy.sent.length = 0;
    await stage.apply(...staging);
    expect(changing(stage).map(({ path }) => path.slice(-6))).toEqual([id.slice(-6), 'resume']);
    await expectSunk(stage);
  });

  it('with a lost answer is not tested, and the schedule that a person found is updated', async () => {
    const stage = await openStage({ schedules: { mail } }, sinks);
    await stage.apply(...staging);
    const theirs = await existing(stage, { ...mail, name: 'Mail of a customer' });
    editState(stage, ({ resources, ...state }) => ({
      ...state,
      resources: {},
      unresolved: [
        { address, action: 'create', since: '2026-03-01T00:00:00.000Z', attributes: resources[address]?.attributes },
      ],
    }));
    expect((await test(stage)).stderr).toContain('was not applied through the sink');
    await stage.run('state', 'resolve', address, '--id', theirs, ...staging);
    expect(await planned(stage)).toEqual([`update sink ${address}`]);
    expect((await test(stage)).stderr).toContain('was not applied through the sink');
    // It has another name than what was sent.
    await stage.apply('--refresh-only', ...staging);
    await stage.apply(...staging);
    await expectSunk(stage);
  });
});

describe('an environment that gets a sink', () => {
  it('updates a schedule once where the declaration names the sink itself, also from a state without marks', async () => {
    const stage = await openStage({ schedules: { mail: own } });
    await stage.apply(...staging);
    stage.write({ 'almanac.yaml': stage.settings(sinks) });
    expect(await planned(stage)).toEqual([`update sink ${address}`]);
    await stage.apply(...staging);
    await expectSunk(stage);
    editState(stage, ({ resources: { [address]: held }, ...state }) => {
      const { throughSink: _, ...older } = held ?? ({} as StateResource);
      return { ...state, resources: { [address]: older } };
    });
    expect(await planned(stage)).toEqual([`update sink ${address}`]);
  });

  it('forgets what was sent to the sink once those who are declared were sent', async () => {
    const stage = await openStage({ schedules: { mail } }, sinks);
    await stage.apply(...staging);
    stage.write({ 'almanac.yaml': stage.settings() });
    await stage.apply(...staging);
    expect(resourceOf(stage)).not.toHaveProperty('throughSink');
    stage.write({ 'almanac.yaml': stage.settings(sinks) });
    stage.proxy.sent.length = 0;
    expect(await planned(stage)).toEqual([`update sink ${address}`]);
    await stage.apply(...staging);
    await expectSunk(stage);
  });

  it('an environment that gets a sink runs an AI job again for another sink, and tells only that one', async () => {
    const stage = await openStage({ aiJobs: { job } }, sinks);
    await stage.apply(...staging);
    stage.write({ 'almanac.yaml': stage.settings({ ...sinks, webhook: 'http://127.0.0.1:9/other' }) });
    expect(await planned(stage)).toEqual(['run new-content aiJobs.job']);
    await stage.apply(...staging);
    expect(bodiesOf(stage)).toContain('http://127.0.0.1:9/other');
    expect(bodiesOf(stage)).not.toContain('customer');
    expect(await planned(stage)).toEqual([]);
  });
});

describe('an environment that skips a kind of destination', () => {
  it('plans and sends nothing that would go there, and counts it in one line of every report', async () => {
    const stage = await openStage({ schedules: { mail, bucket }, aiJobs: { job } }, { email: sinks.email });
    expect((await stage.run('validate', ...staging)).code).toBe(1);
    stage.write({ 'almanac.yaml': stage.settings({ email: sinks.email, s3: 'skip', webhook: 'skip' }) });
    expect(await planned(stage)).toEqual(['create not-in-state schedules.mail']);
    for (const [format, environment] of [
      ['text', 'staging'],
      ['markdown', '`staging`'],
      ['html', '<code>staging</code>'],
    ])
      expect((await stage.run('plan', '--format', String(format), ...staging)).stdout).toContain(
        `2 recipients replaced by the sink of ${environment}, which skips 2 resources.`,
      );
    await stage.apply(...staging);
    await expectSunk(stage);
    expect(Object.keys(stored(stage))).not.toContain('Bucket');
    expect((await stage.plan(...production)).changes).toHaveLength(3);
    expect((await stage.run('validate')).code).toBe(0);
    expect((await stage.run('plan', '--target', 'schedules.bucket', ...staging)).stderr).toContain('skip');
  });

  it('deletes what was applied there before, under the limits and the protection of every deletion', async () => {
    const kept = { ...bucket, lifecycle: { preventDestroy: true } };
    const stage = await openStage({ schedules: { mail, bucket, kept: { ...kept, name: 'Kept' } } });
    await stage.apply(...staging);
    stage.write({ 'almanac.yaml': stage.settings({ ...sinks, s3: 'skip' }) });
    expect(await planned(stage)).toEqual([
      'delete not-in-environment schedules.bucket',
      'delete not-in-environment schedules.kept',
      'update sink schedules.mail',
    ]);
    const { changes } = await stage.plan(...staging);
    expect(changes.find(({ address: at }) => at === 'schedules.kept')?.blocked).toContain('preventDestroy');
  });

  it('an environment that skips a kind of destination takes a whole loop with it, and no misspelled destination', async () => {
    const loop = (...keys: readonly string[]) => ({
      ...bucket,
      name: 'Bucket ${each.key}',
      forEach: Object.fromEntries(keys.map((key) => [key, {}])),
    });
    const stage = await openStage({ schedules: { mail, loop: loop('emea', 'amer') } });
    await stage.apply(...staging);
    stage.write({ 'almanac.yaml': stage.settings({ ...sinks, s3: 'skip' }) });
    stage.write({ 'schedules/all.yaml': { schedules: { mail, loop: loop('emea') } } });
    expect(await planned(stage)).toEqual([
      'delete not-in-environment schedules.loop.amer',
      'delete not-in-environment schedules.loop.emea',
      'update sink schedules.mail',
    ]);
    stage.write({ 'schedules/all.yaml': { schedules: { mail, typo: { ...bucket, destinationType: 's4' } } } });
    expect((await stage.run('validate', ...staging)).code).toBe(1);
  });

  it('an environment that skips a kind of destination takes the entries of what it skips with it', async () => {
    const stage = await openStage({ schedules: { mail, old: bucket } });
    await stage.apply(...staging);
    stage.write({
      'almanac.yaml': stage.settings({ ...sinks, s3: 'skip' }),
      'schedules/all.yaml': {
        schedules: { mail, bucket },
        moved: [{ from: 'schedules.old', to: 'schedules.bucket' }],
      },
    });
    expect(await planned(stage)).toContain('delete not-in-environment schedules.old');
    stage.write({
      'schedules/all.yaml': { schedules: { mail, bucket }, removed: [{ from: 'schedules.bucket', keep: true }] },
    });
    const { stderr, stdout } = await stage.run('validate', ...staging);
    expect(stdout + stderr).toContain('almanac state rm schedules.bucket --env NAME');
  });
});

it('a plan of many updates to the sink is one entry that counts whom it replaces, in every report', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const forEach = Object.fromEntries(
    names.map((key) => [key, { to: [`${key}@customer.example`, 'all@customer.example'] }]),
  );
  const group = { ...mail, name: 'Mail ${each.key}', recipients: '${each.to}', forEach };
  const stage = await openStage({ schedules: { group } });
  await stage.apply(...staging);
  stage.write({ 'almanac.yaml': stage.settings(sinks) });
  for (const format of ['text', 'markdown', 'html']) {
    const { stdout } = await stage.run('plan', '--format', format, ...staging);
    expect(stdout).toContain('6 recipients are replaced');
    // Each instance shows whom it loses, behind the fold.
    if (format !== 'html') expect(stdout.split('<details>')[0]).not.toContain('customer');
  }
});
