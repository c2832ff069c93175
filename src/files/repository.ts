// Finds out what git knows about a folder. Its branch and what is unfinished are read from files. What it tracks only
// git itself knows: it is asked, but never runs what a repository sets, and only about files that are seldom there.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import type { FileStatus, Parts, Repository } from '../declare/workspace.ts';
import { pushAll } from '../model/values/collections.ts';
import { Failure } from '../model/workspace/failure.ts';
import { errnoOf, readRegularNow, whyOf } from './file-system.ts';
import { realPath, repositoryRoot } from './paths.ts';
import { relativePath } from './read-source.ts';

/** The files that git leaves in its folder until an operation is finished or given up. */
const unfinished: Readonly<Record<string, NonNullable<Repository['unfinished']>>> = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
};

/** Returns undefined outside of a repository, or if git's files are unreadable. The signal ends what git is asked. */
export function readRepository(folder: string, signal?: AbortSignal): Repository | undefined {
  const root = repositoryRoot(realPath(folder));
  if (root === undefined) return undefined;
  try {
    const git = gitFolder(root);
    const markerFile = Object.keys(unfinished).find((name) => existsSync(join(git, name)));
    return {
      ...headOf(readTrimmed(join(git, 'HEAD'))),
      unfinished: markerFile === undefined ? undefined : unfinished[markerFile],
      statusOf: (path) => statusOf(root, path, signal),
      trackedStates: () => trackedStates(root, realPath(folder), signal),
      mayHaveOther: (names, path) =>
        mayHaveOther(root, names, path && relativePath(root, join(realPath(folder), path))),
      parts: () => partsBelow({ root, workspace: realPath(folder), folder: realPath(folder) }, signal),
    };
  } catch {
    return undefined;
  }
}

/** A repository with the newer format of references does not name its branch in HEAD. */
function headOf(head: string): Pick<Repository, 'branch' | 'commit'> {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return branch === '.invalid' ? {} : { branch };
  return /^[0-9a-f]{40,64}$/.test(head) ? { commit: head } : {};
}

async function statusOf(root: string, path: string, signal: AbortSignal | undefined): Promise<FileStatus> {
  if (repositoryRoot(realPath(dirname(path))) !== root) return 'outside';
  const entry = await indexEntry(path, signal);
  if (entry === undefined) return 'untracked';
  if (entry.stage !== 0) return 'unmerged';
  // Git keeps the target of a link instead.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'unchanged';
  return hashesOf(path, entry.hash.length).includes(entry.hash) ? 'unchanged' : 'changed';
}

/**
 * The hashes by which git may know the content of a file: as it is, and at last with the line ends that git keeps where
 * it was checked out with others. Empty if it cannot be read.
 */
export function hashesOf(path: string, length: number): readonly string[] {
  const bytes = contentOf(path);
  if (bytes === undefined) return [];
  const withoutReturns = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [bytes, withoutReturns].map((content) =>
    createHash(length === 64 ? 'sha256' : 'sha1')
      .update(`blob ${content.length}\0`)
      .update(content)
      .digest('hex'),
  );
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readRegularNow(path);
  } catch {
    return undefined;
  }
}

/**
 * True if git tracks a file that is there: then it may have come with a commit of somebody else, so a journal or a
 * saved plan is not trusted. `path` is absolute; a link is not followed. False outside of a repository. Throws Failure
 * refused if git cannot be asked.
 */
export async function isTracked(path: string, signal?: AbortSignal): Promise<boolean> {
  return (await indexEntry(path, signal)) !== undefined;
}

/**
 * True if a merge of the file is unfinished. With `-merge` in .gitattributes the file itself shows nothing of it. Git
 * is asked only if its index may say so. Throws Failure refused if it cannot be.
 */
export async function isUnmerged(path: string, signal?: AbortSignal): Promise<boolean> {
  const place = placeOf(path);
  return place !== undefined && mayBeUnmerged(place) && ((await indexEntry(path, signal))?.stage ?? 0) !== 0;
}

interface PathInRepository {
  readonly root: string;
  /** The path from there. */
  readonly name: string;
}

/** Returns undefined outside of a repository, or if git's own files cannot be read. */
function placeOf(path: string): PathInRepository | undefined {
  const folder = realPath(dirname(path));
  const root = repositoryRoot(folder);
  if (root === undefined || readRepository(root) === undefined) return undefined;
  return { root, name: relativePath(root, join(folder, basename(path))) };
}

interface IndexEntry {
  /** 0, or of a merge: 1 the base, 2 ours, 3 theirs. */
  readonly stage: number;
  /** The id of the content that git has of it. */
  readonly hash: string;
}

/** The entry of a file, or its first one in a merge; undefined if git does not track it. */
async function indexEntry(path: string, signal: AbortSignal | undefined): Promise<IndexEntry | undefined> {
  const place = placeOf(path);
  if (place === undefined) return undefined;
  // Git on a system that ignores case checks the file out under either spelling.
  const printed = await ask({ ...place, signal }, 'ls-files', '--stage', '-z', '--', `:(icase,literal)${place.name}`);
  const [, hash, stage] = /^\d+ ([0-9a-f]+) ([0-3])\t/.exec(printed) ?? [];
  return hash === undefined ? undefined : { hash, stage: Number(stage) };
}

/** The JSON files below a folder that git tracks and whose path has `state` in it, relative to the folder. */
async function trackedStates(
  root: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const name = relativePath(root, folder);
  const printed = await ask({ root, name, signal }, '-C', name, 'ls-files', '-z', '--', '*state*.json');
  // A file in conflict is in the index once for each side.
  return [...new Set(printed.split('\0').filter((path) => path !== ''))];
}

interface ListedRepository {
  readonly root: string;
  readonly workspace: string;
  /** The folder in the repository, and in the workspace. */
  readonly folder: string;
}

/** The mode of an index entry for a submodule, whose content is a commit. */
const linkMode = '160000';

/** Includes nested submodules. Git is asked only if an index may name a submodule or a file that is left out. */
async function partsBelow(
  { root, workspace, folder }: ListedRepository,
  signal: AbortSignal | undefined,
): Promise<Parts> {
  const submodules: Parts['submodules'][number][] = [];
  const unfetched: Parts['unfetched'][number][] = [];
  if (!mayHaveParts(root)) return { submodules, unfetched };
  const asking = { root, name: 'the sources', signal };
  const [fromRoot, fromWorkspace] = [relativePath(root, folder), relativePath(workspace, folder)];
  const repository = relativePath(workspace, root);
  const listed = await listedParts(asking, fromRoot).catch(noneWithoutGit);
  const ofFile = listed.some(({ isLink }) => !isLink) ? await leftOutBy(asking) : 'skipped';
  const ofLink = existsSync(join(root, '.gitmodules')) ? 'submodule' : 'embedded';
  for (const { path, isLink } of listed) {
    const place = { path: posix.join(fromWorkspace, path), name: posix.join(fromRoot, path), repository };
    const submodule = { ...place, path: `${place.path}/` };
    const at = join(folder, path);
    if (!isLink) unfetched.push({ ...place, kind: ofFile });
    else if (!isCheckedOut(at)) unfetched.push({ ...submodule, kind: ofLink });
    else {
      const inner = await partsBelow({ root: at, workspace, folder: at }, signal);
      pushAll(submodules, [submodule, ...inner.submodules]);
      pushAll(unfetched, inner.unfetched);
    }
  }
  return { submodules, unfetched };
}

interface ListedPart {
  /** The path from the folder. */
  readonly path: string;
  /** A submodule; if not, a file that git is told to leave out. */
  readonly isLink: boolean;
}

async function listedParts(asking: Question, folder: string): Promise<readonly ListedPart[]> {
  const printed = await ask(asking, '-C', folder, 'ls-files', '-t', '--stage', '-z');
  const parts = new Map<string, ListedPart>();
  for (const entry of printed.split('\0')) {
    // `S 100644 ID 0<TAB>PATH`, for up to a hundred thousand files.
    const isLink = entry.startsWith(linkMode, 2);
    if (!isLink && !entry.startsWith('S ')) continue;
    const path = entry.slice(entry.indexOf('\t') + 1);
    // A submodule in conflict is in the index once for each side.
    parts.set(path, { path, isLink });
  }
  return [...parts.values()];
}

function noneWithoutGit(error: unknown): readonly ListedPart[] {
  if (error instanceof Failure && errnoOf(error.cause) === 'ENOENT') return [];
  throw error;
}

/** A sparse checkout chooses folders, unless it is told to go by patterns. */
async function leftOutBy(asking: Question): Promise<'sparse' | 'patterns' | 'skipped'> {
  if (!(await isOn(asking, 'core.sparseCheckout', false))) return 'skipped';
  return (await isOn(asking, 'core.sparseCheckoutCone', true)) ? 'sparse' : 'patterns';
}

async function isOn(asking: Question, setting: string, unset: boolean): Promise<boolean> {
  const printed = await ask(asking, 'config', '--type=bool', `--default=${unset}`, '--get', setting);
  return printed.trim() === 'true';
}

/** Git writes the index of a submodule when it has fetched it, and lays out its files. */
function isCheckedOut(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory() && indexOf(folder) !== undefined;
  } catch {
    return false;
  }
}

interface Question extends PathInRepository {
  readonly signal: AbortSignal | undefined;
}

async function ask({ root, name, signal }: Question, ...args: readonly string[]): Promise<string> {
  const { askClone } = await import('./git.ts');
  const refused = (why: string, fix: string, cause?: unknown) =>
    new Failure('refused', `Git cannot be asked about ${name}: ${why}.`, {
      hint: `Almanac must know which files came with a commit, which ones a merge left in conflict, and which ones were not fetched. ${fix}`,
      cause,
    });
  const run = await askClone(root, { environment: process.env, signal }, ...args).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    if (errnoOf(error) !== 'ENOENT') throw refused(whyOf(error), 'Run the command again.', error);
    throw refused('there is no git on this machine', 'Install git, then run the command again.', error);
  });
  if (run.code === 0) return run.stdout.toString('utf8');
  if (!run.stderr.includes('dubious ownership'))
    throw refused('it ends with an error', `Run \`git -C ${root} status\` to see why.`);
  const trust = `If you trust it, run \`git config --global --add safe.directory ${root}\`.`;
  throw refused(`${root} belongs to another user`, trust);
}

/** The bits that mark an index entry in conflict. */
const stageBits = 0x3000;
const lengthBits = 0xfff;

/** True if the index may have a conflict; git starts too slowly to be asked each time. False without an index. */
function mayBeUnmerged({ root, name }: PathInRepository): boolean {
  const found = indexOf(root);
  if (found === undefined) return false;
  const { index, version } = found;
  if (version > 3) return true;
  const text = index.toString('latin1').toLowerCase();
  const entry = Buffer.from(`${name}\0`).toString('latin1').toLowerCase();
  for (let at = text.indexOf(entry); at >= 0; at = text.indexOf(entry, at + 1))
    if (flagsBefore(index, at, Buffer.byteLength(name)).some((flags) => (flags & stageBits) !== 0)) return true;
  return false;
}

/** The flags of an entry if a name of this length begins there. In version 3 there may be more between the two. */
function flagsBefore(index: Buffer, at: number, length: number): readonly number[] {
  const flags = [2, 4].map((before) => (at < before ? 0 : index.readUInt16BE(at - before)));
  return flags.filter((found) => (found & lengthBits) === Math.min(length, lengthBits));
}

/** Entries begin behind the header, each at a multiple of eight bytes. */
const headerBytes = 12;
const linkModeBytes = Buffer.from([0, 0, 0xe0, 0]);
/** The place of the mode in an entry. */
const modeAt = 24;

/** True if the index may have a submodule, or a file that is left out, which version 2 cannot say. */
function mayHaveParts(root: string): boolean {
  const found = indexOf(root);
  if (found === undefined) return false;
  const { index, version } = found;
  if (version > 2) return true;
  for (let at = index.indexOf(linkModeBytes); at >= 0; at = index.indexOf(linkModeBytes, at + 1))
    if ((at - headerBytes - modeAt) % 8 === 0) return true;
  return false;
}

function mayHaveOther(root: string, names: readonly string[], path = ''): boolean {
  const found = indexOf(root);
  if (found === undefined) return false;
  const { index, version } = found;
  if (version > 3) return true;
  const length = Buffer.byteLength(path);
  const isOwn = (end: number) =>
    index.toString('utf8', end - length, end) === path && flagsBefore(index, end - length, length).length > 0;
  return names.some((name) => {
    const entry = `${name}\0`;
    for (let at = index.indexOf(entry); at >= 0; at = index.indexOf(entry, at + 1))
      if (!isOwn(at + name.length)) return true;
    return false;
  });
}

interface GitIndex {
  readonly index: Buffer;
  /** Only git reads version 4, which cuts names short, and one that is split, which names only some of the files. */
  readonly version: number;
}

/** Returns undefined if there is no index. */
function indexOf(root: string): GitIndex | undefined {
  const folder = gitFolder(root);
  const index = contentOf(join(folder, 'index'));
  if (index?.toString('latin1', 0, 4) !== 'DIRC' || index.length < headerBytes) return undefined;
  const isSplit = readdirSync(folder).some((file) => file.startsWith('sharedindex.'));
  return { index, version: isSplit ? 4 : index.readUInt32BE(4) };
}

/** The folder for git's own files about this working copy. `.git` is a file in a worktree or a submodule. */
function gitFolder(root: string): string {
  const git = join(root, '.git');
  return statSync(git).isDirectory() ? git : linkedFolder(git);
}

function linkedFolder(git: string): string {
  return resolve(dirname(git), readTrimmed(git).replace(/^gitdir:\s*/, ''));
}

function readTrimmed(path: string): string {
  return readRegularNow(path).toString('utf8').trim();
}
