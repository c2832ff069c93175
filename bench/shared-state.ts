// What a shared state costs where it matters: an apply of 200 changes under the service's limit of 60 requests a minute,
// once for each place of the state. All wait most of the time, so they run side by side.

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEmulator, type EmulatorOptions } from '../src/emulator/emulator.ts';
import { postgresFolder, postgresServer } from '../test/support/adapters/postgres-server.ts';
import { startS3Double } from '../test/support/adapters/s3-double.ts';
import { type Program, runOnce } from './measure.ts';
import { writeWorkspace } from './workspace.ts';

const changes = 200;
/** What a connection to a host takes, besides what the programs of this machine take. */
const networkMs = 1000;
interface Place {
  readonly state: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** How often it was written. */
  writes(): Promise<number>;
  end(): Promise<void>;
}

type Kind = 'creates' | 'updates';

const places: Readonly<Record<string, (folder: string) => Promise<Place>>> = {
  'a local file': async () => ({ state: {}, environment: {}, writes: async () => 0, end: async () => undefined }),
  'git, a file as its remote': async (folder) => {
    const remote = await bareRepository(folder);
    return gitPlace(remote, pathToFileURL(remote).href, {});
  },
  'git, as at gitlab.com': (folder) => atHost(folder, 'gitlab.com'),
  'git, as at github.com': (folder) => atHost(folder, 'github.com'),
  S3: async () => {
    const double = await startS3Double();
    const { bucket, endpoint, keys } = double;
    return {
      state: { backend: 's3', bucket, endpoint, prefix: 'almanac', region: 'eu-central-1', pathStyle: true },
      environment: { ...keys },
      writes: async () => double.objects.size,
      end: () => double.close(),
    };
  },
  ...(postgresFolder === undefined ? {} : { PostgreSQL: inPostgres }),
};

interface Measured {
  readonly seconds: number;
  readonly writes: number;
}

/** Of each place: its name, and for creates and updates the seconds, their ratio to a local file, and the writes. */
export async function measureSharedStates(cli: string, folder: string): Promise<readonly (readonly string[])[]> {
  const measured = await Promise.all(
    Object.entries(places).map(async ([name, open], index) => {
      const measureKind = (kind: Kind) => measureOne(cli, join(folder, `${kind}-${index}`), kind, open);
      return { name, kinds: await Promise.all((['creates', 'updates'] as const).map(measureKind)) };
    }),
  );
  const [local] = measured;
  return measured.map(({ name, kinds }) => [
    name,
    ...kinds.flatMap(({ seconds, writes }, index) => [
      seconds.toFixed(1),
      (seconds / (local?.kinds[index]?.seconds ?? seconds)).toFixed(2),
      String(writes),
    ]),
  ]);
}

async function measureOne(
  cli: string,
  folder: string,
  kind: Kind,
  open: (folder: string) => Promise<Place>,
): Promise<Measured> {
  const workspace = join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  const place = await open(folder);
  const options: EmulatorOptions = { operations: 'full' };
  let emulator = createEmulator({ ...options, ...(kind === 'updates' ? { rateLimit: 0 } : {}) });
  const { baseUrl, organizationKey } = await emulator.listen();
  const configure = (rateLimit: number) =>
    writeFile(
      join(workspace, 'almanac.yaml'),
      `api:\n  baseUrl: ${baseUrl}\n  operations: full\n  rateLimit: ${rateLimit}\nstate: ${JSON.stringify(place.state)}\n`,
    );
  const apply: Program = {
    args: [cli, 'apply', '--auto-approve'],
    cwd: workspace,
    env: { OMNI_API_TOKEN: organizationKey, ...place.environment },
    mustPrint: `Applied ${changes} changes.`,
  };
  await writeWorkspace(workspace, changes, baseUrl);
  if (place.state['backend'] !== undefined) {
    await configure(60);
    await runOnce({ ...apply, args: [cli, 'state', 'init'], mustPrint: '' });
  }
  if (kind === 'updates') {
    await configure(0);
    await runOnce(apply);
    const data = emulator.data();
    await emulator.close();
    emulator = createEmulator({ ...options, data });
    await emulator.listen(Number(new URL(baseUrl).port));
    await renameAll(workspace);
  }
  await configure(60);
  const before = await place.writes();
  const { milliseconds } = await runOnce(apply);
  const writes = (await place.writes()) - before;
  await emulator.close();
  await place.end();
  return { seconds: milliseconds / 1000, writes };
}

async function renameAll(workspace: string): Promise<void> {
  for (let file = 0; file < changes / 10; file += 1) {
    const path = join(workspace, 'schedules', `team-${String(file).padStart(4, '0')}.yaml`);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('name: Region', 'name: Regional'));
  }
}

/** With a first commit on main: a host would make the first branch of an empty one its default branch. */
async function bareRepository(folder: string): Promise<string> {
  const remote = join(folder, 'acme', 'team.git');
  await mkdir(remote, { recursive: true });
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { cwd: remote, input, encoding: 'utf8' }).trim();
  git(['init', '--quiet', '--bare', '--initial-branch=main']);
  const author = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com'];
  const commit = git([...author, 'commit-tree', git(['mktree']), '-m', 'Begin']);
  git(['update-ref', 'refs/heads/main', commit]);
  git(['config', 'receive.advertisePushOptions', 'true']);
  return remote;
}

function gitPlace(remote: string, url: string, environment: Readonly<Record<string, string>>): Place {
  const count = ['rev-list', '--count', '--all'];
  return {
    state: { backend: 'git', remote: url },
    environment,
    writes: async () => Number(execFileSync('git', count, { cwd: remote, encoding: 'utf8' })),
    end: async () => undefined,
  };
}

/** With an ssh that leads to this machine: the host in the address is what decides how often Almanac pushes. */
async function atHost(folder: string, host: string): Promise<Place> {
  const remote = await bareRepository(folder);
  const ssh = join(folder, 'ssh.sh');
  const command = `printf %s "$2" | sed "s#^git-#git #; s# '/# '${folder}/#"`;
  await writeFile(ssh, `#!/bin/sh\nsleep ${networkMs / 1000}\neval "$(${command})"\n`, { mode: 0o755 });
  return gitPlace(remote, `ssh://git@${host}/acme/team.git`, { GIT_SSH: ssh, GIT_SSH_VARIANT: 'simple' });
}

async function inPostgres(folder: string): Promise<Place> {
  const server = await postgresServer();
  const role = await server.role();
  const table = `state_${folder.replace(/\W/g, '_').slice(-20).toLowerCase()}`;
  return {
    state: { backend: 'postgres', table },
    environment: { ALMANAC_STATE_URL: server.url(role) },
    writes: async () => {
      const [found] = await server.admin`select to_regclass(${table}) is not null as found`;
      if (found?.['found'] !== true) return 0;
      const [row] = await server.admin.unsafe(`select count(*) from ${table}`);
      return Number(row?.['count']);
    },
    end: async () => undefined,
  };
}
