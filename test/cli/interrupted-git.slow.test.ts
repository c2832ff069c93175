// Ctrl-C while the remote of a state on a git branch does not answer.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { interrupt } from '../support/cli/interrupted-wait.ts';

it.each([
  ...['plan', 'drift', 'status', 'state list', 'state pull', 'state history', 'state unlock --auto-approve'],
  ...['import', 'doctor', 'state check', 'apply --auto-approve', 'trigger schedules.s --auto-approve'],
])('an interruption ends %s while the git remote does not answer', async (line) => {
  const said = await interrupt(line.split(' '), (port, { path }) => {
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: path, stdio: 'pipe' });
    git('init', '--quiet', '--initial-branch=main');
    git('remote', 'add', 'origin', `http://127.0.0.1:${port}/state.git`);
    return {
      settings: {
        api: { baseUrl: 'http://127.0.0.1:9/api', operations: 'full', rateLimit: 0 },
        state: { backend: 'git' },
      },
      environment: { PATH: process.env['PATH'] ?? '', OMNI_API_TOKEN: 'omni_osk_x' },
    };
  });
  expect(said).toMatch(/interrupted/i);
});
