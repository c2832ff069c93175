// An AI job from apply to webhook, as processes over real HTTP. The emulator runs the job that an apply started, and the
// listener receives its events and verifies them.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../support/program.ts';
import { makeFolder } from '../support/workspace.ts';

const secret = 'the-signing-secret-of-this-scenario';

/** A process that serves until it is interrupted; `lines` are what it printed after the one that says it is ready. */
async function serve(argv: readonly string[], cwd: string, environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...environment };
  const child: ChildProcess = spawn(process.execPath, [resolve('dist/cli.cjs'), ...argv], { cwd, env });
  const closed = once(child, 'close');
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      printed[stream] += chunk;
    });
  }
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  await expect.poll(() => printed.stdout + printed.stderr, { timeout: 20_000 }).toContain('\n');
  return {
    ready: JSON.parse(printed.stdout.split('\n')[0] ?? '') as Readonly<Record<string, string>>,
    lines: () => printed.stdout.trim().split('\n').slice(1),
    printed,
    interrupt: async () => {
      child.kill('SIGINT');
      const [code] = await closed;
      return code as number | null;
    },
  };
}

it('an AI job is declared, run and waited for, and its webhook events are verified', async () => {
  const folder = makeFolder();
  const emulator = await serve(
    ['emulator', '--port', '0', '--operations', 'full', '--job-duration', '2'],
    folder.path,
    {},
  );
  const listener = await serve(['webhook', 'listen', '--port', '0', '--format', 'json'], folder.path, {
    OMNI_WEBHOOK_SECRET: secret,
  });
  const [service = '', hook = ''] = [emulator.ready['baseUrl'], listener.ready['url']];
  folder.write({
    'almanac.yaml': { api: { baseUrl: service, operations: 'full' } },
    'schedules/jobs.yaml': {
      aiJobs: {
        sales: {
          modelId: '770e8400-e29b-41d4-a716-446655440002',
          prompt: 'How are sales?',
          webhookUrl: hook,
          webhookSigningSecret: '${env.JOB_SECRET}',
          webhookMetadata: { ticket: 'T-1' },
          progressWebhookEnabled: true,
        },
      },
    },
  });
  const environment = {
    OMNI_API_TOKEN: emulator.ready['organizationKey'] ?? '',
    JOB_SECRET: secret,
  };
  const run = (...argv: string[]) => runProgram(argv, { cwd: folder.path, environment });

  const applied = await run('apply', '--auto-approve', '--wait');
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  expect(applied.stdout).toContain('aiJobs.sales is COMPLETE:');
  const { id: jobId } = JSON.parse((await run('ai', 'status', 'aiJobs.sales', '--format', 'json')).stdout);

  await expect.poll(() => listener.lines().length).toBe(4);
  const events = listener.lines().map((line) => JSON.parse(line));
  expect(events.map(({ kind, status }) => [kind, status])).toEqual([
    ['progress', 'EXECUTING'],
    ['progress', 'EXECUTING'],
    ['progress', 'EXECUTING'],
    ['job.complete', 'COMPLETE'],
  ]);
  for (const event of events)
    expect(event).toMatchObject({ verified: true, jobId, event: { metadata: { ticket: 'T-1' } } });

  const inspected = (await (await fetch(service.replace(/api$/, 'inspect'))).json()) as { events: object[] };
  expect(inspected.events).toHaveLength(4);
  expect(await listener.interrupt()).toBe(130);
  expect(await emulator.interrupt()).toBe(130);
  const everything = [applied.stdout, applied.stderr, folder.read('almanac.state.json'), JSON.stringify(inspected)];
  const printed = [emulator, listener].flatMap(({ printed: { stdout, stderr } }) => [stdout, stderr]);
  for (const text of [...everything, ...printed]) expect(text).not.toContain(secret);
});
