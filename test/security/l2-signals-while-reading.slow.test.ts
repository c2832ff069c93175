// A signal ends a run that reads a hostile workspace or waits for a lock, and the second signal needs no patience.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hook, openStage } from '../support/cli/open-stage.ts';
import { runProgram } from '../support/program.ts';
import { makeFolder } from '../support/workspace.ts';

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
const declared = { 'schedules/all.yaml': { schedules: { hook } } };
const heldLock = JSON.stringify({
  who: 'bo',
  host: 'another-machine',
  pid: 4242,
  command: 'apply',
  since: '2026-01-01T00:00:00.000Z',
});

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends a run that waits for the lock, with code %i', async (signal, code) => {
  const stage = await openStage({ ...declared, 'almanac.state.json.lock': heldLock });
  const started = Date.now();
  const ended = await stage.run('apply --auto-approve --lock-timeout 60', {
    during: (child) => {
      child.stderr?.once('data', () => child.kill(signal));
    },
  });
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stderr).toContain('error[interrupted]');
  expect(ended.stderr).not.toContain('error[state-locked]');
  expect(Date.now() - started).toBeLessThan(20_000);
});

/** Sources that take far longer to read than the test waits. */
function largeWorkspace() {
  const folder = makeFolder({ 'almanac.yaml': {} });
  mkdirSync(join(folder.path, 'schedules'));
  const entry = (file: number, index: number) =>
    `  s${file}-${index}: { ${Object.entries(hook)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join(', ')} }\n`;
  for (let file = 0; file < 60; file += 1) {
    const entries = Array.from({ length: 3000 }, (_, index) => entry(file, index));
    writeFileSync(join(folder.path, `schedules/${file}.yaml`), `schedules:\n${entries.join('')}`);
  }
  return folder;
}

it('SIGTERM ends a run while it reads a large workspace', async () => {
  const folder = largeWorkspace();
  let sent = 0;
  const ended = await runProgram(['validate'], {
    cwd: folder.path,
    during: (child) => {
      setTimeout(() => {
        sent = Date.now();
        child.kill('SIGTERM');
      }, 2500);
    },
  });
  expect(ended.code, ended.stderr).toBe(143);
  expect(inOneLine(ended.stderr)).toContain('error[interrupted]: Interrupted while the workspace was read.');
  expect(Date.now() - sent).toBeLessThan(5000);
});
