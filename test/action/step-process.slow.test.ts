// The step that runs Almanac as a process: which program it starts, and that it starts no shell.

import { chmodSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRunner } from '../support/action/fake-runner.ts';

test('the almanac that the action came with is run, and nothing of the checkout or of its names', async () => {
  const folder = 'a $(touch pwned) `touch pwned`;touch pwned #"\'';
  const evil = `${folder}/node_modules/.bin/almanac`;
  const runner = openRunner(
    { [evil]: '#!/bin/sh\ntouch pwned\n', [`${folder}/schedules/none.yaml`]: '' },
    'dist/cli.cjs',
  );
  chmodSync(`${runner.path}/${evil}`, 0o755);
  const step = await runner.run('run', {
    ALMANAC_COMMAND: 'validate',
    ALMANAC_WORKING_DIRECTORY: folder,
    GITHUB_HEAD_REF: folder,
    GITHUB_REF_NAME: folder,
  });
  expect(step.summary, step.log).toContain('the declarations are valid');
  for (const path of ['pwned', `${folder}/pwned`]) expect(() => readFileSync(`${runner.path}/${path}`)).toThrow();
});
