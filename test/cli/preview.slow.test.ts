// `almanac preview` as a process: Ctrl-C while Omni renders, and a file on the standard output.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const weekly = { ...daily, name: 'Weekly', format: 'pdf' };

test('Ctrl-C leaves a preview to Omni, says so, and leaves no file', async () => {
  const world = await openWorld({ schedules: { weekly } }, { now: Date.now, downloadDurationMs: 60_000 });
  const asksForFile = () => world.emulator.requests().some(({ path }) => /\/download\/[^/]+$/.test(path));
  const { code, stdout, stderr } = await world.spawn('preview schedules.weekly', {
    during: (child) => {
      void vi.waitFor(() => expect(asksForFile()).toBe(true), { timeout: 20_000 }).then(() => child.kill('SIGINT'));
    },
  });
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toEqual(says('Interrupted. Omni goes on rendering schedules.weekly, and nobody receives it.'));
  expect(readdirSync(join(world.path, '.almanac/previews'))).toEqual(['.gitignore']);
});

test('a process writes a preview to its standard output, and nothing else', async () => {
  const world = await openWorld({ schedules: { weekly } }, { now: Date.now, downloadDurationMs: 0 });
  const { code, stdout } = await world.spawn('preview schedules.weekly --out -');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^%PDF-1\.4\n.*%%EOF\n$/s);
});

test.each([
  ['> /dev/full', 1, 'The standard output cannot be written'],
  ['| head -c 4', 0, ''],
  ['| wc -c', 0, ''],
])('a preview of ten megabytes goes through %s', async (to, code, words) => {
  const huge = { fault: 'huge', on: 'GET /v1/dashboards/12db1a0a/download' } as const;
  const options = { now: Date.now, downloadDurationMs: 0, faults: [huge] };
  const world = await openWorld({ schedules: { weekly } }, options);
  const line = `"${process.execPath}" "${resolve('dist/cli.cjs')}" preview schedules.weekly --quiet --out - ${to}; exit \${PIPESTATUS[0]}`;
  const child = spawn('bash', ['-c', line], { cwd: world.path, env: { ...process.env, ...world.environment } });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  child.stdout.resume();
  const ended = await new Promise((done) => child.once('close', done));
  expect(ended, stderr).toBe(code);
  expect(stderr).toEqual(says(words));
  expect(stderr).not.toContain('Warning');
});
