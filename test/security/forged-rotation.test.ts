// A change of the state that passes for a new value of a secret. The threat: somebody who may write the state, but
// merges nothing, needs no review that way, by another fingerprint, salt or key, with or without a foreign id.

import { expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { mapSealed, sealedSecret } from '../../src/model/values/secret.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { aiJob } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

const secretHook = { ...hook, url: 'https://hooks.example.com/${env.HOOK_KEY}' };
const job = aiJob({ webhookUrl: 'https://hooks.example.com/${env.HOOK_KEY}' });
const environment = {
  HOOK_KEY: 'a-long-random-key-of-the-hook',
  ALMANAC_STATE_KEY: 'a-long-random-key-of-the-state',
};

type Edit = (state: State) => State;

const otherFingerprints = ({ resources, ...state }: State): State => ({
  ...state,
  resources: Object.fromEntries(
    Object.entries(resources).map(([address, { attributes, ...rest }]) => {
      const edited = mapSealed(attributes, ({ text }) => sealedSecret('A'.repeat(32), text));
      return [address, { ...rest, attributes: edited as JsonObject }];
    }),
  ),
});

const forged: readonly [string, Edit][] = [
  ['another fingerprint', otherFingerprints],
  ['another salt', (state) => ({ ...state, salt: Buffer.alloc(16, 7).toString('base64') })],
  ['the name of another key', (state) => ({ ...state, secretKey: '0'.repeat(16) })],
];

const cases = forged.flatMap(([what, edit]) => [
  [what, 'an AI job run again', 'full', { aiJobs: { job } }, edit] as const,
  [
    what,
    'a test delivery go out again',
    'full',
    { schedules: { hook: { ...secretHook, testNow: true } } },
    edit,
  ] as const,
  [what, 'operations core create a schedule again', 'core', { schedules: { hook: secretHook, weekly } }, edit] as const,
]);

it.each(cases)('%s in the state does not make %s, with or without a review', async (...row) => {
  const [, , operations, declared, edit] = row;
  const { run, emulator, state, write } = await openApplied(declared, { operations, environment });
  const edited = edit(state());
  write({ 'almanac.state.json': { ...edited, serial: edited.serial + 1 }, 'nothing.txt': '' });
  const sent = emulator.requests().length;
  for (const reviewed of [['--expect-changes', 'nothing.txt'], []]) {
    const { code, stdout, stderr } = await run('apply', '--auto-approve', '--allow', 'orphans', ...reviewed);
    expect(code, stdout + stderr).toBe(0);
    expect(emulator.requests()).toHaveLength(sent);
  }
});

const address = 'schedules.hook';
const nothingReviewed = ['apply', '--auto-approve', '--expect-changes', 'nothing.txt'];

/** The state has another fingerprint, and an id that Omni gave to somebody else's schedule. */
async function planted(others: object | undefined, more: object = {}) {
  const world = await openApplied({ schedules: { hook: secretHook, weekly } }, { environment });
  const id = others === undefined ? '9b2f5f0e-0000-4000-8000-000000000001' : world.makeByHand(others);
  const { resources, ...state } = otherFingerprints(world.state());
  const hooks = resources[address];
  if (hooks === undefined) throw new Error('not applied');
  world.write({
    'almanac.state.json': {
      ...state,
      serial: state.serial + 1,
      resources: { ...resources, [address]: { ...hooks, id } },
      ...more,
    },
    'nothing.txt': '',
  });
  world.sent();
  return { ...world, id };
}

it.each<[what: string, others: object | undefined, code: string]>([
  ['another name', { ...weekly, name: 'Board pack' }, 'left'],
  ['another dashboard', { ...weekly, name: hook.name, identifier: '12db1a0a' }, 'left'],
  ['another kind of destination', { ...weekly, name: hook.name, identifier: hook.identifier }, 'not-reviewed'],
  ['no row in the list', undefined, 'not-reviewed'],
])('a secret with another value in the state does not overwrite a schedule with %s', async (_, others, code) => {
  const { run, sent } = await planted(others);
  for (const more of [[], ['--refresh'], ['--refresh=deep']]) {
    const ran = await run(...nothingReviewed, ...more);
    if (others !== undefined && more.length > 0) expect(ran.stderr).toMatch(/error\[(not-reviewed|blocked)\]/);
    else if (code === 'left') expect(ran.stdout).toContain('The state and Omni disagree about an id.');
    else expect(ran.stderr).toContain('error[not-reviewed]');
    expect(ran.code).toBe(1);
  }
  expect(sent()).toEqual([]);
});

it('an update that is said to be lost, of a secret with another value, overwrites no foreign schedule', async () => {
  const lost = { address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes: secretHook };
  const { run, sent } = await planted(
    { ...weekly, name: hook.name, identifier: hook.identifier },
    { unresolved: [lost] },
  );
  expect((await run(...nothingReviewed)).stderr).toContain('error[not-reviewed]');
  expect(sent()).toEqual([]);
});

it('a refused rotation says why, and is applied with the digest of a plan that has looked at its receivers', async () => {
  const world = await planted({ ...weekly, name: hook.name, identifier: hook.identifier });
  await expectRefused(
    world,
    nothingReviewed,
    'schedules.hook will be updated in place, which is not among the reviewed changes',
  );
  const { digest } = await world.plan();
  await expectRefused(world, ['apply', '--auto-approve', '--expect', digest], 'no plan has shown');
  const { digest: looked } = await world.plan('--refresh=deep');
  expect((await world.run('apply', '--auto-approve', '--expect', looked, '--refresh=deep')).code).toBe(0);
  expect(world.sent()).toEqual([`PUT /api/v1/schedules/${world.id}`]);
});

it.each([[[]], [['--refresh']], [['--refresh=deep']]])(
  'an honest rotation needs no review, and its variable is named (%j)',
  async (options) => {
    const world = await openApplied({ schedules: { hook: secretHook, weekly } }, { environment });
    world.write({ 'nothing.txt': '' });
    world.sent();
    const { run } = world.beside({}, { ...world.environment, HOOK_KEY: 'the-next-random-key-of-the-hook' });
    const { code, stdout, stderr } = await run(...nothingReviewed, ...options);
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toContain('The value of HOOK_KEY has changed');
    expect(world.sent()).toEqual([`PUT /api/v1/schedules/${world.idOf(address)}`]);
    expect((await run('plan')).stdout).toContain('No changes.');
  },
);

it('a rotation sends no field under ignoreChanges that only the state has', async () => {
  const ignoring = { ...secretHook, lifecycle: { ignoreChanges: ['timezone'] } };
  const world = await openApplied({ schedules: { hook: ignoring, weekly } }, { environment });
  const { resources, ...state } = otherFingerprints(world.state());
  const { attributes, ...rest } = resources[address] ?? { attributes: {} };
  const edited = { ...resources, [address]: { ...rest, attributes: { ...attributes, timezone: 'Asia/Tokyo' } } };
  world.write({
    'almanac.state.json': { ...state, serial: state.serial + 1, resources: edited },
    'nothing.txt': '',
  });
  expect((await world.run(...nothingReviewed)).code).toBe(0);
  const [sent] = world.emulator.data().schedules.filter(({ fields }) => fields['name'] === hook.name);
  expect(sent?.fields).toMatchObject({ timezone: hook.timezone });
});
