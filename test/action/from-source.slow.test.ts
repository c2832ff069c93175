// The action with which this repository's own workflows use the program of the checkout.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { Action } from '../support/action/workflow-files.ts';
import { makeFolder } from '../support/workspace.ts';

test('the emulator of a job runs when its step ends, and the job knows its address', async () => {
  const folder = makeFolder({ env: '', 'bin/.keep': '' });
  symlinkSync(resolve('dist/cli.cjs'), join(folder.path, 'bin/almanac'));
  const action = parse(readFileSync('.github/actions/from-source/action.yml', 'utf8')) as Action;
  const script = action.runs.steps.at(-1)?.run?.replace('--port 4010', '--port 0') ?? '';
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: `${folder.path}/bin:${process.env['PATH']}`,
      RUNNER_TEMP: folder.path,
      GITHUB_ENV: join(folder.path, 'env'),
      OPERATIONS: 'full',
    },
  });
  onTestFinished(() => void (shell.pid !== undefined && process.kill(-shell.pid)));
  const [code] = await once(shell, 'exit');
  expect(code).toBe(0);
  const lines = folder.read('env').trim().split('\n');
  const known = Object.fromEntries(lines.map((line) => line.split('=')));
  const headers = { authorization: `Bearer ${known.OMNI_API_TOKEN}` };
  expect((await fetch(`${known.OMNI_BASE_URL}/v1/schedules`, { headers })).status).toBe(200);
});
