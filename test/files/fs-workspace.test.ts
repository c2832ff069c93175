import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { hasErrors } from '../../src/model/workspace/diagnostic.ts';

const globs = ['schedules/**/*.{yaml,yml}'];
let top: string;
let root: string;
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'almanac-workspace-')));
  root = join(top, 'repo');
  await put('.git/HEAD', '');
});
afterEach(() => rm(top, { recursive: true }));

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

async function readFinding(path: string) {
  const read = (await openWorkspace({ cwd: root })).read(path);
  if (!('finding' in read)) throw new Error('it was read');
  expect(hasErrors([read.finding])).toBe(true);
  expect(read.finding.place).toMatchObject({ file: path });
  return read.finding;
}

describe('the root', () => {
  it('the root of a workspace is the folder of almanac.yaml, here or in a parent', async () => {
    await put('almanac.yml', '');
    await put('a/b/x', '');
    const workspace = await openWorkspace({ cwd: join(root, 'a/b') });
    expect(workspace).toMatchObject({ root, configFile: 'almanac.yml' });
    await put('a/almanac.yaml', '');
    expect(await openWorkspace({ cwd: join(root, 'a/b') })).toMatchObject({ root: join(root, 'a') });
  });

  it('the root is the working directory without almanac.yaml, because the search ends at the repository', async () => {
    await writeFile(join(top, 'almanac.yaml'), '');
    await put('a/x', '');
    const workspace = await openWorkspace({ cwd: join(root, 'a') });
    expect(workspace).toMatchObject({ root: join(root, 'a'), configFile: undefined });
  });

  it('the root of a workspace follows --config', async () => {
    await put('conf/other.yaml', '');
    const workspace = await openWorkspace({ cwd: root, config: 'conf/other.yaml' });
    expect(workspace).toMatchObject({ root: join(root, 'conf'), configFile: 'other.yaml' });
    await expect(openWorkspace({ cwd: root, config: 'no.yaml' })).rejects.toMatchObject({ code: 'usage' });
    await expect(openWorkspace({ cwd: root, config: 'conf' })).rejects.toThrow('names a folder');
    await expect(openWorkspace({ cwd: join(root, 'no') })).rejects.toMatchObject({ code: 'usage' });
  });

  it('the root of a workspace is not guessed if both spellings of almanac.yaml exist', async () => {
    await put('almanac.yml', '');
    await put('almanac.yaml', '');
    await expect(openWorkspace({ cwd: root })).rejects.toMatchObject({ code: 'invalid-workspace' });
  });
});

describe('list', () => {
  it('a listing has the matching files in the order of code units, without node_modules and .git', async () => {
    for (const path of ['b.yaml', 'B.yml', 'a/é.yaml', 'a/z.yaml', 'x.json', 'node_modules/p/x.yaml', '.git/x.yaml']) {
      await put(`schedules/${path}`, '');
    }
    const workspace = await openWorkspace({ cwd: root });
    expect(await workspace.list(globs)).toEqual([
      'schedules/B.yml',
      'schedules/a/z.yaml',
      'schedules/a/é.yaml',
      'schedules/b.yaml',
    ]);
    expect(await workspace.list(['nowhere/*.yaml'])).toEqual([]);
  });

  it('of paths that need not exist, those are known that a listing would have', async () => {
    const paths = ['b.yaml', 'a/z.yaml', 'x.json', 'node_modules/p/x.yaml', 'kept/k.yaml'].map(
      (path) => `schedules/${path}`,
    );
    for (const path of paths) await put(path, '');
    const workspace = await openWorkspace({ cwd: root });
    const listed = await workspace.list([...globs, '!**/kept/**']);
    expect(listed).toEqual(['schedules/a/z.yaml', 'schedules/b.yaml']);
    expect(await workspace.among(['almanac.yaml', ...paths], [...globs, '!**/kept/**'])).toEqual(listed);
    expect(await workspace.among(['schedules/gone.yaml', '../schedules/out.yaml'], globs)).toEqual([
      'schedules/gone.yaml',
    ]);
  });

  it.each([
    [['schedules/**/*.yaml'], ['schedules/', 'schedules/team/', 'schedules/team/inner/']],
    [['schedules/*.yaml'], ['schedules/']],
    [['schedules/*/*.yaml'], ['schedules/', 'schedules/team/']],
    [['schedules/team/inner/a.yaml'], ['schedules/', 'schedules/team/', 'schedules/team/inner/']],
    [
      ['**/*.yaml', '!vendor/**'],
      ['schedules/', 'schedules/team/', 'schedules/team/inner/'],
    ],
  ])('of folders that need not exist, those are known in which a listing would look for %j', async (globs, looked) => {
    const workspace = await openWorkspace({ cwd: root });
    const folders = ['schedules/', 'schedules/team/', 'schedules/team/inner/', 'node_modules/x/', 'vendor/', '../out/'];
    expect(await workspace.among(folders, globs)).toEqual(looked);
  });

  it.each([
    ['a pointer', '', true],
    ['a pointer of an extension', 'ext-0-foo sha256:abc\n', true],
    ['a longer text', `ext-0-foo sha256:${'a'.repeat(1000)}\n`, false],
    ['another text', '\n', false],
  ])('a source, a table or a text that Git LFS has not fetched is a finding: %s', async (_, more, isPointer) => {
    const text = `version https://git-lfs.github.com/spec/v1\n${more}oid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
    await writeFile(join(root, 'a.yaml'), text);
    const workspace = await openWorkspace({ cwd: root });
    for (const read of [workspace.read('a.yaml'), workspace.readReference('a.yaml', [])])
      expect(read).toEqual(
        isPointer
          ? {
              finding: {
                code: 'not-fetched',
                message: 'a.yaml cannot be read: it is a pointer of Git LFS, whose content was not fetched.',
                hint: 'Run `git lfs pull`. In CI, the checkout must fetch Git LFS.',
                place: { file: 'a.yaml' },
              },
            }
          : { text },
      );
  });

  it('a pointer of Git LFS in a submodule is fetched there', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
    for (const folder of ['.git', 'schedules/team']) await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, 'schedules/team/.git'), 'gitdir: ../../.git/modules/team\n');
    await writeFile(join(root, 'schedules/team/a.yaml'), pointer);
    const workspace = await openWorkspace({ cwd: root });
    expect(workspace.read('schedules/team/a.yaml')).toMatchObject({
      finding: { hint: expect.stringContaining('`git -C schedules/team lfs pull`') },
    });
  });

  it('a listing includes the links that a glob matches, so that reading them reports them', async () => {
    await put('schedules/real/a.yaml', '');
    await put('notes.md', '');
    await symlink('nothing', join(root, 'schedules/broken.yaml'));
    await symlink('real/a.yaml', join(root, 'schedules/alias.yaml'));
    await symlink('../notes.md', join(root, 'schedules/notes.md'));
    await symlink('real', join(root, 'schedules/node_modules'));
    const workspace = await openWorkspace({ cwd: root });
    expect(await workspace.list(globs)).toEqual([
      'schedules/alias.yaml',
      'schedules/broken.yaml',
      'schedules/real/a.yaml',
    ]);
  });
});

describe('what may not be read', () => {
  afterEach(() => process.seteuid?.(process.getuid?.() ?? 0));
  const asNobody = async () => {
    await chmod(top, 0o755);
    if (process.getuid?.() === 0) process.seteuid?.(65_534);
  };

  it('an unreadable folder is a failure, because its declarations would count as removed', async () => {
    await put('schedules/closed/a.yaml', '');
    await chmod(join(root, 'schedules/closed'), 0);
    await asNobody();
    await expect((await openWorkspace({ cwd: root })).list(globs)).rejects.toMatchObject({
      code: 'invalid-workspace',
      message: expect.stringMatching(/schedules\/closed\/? cannot be read: permission is denied/),
    });
    process.seteuid?.(process.getuid?.() ?? 0);
    await chmod(join(root, 'schedules/closed'), 0o755);
  });

  it('an unreadable file is a finding', async () => {
    await put('a.yaml', '');
    await chmod(join(root, 'a.yaml'), 0);
    await asNobody();
    expect(await readFinding('a.yaml')).toMatchObject({
      code: 'unreadable-file',
      message: 'a.yaml cannot be read: permission is denied (EACCES).',
    });
  });

  it('a file of another user is not to be replaced', async () => {
    await put('a.yaml', '');
    await chmod(root, 0o777);
    await asNobody();
    if (process.getuid?.() !== 0) await chmod(root, 0o555);
    const why = (await openWorkspace({ cwd: root })).readOnlyReason('a.yaml');
    if (process.getuid?.() !== 0) await chmod(root, 0o777);
    expect(why).toMatch(/permission is denied \(EACCES\)/);
  });
});

describe('resolve', () => {
  it('resolving paths keeps named files and expands folders, relative to the working directory', async () => {
    await put('almanac.yaml', '');
    await put('schedules/a.yaml', '');
    await put('schedules/sub/b.yml', '');
    await put('schedules/notes.md', '');
    await put('drafts/c.yaml', '');
    const workspace = await openWorkspace({ cwd: join(root, 'schedules') });
    const files = async (...paths: string[]) => (await workspace.resolve(paths, globs)).files;
    expect(await files('sub', 'a.yaml', './a.yaml')).toEqual(['schedules/a.yaml', 'schedules/sub/b.yml']);
    expect(await files('notes.md')).toEqual(['schedules/notes.md']);
    expect(await files('..')).toEqual(['schedules/a.yaml', 'schedules/sub/b.yml']);
    expect(await files(join(root, 'drafts'))).toEqual(['drafts/c.yaml']);
    expect(await files()).toEqual(['schedules/a.yaml', 'schedules/sub/b.yml']);
  });

  it('resolving paths reports paths that are missing or outside the workspace', async () => {
    const workspace = await openWorkspace({ cwd: root });
    const { files, findings } = await workspace.resolve(['no.yaml', '../x.yaml'], globs);
    expect(files).toEqual([]);
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ['unreadable-file', 'no.yaml cannot be read: there is no such file or folder.'],
      ['reference-outside', '../x.yaml cannot be read: its path leads out of the workspace.'],
    ]);
  });
});

describe('read', () => {
  it('reading a file removes its byte order mark', async () => {
    await put('a.yaml', '\uFEFFname: é\n');
    expect((await openWorkspace({ cwd: root })).read('a.yaml')).toMatchObject({ text: 'name: é\n' });
  });

  it.each<[string, Uint8Array, string]>([
    [
      'a byte after others',
      Buffer.concat([Buffer.from('\uFEFFa: 1\nb: é'), Buffer.from([0xe9]), Buffer.from(' c')]),
      'the byte 0xE9 at line 2, column 5 is not UTF-8.',
    ],
    [
      'a byte after a replacement character that somebody wrote',
      Buffer.concat([
        Buffer.from('\uFEFF\uFFFD\uFFFD: 1\nb: é\uFFFD'),
        Buffer.from([0xef, 0xbf]),
        Buffer.from('c\uFFFD'),
      ]),
      'the byte 0xEF at line 2, column 6 is not UTF-8.',
    ],
    ['a cut character', Buffer.from([0x61, 0xc3]), 'the byte 0xC3 at line 1, column 2 is not UTF-8.'],
    ['UTF-16', Buffer.from('\uFEFFa: 1', 'utf16le'), 'it is UTF-16 (little-endian) text by its byte order mark.'],
    [
      'swapped UTF-16',
      Buffer.from('\uFEFFa', 'utf16le').swap16(),
      'it is UTF-16 (big-endian) text by its byte order mark.',
    ],
    ['a NUL', Buffer.from('a: 1\nb:\0'), 'it has a NUL byte at line 2, column 3, so it is not a text file.'],
    ['a workbook', Buffer.from('PK\x03\x04\0\xff', 'latin1'), 'it is an archive, such as a workbook of Excel'],
    [
      'an image',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
      'it also has NUL bytes, so it may not be a text file at all.',
    ],
  ])('a file that is no text in UTF-8 is refused with what is there: %s', async (_, bytes, words) => {
    await put('a.yaml', bytes);
    const { code, message } = await readFinding('a.yaml');
    expect([code, message]).toEqual(['not-utf-8', expect.stringContaining(words)]);
  });

  it('files of any length are read in turn, each as it is', async () => {
    const texts = [0, 1, 200_000, 63_999, 64_000, 64_001, 5].map((length) => 'é'.repeat(length));
    for (const [index, text] of texts.entries()) await put(`${index}.yaml`, text);
    const workspace = await openWorkspace({ cwd: root });
    expect(texts.map((_, index) => workspace.read(`${index}.yaml`))).toMatchObject(texts.map((text) => ({ text })));
  });

  it('a folder that became a link is no longer read', async () => {
    await put('a/one.yaml', 'inside');
    await mkdir(join(top, 'outside'));
    await writeFile(join(top, 'outside/one.yaml'), 'outside');
    const workspace = await openWorkspace({ cwd: root });
    expect(workspace.read('a/one.yaml')).toMatchObject({ text: 'inside' });
    await rm(join(root, 'a'), { recursive: true });
    await symlink('../outside', join(root, 'a'));
    await setImmediate();
    expect(workspace.read('a/one.yaml')).toMatchObject({
      finding: { code: 'unreadable-file', message: 'a/one.yaml cannot be read: its folder a is a symbolic link.' },
    });
  });

  it('a file that is too large is refused', async () => {
    await put('a.yaml', Buffer.alloc(8_100_000, 'a'));
    expect(await readFinding('a.yaml')).toMatchObject({ code: 'file-too-large', message: /8\.1 MB/ });
  });

  it('anything but a readable file is refused', async () => {
    await put('folder/x', '');
    await symlink('gone.yaml', join(root, 'link.yaml'));
    const server = createServer().listen(join(root, 'socket'));
    await once(server, 'listening');
    expect((await readFinding('folder')).message).toContain('it is a folder');
    expect((await readFinding('socket')).message).toContain('it is not a regular file');
    expect((await readFinding('link.yaml')).message).toContain('it is a symbolic link');
    expect((await readFinding('no.yaml')).message).toContain('there is no such file or folder');
    for (const path of ['folder', 'socket', 'link.yaml', 'no.yaml']) {
      expect((await readFinding(path)).code).toBe('unreadable-file');
    }
    server.close();
  });

  it('reading a file never leaves the root', async () => {
    await writeFile(join(top, 'secret.txt'), 'secret');
    await symlink('../secret.txt', join(root, 'link.yaml'));
    await symlink('..', join(root, 'up'));
    await put('..odd.yaml', 'fine');
    const workspace = await openWorkspace({ cwd: root });
    for (const path of ['../secret.txt', 'a/../../secret.txt', join(top, 'secret.txt'), 'link.yaml', 'up/secret.txt']) {
      expect(workspace.read(path), path).toHaveProperty('finding');
      expect(workspace.readReference(path, []), path).toMatchObject({ finding: { code: 'reference-outside' } });
    }
    expect((await openWorkspace({ cwd: root })).read('..odd.yaml')).toMatchObject({ text: 'fine' });
  });

  it('a file is read if a link leads to its root', async () => {
    await put('a.yaml', 'fine');
    await symlink('repo', join(top, 'alias'));
    expect((await openWorkspace({ cwd: join(top, 'alias') })).read('a.yaml')).toMatchObject({ text: 'fine' });
  });
});

describe('writing', () => {
  it('writing a file creates its folders, says whether it existed, and can be read back', async () => {
    await symlink('repo', join(top, 'alias'));
    const workspace = await openWorkspace({ cwd: join(top, 'alias') });
    expect(workspace.exists('a/b/c.yaml')).toBe(false);
    await workspace.write('a/b/c.yaml', 'x: 1\n');
    await expect(workspace.write('a/b/c.yaml', 'x: 0\n')).rejects.toMatchObject({ code: 'refused' });
    expect(workspace.exists('a/b/c.yaml')).toBe(true);
    expect(workspace.read('a/b/c.yaml')).toMatchObject({ text: 'x: 1\n' });
    expect(workspace.locate('a/../d')).toBe('d');
    expect(workspace.locate('.')).toBe('.');
  });

  it('writing a file never leaves the root, by a path or by a link', async () => {
    const workspace = await openWorkspace({ cwd: root });
    await symlink('..', join(root, 'up'));
    await symlink('../new.yaml', join(root, 'link.yaml'));
    for (const path of ['../new.yaml', 'up/new.yaml', 'up/made/new.yaml', 'link.yaml'])
      await expect(workspace.write(path, ''), path).rejects.toMatchObject({ code: 'usage' });
    expect(await readdir(top)).toEqual(['repo']);
    expect(() => workspace.locate('../x')).toThrow(/outside the workspace/);
    await put('a.yaml', '');
    await expect(workspace.write('a.yaml/b.yaml', '')).rejects.toMatchObject({ message: /cannot be written/ });
  });
});

describe('replacing', () => {
  it('a file is replaced only if it still holds what was read, and keeps its byte order mark and its mode', async () => {
    await put('a.yaml', '\uFEFFone');
    await chmod(join(root, 'a.yaml'), 0o640);
    const workspace = await openWorkspace({ cwd: root });
    expect(workspace.read('a.yaml')).toMatchObject({ text: 'one' });
    await workspace.replace('a.yaml', 'one', 'two');
    expect(await readFile(join(root, 'a.yaml'), 'utf8')).toBe('\uFEFFtwo');
    expect((await stat(join(root, 'a.yaml'))).mode & 0o777).toBe(0o640);
    await expect(workspace.replace('a.yaml', 'one', 'three')).rejects.toMatchObject({
      code: 'refused',
      message: 'a.yaml was changed while it was worked on, so it was not written.',
    });
    await expect(workspace.replace('gone.yaml', '', 'x')).rejects.toMatchObject({ code: 'refused' });
    expect(await readFile(join(root, 'a.yaml'), 'utf8')).toBe('\uFEFFtwo');
    expect(await readdir(root)).toEqual(['.git', 'a.yaml']);
  });

  it('a file that nobody may write is not to be replaced', async () => {
    await put('a.yaml', '');
    await put('b.yaml', '');
    await chmod(join(root, 'a.yaml'), 0o444);
    const workspace = await openWorkspace({ cwd: root });
    expect(workspace.readOnlyReason('a.yaml')).toBe('it is read-only');
    expect(workspace.readOnlyReason('b.yaml')).toBeUndefined();
    expect(workspace.readOnlyReason('c.yaml')).toMatch(/no such file/);
  });
});

describe('files outside', () => {
  it('files outside the workspace are read and written relative to the working directory', async () => {
    const workspace = await openWorkspace({ cwd: root });
    await workspace.writeOutside('../plan.json', '{}');
    expect(await workspace.readOutside('../plan.json')).toBe('{}');
    expect(await readFile(join(top, 'plan.json'), 'utf8')).toBe('{}');
    await expect(workspace.readOutside('no.json')).rejects.toMatchObject({ code: 'usage', message: /no such file/ });
    await expect(workspace.writeOutside('no/plan.json', '')).rejects.toMatchObject({ message: /cannot be written/ });
  });

  it('a file outside the workspace takes the place of a link, not of what another user let it lead to', async () => {
    await put('../mine', 'mine');
    await chmod(join(top, 'mine'), 0o666);
    await symlink('mine', join(top, 'plan.json'));
    const workspace = await openWorkspace({ cwd: root });
    expect(await workspace.findWritable('../plan.json', { states: [], sources: [] })).toBe(join(top, 'plan.json'));
    await workspace.writeOutside('../plan.json', '{}', { isPrivate: true });
    expect(await readFile(join(top, 'mine'), 'utf8')).toBe('mine');
    expect(await readFile(join(top, 'plan.json'), 'utf8')).toBe('{}');
    expect((await stat(join(top, 'plan.json'))).mode & 0o777).toBe(0o600);
  });

  it('no file takes the place of a link to a device', async () => {
    await symlink('/dev/null', join(top, 'plan.json'));
    const workspace = await openWorkspace({ cwd: root });
    const refused = { code: 'usage', message: '../plan.json cannot be written: it is not a regular file.' };
    await expect(workspace.writeOutside('../plan.json', '{}')).rejects.toMatchObject(refused);
  });
});
