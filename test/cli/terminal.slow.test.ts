// What the program does on a terminal: it asks before it applies, uses colour and draws progress. It does none of that
// if its output goes elsewhere.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBare } from '../support/cli/open-stage.ts';
import { hasTerminal, runOnTerminal } from '../support/terminal.ts';

const sgr = '\u001b[';
const question = 'Only yes is accepted: ';

describe.skipIf(!hasTerminal)('on a terminal (needs `script` of util-linux)', () => {
  it('an apply on a terminal shows the plan, asks, and continues after yes', async () => {
    const { path, environment, emulator, state } = await openBare();
    const shown = await runOnTerminal(['apply'], { cwd: path, environment, typed: [[question, 'yes\n']] });
    expect(shown.code, shown.text).toBe(0);
    expect(shown.text).toContain('create  schedules.weekly: ');
    expect(shown.text).toContain('Applied 3 changes.');
    expect(shown.raw).toContain(sgr);
    expect(emulator.requests()).toHaveLength(3);
    expect(state().serial).toBe(1);
  });

  it.each([
    ['no', 'no\n', 1],
    ['only return', '\n', 1],
    ['y', 'y\n', 1],
    ['the end of input', '\u0004', 1],
    ['Ctrl-C', '\u0003', 130],
  ])('an apply on a terminal does nothing after %s and releases the lock', async (_, typed, code) => {
    const { path, environment, emulator } = await openBare();
    const shown = await runOnTerminal(['apply'], { cwd: path, environment, typed: [[question, typed]] });
    expect(shown.code, shown.text).toBe(code);
    expect(shown.text).toContain('nothing was applied');
    expect(emulator.requests()).toEqual([]);
    for (const file of ['almanac.state.json', 'almanac.state.json.lock', 'almanac.state.json.journal'])
      expect(existsSync(join(path, file))).toBe(false);
  });

  it('an apply on a terminal asks nothing with --auto-approve or if there is nothing to do', async () => {
    const { path, environment } = await openBare();
    const first = await runOnTerminal(['apply', '--auto-approve'], { cwd: path, environment });
    expect(first).toMatchObject({ code: 0, text: expect.not.stringContaining(question) });
    expect(await runOnTerminal(['apply'], { cwd: path, environment })).toMatchObject({
      code: 0,
      text: expect.stringContaining('No changes'),
    });
  });

  it('the output fits the width of the terminal, or 80 columns if it has none', async () => {
    const { path } = await openBare();
    for (const [columns, width] of [
      [70, 70],
      [0, 80],
    ] as const) {
      const { text, code } = await runOnTerminal(['plan'], {
        cwd: path,
        columns,
        environment: { OMNI_BASE_URL: 'http://127.0.0.1:9' },
      });
      expect(code).toBe(0);
      const longest = Math.max(...text.split('\n').map((line) => line.length));
      expect(longest).toBeLessThanOrEqual(width);
      expect(longest).toBeGreaterThan(width - 25);
    }
  });
});

describe('on a pipe', () => {
  it('a pipe gets no colour or progress bar unless FORCE_COLOR asks for colour, and NO_COLOR overrides it', async () => {
    const { spawn: run, environment } = await openBare();
    expect((await run('plan')).stdout).not.toContain(sgr);
    const forced = { ...environment, FORCE_COLOR: '1' };
    expect((await run('plan', { environment: forced })).stdout).toContain(sgr);
    expect((await run('plan', { environment: { ...forced, NO_COLOR: '1' } })).stdout).not.toContain(sgr);
    expect((await run('plan --no-color', { environment: forced })).stdout).not.toContain(sgr);
    expect((await run('plan --format json', { environment: forced })).stdout).not.toContain(sgr);
    const applied = await run('apply --auto-approve');
    expect(applied.stderr).not.toContain('\u001b');
    expect(applied.stderr).not.toContain('\r');
  });

  it('-q omits progress and warnings, not results and errors', async () => {
    const { spawn: run } = await openBare();
    const applied = await run('apply --auto-approve -q');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toContain('Applied 3 changes.');
    expect((await run('plan --target x -q')).stderr).toContain('matches nothing');
  });

  it('-v prints more on stderr and nothing more on stdout', async () => {
    const { spawn: run } = await openBare();
    const [usual, more] = [await run('plan'), await run('plan -v')];
    expect(more.stdout).toBe(usual.stdout);
    expect(more.stderr).toContain('1 source file');
  });

  it('a reader that closes the pipe early causes no error', async () => {
    const { path, environment } = await openBare({
      schedules: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`s${index}`, { ...weekly(index) }])),
    });
    const env = { PATH: process.env['PATH'] ?? '', HOME: path, ...environment };
    const command = `set -o pipefail; '${process.execPath}' '${resolve('dist/cli.cjs')}' plan | head -1`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: path, env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('Look at this first\n');
  });
});

function weekly(index: number): object {
  return {
    identifier: '12db1a0a',
    name: `Weekly ${index}`,
    schedule: '0 9 ? * MON *',
    timezone: 'UTC',
    format: 'pdf',
    destinationType: 'webhook',
    url: 'https://hooks.example.com/in',
  };
}
