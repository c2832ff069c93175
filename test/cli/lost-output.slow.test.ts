// A log or a result that cannot be written: the run ends its work, and says with its exit code that something is missing.

import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import { hasTerminal } from '../support/terminal.ts';
import { hook } from '../support/vocabulary.ts';
import { openWorld, type WorldOptions } from '../support/world.ts';

const program = resolve('dist/cli.cjs');
const schedules = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, hook({ name })]));
const open = (options: WorldOptions = {}) =>
  openWorld({ schedules }, { now: Date.now, api: { concurrency: 1 }, ...options });

/** With a full disk in place of a stream; what the other one got. */
function runFull(argv: readonly string[], full: 'stdout' | 'stderr', cwd: string, environment: object = {}) {
  const device = openSync('/dev/full', 'w');
  const stdio = ['ignore', full === 'stdout' ? device : 'pipe', full === 'stderr' ? device : 'pipe'] as const;
  const child = spawn(process.execPath, [program, ...argv], {
    cwd,
    env: { HOME: cwd, ...environment },
    stdio: [...stdio],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  return new Promise<{ readonly code: number | null; readonly text: string }>((done) =>
    child.on('close', (code) => done({ code, text })),
  );
}

it.each([
  ['stdout', []],
  ['stderr', []],
  ['stdout', ['--format', 'json']],
  ['stderr', ['--format', 'json']],
] as const)(
  'an apply whose %s is on a full disk (%j) does all of its work, and exits with 1',
  async (full, options) => {
    const world = await open();
    const { code, text } = await runFull(['apply', '--auto-approve', ...options], full, world.path, world.environment);
    expect(code, text).toBe(1);
    expect(text).not.toMatch(/^ +at .*:\d+:\d+/m);
    expect(Object.keys(world.state().resources)).toHaveLength(4);
    for (const left of ['lock', 'journal'])
      expect(existsSync(join(world.path, `almanac.state.json.${left}`))).toBe(false);
    expect((await world.plan()).changes).toEqual([]);
  },
);

it.each([['plan'], ['plan', '--format', 'json'], ['validate'], ['--version'], ['schema'], ['--help']])(
  'a result of %s %s that cannot be written is an error, named in one line',
  async (...argv) => {
    const world = await open();
    const { code, text } = await runFull(argv.filter(Boolean), 'stdout', world.path, world.environment);
    expect(code, text).toBe(1);
    expect(text).toMatch(/^error: stdout cannot be written \(ENOSPC\), so the output is not complete\.$/m);
    expect(text).not.toMatch(/^ +at .*:\d+:\d+/m);
  },
);

const onTerminal = it.skipIf(!hasTerminal);
onTerminal.each([
  ['is hung up finishes what has started', '', 129, 1],
  ['is gone without a word goes on to its end', 'setsid -w ', 1, 4],
])('an apply whose terminal %s', async (_, before, code, applied) => {
  const faults = [{ fault: 'latency', on: 'POST /v1/schedules', ms: 1500 }] as const;
  const world = await open({ faults });
  const command = `${before}sh -c "trap '' HUP; '${process.execPath}' '${program}' apply --auto-approve; echo \\$? > code"; true`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: world.path,
    env: { ...world.environment, PATH: process.env['PATH'] ?? '', HOME: world.path, SHELL: '/bin/sh', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const journal = join(world.path, 'almanac.state.json.journal');
  await vi.waitFor(() => expect(readFileSync(journal, 'utf8')).toContain('"intent"'), { timeout: 10_000 });
  child.kill('SIGKILL');
  const path = join(world.path, 'code');
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(`${code}\n`), { timeout: 20_000 });
  expect(Object.keys(world.state().resources)).toHaveLength(applied);
  expect(world.state().unresolved).toEqual([]);
  for (const left of ['lock', 'journal'])
    expect(existsSync(join(world.path, `almanac.state.json.${left}`))).toBe(false);
});

onTerminal('an apply whose terminal is gone while it asks applies nothing and releases the lock', async () => {
  const { emulator, ...world } = await open();
  const command = `setsid -w sh -c "'${process.execPath}' '${program}' apply; echo \\$? > code"`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: world.path,
    env: { ...world.environment, PATH: process.env['PATH'] ?? '', HOME: world.path, SHELL: '/bin/sh', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  await vi.waitFor(() => expect(shown).toContain('Only yes is accepted'), { timeout: 10_000 });
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(readFileSync(join(world.path, 'code'), 'utf8')).toBe('1\n'), { timeout: 10_000 });
  expect(emulator.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(existsSync(join(world.path, 'almanac.state.json.lock'))).toBe(false);
});
