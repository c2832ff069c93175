// The fingerprint of a secret is made to be slow, and matching reads every declaration: a run does each once, whatever was
// asked for. Counted by fakes that do the real work.

import { beforeEach, expect, it, vi } from 'vitest';
import { schedule } from '../support/apply/declared.ts';
import { type Stage, stage } from '../support/apply/stage.ts';

const counted = vi.hoisted(() => ({ texts: [] as string[], running: 0, mostAtOnce: 0, matches: 0 }));

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  const scrypt = (text: string, salt: Buffer, bytes: number, done: (error: Error | null, key: Buffer) => void) => {
    counted.texts.push(text);
    counted.running += 1;
    counted.mostAtOnce = Math.max(counted.mostAtOnce, counted.running);
    real.scrypt(text, salt, bytes, (error, key) => {
      counted.running -= 1;
      done(error, key);
    });
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
const [first, second] = ['https://hooks.example.com/one', 'https://hooks.example.com/two'];

/** Three schedules with two distinct secrets, applied once. */
async function applied(): Promise<Stage> {
  const made = stage({ schedules: { s: hook('S', 'ONE'), t: hook('T', 'ONE'), u: hook('U', 'TWO') } }, {});
  Object.assign(made.environment, { ONE: 'one', TWO: 'two' });
  await made.apply();
  return made;
}

const reset = () => Object.assign(counted, { texts: [], running: 0, mostAtOnce: 0, matches: 0 });
beforeEach(reset);

it.each<[string, Parameters<Stage['apply']>[0]]>([
  ['a plain apply', {}],
  ['apply --target', { targets: ['schedules.s', 'schedules.u'] }],
  [
    'apply --refresh --target --replace',
    { refresh: { depth: 'list', only: false }, targets: ['schedules.s'], replace: ['schedules.s'], force: true },
  ],
])('%s computes each distinct fingerprint once and matches the declarations once', async (_, asked) => {
  const made = await applied();
  reset();
  await made.apply(asked);
  expect(counted.texts.sort()).toEqual([first, second]);
  expect(counted.matches).toBe(1);
});

it('an apply of a saved plan computes each distinct fingerprint once and matches the declarations once', async () => {
  const made = await applied();
  made.files['schedules/all.yaml'] = { schedules: { s: hook('S', 'TWO'), t: hook('T', 'ONE'), u: hook('U', 'TWO') } };
  const saved = await made.save();
  reset();
  expect((await made.apply({ saved })).document?.summary).toMatchObject({ applied: 1 });
  expect(counted.texts.sort()).toEqual([first, second]);
  expect(counted.matches).toBe(1);
});

it('fingerprints of distinct secrets are computed at the same time', async () => {
  const made = await applied();
  reset();
  await made.plan();
  expect(counted.mostAtOnce).toBe(2);
});
