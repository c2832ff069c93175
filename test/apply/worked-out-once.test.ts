// A run computes each fingerprint, and matches declarations, only once. A fingerprint of a secret is made to be slow,
// and matching reads every declaration. Counted by fakes that do the real work.

import { expect, it, vi } from 'vitest';
import { schedule } from '../support/apply/declared.ts';
import { type Stage, stage } from '../support/apply/stage.ts';

const counted = vi.hoisted(() => ({ texts: [] as string[], matches: 0 }));

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  const scrypt = (text: string, ...rest: [Buffer, number, (error: Error | null, key: Buffer) => void]) => {
    counted.texts.push(text);
    real.scrypt(text, ...rest);
  };
  return { ...real, scrypt };
});
vi.mock('../../src/plan/match.ts', async (original) => {
  const real = await original<typeof import('../../src/plan/match.ts')>();
  const match: typeof real.match = (...given) => {
    counted.matches += 1;
    return real.match(...given);
  };
  return { ...real, match };
});

const hook = (name: string, variable: string) =>
  schedule(name, { url: `https://hooks.example.com/\${env.${variable}}` });
const schedules = { s: hook('S', 'ONE'), t: hook('T', 'ONE'), u: hook('U', 'TWO') };

it.each<[string, (made: Stage) => Promise<Parameters<Stage['apply']>[0]>]>([
  [
    'apply --refresh --target --replace',
    async () => {
      const refresh = { depth: 'list', only: false } as const;
      return { refresh, targets: ['schedules.s'], replace: ['schedules.s'], force: true };
    },
  ],
  [
    'an apply of a saved plan',
    async (made) => {
      made.files['schedules/all.yaml'] = { schedules: { ...schedules, s: hook('S', 'TWO') } };
      return { saved: await made.save() };
    },
  ],
])('%s computes each distinct fingerprint once and matches the declarations once', async (_, ask) => {
  const made = stage({ schedules });
  Object.assign(made.environment, { ONE: 'one', TWO: 'two' });
  await made.apply();
  const asked = await ask(made);
  Object.assign(counted, { texts: [], matches: 0 });
  expect((await made.apply(asked)).document?.summary).toMatchObject({ applied: 1 });
  expect(counted.texts.sort()).toEqual(['https://hooks.example.com/one', 'https://hooks.example.com/two']);
  expect(counted.matches).toBe(1);
});
