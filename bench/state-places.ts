// The places that a state can be in, each played by this machine, for `npm run bench -- shared-state`.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { postgresFolder, postgresServer } from '../test/support/adapters/postgres-server.ts';
import { startS3Double } from '../test/support/adapters/s3-double.ts';

/** What a connection to a host takes, besides what the programs of this machine take. */
const networkMs = 1000;

export interface Place {
  readonly state: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** How often it was written. */
  writes(): Promise<number>;
  end(): Promise<void>;
}

export const localFile = 'a local file';

export const places: Readonly<Record<string, (folder: string) => Promise<Place>>> = {
  [localFile]: async () => ({ state: {}, environment: {}, writes: async () => 0, end: async () => undefined }),
  'git, a folder': async (folder) => {
    const remote = await bareRepository(folder);
    return gitPlace(remote, pathToFileURL(remote).href, {});
  },
  'git, as at gitlab.com': (folder) => atHost(folder, 'gitlab.com'),
  'git, as at github.com': (folder) => atHost(folder, 'github.com'),
  'S3 (a double)': async () => {
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
