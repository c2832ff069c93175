// Threat: somebody who may write the state, but merges nothing, passes a change off as a secret with another value, which
// needs no review: by another fingerprint, another salt, or another key, with or without the id of a foreign schedule.

import { expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { mapSealed, sealedSecret } from '../../src/model/values/secret.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

const secretHook = { ...hook, url: 'https://hooks.example.com/${env.HOOK_KEY}' };
const job = {
  modelId: '770e8400-e29b-41d4-a716-446655440002',
  prompt: 'Which orders are late?',
  webhookUrl: 'https://hooks.example.com/${env.HOOK_KEY}',
};
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
    const { code, stdout, stderr } = await run('apply', '--auto-approve', '--allow-orphans', ...reviewed);
    expect(code, stdout + stderr).toBe(0);
    expect(emulator.requests()).toHaveLength(sent);
  }
});
