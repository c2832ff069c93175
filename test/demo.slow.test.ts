// `npm run demo`, run as a reader of the README runs it, and interrupted.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let temporary: string;

beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'demo-test-'));
});

afterEach(() => rm(temporary, { recursive: true, force: true }));

interface Run {
  readonly output: string;
  readonly exitCode: number;
}

/** Sends the signal when the output holds `signalAt`. */
async function runDemo(signalAt?: { readonly text: string; readonly signal: NodeJS.Signals }): Promise<Run> {
  const demo = spawn(process.execPath, ['scripts/run.mjs', 'scripts/demo.ts'], {
    env: { PATH: process.env['PATH'], TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  let signalled = false;
  demo.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (signalAt === undefined || signalled || !output.includes(signalAt.text)) return;
    signalled = true;
    demo.kill(signalAt.signal);
  });
  const [exitCode] = await once(demo, 'close');
  return { output, exitCode };
}

test('the demo shows the whole workflow and leaves nothing behind', async () => {
  const { output, exitCode } = await runDemo();
  expect(exitCode).toBe(0);
  const commands = [...output.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
  expect(commands).toEqual([
    'almanac validate',
    'almanac plan',
    'almanac apply --auto-approve',
    'almanac plan',
    'almanac state list',
    'almanac plan',
  ]);
  expect(output).toContain('$ almanac plan\nNo changes. The declarations match the state.\n');
  expect(output).toContain('operations full');
  const [firstWord, grave] = [/^Look at this first\n(.*)$/m.exec(output)?.[1], output.match(/^ *!! .*/gm)];
  expect(firstWord).toBe('  !! 1 outside host receives something for the first time');
  expect(new Set(grave).size).toBe(1);
  expect(output).not.toContain('orphan');
  expect(output).toContain('update  schedules.weekly-sales: ');
  expect(output).toMatch(/Plan: 1 to update\.\n(?:.+\n)+\nThat is all there is to it\./);
  expect(await readdir(temporary)).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the demo leaves nothing behind after %s', async (signal, expected) => {
  const { exitCode } = await runDemo({ text: '$ almanac apply', signal });
  expect(exitCode).toBe(expected);
  expect(await readdir(temporary)).toEqual([]);
});
