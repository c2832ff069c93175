// Threat: a folder from elsewhere has a pipe in place of a file that is read, so a command would wait for ever, whatever signal
// it gets.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openWorld } from '../support/world.ts';

it.each(['.git/HEAD', '.git/index', '.git/commondir', '.git/config', '.git'])(
  'a pipe in place of %s holds no command up',
  async (name) => {
    const world = await openWorld({ schedules: { weekly } });
    await world.apply();
    world.write(name === '.git' ? {} : { '.git/HEAD': 'ref: refs/heads/main\n', '.git/index': '' });
    rmSync(join(world.path, name), { force: true });
    world.pipe(name);
    for (const command of ['plan', 'state list', 'doctor'])
      expect(await world.run(...command.split(' ')), command).toMatchObject({ code: expect.any(Number) });
    expect((await world.plan()).changes).toEqual([]);
  },
);

it.each([
  ['init --yes --force', 'almanac.yaml'],
  ['init --yes --force', 'package.json'],
  ['import --resume', '.almanac-import.json'],
])('%s does not wait for a pipe in place of %s', async (command, name) => {
  const world = await openWorld();
  rmSync(join(world.path, name), { force: true });
  world.pipe(name);
  await expectRefused(world, command, `${name} cannot be read: it is not a regular file`);
});
