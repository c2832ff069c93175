// `almanac preview` as a process: Ctrl-C while Omni renders, and a file on the standard output.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
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
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'Interrupted. Omni goes on rendering schedules.weekly, and nobody receives it.',
  );
  expect(readdirSync(join(world.path, '.almanac/previews'))).toEqual(['.gitignore']);
});

test('a process writes a preview to its standard output, and nothing else', async () => {
  const world = await openWorld({ schedules: { weekly } }, { now: Date.now, downloadDurationMs: 0 });
  const { code, stdout } = await world.spawn('preview schedules.weekly --out -');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^%PDF-1\.4\n.*%%EOF\n$/s);
});
