// Neighbours as the clones of jobs know them: whole, shallow, sparse and blobless, with a real git, whose calls are counted.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mail } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const timeout = 300_000;
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
const theirs = mail({ name: 'Theirs' });

/** A remote whose workspaces n1 to nN each have a state in a branch; n1 tracks `theirs`, and the others the same. */
async function openRemote(count: number) {
  const tools = makeFolder().path;
  const log = join(tools, 'calls');
  const environment = { PATH: `${tools}:${process.env['PATH']}`, HOME: makeFolder().path };
  const world = await openWorld({}, { config: null, environment });
  const git = (cwd: string, ...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], {
      ...{ cwd, stdio: 'pipe', encoding: 'utf8' },
      env: { PATH: process.env['PATH'], HOME: environment.HOME, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const remote = join(makeFolder().path, 'remote.git');
  git(tools, 'init', '-q', '--bare', '-b', 'main', remote);
  git(remote, 'config', 'uploadpack.allowFilter', 'true');
  const api = { baseUrl: world.baseUrl, operations: 'full', rateLimit: 0 };
  const names = Array.from({ length: count }, (_, index) => `n${index + 1}`);
  world.write({
    'own/almanac.yaml': { api, state: { backend: 'git', branch: 'own' } },
    'own/schedules/all.yaml': { schedules: { own: mail({ name: 'Own' }) } },
    'n1/schedules/all.yaml': { schedules: { theirs } },
    ...Object.fromEntries(
      names.map((name) => [`${name}/almanac.yaml`, { api, state: { backend: 'git', branch: `state-${name}` } }]),
    ),
  });
  git(world.path, 'init', '-q', '-b', 'main');
  git(world.path, 'remote', 'add', 'origin', `file://${remote}`);
  git(world.path, 'add', '-A');
  git(world.path, 'commit', '-qm', 'Reports');
  git(world.path, 'push', '-q', 'origin', 'main');
  for (const folder of ['own', ...names.slice(0, 1)])
    expect(await world.run('apply', '--auto-approve', '-C', folder)).toMatchObject({ code: 0 });
  for (const name of names.slice(1)) git(remote, 'update-ref', `refs/heads/state-${name}`, 'refs/heads/state-n1');
  const found = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const before = join(tools, 'before');
  writeFileSync(
    join(tools, 'git'),
    `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\ncase " $* " in *" fetch "*state-n*) test -f ${before} && sh ${before} && rm ${before};; esac\nexec ${found} "$@"\n`,
  );
  chmodSync(join(tools, 'git'), 0o755);
  /** What is sent to the remote. */
  const requests = () => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    rmSync(log, { force: true });
    return lines.filter((line) => / (?:ls-remote|fetch|push) /.test(line));
  };
  const clone = (...options: readonly string[]) => {
    const path = join(makeFolder().path, 'clone');
    git(tools, 'clone', '-q', ...options, `file://${remote}`, path);
    return path;
  };
  const run = (path: string, ...argv: readonly string[]) => world.run(...argv, '-C', join(path, 'own'));
  const id = world.emulator.data().schedules.find(({ fields }) => fields['name'] === 'Theirs')?.id ?? '';
  /** Runs once, before git fetches the branches of neighbours. */
  const inFetch = (script: string) => writeFileSync(before, script);
  const wasRun = () => !existsSync(before);
  return { git, remote, clone, run, requests, inFetch, wasRun, id, names };
}

it.each([
  ['whole', []],
  ['shallow', ['--depth', '1']],
  ['sparse', ['--sparse']],
  ['blobless', ['--filter=blob:none']],
  ['treeless and shallow', ['--depth', '1', '--filter=tree:0']],
])('in a %s clone every asker knows what a neighbour tracks', { timeout }, async (name, options) => {
  const { clone, run, git, id } = await openRemote(2);
  const path = clone(...options);
  if (name === 'sparse') git(path, 'sparse-checkout', 'set', 'own');
  expect(existsSync(join(path, 'n1/almanac.yaml'))).toBe(name !== 'sparse');
  const drift = await run(path, 'drift', '--untracked');
  expect([drift.code, drift.stderr, flat(drift.stdout)]).toEqual([
    0,
    '',
    expect.stringContaining('1 is tracked by ../n1.'),
  ]);
  expect(flat((await run(path, 'import')).stdout)).toContain('1 is tracked by ../n1');
  writeFileSync(
    join(path, 'own/schedules/adopt.yaml'),
    JSON.stringify({ adopt: [{ to: 'schedules.theirs', id }], schedules: { theirs } }),
  );
  const apply = await run(path, 'apply', '--auto-approve');
  expect([apply.code, flat(apply.stdout)]).toEqual([1, expect.stringContaining('../n1 tracks it')]);
  rmSync(join(path, 'own/schedules/adopt.yaml'));
  expect(flat((await run(path, 'doctor')).stdout)).toContain('../n1 tracks 1');
  // A file of a neighbour that the clone has is no workspace where the commit does not have it.
  git(path, 'rm', '-rqf', '--cached', '--sparse', 'n1', 'n2');
  git(path, 'commit', '-qm', 'Without neighbours');
  expect(flat((await run(path, 'drift', '--untracked')).stdout)).toContain('Theirs dashboard');
});

it('thirty neighbours in branches of one remote take one fetch, and no request more than one', {
  timeout,
}, async () => {
  const requestsOf = async (count: number) => {
    const { clone, run, requests } = await openRemote(count);
    const path = clone();
    requests();
    const { stdout } = await run(path, 'drift', '--untracked');
    expect(flat(stdout)).toContain('tracked by ../n1');
    const drift = requests();
    await run(path, 'validate');
    const validate = requests();
    await run(path, 'plan');
    return { drift, validate, plan: requests() };
  };
  const [one, thirty] = [await requestsOf(1), await requestsOf(30)];
  const fetches = (lines: readonly string[]) => lines.filter((line) => line.includes(' fetch '));
  expect(thirty.drift.length - one.drift.length).toBeLessThanOrEqual(1);
  expect(fetches(thirty.drift).filter((line) => line.includes('state-n'))).toHaveLength(1);
  // A run that asks nobody who tracks an id reads no neighbour.
  for (const { validate, plan } of [one, thirty]) {
    expect(validate).toEqual([]);
    expect(plan.join('\n')).not.toContain('state-n');
  }
  expect(thirty.plan).toHaveLength(one.plan.length);
});

it('a branch that is gone between the question and the fetch is asked again alone, and tracks nothing', {
  timeout,
}, async () => {
  const { clone, run, inFetch, wasRun, remote, requests } = await openRemote(3);
  const path = clone();
  requests();
  const drift = async () => flat((await run(path, 'drift', '--untracked', '-v')).stdout);
  expect(await drift()).toContain('1 is tracked by ../n1.');
  const ofNeighbours = requests().find((line) => line.includes(' fetch ') && line.includes('state-n2'));
  expect(ofNeighbours).toBeDefined();
  inFetch(`rm ${remote}/refs/heads/state-n2`);
  const { code, stdout, stderr } = await run(path, 'drift', '--untracked');
  expect([code, stderr]).toEqual([0, '']);
  expect(flat(stdout)).toContain('1 is tracked by ../n1.');
  expect(wasRun()).toBe(true);
  expect(requests().filter((line) => line.includes(' fetch ') && line.includes('state-n')).length).toBe(3);
});
