// Places for shared states on real servers of this machine, a new one for each trial. The runs that come to harm reach a
// server through a port of their own.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startGitServer } from '../state/git-server.ts';
import { isWithoutPostgres, postgresServer } from '../state/postgres-server.ts';
import { documentedSql } from '../state/postgres-stage.ts';
import { startS3Double } from '../state/s3-double.ts';

/** How a machine reaches the place. */
export interface Access {
  /** `state` of almanac.yaml. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** The address of the remote that a machine's clone has. */
  readonly origin?: string;
}

/** Makes the folder of a machine a clone, where the place needs one. */
export function prepareFolder(folder: string, { origin }: Access): void {
  if (origin === undefined) return;
  execFileSync('git', ['init', '--quiet', folder]);
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', origin]);
}

export interface ChaosPlace {
  /** Through the port that `lead` made. */
  readonly access: Access;
  /** As other machines reach it, which no fault strikes. */
  readonly calm: Access;
  end(): Promise<void>;
}

/** A port that leads to the port of a server. */
export type Lead = (target: number) => Promise<number>;

export type OpenPlace = (lead: Lead) => Promise<ChaosPlace>;

export const chaosPlaces: Readonly<Record<string, OpenPlace>> = {
  git: openFolder,
  'git over HTTP': openGitServer,
  S3: openS3,
  ...(isWithoutPostgres() ? {} : { PostgreSQL: openPostgres }),
};

async function openFolder(): Promise<ChaosPlace> {
  const remote = makeRemote();
  const access = { state: { backend: 'git' }, environment: {}, origin: pathToFileURL(remote).href };
  return { access, calm: access, end: async () => rmSync(remote, { recursive: true, force: true }) };
}

async function openGitServer(lead: Lead): Promise<ChaosPlace> {
  const remote = makeRemote('http.receivepack=true');
  const [root, repository] = [join(remote, '..'), remote.slice(join(remote, '..').length + 1)];
  const environment = { PATH: process.env['PATH'] };
  const server = await startGitServer({ root, repository, user: 'ana', password: 'pa55word', environment });
  const port = Number(new URL(server.origin).port);
  const login = Buffer.from('ana:pa55word').toString('base64');
  const to = (at: number): Access => ({
    state: { backend: 'git' },
    // As a job may hand a header to git.
    environment: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.extraheader',
      GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${login}`,
    },
    origin: `http://127.0.0.1:${at}/${repository}`,
  });
  return {
    access: to(await lead(port)),
    calm: to(port),
    end: async () => {
      await server.close();
      rmSync(remote, { recursive: true, force: true });
    },
  };
}

async function openS3(lead: Lead): Promise<ChaosPlace> {
  const double = await startS3Double();
  const port = Number(new URL(double.endpoint).port);
  const to = (at: number): Access => ({
    state: { backend: 's3', bucket: double.bucket, prefix: 'almanac', endpoint: `http://127.0.0.1:${at}` },
    environment: { ...double.keys },
  });
  return { access: to(await lead(port)), calm: to(port), end: () => double.close() };
}

const table = 'chaos';
let prepared: Promise<string> | undefined;

async function openPostgres(lead: Lead): Promise<ChaosPlace> {
  const server = await postgresServer();
  prepared ??= (async () => {
    const role = await server.role();
    await server.admin.unsafe(documentedSql(table, role));
    return role;
  })();
  const role = await prepared;
  const state = { backend: 'postgres', table, name: randomUUID() };
  const to = (port: number): Access => ({ state, environment: { ALMANAC_STATE_URL: server.url(role, port) } });
  return { access: to(await lead(server.port)), calm: to(server.port), end: async () => undefined };
}

/** A bare repository. */
function makeRemote(...settings: readonly string[]): string {
  const remote = mkdtempSync(join(tmpdir(), 'almanac-remote-'));
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  for (const setting of settings) execFileSync('git', ['-C', remote, 'config', ...setting.split('=')]);
  return remote;
}
