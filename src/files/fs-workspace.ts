// The workspace as a folder on this machine, and files that users name. Finds its root, and decides which files belong
// to it.

import * as nodeFs from 'node:fs';
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  promises,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import type { Parts, PreparedText, Repository, Workspace } from '../declare/workspace.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { configNames } from '../model/workspace/config.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import { errnoOf, notRegular, readIfThere, readRegular, realFileSystem, whyOf } from './file-system.ts';
import {
  isInside,
  isOrBeside,
  linkFinder,
  linkHint,
  pathInRepository,
  realPath,
  refuseLinks,
  repositoryRoot,
} from './paths.ts';
import { decodeUtf8, finding, hasMark, outside, readInRepository, relativePath, sourceReader } from './read-source.ts';
import { isTracked, readRepository } from './repository.ts';
import { prepareFile, targetOf, writeAtomically } from './write-atomically.ts';

export interface WorkspaceOptions {
  /** Absolute. Paths on the command line are relative to it. */
  readonly cwd: string;
  /** The file given with `--config`. */
  readonly config?: string;
  /** Ends the search for files. */
  readonly signal?: AbortSignal;
}

const passedOver = {
  ignore: ['**/node_modules/**', '**/.git/**'],
  expandDirectories: false,
  followSymbolicLinks: false,
};
const yamlFiles = '**/*.{yaml,yml}';

/** Throws Failure usage if a named folder or file does not exist. */
export async function openWorkspace({ cwd, config, signal }: WorkspaceOptions): Promise<Workspace> {
  if (!isFolder(cwd)) throw new Failure('usage', `The folder ${cwd} does not exist.`);
  const configPath = config === undefined ? findConfig(cwd) : namedConfig(resolve(cwd, config), config);
  const root = configPath === undefined ? cwd : dirname(configPath);
  const configFile = configPath === undefined ? undefined : basename(configPath);

  const read = sourceReader(root);
  let asked: Promise<Parts> | undefined;
  const parts = (repository: Repository) => (asked ??= repository.parts());
  const inFolder = async (folder: string, globs: readonly string[]): Promise<readonly string[]> => {
    const inside = (file: string) => folder === '.' || file.startsWith(`${folder}/`);
    const sources = (await findFiles(root, globs, signal)).filter(inside);
    if (sources.length > 0) return sources;
    const files = await findFiles(join(root, folder), [yamlFiles], signal);
    const named = files.map((file) => (folder === '.' ? file : `${folder}/${file}`));
    return named.filter((file) => file !== configFile);
  };

  const whatIsRead = async (real: string, globs: readonly string[]): Promise<string | undefined> => {
    const path = relativePath(realPath(root), real);
    if (path === configFile) return 'the configuration';
    return isThere(real) && (await findFiles(root, globs, signal)).includes(path) ? 'a source file' : undefined;
  };

  return {
    root,
    configFile,
    inRepository: (roots) => pathInRepository(root, roots),
    list: (globs) => findFiles(root, globs, signal),
    among: (paths, globs) => matching(root, paths, globs),
    resolve: async (paths, globs) => {
      if (paths.length === 0) return { files: await findFiles(root, globs, signal), findings: [] };
      const files = new Set<string>();
      const findings: Finding[] = [];
      for (const named of paths) {
        const absolute = resolve(cwd, named);
        const path = relativePath(root, absolute);
        if (!isInside(root, absolute)) findings.push(outside(path, 'its path leads out of the workspace').finding);
        // Reading it reports the link.
        else if (linkFinder(root)(absolute) !== undefined) files.add(path);
        else if (isFolder(absolute)) for (const file of await inFolder(path, globs)) files.add(file);
        else if (isThere(absolute)) files.add(path);
        else findings.push(finding('unreadable-file', path, 'there is no such file or folder').finding);
      }
      return { files: [...files].sort(byCodeUnit), findings };
    },
    read: (path) => read(path),
    readReference: (path, states) => read(path, { states: states.map((state) => resolve(root, state)) }),
    readInRepository: (path) => readInRepository(root, path),
    exists: (path) => isThere(resolve(root, path)),
    write: (path, text) => writeInside(root, path, text),
    readOnlyReason: (path) => readOnlyReason(root, resolve(root, path)),
    replace: async (path, before, after) => (await prepareInside(root, path, before, after)).put(),
    prepare: (path, before, after) => prepareInside(root, path, before, after),
    locate: (path) => relativePath(root, ownPath(root, resolve(cwd, path), path)),
    readOutside: (path) => readText(resolve(cwd, path), path),
    isTracked: (path) => isTracked(resolve(cwd, path), signal),
    repository: () => {
      const found = readRepository(root, signal);
      return found && { ...found, statusOf: (path) => found.statusOf(resolve(root, path)), parts: () => parts(found) };
    },
    findWritable: async (path, { states, sources }) => {
      const absolute = resolve(cwd, path);
      const real = await realTarget(root, absolute, path);
      const reservedAs = states.some((state) => isOrBeside(resolve(root, state), real))
        ? 'the state'
        : await whatIsRead(real, sources);
      // A link may be another user's, so it is replaced and not followed.
      if (reservedAs === undefined) return join(realPath(dirname(absolute)), basename(absolute));
      throw new Failure('usage', `${path} cannot be written: it is ${reservedAs}.`, {
        hint: 'Give the result a file of its own.',
      });
    },
    writeOutside: (path, text, { isPrivate = false } = {}) =>
      writeAtomically(realFileSystem, resolve(cwd, path), text, { isPrivate, replacesLink: true }).catch(
        refuse(path, 'written'),
      ),
  };
}

/** The file that writing a result would reach through links. Throws Failure usage where no file can be put. */
async function realTarget(root: string, absolute: string, path: string): Promise<string> {
  if (isInside(root, absolute)) refuseLinks(root, absolute, path);
  // /dev/stdout is a link, and may lead to a file.
  if (dirname(absolute) === '/dev') throw new Failure('usage', `${path} cannot be written: ${notRegular}.`);
  if (isFolder(absolute)) throw new Failure('usage', `${path} cannot be written: it is a folder.`);
  if (path === '-' || isSpecial(absolute))
    throw new Failure(
      'usage',
      `${path} cannot be written: it is not a regular file, and a result is put in its place whole.`,
      { hint: 'Name a file. What `--format` prints can be redirected.' },
    );
  // Writing replaces the file by a new one, so the folder must be writable.
  await promises.access(dirname(absolute), constants.W_OK).catch(refuse(path, 'written'));
  if (!isFolder(dirname(absolute))) throw new Failure('usage', `${path} cannot be written: its folder is a file.`);
  const target = await targetOf(realFileSystem, absolute).catch(refuse(path, 'written'));
  return join(realPath(dirname(target)), basename(target));
}

async function writeInside(root: string, path: string, text: string): Promise<void> {
  const absolute = ownPath(root, resolve(root, path), path);
  const check = () => {
    if (!isThere(absolute)) return;
    throw new Failure('refused', `${path} is there already, so it was not written.`, {
      hint: 'Somebody may have put it there while the command ran. Move it away, and run the command again.',
    });
  };
  try {
    await promises.mkdir(dirname(absolute), { recursive: true });
    await writeAtomically(realFileSystem, absolute, text, { check });
  } catch (error) {
    refuseWriting(path, error);
  }
}

/** An absolute path, as it is. Throws Failure usage if it leads out of the root or through a link. */
function ownPath(root: string, absolute: string, name: string): string {
  if (!isInside(root, absolute)) {
    throw new Failure('usage', `${name} is outside the workspace ${root}.`, {
      hint: 'Source files must be inside the workspace.',
    });
  }
  refuseLinks(root, absolute, name);
  return absolute;
}

async function prepareInside(root: string, path: string, before: string, after: string): Promise<PreparedText> {
  checkUnchanged(root, path, before);
  const mark = hasMark(readFileSync(resolve(root, path))) ? '\uFEFF' : '';
  try {
    const prepared = await prepareFile(realFileSystem, ownPath(root, resolve(root, path), path), mark + after);
    return {
      put: async () => {
        try {
          checkUnchanged(root, path, before);
          await prepared.put();
        } catch (error) {
          await prepared.drop();
          refuseWriting(path, error);
        }
        await prepared.sync().catch(refuse(path, 'written'));
      },
      drop: () => prepared.drop(),
    };
  } catch (error) {
    return refuseWriting(path, error);
  }
}

function checkUnchanged(root: string, path: string, before: string): void {
  const read = sourceReader(root)(path);
  if ('text' in read && read.text === before) return;
  throw new Failure('refused', `${path} was changed while it was worked on, so it was not written.`, {
    hint: 'Run the command again.',
  });
}

function refuseWriting(path: string, error: unknown): never {
  if (error instanceof Failure) throw error;
  return refuse(path, 'written')(error);
}

/** Writing replaces a file by a new one, so the permissions of the folder and its own have to be asked. */
function readOnlyReason(root: string, absolute: string): string | undefined {
  try {
    if (linkFinder(root)(absolute) !== undefined) return 'it is a link, or behind one';
    if ((statSync(absolute).mode & 0o222) === 0) return 'it is read-only';
    accessSync(dirname(absolute), constants.W_OK);
    closeSync(openSync(absolute, 'r+'));
    return undefined;
  } catch (error) {
    return whyOf(error);
  }
}

/** Searches the folder and its parents up to the repository's root; outside of a repository the folder alone. */
function findConfig(start: string): string | undefined {
  const root = repositoryRoot(start) ?? start;
  for (let folder = start; ; folder = dirname(folder)) {
    const found = configNames
      .map((name) => join(folder, name))
      .filter(isThere)
      .filter((path) => !lstatSync(path).isDirectory());
    if (found.length > 1) {
      throw new Failure('invalid-workspace', `${folder} holds both almanac.yaml and almanac.yml.`, {
        hint: 'Keep one of them, or name it with `--config`.',
      });
    }
    if (found[0] !== undefined) return folder === start ? found[0] : ownFrom(start, found[0]);
    if (folder === root) break;
  }
  const near = isThere(start)
    ? readdirSync(start).find((name) => nearlyConfig.test(name) && !isFolder(join(start, name)))
    : undefined;
  if (near === undefined) return undefined;
  // Without its settings, an apply would go elsewhere, or to other receivers.
  throw new Failure('invalid-workspace', `There is no almanac.yaml here, and ${near} is not read.`, {
    hint: `Rename it to almanac.yaml, or name it with \`--config ${near}\`.`,
  });
}

const nearlyConfig = /^\.?almanac(?:[._-]?conf(?:ig)?)?\.(?:ya?ml|json|toml)$/i;

/** It decides where the token goes, and others may write in a folder above. Root, and whoever the folder is of, count as own. */
function ownFrom(start: string, path: string): string {
  const { uid } = lstatSync(path);
  if ([0, process.getuid?.(), statSync(start).uid].includes(uid)) return path;
  throw new Failure('usage', `${path} belongs to another user, so it is not used for a folder below it.`, {
    hint: 'If you trust it, run Almanac in its folder, or name it with `--config`.',
  });
}

function namedConfig(path: string, asWritten: string): string {
  if (isFolder(path)) throw new Failure('usage', `\`--config ${asWritten}\` names a folder.`);
  if (!isThere(path)) throw new Failure('usage', `\`--config ${asWritten}\` names a file that does not exist.`);
  return path;
}

/** Unreadable files and broken links count as existing, so that reading them reports the problem. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errnoOf(error) !== 'ENOTDIR';
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A pipe or a device, such as /dev/stdout. */
function isSpecial(path: string): boolean {
  try {
    const found = statSync(path);
    return !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}

type Done = (error: Error | null, entries: nodeFs.Dirent[]) => void;

/**
 * The files under a folder that match globs: paths relative to the root with `/`, sorted by code unit. Nothing is skipped
 * silently, because the resources of an unread source would count as removed: an unreadable folder and a linked one are
 * failures, and a link or a pipe that a glob matches is listed so that reading it reports the problem.
 */
async function findFiles(root: string, globs: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
  const unreadable: { readonly path: string; readonly error: Error }[] = [];
  const links: string[] = [];
  const findLink = linkFinder(root);

  const readdir = (path: string, options: { withFileTypes: true }, done: Done): void => {
    const link = findLink(path);
    if (link !== undefined) {
      links.push(link);
      done(null, []);
      return;
    }
    nodeFs.readdir(path, options, (error, entries) => {
      if (error !== null && errnoOf(error) !== 'ENOENT') unreadable.push({ path, error });
      done(
        error,
        entries?.map((entry) => asListed(path, entry)),
      );
    });
  };

  const found = await glob(globs, {
    cwd: root,
    signal,
    ...passedOver,
    fs: { readdir } as Partial<typeof nodeFs>,
  });
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted while the workspace was read.');
  const [first] = unreadable;
  if (first !== undefined) {
    throw new Failure('invalid-workspace', `The folder ${first.path} cannot be read: ${whyOf(first.error)}.`, {
      hint: 'Its declarations would count as removed. Fix its permissions.',
      cause: first.error,
    });
  }
  if (links[0] !== undefined) {
    throw new Failure('invalid-workspace', `The folder ${relativePath(root, links[0])} is a symbolic link.`, {
      hint: linkHint,
    });
  }
  return found.sort(byCodeUnit);
}

/** Does the same as `findFiles` in a folder that holds exactly these files, and the folders in which it looks. */
async function matching(root: string, paths: readonly string[], globs: readonly string[]): Promise<readonly string[]> {
  const entriesByFolder = new Map<string, Map<string, boolean>>();
  const folders = paths.filter((path) => path.endsWith('/'));
  const walked: string[] = [];
  for (const path of paths.filter((each) => isInside(root, resolve(root, each)))) {
    for (let at = resolve(root, path), isFile = !path.endsWith('/'); at !== root; at = dirname(at), isFile = false)
      entriesByFolder.set(
        dirname(at),
        (entriesByFolder.get(dirname(at)) ?? new Map<string, boolean>()).set(basename(at), isFile),
      );
  }
  const readdir = (path: string, _: { withFileTypes: true }, done: Done): void => {
    if (folders.length > 0) walked.push(`${relativePath(root, resolve(path))}/`);
    const entries = [...(entriesByFolder.get(resolve(path)) ?? [])].map(([name, isFile]) => ({
      name,
      isFile: () => isFile,
      isDirectory: () => !isFile,
      isSymbolicLink: () => false,
    }));
    done(null, entries as nodeFs.Dirent[]);
  };
  const found = await glob(globs, { cwd: root, ...passedOver, fs: { readdir } as Partial<typeof nodeFs> });
  // A walk begins in the folder that all globs name.
  const looked = folders.filter((folder) => walked.some((path) => path.startsWith(folder)));
  return [...found, ...looked].sort(byCodeUnit);
}

/**
 * A link counts as the folder or file that it leads to, so that the globs decide whether it matters. A pipe, socket or
 * device is listed as a file.
 */
function asListed(folder: string, entry: nodeFs.Dirent): nodeFs.Dirent {
  if (entry.isFile() || entry.isDirectory()) return entry;
  const leadsToFolder = entry.isSymbolicLink() && isFolder(join(folder, entry.name));
  return Object.assign(Object.create(entry), { isFile: () => !leadsToFolder, isDirectory: () => leadsToFolder });
}

// Files that a user names: read once, or read and replaced as a whole.

/** The text without its byte order mark. `name`: the path as users know it. Throws Failure usage, also if there is no such file. */
export async function readText(absolute: string, name: string): Promise<string> {
  return decodedText(await readRegular(realFileSystem, absolute).catch(refuse(name, 'read')), name);
}

function decodedText(bytes: Uint8Array, name: string): string {
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  throw new Failure('usage', `${name} cannot be read: ${decoded.problem}.`, { hint: decoded.hint });
}

/** The text with its byte order mark; undefined without a file. Throws Failure usage if it is not readable UTF-8. */
export async function readDataFile(path: string, within?: string): Promise<string | undefined> {
  if (within !== undefined) refuseLinks(within, path, relativePath(within, path));
  const bytes = await readIfThere(realFileSystem, path).catch(refuse(path, 'read'));
  return bytes && `${hasMark(bytes) ? '\uFEFF' : ''}${decodedText(bytes, path)}`;
}

/** Throws Failure usage if the file cannot be written. */
export async function writeDataFile(path: string, text: string, within?: string): Promise<void> {
  if (within !== undefined) refuseLinks(within, path, relativePath(within, path));
  const target = resolve(path);
  await promises
    .mkdir(dirname(target), { recursive: true })
    .then(() => writeAtomically(realFileSystem, target, text))
    .catch(refuse(path, 'written'));
}

/** Reads the file, which may be a pipe, or the standard input. */
export async function readBytes(path: string | undefined): Promise<Uint8Array> {
  if (path !== undefined) return promises.readFile(path).catch(refuse(path, 'read'));
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Translates the error of a failed system call. */
export function refuse(path: string, done: 'read' | 'written'): (error: unknown) => never {
  return (error) => {
    throw new Failure('usage', `${path} cannot be ${done}: ${whyOf(error)}.`, { cause: error });
  };
}
