// Signals in the middle of an apply: the request under way is finished, its outcome is written, and the lock is
// released.

import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { runProgram } from '../support/program.ts';
import { expectDocument } from '../support/schemas.ts';
import { type Act, answer as answered, startServer } from '../support/state/scripted-server.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';

/** A service that answers when the test says so. */
async function slowService() {
  const open: ServerResponse[] = [];
  let arrived = () => {};
  const first = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const act: Act = (response) => {
    open.push(response);
    arrived();
  };
  const server = await startServer([act]);
  onTestFinished(() => server.close());
  const answer = () => {
    for (const response of open.splice(0)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' }));
    }
  };
  return { server, first, answer };
}

const names = ['a', 'b', 'c'];
function makeWorkspace(baseUrl: string, api: object = {}) {
  const schedules = Object.fromEntries(names.map((name) => [name, { ...hook, name }]));
  return makeFolder({
    'schedules/all.yaml': { schedules },
    'almanac.yaml': { api: { baseUrl, concurrency: 1, ...api } },
  });
}
const environment = { OMNI_API_TOKEN: 'omni_osk_x' };

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'an apply that gets %s finishes the request under way, writes the state, and exits with %i',
  async (signal, code) => {
    const { server, first, answer } = await slowService();
    const folder = makeWorkspace(server.baseUrl);
    const finished = await runProgram(['apply', '--auto-approve', '--format', 'json'], {
      cwd: folder.path,
      environment,
      during: (child) => {
        void first.then(() => child.kill(signal));
        child.stderr?.on('data', (chunk) => {
          if (String(chunk).includes('Interrupted')) answer();
        });
      },
    });
    expect(finished.code, finished.stderr).toBe(code);
    expect(server.seen).toHaveLength(1);
    expect(expectDocument('apply', finished.stdout)).toMatchObject({
      summary: { applied: 1, failed: 0, skipped: 2, unknown: 0 },
      results: [{ status: 'applied' }, { status: 'skipped', error: { code: 'interrupted' } }, { status: 'skipped' }],
    });
    expect(folder.state().resources).toMatchObject({ 'schedules.a': { id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' } });
    expect(existsSync(join(folder.path, 'almanac.state.json.lock'))).toBe(false);
    expect(existsSync(join(folder.path, 'almanac.state.json.journal'))).toBe(false);
    expect(finished.stderr).not.toContain('skipped');
    const again = await runProgram(['plan', '--format', 'json'], { cwd: folder.path });
    expect(JSON.parse(again.stdout)).toMatchObject({ summary: { create: 2, noop: 1 }, unresolved: [] });
  },
);

it('a second signal ends an apply at once, and the next run takes over the lock and recovers', async () => {
  const { server, first } = await slowService();
  const folder = makeWorkspace(server.baseUrl);
  const finished = await runProgram(['apply', '--auto-approve'], {
    cwd: folder.path,
    environment,
    during: (child) => {
      void first.then(() => child.kill('SIGINT'));
      child.stderr?.on('data', (chunk) => {
        if (String(chunk).includes('Interrupted')) setTimeout(() => child.kill('SIGINT'), 700);
      });
    },
  });
  expect(finished.code, finished.stderr).toBe(130);
  expect(existsSync(join(folder.path, 'almanac.state.json.journal'))).toBe(true);
  const again = await runProgram(['apply', '--auto-approve'], { cwd: folder.path, environment });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Took over the lock') });
  expect(again.stderr).toEqual(says('almanac state resolve schedules.a'));
  expect(server.seen).toHaveLength(1);
});

it.each([
  ['the hang-ups of a terminal and of its shell', 'SIGHUP', 'SIGHUP', 129],
  ['a runner that asks again in another way', 'SIGINT', 'SIGTERM', 130],
  ['a program that sends its signal to the process and to its group', 'SIGTERM', 'SIGTERM', 143],
] as const)('%s end nothing at once', async (_, one, two, code) => {
  const { server, first, answer } = await slowService();
  const folder = makeWorkspace(server.baseUrl);
  const finished = await runProgram(['apply', '--auto-approve'], {
    cwd: folder.path,
    environment,
    during: (child) => {
      void first.then(() => child.kill(one));
      child.stderr?.on('data', (chunk) => {
        if (!String(chunk).includes('Interrupted')) return;
        child.kill(two);
        setTimeout(answer, 300);
      });
    },
  });
  expect(finished, finished.stderr).toMatchObject({
    code,
    stdout: expect.stringContaining('Applied 1 change, 2 skipped.'),
  });
  expect(existsSync(join(folder.path, 'almanac.state.json.journal'))).toBe(false);
});

it('a run that waits for the rate limit ends at once after a signal', async () => {
  const server = await startServer([answered(200, { id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' })]);
  onTestFinished(() => server.close());
  const folder = makeWorkspace(server.baseUrl, { rateLimit: 1 });
  const finished = await runProgram(['apply', '--auto-approve', '--format', 'json'], {
    cwd: folder.path,
    environment,
    during: (child) => {
      child.stderr?.on('data', (chunk) => {
        if (String(chunk).includes('Waiting')) child.kill('SIGINT');
      });
    },
  });
  expect(finished.code, finished.stderr).toBe(130);
  expect(JSON.parse(finished.stdout)).toMatchObject({ summary: { applied: 1, failed: 0, skipped: 2, unknown: 0 } });
});
