// `${file.PATH}` reaches no credentials and no state. The text of a file is sent to Omni and printed in plans.

import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openWorld } from '../support/world.ts';

const secret = 'AUTHORIZATION: basic c2VjcmV0';

async function stageReading(path: string, files: Readonly<Record<string, string>>) {
  return openWorld({
    schedules: { weekly: { ...weekly, textBody: `\${file.${path}}` } },
    ...files,
  });
}

it.each(['../.git/config', '../.env', '../.github/workflows/x.yml', './.hidden.txt', '../texts/../.env'])(
  '%s is refused, and its text appears nowhere',
  async (path) => {
    const files = ['.git/config', '.env', '.github/workflows/x.yml', 'schedules/.hidden.txt', 'texts/fine.txt'];
    const stage = await stageReading(path, Object.fromEntries(files.map((file) => [file, secret])));
    for (const command of [
      'validate',
      'validate --format json',
      'plan',
      'plan --format html',
      'apply --auto-approve',
    ]) {
      const refused = await stage.run(...command.split(' '));
      expect(refused.code, command).toBe(1);
      expect(refused.stdout + refused.stderr, command).toContain('reference-private');
      expect(refused.stdout + refused.stderr, command).not.toContain(secret);
    }
  },
);

it('a link inside the workspace does not lead to a file whose name begins with a dot', async () => {
  const stage = await stageReading('./innocent.txt', { '.git/config': secret });
  stage.link('../.git/config', 'schedules/innocent.txt');
  const refused = await expectRefused(stage, 'validate', '`.git` begins with a dot');
  expect(refused.stdout).not.toContain(secret);
});

it.each([
  ['almanac.state.json', []],
  ['almanac.state.json.journal', []],
  ['almanac.state.json.lock', []],
  ['almanac.plan.json', []],
  ['copy.state.json', []],
  ['kept-elsewhere.json', ['--state', 'kept-elsewhere.json']],
  ['kept-elsewhere.json.journal', ['--state', 'kept-elsewhere.json']],
] as const)('%s is refused (%j)', async (file, options) => {
  const stage = await stageReading(`../${file}`, { [file]: secret });
  const refused = await expectRefused(
    stage,
    ['validate', ...options],
    'it is a file in which Almanac keeps a state or a plan',
  );
  expect(refused.stdout).not.toContain(secret);
});

it('an ordinary file is read, also through a link', async () => {
  const stage = await stageReading('./text.txt', { 'texts/body.txt': 'Good morning' });
  stage.link('../texts/body.txt', 'schedules/text.txt');
  expect(await stage.plan()).toMatchObject({ summary: { create: 1 } });
});
