import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileSystem, type OpenFile, realFileSystem } from '../../src/files/file-system.ts';
import { type FileStateOptions, openFileState as openReally } from '../../src/state/file/file-state.ts';
import { renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { parseState, renderState } from '../../src/state/format/parse-state.ts';
import type { LockedStore, StateStore } from '../../src/state/state-store.ts';
import { applied, headerOf, intent, stateOf } from '../support/state/team-machine.ts';

const header = headerOf(1);

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'almanac-state-')));
  path = join(folder, 'almanac.state.json');
});
const taken: LockedStore[] = [];
afterEach(async () => {
  for (const locked of taken.splice(0)) await locked.release();
  await rm(folder, { recursive: true });
});

/** A store whose locks are released when a test ends. */
function openFileState(options: FileStateOptions): StateStore {
  const store = openReally(options);
  const lock = async (command: string) => {
    const locked = await store.lock(command);
    taken.push(locked);
    return locked;
  };
  return { ...store, lock };
}

/** A file system on which some calls fail. */
function failing(errno: string, fails: (call: keyof FileSystem | keyof OpenFile, path: string) => boolean): FileSystem {
  const check = (call: keyof FileSystem | keyof OpenFile, file: string) => {
    if (fails(call, file)) throw Object.assign(new Error(`${errno}: ${call} ${file}`), { code: errno });
  };
  return {
    ...realFileSystem,
    open: async (file, flags) => {
      check('open', file);
      const real = await realFileSystem.open(file, flags);
      return {
        chmod: (mode) => real.chmod(mode),
        truncate: (length) => real.truncate(length),
        close: () => real.close(),
        sync: async () => {
          check('sync', file);
          await real.sync();
        },
        writeFile: async (text) => {
          if (fails('writeFile', file)) await real.writeFile(text.slice(0, text.length / 2));
          check('writeFile', file);
          await real.writeFile(text);
        },
      };
    },
    rename: async (from, to) => {
      check('rename', to);
      await realFileSystem.rename(from, to);
    },
    unlink: async (file) => {
      check('unlink', file);
      await realFileSystem.unlink(file);
    },
  };
}

describe('a state in a file', () => {
  it('a commit creates the folder of the state file', async () => {
    const store = openFileState({ path: join(folder, 'states/prod.json') });
    const locked = await store.lock('almanac apply');
    await locked.commit(stateOf(1));
    await locked.release();
    expect(await readdir(join(folder, 'states'))).toEqual(['prod.json']);
  });

  it('a commit keeps the mode of the state file', async () => {
    await writeFile(path, renderState(stateOf(1)), { mode: 0o640 });
    const locked = await openFileState({ path }).lock('almanac apply');
    await locked.commit(stateOf(2));
    await locked.release();
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it('nobody but its owner can read a state or a journal that a run creates', async () => {
    const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
    const locked = await openFileState({ path }).lock('almanac apply');
    await locked.begin(header);
    expect(await modeOf(`${path}.journal`)).toBe(0o600);
    await locked.commit(stateOf(1));
    expect(await modeOf(path)).toBe(0o600);
  });

  it.each(['there', 'not there yet'])('a state file stays a symlink if its target is %s', async (target) => {
    await mkdir(join(folder, 'shared'));
    const real = join(folder, 'shared/real.json');
    if (target === 'there') await writeFile(real, renderState(stateOf(1)));
    await symlink('shared/real.json', path);
    const locked = await openFileState({ path }).lock('almanac apply');
    await expect(openFileState({ path: real }).lock('almanac apply')).rejects.toThrow('is locked by');
    await locked.commit(stateOf(2));
    await locked.release();
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readFile(real, 'utf8')).toBe(renderState(stateOf(2)));
    expect(await readdir(join(folder, 'shared'))).toEqual(['real.json']);
  });

  it('a lock that its run releases while another run looks at it is taken at once', async () => {
    const first = await openFileState({ path }).lock('almanac apply');
    const readFileAfterRelease = async (file: string) => {
      if (file === `${path}.lock`) await first.release();
      return realFileSystem.readFile(file);
    };
    const fs: FileSystem = { ...realFileSystem, readFile: readFileAfterRelease };
    expect((await openFileState({ path, host: { fs } }).lock('almanac apply')).notes).toEqual([]);
  });

  it('a state path that is a folder, is not UTF-8, or is a circle of links is refused', async () => {
    const store = openFileState({ path, name: 'almanac.state.json' });
    await writeFile(path, Buffer.from([0x7b, 0x0a, 0xe9, 0x7d]));
    await expect(store.read()).rejects.toThrow('the byte 0xE9 at line 2, column 1 is not UTF-8');
    await rm(path);
    await mkdir(path);
    await expect(store.read()).rejects.toMatchObject({ code: 'state-unreadable', message: /it is a folder/ });
    await rm(path, { recursive: true });
    await symlink('almanac.state.json', path);
    await expect(store.read()).rejects.toMatchObject({ code: 'state-unreadable', message: /lead in a circle/ });
  });

  it('a state file that cannot be read is never overwritten', async () => {
    await writeFile(path, '{"version": 2,');
    const locked = await openFileState({ path }).lock('almanac apply');
    await expect(locked.commit(stateOf(2))).rejects.toThrow('not valid JSON');
    expect(await readFile(path, 'utf8')).toBe('{"version": 2,');
  });
});

describe('the journal', () => {
  it('a journal is durable after begin, readable while it grows, and gone after commit', async () => {
    const store = openFileState({ path });
    const locked = await store.lock('almanac apply');
    await locked.begin(header);
    expect((await store.read()).journal).toEqual({ header, lines: [] });
    await locked.append([intent(1), applied(1)]);
    expect((await store.read()).journal?.lines).toHaveLength(2);
    await locked.commit(stateOf(2));
    expect((await store.read()).journal).toBeUndefined();
    await locked.begin({ ...header, serial: 2 });
    await locked.release();
    expect(await readdir(folder)).toEqual(['almanac.state.json', 'almanac.state.json.journal']);
  });

  it('a commit in the middle of a reading hides nothing: the new state is read, or the journal that it folds', async () => {
    await writeFile(path, renderState(stateOf(1)));
    const locked = await openFileState({ path }).lock('almanac apply');
    await locked.begin(header);
    await locked.append([intent(1)]);
    let isCommitted = false;
    const readFileAndCommit = async (file: string) => {
      const bytes = await realFileSystem.readFile(file);
      const isPart = file === path || file === `${path}.journal`;
      if (isPart && !isCommitted) {
        isCommitted = true;
        await locked.commit(stateOf(2));
      }
      return bytes;
    };
    const fs: FileSystem = { ...realFileSystem, readFile: readFileAndCommit };
    expect(await openFileState({ path, host: { fs } }).read()).toMatchObject({ state: stateOf(2) });
  });

  it('a journal that grew and was folded while it was read is never read without its end', async () => {
    await writeFile(path, renderState(stateOf(1)));
    const locked = await openFileState({ path }).lock('almanac apply');
    await locked.begin(header);
    await locked.append([intent(1)]);
    const fs: FileSystem = {
      ...realFileSystem,
      readFile: async (file) => {
        const bytes = await realFileSystem.readFile(file);
        if (file !== `${path}.journal` || isGrown) return bytes;
        isGrown = true;
        await locked.append([applied(1)]);
        await writeFile(path, renderState(stateOf(2)));
        return bytes;
      },
    };
    let isGrown = false;
    const { journal } = await openFileState({ path, host: { fs } }).read();
    expect(journal?.lines).toEqual([intent(1), applied(1)]);
  });

  it('an interruption ends what git is asked under the lock, and the lock can be released', async () => {
    const left = openFileState({ path });
    const first = await left.lock('apply');
    await first.begin(header);
    await first.append([intent(1)]);
    await first.release();
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    const controller = new AbortController();
    const locked = await openFileState({ path, signal: controller.signal }).lock('apply');
    controller.abort();
    await expect(locked.read()).rejects.toMatchObject({ code: 'interrupted' });
    await locked.release();
    expect((await readdir(folder)).sort()).toEqual(['.git', 'almanac.state.json.journal']);
  });

  it('a journal survives a release and then prevents another begin', async () => {
    const store = openFileState({ path });
    const first = await store.lock('almanac apply');
    await first.begin(header);
    await first.append([intent(1)]);
    await first.release();
    const second = await store.lock('almanac apply');
    expect((await second.read()).journal?.lines).toEqual([intent(1)]);
    await expect(second.begin(header)).rejects.toMatchObject({
      code: 'state-conflict',
      message: `${path}.journal exists already: an apply did not finish.`,
      hint: 'Its results must be folded into the state first.',
    });
    await second.commit(stateOf(2));
    await second.begin({ ...header, serial: 2 });
    await second.release();
  });

  it('no request goes out while a power failure could still take the new journal away with its folder entry', async () => {
    const fs = failing('EIO', (call, file) => call === 'sync' && file === folder);
    const locked = await openFileState({ path, host: { fs } }).lock('almanac apply');
    await expect(locked.begin(header)).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(await readdir(folder)).toEqual(['almanac.state.json.lock']);
  });

  it('an empty journal does not prevent another begin', async () => {
    await writeFile(`${path}.journal`, '{"type":"hea');
    const locked = await openFileState({ path }).lock('almanac apply');
    await locked.begin(header);
    expect((await locked.read()).journal).toEqual({ header, lines: [] });
  });

  it('a commit without a state drops the journal and writes no state', async () => {
    const store = openFileState({ path });
    const locked = await store.lock('apply');
    await locked.read();
    await locked.begin(header);
    await locked.commit(undefined);
    expect(await store.read()).toMatchObject({ state: undefined, journal: undefined, lockHolder: { isDead: false } });
    await locked.begin(header);
    await locked.release();
  });

  it('a commit of an unchanged state drops the journal and does not touch the state file', async () => {
    await writeFile(path, renderState(stateOf(2)));
    await writeFile(`${path}.journal`, renderJournalLine(header));
    const before = await stat(path);
    const locked = await openFileState({ path }).lock('almanac apply');
    await locked.commit((await locked.read()).state ?? stateOf(0));
    await locked.release();
    expect((await stat(path)).ino).toBe(before.ino);
    expect(await readdir(folder)).toEqual(['almanac.state.json']);
  });

  it('overlapping appends to a journal share fsyncs and keep their order', async () => {
    let syncs = 0;
    const fs = failing('', (call) => {
      if (call === 'sync') syncs += 1;
      return false;
    });
    const locked = await openFileState({ path, host: { fs } }).lock('almanac apply');
    await locked.begin(header);
    const before = syncs;
    const waves = Array.from({ length: 20 }, (_, wave) => Array.from({ length: 50 }, (_, index) => wave * 50 + index));
    await Promise.all(
      waves.map(async (wave) => {
        await new Promise(setImmediate);
        await Promise.all(wave.map((seq) => locked.append([intent(seq)])));
      }),
    );
    expect(syncs - before).toBeLessThan(50);
    const seqs = (await locked.read()).journal?.lines.map(({ seq }) => seq) ?? [];
    expect(seqs.toSorted((a, b) => a - b)).toEqual(waves.flat());
  });

  it('a journal accepts nothing more after a failed write, lets no request go out, and has no partial line', async () => {
    let full = false;
    const fs = failing('ENOSPC', (call) => call === 'writeFile' && full);
    const locked = await openFileState({ path, name: 'almanac.state.json', host: { fs } }).lock('almanac apply');
    await locked.begin(header);
    await locked.append([intent(1)]);
    await locked.guard(1);
    full = true;
    const failed = await Promise.allSettled([locked.append([intent(2)]), locked.append([intent(3)])]);
    for (const result of failed) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'state-unwritable' } });
      expect(result).toMatchObject({ reason: { message: /journal cannot be written: the disk is full \(ENOSPC\)/ } });
    }
    full = false;
    await expect(locked.append([intent(4)])).rejects.toThrow('the disk is full');
    await expect(locked.guard(1)).rejects.toThrow('the disk is full');
    expect(await readFile(`${path}.journal`, 'utf8')).toBe(renderJournalLine(header) + renderJournalLine(intent(1)));
  });
});

describe('a state that cannot be written', () => {
  const open = async (fs: FileSystem, { begins = true } = {}) => {
    await writeFile(path, renderState(stateOf(1)));
    const store = openFileState({ path, name: 'almanac.state.json', host: { fs } });
    const locked = await store.lock('almanac apply');
    await locked.read();
    if (begins) await locked.begin(header);
    return { store, locked };
  };
  const unwritable = (failed: string) =>
    failing('ENOSPC', (call, file) => call === failed && /\.json(\.[\w-]+\.tmp)?$/.test(file));

  it.each(['open', 'writeFile', 'sync', 'rename'] as const)(
    'a state that cannot be written leaves the journal, and no other file, if %s fails',
    async (failed) => {
      const { store, locked } = await open(unwritable(failed));
      await locked.append([intent(1)]);
      locked.appendLater([applied(1)]);
      await expect(locked.commit(stateOf(2), { release: true })).rejects.toMatchObject({
        code: 'state-unwritable',
        message: 'almanac.state.json cannot be written: the disk is full (ENOSPC).',
        hint: 'Free disk space or fix the permissions, then run the command again.',
      });
      expect([locked.journal, locked.unwritten()]).toEqual(['almanac.state.json.journal', []]);
      await locked.release();
      expect(await readFile(path, 'utf8')).toBe(renderState(stateOf(1)));
      expect((await store.read()).journal?.lines).toEqual([intent(1), applied(1)]);
      expect((await readdir(folder)).sort()).toEqual(['almanac.state.json', 'almanac.state.json.journal']);
    },
  );

  it('an outcome that the journal could not take is told where the state cannot be written either', async () => {
    let isFull = false;
    const { store, locked } = await open(failing('ENOSPC', (call) => isFull && call === 'writeFile'));
    await locked.append([intent(1), intent(2)]);
    isFull = true;
    locked.appendLater([applied(1)]);
    locked.appendLater([applied(2)]);
    await expect(locked.commit(stateOf(2))).rejects.toMatchObject({ code: 'state-unwritable' });
    expect(locked.unwritten()).toEqual([applied(1), applied(2)]);
    await locked.release();
    expect((await store.read()).journal?.lines).toEqual([intent(1), intent(2)]);
  });

  it('a run without a journal says that nothing was changed', async () => {
    const { locked } = await open(unwritable('rename'), { begins: false });
    await expect(locked.commit(stateOf(2))).rejects.toMatchObject({
      message:
        'almanac.state.json cannot be written: the disk is full (ENOSPC). Nothing was changed in Omni or in the state.',
    });
    await locked.release();
  });

  it.each([
    ['replaced', renderState(stateOf(8))],
    ['removed', undefined],
  ])('a state is not written over a file that was %s meanwhile', async (_, other) => {
    const { locked } = await open(realFileSystem);
    if (other === undefined) await rm(path);
    else await writeFile(path, other);
    await expect(locked.commit(stateOf(2))).rejects.toMatchObject({
      code: 'state-conflict',
      message: expect.stringContaining('was changed by something else while this run held its lock'),
    });
    expect(await readFile(path, 'utf8').catch(() => undefined)).toBe(other);
    expect((await readdir(folder)).includes('almanac.state.json.journal')).toBe(true);
  });

  it('a state is written even if its journal cannot be removed', async () => {
    const fs = failing('EACCES', (call, file) => call === 'unlink' && file.endsWith('.journal'));
    const locked = await openFileState({ path, name: 'almanac.state.json', host: { fs } }).lock('almanac apply');
    await locked.begin(header);
    await expect(locked.commit(stateOf(1))).rejects.toThrow('was written, but its journal cannot be removed');
    expect(parseState(await readFile(path, 'utf8'), path)).toEqual(stateOf(1));
    expect(locked.unwritten()).toBeUndefined();
  });
});
