import { fork, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realFileSystem } from '../../src/files/file-system.ts';
import type { Host } from '../../src/state/file/file-lock.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { failureOf } from '../support/failure-of.ts';

let folder: string;
let path: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-lock-'));
  path = join(folder, 'almanac.state.json');
  lock = `${path}.lock`;
});
afterEach(() => rm(folder, { recursive: true }));

const quiet: Partial<Host> = { environment: {}, user: () => 'ana', name: 'laptop', pid: 100, now: () => 1767225600000 };
const noProc: Partial<Host> = { ...quiet, startOf: async () => undefined, pidSpace: async () => undefined };
const open = (host: Partial<Host> = quiet) => openFileState({ path, name: 'almanac.state.json', host });
const record = (more: object = {}) =>
  JSON.stringify({
    who: 'bo',
    host: 'laptop',
    pid: 4242,
    command: 'almanac apply',
    since: '2026-01-01T00:00:00.000Z',
    ...more,
  });

describe('the lock', () => {
  it('a lock says who holds it and how to unlock it', async () => {
    const held = await open(noProc).lock('almanac apply');
    expect(JSON.parse(await readFile(lock, 'utf8'))).toEqual({
      id: expect.any(String),
      who: 'ana',
      host: 'laptop',
      pid: 100,
      command: 'almanac apply',
      since: '2026-01-01T00:00:00.000Z',
    });
    expect(await failureOf(open({ ...noProc, isAlive: () => true }).lock('almanac state rm'))).toMatchObject({
      code: 'state-locked',
      message:
        'almanac.state.json is locked by ana on laptop (process 100, `almanac apply`) since 2026-01-01T00:00:00.000Z.',
      hint: expect.stringContaining('`almanac state unlock`'),
    });
    expect(held.notes).toEqual([]);
    await held.release();
    await held.release();
    expect(await readdir(folder)).toEqual([]);
  });

  const github = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/bi', GITHUB_RUN_ID: '9' };
  const gitlab = 'https://gitlab.com/acme/bi/-/jobs/9';
  it.each([
    [{ ...github, GITHUB_ACTOR: 'cy' }, 'https://github.com/acme/bi/actions/runs/9'],
    [
      { ...github, GITHUB_RUN_ATTEMPT: '2', GITHUB_ACTOR: 'cy' },
      'https://github.com/acme/bi/actions/runs/9/attempts/2',
    ],
    [{ CI_JOB_URL: gitlab, GITLAB_USER_LOGIN: 'cy' }, gitlab],
  ])('a lock names the CI run that holds it', async (environment, url) => {
    await open({ ...noProc, environment }).lock('almanac apply');
    const other = open({ ...noProc, isAlive: () => true });
    await expect(other.lock('almanac apply')).rejects.toThrow(new RegExp(`by cy on .* Its run: ${url}$`));
    expect(await other.unlock()).toMatchObject({ holder: { who: 'cy', runUrl: url } });
  });

  it('a lock of a dead process on this host is taken over with a note', async () => {
    await writeFile(lock, record());
    const locked = await open({ ...noProc, isAlive: () => false }).lock('almanac apply');
    expect(locked.notes).toEqual([
      'Took over the lock of almanac.state.json: `almanac apply` of bo on laptop held it since 2026-01-01T00:00:00.000Z, and its process 4242 on this host is no longer running.',
    ]);
    expect(await readdir(folder)).toEqual(['almanac.state.json.lock']);
    await locked.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock that is released between two looks at it is taken', async () => {
    await writeFile(lock, record());
    const open = async (file: string, flags: 'r' | 'wx') => {
      try {
        return await realFileSystem.open(file, flags);
      } catch (error) {
        await rm(lock, { force: true });
        throw error;
      }
    };
    const host = { ...noProc, isAlive: () => true, fs: { ...realFileSystem, open } };
    const locked = await openFileState({ path, name: 'almanac.state.json', host }).lock('almanac apply');
    expect(locked.notes).toEqual([]);
    await locked.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('a lock of a dead process that nobody reaped is taken over', async () => {
    // The shell turns into a program that never waits for its child.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
      await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8'), { timeout: 5000 }).toContain(') Z ');
      await writeFile(lock, record({ host: hostname(), pid, pidSpace: await realSpace() }));
      const locked = await openFileState({ path }).lock('almanac apply');
      expect(locked.notes).toHaveLength(1);
      await locked.release();
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('a lock names its holder even if a later version wrote more fields', async () => {
    await writeFile(lock, record({ host: 'server', tenant: { name: 'acme' } }));
    expect(await open().lockHolder()).toMatchObject({ holder: { who: 'bo', host: 'server', pid: 4242 } });
  });

  it('the holder of a lock says whether its process has certainly ended', async () => {
    await writeFile(lock, record({ host: 'server' }));
    expect(await open({ ...noProc, isAlive: () => false }).lockHolder()).toMatchObject({ isDead: false });
    await writeFile(lock, record({}));
    expect(await open({ ...noProc, isAlive: () => false }).lockHolder()).toMatchObject({ isDead: true });
  });

  it('a lock is taken over if another process has the id of its dead holder', async () => {
    await writeFile(lock, record({ started: '111' }));
    const host = { ...noProc, isAlive: () => true };
    await expect(open({ ...host, startOf: async () => '111' }).lock('almanac apply')).rejects.toThrow(
      'is locked by bo',
    );
    expect((await open({ ...host, startOf: async () => '222' }).lock('almanac apply')).notes).toHaveLength(1);
  });

  it.each([
    ['another host', record({ host: 'server' })],
    ['a container of the same name', record({ pidSpace: 'pid:[1]' })],
    ['nobody it can name', ''],
    ['something else', '[1]'],
    ['a process that it does not name', record({ pid: 'none' })],
  ])('a lock is not taken over if it is held by %s', async (_, text) => {
    await writeFile(lock, text);
    const store = open({ ...noProc, isAlive: () => false });
    await expect(store.lock('almanac apply')).rejects.toMatchObject({ code: 'state-locked' });
    expect(await readFile(lock, 'utf8')).toBe(text);
  });

  it('a lock is released only by its holder', async () => {
    const first = await open().lock('almanac apply');
    await open().unlock();
    const second = await open().lock('almanac apply');
    await first.release();
    expect(await readdir(folder)).toEqual(['almanac.state.json.lock']);
    await second.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('unlock removes a lock, whoever holds it', async () => {
    expect(await open().unlock()).toBeUndefined();
    await writeFile(lock, record({ host: 'server' }));
    await writeFile(`${lock}.takeover`, record({ host: 'server' }));
    expect(await open().unlock()).toMatchObject({ holder: { who: 'bo', host: 'server', pid: 4242 } });
    await writeFile(lock, '');
    expect(await open().unlock()).toEqual({});
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock that cannot be created gives the reason and leaves no file', async () => {
    const fs = {
      ...realFileSystem,
      open: async () => {
        throw Object.assign(new Error(), { code: 'EROFS' });
      },
    };
    await expect(open({ ...quiet, fs }).lock('almanac apply')).rejects.toMatchObject({
      code: 'state-unwritable',
      message: expect.stringContaining('cannot be created: the file system is read-only (EROFS).'),
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a race', () => {
  it.each(['no lock', 'a stale lock', 'a stale take-over'])('a race for %s has one winner', async (start) => {
    const host = { ...noProc, isAlive: (pid: number) => pid === 100 };
    for (let round = 0; round < 30; round += 1) {
      if (start !== 'no lock') await writeFile(lock, record());
      if (start === 'a stale take-over') await writeFile(`${lock}.takeover`, record());
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => open(host).lock('almanac apply')));
      const winners = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
      for (const attempt of attempts) {
        if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'state-locked' });
      }
      // Each may lose while another takes over; two may never win.
      expect(winners.length).toBe(1);
      await winners[0]?.release();
      await unlink(`${lock}.takeover`).catch(() => undefined);
    }
  });

  it('a race of processes for a stale lock has one winner', async () => {
    const script = join(folder, 'racer.mjs');
    await build({
      stdin: {
        contents: `
          import { openFileState } from './src/state/file/file-state.ts';
          process.on('message', async () => {
            const store = openFileState({ path: ${JSON.stringify(path)} });
            const won = await store.lock('almanac apply').then(() => true, (error) => error.code);
            process.send(won);
          });
          process.send('ready');`,
        resolveDir: process.cwd(),
      },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const racers = Array.from({ length: 6 }, () => fork(script));
    const next = (racer: (typeof racers)[number]) =>
      new Promise<unknown>((resolve, reject) => racer.once('message', resolve).once('error', reject));
    try {
      await Promise.all(racers.map(next));
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      await writeFile(lock, record({ host: hostname(), pid, pidSpace: await realSpace() }));
      const answers = racers.map(next);
      for (const racer of racers) racer.send('go');
      const outcomes = await Promise.all(answers);
      expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'state-locked')).toHaveLength(racers.length - 1);
    } finally {
      for (const racer of racers) racer.kill();
    }
  });
});

async function realSpace(): Promise<string | undefined> {
  const { thisHost } = await import('../../src/state/file/file-lock.ts');
  return thisHost.pidSpace();
}
