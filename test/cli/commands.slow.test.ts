// What only a process of the built program shows: an emulator that runs until a signal, and an apply that one interrupts.

import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBare, weekly } from '../support/cli/open-stage.ts';
import { runProgram } from '../support/program.ts';

it('an apply says before it starts how long it takes because of the rate limit', async () => {
  const schedules = Object.fromEntries(
    Array.from({ length: 130 }, (_, index) => [`s${index}`, { ...weekly, name: `Report ${index}` }]),
  );
  const { spawn: run } = await openBare({ schedules });
  const words = '130 requests; the rate limit makes them take about 2 min.';
  const during = (child: ChildProcess) => {
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes(words)) child.kill('SIGINT');
    });
  };
  const finished = await run('apply --auto-approve', { during });
  expect(finished).toMatchObject({ code: 130, stdout: expect.stringContaining(words) });
  expect(finished.stderr).not.toContain('130 requests');
  expect((await run('apply --auto-approve -q --target schedules.s129')).stderr).toBe('');
});

describe('emulator', () => {
  type Printed = Readonly<Record<string, string>>;
  /** Until `during` is done with what it prints, and gets a signal. */
  const serve = (
    cwd: string,
    options: readonly string[],
    during: (printed: Printed) => unknown,
    signal: NodeJS.Signals = 'SIGINT',
  ) =>
    runProgram(['emulator', '--port', '0', ...options], {
      cwd,
      during: (child) => {
        child.stdout?.once('data', async (line) => {
          await during(JSON.parse(String(line)) as Printed);
          child.kill(signal);
        });
      },
    });
  const ask = ({ baseUrl, organizationKey }: Printed, operation: string) =>
    fetch(`${baseUrl}/v1/${operation}`, { headers: { authorization: `Bearer ${organizationKey}` } });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'the emulator prints its address as one line of JSON, and ends after %s with %i',
    async (signal, code) => {
      const { path } = await openBare();
      const answers: unknown[] = [];
      const during = async (printed: Printed) => {
        for (let count = 0; count < 2; count++) {
          const { status, headers } = await ask(printed, 'documents');
          answers.push([status, headers.has('retry-after')]);
        }
      };
      const finished = await serve(path, ['--rate-limit', '1'], during, signal);
      expect(finished).toMatchObject({ code, stderr: '' });
      expect(Object.keys(JSON.parse(finished.stdout) as object)).toEqual([
        'baseUrl',
        'organizationKey',
        'personalToken',
      ]);
      expect(answers).toEqual([
        [200, false],
        [429, true],
      ]);
    },
  );

  it('the emulator serves the full operations and injects faults on request', async () => {
    const { path } = await openBare();
    const answers: number[] = [];
    const during = async (printed: Printed) => {
      for (const operation of ['schedules', 'schedules', 'documents'])
        answers.push((await ask(printed, operation)).status);
    };
    const faults = ['--fault', '503,on=/v1/schedules,at=2', '--fault', '429,on=GET /v1/documents'];
    expect(await serve(path, ['--operations', 'full', ...faults], during)).toMatchObject({ code: 130, stderr: '' });
    expect(answers).toEqual([200, 503, 429]);
  });

  it('the emulator writes the data file before it says that it listens, and leaves one that is there', async () => {
    const { path, read, write } = await openBare();
    const seen: string[] = [];
    const once = () =>
      serve(path, ['--data', 'kept.json'], () => {
        seen.push(existsSync(join(path, 'kept.json')) ? read('kept.json') : '{}');
      });
    expect(await once()).toMatchObject({ code: 130, stderr: '' });
    const edited = JSON.stringify(JSON.parse(seen[0] ?? ''));
    write({ 'kept.json': edited });
    await once();
    expect(seen[1]).toBe(edited);
  });
});
