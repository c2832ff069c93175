// Threat: somebody plants an entry in what is kept between runs, for example a pull request whose CI job leaves a cache
// that a job of the default branch restores. It says that a file declares something else than it does. No command may
// save, send or write anything because of it, so those that do open no cache at all.

import { expect, it, onTestFinished } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { declared } from '../support/cli/open-stage.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

/** Which commands have opened the cache so far. */
async function recorded() {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder({ 'almanac.yaml': 'api: { operations: full }\n', 'schedules/all.yaml': declared });
  const environment = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey };
  const kept = new Map<string, string>();
  const used: string[] = [];
  let command = '';
  const { run } = workspaceIn(folder, environment, {
    build: 'this one',
    openCache: async () => {
      used.push(command);
      return { read: async (key) => kept.get(key), write: async (key, text) => void kept.set(key, text) };
    },
  });
  return {
    used,
    kept,
    run: async (argv: string) => {
      command = argv;
      const { code, stdout, stderr } = await run(...argv.split(' '));
      expect(code, `${argv}: ${stdout}${stderr}`).toBe(0);
    },
  };
}

it('no command that saves a plan, sends or writes anything reads what was kept', async () => {
  const { run, used } = await recorded();
  for (const argv of [
    'plan --out saved.json',
    'plan --out saved.json --online',
    'apply saved.json --auto-approve',
    'apply --auto-approve',
    'drift --write',
    'fmt',
    'trigger schedules.weekly --auto-approve',
    'state list',
  ])
    await run(argv);
  expect(used).toEqual([]);
});

it('commands that only show something use what was kept, unless they are asked not to', async () => {
  const { run, used, kept } = await recorded();
  const shown = ['validate', 'plan', 'next', 'who ana@example.com', 'show --resolved'];
  for (const argv of shown) await run(argv);
  expect(used).toEqual(shown);
  expect(kept.size).toBe(1);
  kept.clear();
  for (const argv of shown) await run(`${argv} --no-cache`);
  expect(used).toEqual(shown);
  expect(kept.size).toBe(0);
});
