// `almanac doctor` as a process, and in a git repository.

import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import type { DoctorDocument } from '../../src/commands/doctor/doctor-document.ts';
import { openBare } from '../support/cli/open-stage.ts';
import { runProgram } from '../support/program.ts';
import { hang, startServer } from '../support/state/scripted-server.ts';
import { says } from '../support/vocabulary.ts';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a doctor that gets %s while it waits for an answer exits with %i at once', async (signal, code) => {
  let arrived = () => {};
  const first = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await startServer([
    (response, request) => {
      arrived();
      hang(response, request);
    },
  ]);
  onTestFinished(() => server.close());
  const { path, environment } = await openBare();
  environment['OMNI_BASE_URL'] = server.baseUrl;
  const finished = await runProgram(['doctor'], {
    cwd: path,
    environment,
    during: (child) => void first.then(() => child.kill(signal)),
  });
  expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringContaining('Interrupted') });
  expect(server.seen).toHaveLength(1);
});

it('doctor asks nobody who may write the branch of the state, and names the page about it', async () => {
  const { run } = await openBare({ 'almanac.yaml': { state: { backend: 'git' } } });
  expect((await run('doctor')).stdout).toEqual(
    says(
      'Nobody was asked who may write the branch almanac-state. The documentation (state-backends) shows how to let only a deploy key write it.',
    ),
  );
});

it('a state in git is fine, and a journal or a lock fails where an apply would refuse it', async () => {
  const { run, write, path } = await openBare();
  const doctor = async () => {
    const { checks } = JSON.parse((await run('doctor --format json')).stdout) as DoctorDocument;
    return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));
  };
  const git = (...argv: readonly string[]) => execFileSync('git', argv, { cwd: path, stdio: 'pipe' });
  await run('apply --auto-approve');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  expect((await doctor())['git']).toEqual({
    status: 'ok',
    message: 'On branch main. git has almanac.state.json as it is here.',
  });
  write({ 'almanac.state.json.lock': '{}' });
  git('add', '-A');
  expect(await doctor()).toMatchObject({
    state: { status: 'skipped' },
    lock: { status: 'failed', hint: expect.stringContaining('git rm -f almanac.state.json.lock') },
    git: { status: 'failed' },
  });
  git('rm', '-q', '-f', 'almanac.state.json.lock');
  write({ 'almanac.state.json.journal': '{}\n' });
  git('add', '-A');
  expect(await doctor()).toMatchObject({
    state: { status: 'failed' },
    lock: { status: 'ok' },
    git: { status: 'failed', message: expect.stringContaining('git tracks almanac.state.json.journal.') },
  });
});
