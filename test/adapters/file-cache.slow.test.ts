// The cache in the user's cache folder: private, bounded, and empty where it cannot be used.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from '../../src/adapters/files/cache-folder.ts';
import { type FileCacheOptions, openFileCache } from '../../src/adapters/files/file-cache.ts';
import { makeFolder } from '../support/workspace.ts';

/** A cache folder, and a workspace elsewhere. */
function opened(options: Partial<FileCacheOptions> = {}) {
  const { path } = makeFolder();
  const open = (more: Partial<FileCacheOptions> = {}) =>
    openFileCache({ folder: cacheFolder({ XDG_CACHE_HOME: path }), root: makeFolder().path, ...options, ...more });
  const folder = join(path, 'almanac');
  return { path, folder, file: join(folder, 'one.json'), cache: open(), open };
}

/** Files of 1,000 bytes, the first the oldest. */
async function filled({ cache, folder }: ReturnType<typeof opened>, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await cache.write(`entry-${index}`, 'x'.repeat(1000));
    utimesSync(join(folder, `entry-${index}.json`), index, index);
  }
}

describe('who may read and write it', () => {
  it('what is kept can be read by nobody but its user', async () => {
    const { cache, folder, file } = opened();
    await cache.write('one', 'text');
    expect(await cache.read('one')).toBe('text');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('a cache folder that others may write into is not read, and becomes private with the next entry', async () => {
    const { cache, folder } = opened();
    await cache.write('one', 'text');
    chmodSync(folder, 0o777);
    expect(await cache.read('one')).toBeUndefined();
    await cache.write('two', 'text');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await cache.read('two')).toBe('text');
  });

  it('an entry that others may write is not read', async () => {
    const { cache, file } = opened();
    await cache.write('one', 'text');
    chmodSync(file, 0o622);
    expect(await cache.read('one')).toBeUndefined();
  });

  it('nothing of another user is read, and nothing is put into the folder of one', async () => {
    const { cache, open, folder } = opened();
    await cache.write('one', 'text');
    const other = open({ user: statSync(folder).uid + 1 });
    expect(await other.read('one')).toBeUndefined();
    await other.write('two', 'text');
    expect(readdirSync(folder)).toEqual(['one.json']);
  });

  it('a run with the rights of another user makes no cache in the home of its caller', async () => {
    const { path, folder, open } = opened();
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(path, 4711, 4711);
    await open({ user: isRoot ? 0 : 4711 }).write('one', 'text');
    expect(existsSync(folder)).toBe(false);
  });
});

describe('where it is', () => {
  it.each([
    ['XDG_CACHE_HOME is in it', (root: string) => ({ XDG_CACHE_HOME: join(root, 'cache') })],
    ['HOME is its root', (root: string) => ({ HOME: root })],
    ['XDG_CACHE_HOME is its root', (root: string) => ({ XDG_CACHE_HOME: root, HOME: '/nowhere' })],
  ])('nothing is read or kept in the repository of the workspace: %s', async (_, environmentOf) => {
    const repository = makeFolder({ '.git/HEAD': '', 'team/reports/almanac.yaml': '' });
    const root = join(repository.path, 'team/reports');
    const folder = cacheFolder(environmentOf(repository.path));
    const before = openFileCache({ folder, root: makeFolder().path });
    await before.write('one', 'planted by a commit');
    expect(await before.read('one')).toBe('planted by a commit');
    const cache = openFileCache({ folder, root });
    expect(await cache.read('one')).toBeUndefined();
    await cache.write('two', 'text');
    expect(await before.read('two')).toBeUndefined();
  });

  it('nothing is kept in a workspace that is no repository, nor behind a link that leads there', async () => {
    const workspace = makeFolder({ 'almanac.yaml': '' });
    const elsewhere = makeFolder();
    symlinkSync(workspace.path, join(elsewhere.path, 'link'));
    for (const home of [workspace.path, join(elsewhere.path, 'link')]) {
      const cache = openFileCache({ folder: cacheFolder({ HOME: home }), root: workspace.path });
      await cache.write('one', 'text');
      expect(await cache.read('one')).toBeUndefined();
    }
    expect(readdirSync(workspace.path)).toEqual(['almanac.yaml']);
  });

  it('the home of a user who keeps a repository below it is used', async () => {
    const home = makeFolder({ 'work/.git/HEAD': '' });
    const cache = openFileCache({ folder: cacheFolder({ HOME: home.path }), root: join(home.path, 'work') });
    await cache.write('one', 'text');
    expect(await cache.read('one')).toBe('text');
  });
});

it('a user without a home folder, whom the system does not know, has no cache', () => {
  const unknown = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(cacheFolder({}, unknown)).toBeUndefined();
  expect(cacheFolder({ XDG_CACHE_HOME: '/var/cache' }, unknown)).toBe('/var/cache/almanac');
});

describe('what may lie in the place of an entry', () => {
  const planted: readonly [string, (path: string) => void][] = [
    ['a folder', (path) => mkdirSync(path)],
    ['a named pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a link to a file', (path) => symlinkSync(elsewhere(), path)],
    ['a link to nothing', (path) => symlinkSync('nowhere', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
  ];
  const elsewhere = () => {
    const { path, write } = makeFolder();
    write({ target: 'text of another program' });
    return join(path, 'target');
  };

  it.each(planted)('%s in the place of an entry counts as none', async (_, plant) => {
    const { cache, folder, file } = opened();
    await cache.write('two', 'text');
    plant(file);
    expect(await cache.read('one')).toBeUndefined();
    await cache.write('one', 'text');
    if (!lstatSync(file).isDirectory()) expect(await cache.read('one')).toBe('text');
    expect(readdirSync(folder).sort()).toEqual(['one.json', 'two.json']);
  });

  it('what a link in the place of an entry leads to is left as it is', async () => {
    const { cache, folder, file } = opened();
    const target = elsewhere();
    await cache.write('two', 'text');
    symlinkSync(target, file);
    await cache.write('one', 'text');
    expect(readFileSync(target, 'utf8')).toBe('text of another program');
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('a link in the place of the cache folder is not followed', async () => {
    const { cache, folder, file } = opened();
    await cache.write('one', 'text');
    renameSync(folder, `${folder}-elsewhere`);
    symlinkSync(`${folder}-elsewhere`, folder);
    chmodSync(`${folder}-elsewhere`, 0o755);
    expect(await cache.read('one')).toBeUndefined();
    await cache.write('two', 'text');
    expect(readdirSync(`${folder}-elsewhere`)).toEqual(['one.json']);
    expect(statSync(`${folder}-elsewhere`).mode & 0o777).toBe(0o755);
    expect(existsSync(file)).toBe(true);
  });

  it('an entry that is larger than all may be together is neither read nor kept', async () => {
    const { cache, open, file } = opened({ limits: { files: 50, bytes: 1000 } });
    await cache.write('one', 'é'.repeat(501));
    expect(existsSync(file)).toBe(false);
    await open({ limits: { files: 50, bytes: 2000 } }).write('one', 'é'.repeat(501));
    expect(await cache.read('one')).toBeUndefined();
  });
});

describe('what became of an entry', () => {
  it('an entry with a changed bit anywhere, or without its end or its beginning, counts as none', async () => {
    const { cache, file } = opened();
    await cache.write('one', 'a text\nwith lines');
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(whole.readUInt8(at) ^ (1 << (at % 8)), at);
      for (const bytes of [damaged, whole.subarray(0, at), whole.subarray(at + 1)]) {
        writeFileSync(file, bytes);
        expect(await cache.read('one')).toBeUndefined();
      }
    }
    writeFileSync(file, whole);
    expect(await cache.read('one')).toBe('a text\nwith lines');
  });
});

describe('how much is kept', () => {
  it('of many entries, those that were written first are removed', async () => {
    const stage = opened();
    await filled(stage, 55);
    await stage.cache.write('last', 'text');
    const kept = readdirSync(stage.folder);
    expect(kept.length).toBe(50);
    expect(kept).toEqual(expect.arrayContaining(['last.json', 'entry-54.json']));
    expect(kept).not.toContain('entry-0.json');
  });

  it('of entries that are too large together, those that were written first are removed', async () => {
    const stage = opened({ limits: { files: 50, bytes: 5000 } });
    await filled(stage, 8);
    await stage.cache.write('last', 'x'.repeat(3500));
    expect(readdirSync(stage.folder).sort()).toEqual(['entry-7.json', 'last.json']);
  });

  it('what killed runs left counts, and goes first if it is the oldest', async () => {
    const stage = opened({ limits: { files: 50, bytes: 5000 } });
    await filled(stage, 1);
    const left = join(stage.folder, 'one.json.0b0a.tmp');
    writeFileSync(left, 'x'.repeat(3000));
    utimesSync(left, 0, 0);
    await stage.cache.write('last', 'x'.repeat(3000));
    expect(readdirSync(stage.folder).sort()).toEqual(['entry-0.json', 'last.json']);
  });

  it('entries that a wrong clock dated in the future keep no other out', async () => {
    const stage = opened({ limits: { files: 2, bytes: 5000 } });
    await filled(stage, 2);
    const later = Date.now() / 1000 + 100_000_000;
    for (const name of ['entry-0.json', 'entry-1.json']) utimesSync(join(stage.folder, name), later, later);
    await stage.cache.write('third', 'text');
    await stage.cache.write('fourth', 'text');
    expect(readdirSync(stage.folder).sort()).toEqual(['fourth.json', 'third.json']);
  });

  it('what others have put into the cache folder stays there, whatever its name', async () => {
    const stage = opened({ limits: { files: 1, bytes: 5000 } });
    await filled(stage, 1);
    mkdirSync(join(stage.folder, 'compiled'));
    mkdirSync(join(stage.folder, 'folder.json'));
    writeFileSync(join(stage.folder, 'notes.txt'), '');
    await stage.cache.write('last', 'text');
    expect(readdirSync(stage.folder).sort()).toEqual(['compiled', 'folder.json', 'last.json', 'notes.txt']);
  });
});

describe('runs at the same time, and runs that fail', () => {
  it('several runs that write the same entry at once leave one that is whole', async () => {
    const { open, folder } = opened();
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    await Promise.all(texts.map((text) => open().write('one', text)));
    expect(texts).toContain(await open().read('one'));
    expect(readdirSync(folder)).toEqual(['one.json']);
  });

  it('a cache folder that was removed meanwhile is made again', async () => {
    const { cache, folder, file } = opened();
    await cache.write('one', 'text');
    rmSync(folder, { recursive: true });
    expect(await cache.read('one')).toBeUndefined();
    await cache.write('one', 'again');
    expect(readFileSync(file, 'utf8')).toMatch(/\nagain$/);
  });

  it('a second name of an entry in the folder of somebody else is no way to change it', async () => {
    const { cache, path, file } = opened();
    await cache.write('one', 'text');
    linkSync(file, join(path, 'second-name'));
    await cache.write('one', 'new text');
    expect(readFileSync(join(path, 'second-name'), 'utf8')).toMatch(/\ntext$/);
    expect(await cache.read('one')).toBe('new text');
  });

  it('without a folder that can be written, nothing is kept and nothing fails', async () => {
    const { path, open } = opened();
    writeFileSync(join(path, 'file'), '');
    for (const environment of [{ XDG_CACHE_HOME: join(path, 'file') }, { HOME: '', XDG_CACHE_HOME: 'relative' }]) {
      const cache = open({ folder: cacheFolder(environment) });
      await cache.write('one', 'text');
      expect(await cache.read('one')).toBeUndefined();
    }
  });
});
