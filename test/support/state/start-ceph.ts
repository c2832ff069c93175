// A real server for S3: Ceph's gateway with one monitor and one store in memory, from the packages of Debian or Ubuntu,
// which are unpacked and not installed. The packages (69 MB) are kept in the temporary folder for the next time.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Ceph {
  readonly endpoint: string;
  readonly keys: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
  close(): Promise<void>;
}

const run = promisify(execFile);
const packages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'];
const seconds = 90;

/** A text says why there is none. */
export async function startCeph(): Promise<Ceph | string> {
  if (process.platform !== 'linux') return 'Ceph runs only on Linux.';
  try {
    return await start(await unpacked());
  } catch (error) {
    return `Ceph does not start: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The folder of the programs, and of what they load. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), 'almanac-ceph');
  const whole = join(folder, 'root');
  if (existsSync(whole)) return whole;
  const [archives, building] = [join(folder, 'archives'), join(folder, `building-${process.pid}`)];
  await mkdir(join(archives, 'partial'), { recursive: true });
  await mkdir(building);
  const options = [`Dir::Cache::archives=${archives}`, 'Debug::NoLocking=1'].flatMap((option) => ['-o', option]);
  const install = ['--yes', '--download-only', '--no-install-recommends', 'install', ...packages];
  await run('apt-get', [...options, ...install], { maxBuffer: 10_000_000 });
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, name), building]);
  }
  await rename(building, whole);
  return whole;
}

async function start(root: string): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-ceph-data-'));
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    for (const child of children.reverse()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await startIn(root, folder, children)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startIn(root: string, folder: string, children: ChildProcess[]): Promise<Omit<Ceph, 'close'>> {
  const libraries = await foldersOf(root);
  const env = {
    PATH: `${join(root, 'usr/bin')}:${process.env['PATH']}`,
    LD_LIBRARY_PATH: libraries.join(':'),
    HOME: folder,
  };
  const [monitorPort, port] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  const file = (name: string) => join(folder, name);
  for (const name of ['mon', 'osd', 'run', 'rgw']) await mkdir(file(name));
  await writeFile(file('ceph.conf'), configuration(folder, libraries[0] ?? '', fsid, monitorPort, port));

  const tool = (program: string, ...words: string[]) =>
    run(join(root, 'usr/bin', program), [...words, '-c', file('ceph.conf')], { env, timeout: seconds * 1000 });
  const daemon = (program: string, ...words: string[]): void => {
    const child = spawn(join(root, 'usr/bin', program), ['-f', ...words, '-c', file('ceph.conf')], {
      env,
      cwd: folder,
      stdio: 'ignore',
    });
    child.on('error', () => undefined);
    children.push(child);
  };
  const key = (name: string, ...areas: string[]) =>
    tool(
      'ceph-authtool',
      file('keyring'),
      ...(existsSync(file('keyring')) ? [] : ['--create-keyring']),
      ...['--gen-key', '-n', name, ...areas.flatMap((area) => ['--cap', area, 'allow *'])],
    );

  await key('mon.', 'mon');
  await key('client.admin', 'mon', 'osd', 'mgr');
  await key('osd.0', 'mon', 'osd');
  await tool('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', fsid, file('monmap'));
  await tool('osdmaptool', '--createsimple', '1', file('osdmap'));
  const maps = ['--monmap', file('monmap'), '--osdmap', file('osdmap'), '--keyring', file('keyring')];
  await tool('ceph-mon', '--mkfs', '-i', 'a', ...maps);
  daemon('ceph-mon', '-i', 'a');
  await tool('ceph-osd', '--mkfs', '-i', '0', '--no-mon-config');
  daemon('ceph-osd', '-i', '0', '--no-mon-config');
  const keys = { AWS_ACCESS_KEY_ID: 'ALMANAC', AWS_SECRET_ACCESS_KEY: randomUUID() };
  const given = ['--access-key', keys.AWS_ACCESS_KEY_ID, '--secret', keys.AWS_SECRET_ACCESS_KEY];
  await tool('radosgw-admin', 'user', 'create', '--uid', 'almanac', '--display-name', 'almanac', ...given);
  daemon('radosgw', '-n', 'client.admin', '--keyring', file('keyring'));
  const endpoint = `http://127.0.0.1:${port}`;
  await answering(endpoint, children);
  return { endpoint, keys };
}

async function answering(endpoint: string, children: readonly ChildProcess[]): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer?.status === 200) return;
    const gone = children.find(({ exitCode }) => exitCode !== null);
    if (gone !== undefined) throw new Error(`${gone.spawnfile} ended with exit code ${gone.exitCode}`);
    if (performance.now() > end) throw new Error(`the gateway did not answer within ${seconds} s`);
    await sleep(250);
  }
}

/** Where the libraries are, those of the architecture first. */
async function foldersOf(root: string): Promise<readonly string[]> {
  const inside = await readdir(join(root, 'usr/lib'));
  const triplet = inside.find((name) => name.endsWith('-linux-gnu')) ?? '';
  const own = join(root, 'usr/lib', triplet);
  return [own, join(root, 'lib', triplet), join(root, 'usr/lib'), join(own, 'ceph')];
}

function configuration(folder: string, libraries: string, fsid: string, monitorPort: number, port: number): string {
  const settings = {
    fsid,
    'mon host': `[v2:127.0.0.1:${monitorPort}]`,
    keyring: `${folder}/keyring`,
    'log file': `${folder}/$name.log`,
    'mon cluster log file': `${folder}/cluster.log`,
    'run dir': `${folder}/run`,
    'admin socket': '',
    'pid file': '',
    'plugin dir': `${libraries}/ceph`,
    'erasure code dir': `${libraries}/ceph/erasure-code`,
    'osd class dir': `${libraries}/rados-classes`,
    'mon data': `${folder}/mon`,
    'osd data': `${folder}/osd`,
    'osd objectstore': 'memstore',
    'memstore device bytes': '4294967296',
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 4,
    'osd pool default pgp num': 4,
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': 0,
    'mon allow pool size one': true,
    'mon max pg per osd': 10_000,
    // It tells how full the disk of this machine is, of which nothing is used.
    'mon data avail crit': 0,
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'rgw data': `${folder}/rgw`,
    'rgw frontends': `beast endpoint=127.0.0.1:${port}`,
    'rgw dynamic resharding': false,
    'debug rgw': 0,
    'debug osd': 0,
    'debug mon': 0,
    'debug rocksdb': 0,
  };
  return `[global]\n${Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
