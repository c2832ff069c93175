// Runs the pipelines that `almanac init --ci gitlab` writes in a runner that is not ours: gitlab-ci-local, by npx, with its
// shell executor. The package is packed and installed as a user would; git and Omni are doubles on loopback. Not a part of
// npm test, because it downloads a program.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator } from '../src/emulator/emulator.ts';
import { serveGit } from '../test/support/gitlab/git-server.ts';

/** The last version that runs on Node 20. */
const runner = 'gitlab-ci-local@4.61.1';
const token = 'a-token-for-loopback';
const root = mkdtempSync(join(tmpdir(), 'almanac-gitlab-'));
const [work, bare] = [join(root, 'reports'), join(root, 'acme/reports.git')];

/** Not the synchronous form: git pushes to a server in this process. */
async function run(command: string, args: readonly string[], cwd = work): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], { cwd });
  return stdout.trim();
}

const git = (...args: readonly string[]) =>
  run('git', ['-c', 'user.name=Ana', '-c', 'user.email=a@example.com', ...args]);

/** The runner copies with rsync. Where that is missing, tar and cp do what it asks for. */
const rsync = `#!/bin/bash
set -e
for to; do :; done
mkdir -p "$to"
if [[ " $* " == *" ./ "* ]]; then { git ls-files; echo .git; } | tar -cf - -T - | tar -xf - -C "$to"; exit; fi
[[ "$1" == --exclude ]] && shift 2
[[ "$1" == --exclude=* ]] && shift
if [[ "$1" == -Ra ]]; then shift; cp -a --parents "\${@:1:$#-1}" "$to"; else shift; cp -a "$1" "$to"; fi
`;

async function findPath(): Promise<string> {
  const path = process.env['PATH'] ?? '';
  if ((await run('bash', ['-c', 'command -v rsync || true'], root)) !== '') return path;
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/rsync'), rsync, { mode: 0o755 });
  return `${join(root, 'bin')}:${path}`;
}

/** The runner, with its output shown. */
function pipeline(path: string, ...args: readonly string[]): Promise<number | null> {
  const all = ['--yes', runner, '--force-shell-executor', ...args];
  const child = spawn('npx', all, {
    cwd: work,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((done) => child.on('close', done));
}

const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
const { baseUrl, organizationKey } = await emulator.listen();
const tokens = new Set([token]);
const server = createServer((request, response) =>
  serveGit({ root, readers: tokens, writers: tokens }, request, response),
);
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

try {
  mkdirSync(work, { recursive: true });
  mkdirSync(bare, { recursive: true });
  const packed = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', work], resolve('.'));
  const almanac = (...args: readonly string[]) => run(process.execPath, [resolve('dist/cli.cjs'), ...args]);
  await almanac('init', '--yes', '--ci', 'gitlab', '--base-url', baseUrl);
  writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed}`]);
  const variables = {
    CI_DEFAULT_BRANCH: 'main',
    CI_PIPELINE_SOURCE: 'push',
    CI_PROJECT_URL: `http://${address}/acme/reports`,
    OMNI_BASE_URL: baseUrl,
    OMNI_API_TOKEN: organizationKey,
    STATE_PUSH_TOKEN: token,
  };
  writeFileSync(join(work, '.gitlab-ci-local-variables.yml'), JSON.stringify(variables));
  writeFileSync(join(work, '.gitignore'), `${readFileSync(join(work, '.gitignore'), 'utf8')}.gitlab-ci-local*\n`);
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  await run('git', ['config', 'http.receivepack', 'true'], bare);
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', `http://ci:${token}@${address}/acme/reports.git`);
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Reports');
  await git('push', '--quiet', 'origin', 'main');

  const path = await findPath();
  process.exitCode = (await pipeline(path, '--shell-isolation', 'validate', 'plan')) ?? 1;
  // By itself and one job after the other: this runner hands no artifact of a pipeline to its child pipeline, so the jobs
  // share a folder, in which the saved plan is.
  if (process.exitCode === 0)
    process.exitCode = (await pipeline(path, '--file', '.gitlab-ci-apply.yml', '--concurrency', '1')) ?? 1;
  const state = await run('git', ['show', 'almanac-state:almanac.state.json'], bare).catch(() => '{}');
  const tracked = Object.keys(JSON.parse(state).resources ?? {});
  process.stdout.write(`The branch of the state tracks: ${tracked.join(', ') || 'nothing'}\n`);
  if (tracked.length === 0) process.exitCode = 1;
} finally {
  await emulator.close();
  server.close();
  rmSync(root, { recursive: true, force: true });
}
