// A pull request that hides receivers behind a variable that every runner has. Other fields that no secret may fill:
// test/transcripts/validate/secrets.txt.

import { expect, it } from 'vitest';
import { schedule, stateOf } from '../support/apply/declared.ts';
import { stage } from '../support/apply/stage.ts';
import { failureOf } from '../support/failure-of.ts';
import { mail } from '../support/vocabulary.ts';

const findingsOf = async (declared: object): Promise<readonly string[]> => {
  const made = stage({ schedules: { s: declared } });
  Object.assign(made.environment, { CI: 'true', HOOK: 'abcdef' });
  const { findings } = await failureOf(made.plan());
  return findings.filter(({ code }) => code !== 'missing-variable').map(({ code }) => code);
};

it.each<[string, object]>([
  ['a part of the host of a URL', schedule('S', { url: 'https://hooks.example.com${env.CI}/in' })],
  ['a whole URL', schedule('S', { url: '${env.HOOK}' })],
])('%s that the environment gives is refused', async (_, declared) => {
  expect(await findingsOf(declared)).toEqual(['secret-not-here']);
});

it('a plan shows the destination of a delivery whose URL holds a secret, and another destination is another plan', async () => {
  const planFor = async (url: string) => {
    const made = stage({ schedules: { s: schedule('S', { url }) } });
    made.environment['HOOK'] = 'k3y-of-the-hook';
    return made.plan();
  };
  const good = await planFor('https://hooks.example.com/${env.HOOK}');
  const evil = await planFor('https://evil.test/${env.HOOK}');
  expect(JSON.stringify(good)).toContain('https://hooks.example.com/${env.HOOK}');
  expect(JSON.stringify(evil)).toContain('https://evil.test/${env.HOOK}');
  expect(JSON.stringify([good, evil])).not.toContain('k3y-of-the-hook');
  expect(evil.digest).not.toBe(good.digest);
});

it('a recipient that replaces one that an older version kept as a secret is listed as added', async () => {
  const sealed = { $secret: 'f1ngerprint' };
  const state = stateOf({
    'schedules.s': { id: 'there', attributes: mail({ recipients: ['ana@example.com', sealed] }) },
  });
  const made = stage({ schedules: { s: mail({ recipients: ['ana@example.com', 'evil@evil.test'] }) } }, { state });
  const subjects = (await made.plan()).dangers.flatMap(({ items }) => items.map(({ subject }) => subject));
  expect(subjects).toContain('evil@evil.test');
});
