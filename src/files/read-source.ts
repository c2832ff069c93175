// Reads a file of the workspace as text, or returns a finding. The finding says why the file cannot be read.
// Synchronous, because sources are many and small, and a promise per file costs more than the read.

import { closeSync, constants, lstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { gitCommand } from '../model/values/words.ts';
import type { Code } from '../model/workspace/codes.ts';
import type { Finding, SourceFile } from '../model/workspace/diagnostic.ts';
import { errnoOf, whyOf } from './file-system.ts';
import { isInside, isOrBeside, linkFinder, linkHint, realPath, repositoryRoot } from './paths.ts';

const largest = 8_000_000;

interface ReadOptions {
  /** Absolute paths of states; a file is refused if it is one of them, or one that Almanac keeps next to it. */
  readonly states: readonly string[];
}

/**
 * Reads a file below the root; `path` uses `/`. A source that is a link, or behind one, is refused. With `reference`, the
 * text goes into a declaration, and so to Omni: links inside the root are followed, and what may hold credentials is refused.
 */
type ReadSource = (path: string, reference?: ReadOptions) => Pick<SourceFile, 'text'> | { readonly finding: Finding };

/** Looks for links once in each folder, for files that are read one after another in the same turn of the process. */
export function sourceReader(root: string): ReadSource {
  let last: ReturnType<typeof linkFinder> | undefined;
  const findLink = (path: string) => {
    if (last === undefined) setImmediate(() => (last = undefined)).unref();
    last ??= linkFinder(root);
    return last(path);
  };
  return (path, reference) => {
    const absolute = resolve(root, path);
    if (!isInside(root, absolute)) return outside(path, 'its path leads out of the workspace');
    try {
      if (reference !== undefined) return readReference(root, path, reference);
      const above = findLink(dirname(absolute));
      if (above !== undefined) return linked(root, path, above);
      const found = lstatSync(absolute);
      return found.isSymbolicLink() ? linked(root, path, absolute) : readFile(root, absolute, path, found);
    } catch (error) {
      return finding('unreadable-file', path, brokenLink(absolute, error) ?? whyOf(error));
    }
  };
}

/** A file of the repository, or where there is none of the root. Every link is followed, and none may lead out of it. */
export function readInRepository(root: string, path: string): ReturnType<ReadSource> {
  const absolute = resolve(root, path);
  const realRoot = realPath(root);
  const repository = repositoryRoot(realRoot);
  const real = realPath(absolute);
  if (!isInside(repository ?? realRoot, real)) {
    const why =
      repository === undefined
        ? 'it is outside of the workspace, which is in no git repository'
        : 'it is outside of the git repository';
    return finding(
      'reference-outside',
      path,
      why,
      'Only files of the same repository are read. Remove the entry, or correct the path.',
    );
  }
  try {
    return readFile(root, real, path, lstatSync(real));
  } catch (error) {
    return finding('unreadable-file', path, brokenLink(absolute, error) ?? whyOf(error));
  }
}

function readReference(root: string, path: string, options: ReadOptions): ReturnType<ReadSource> {
  const [realRoot, real] = [root, resolve(root, path)].map((each) => realpathSync.native(each)) as [string, string];
  if (!isInside(realRoot, real)) return outside(path, `it is, or is behind, a link to ${real}`);
  const why = whyPrivate(realRoot, real, options);
  if (why !== undefined) return finding('reference-private', path, why, 'Copy the text into a file of its own.');
  return readFile(realRoot, real, path, lstatSync(real));
}

function readFile(root: string, absolute: string, path: string, stats: Stats): ReturnType<ReadSource> {
  if (stats.isDirectory()) return finding('unreadable-file', path, 'it is a folder');
  if (!stats.isFile()) return finding('unreadable-file', path, 'it is not a regular file');
  if (stats.size > largest) {
    const size = (stats.size / 1e6).toFixed(1);
    return finding(
      'file-too-large',
      path,
      `it has ${size} MB; the limit for a source is 8 MB`,
      'Split it into several files.',
    );
  }
  const decoded = decodeUtf8(bytesOf(absolute, stats.size));
  if ('text' in decoded) return pointerOf(decoded.text) !== undefined ? pointer(root, absolute, path) : decoded;
  const { finding: wrong } = finding('not-utf-8', path, decoded.problem, decoded.hint);
  return { finding: { ...wrong, place: { file: path, ...decoded.at } } };
}

/** A pointer is shorter. */
const largestPointer = 1024;
const pointerText =
  /^version https:\/\/(?:git-lfs\.github|hawser\.github)\.com\/spec\/v\d+\r?\n(?:[\w.-]+ [^\n]*\n)*?oid \w+:([0-9a-f]+)\r?\nsize \d+\r?\n?$/;

/** The id in the text that Git LFS puts in the place of a file that it has not fetched; undefined for any other text. */
export function pointerOf(text: string): string | undefined {
  if (!text.startsWith('version https://') || text.length >= largestPointer) return undefined;
  return pointerText.exec(text)?.[1];
}

/** The finding about such a file; Git LFS fetches nothing in a submodule for the repository around it. */
function pointer(root: string, absolute: string, path: string): { readonly finding: Finding } {
  const [own, of] = [root, dirname(absolute)].map((folder) => repositoryRoot(realPath(folder)));
  const repository = own === undefined || of === undefined || own === of ? '.' : relativePath(realPath(root), of);
  const hint = `Run ${gitCommand(repository, 'lfs pull')}. In CI, the checkout must fetch Git LFS.`;
  return finding('not-fetched', path, 'it is a pointer of Git LFS, whose content was not fetched', hint);
}

/** `link`: the file itself, or a folder on the way to it. */
function linked(root: string, path: string, link: string): { readonly finding: Finding } {
  const name = relativePath(root, link);
  const what = name === path ? 'it is a symbolic link' : `its folder ${name} is a symbolic link`;
  return finding('unreadable-file', path, what, linkHint);
}

/** Shared by all files that are read: each is decoded before the next. */
let room = Buffer.allocUnsafe(64_000);

/** Reads a file that was no link a moment ago; it may have grown since. The result holds until the next call. */
function bytesOf(real: string, size: number): Uint8Array {
  const file = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    let length = 0;
    for (;;) {
      if (room.length <= Math.max(length, size)) room = Buffer.concat([room], 2 * Math.max(length, size));
      const read = readSync(file, room, length, room.length - length, null);
      length += read;
      if (read === 0 || (length >= size && length < room.length)) return room.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** `real` and `root` are paths without links. */
function whyPrivate(root: string, real: string, { states }: ReadOptions): string | undefined {
  const names = relative(root, real).split(sep);
  const hidden = names.find((name) => name.startsWith('.'));
  if (hidden !== undefined) return `\`${hidden}\` begins with a dot, and such files and folders may hold credentials`;
  const isState = states.some((state) => isOrBeside(state, real));
  const isSaved = /\.(state|plan)\.json(\.\w+)?$/.test(real);
  return isState || isSaved ? 'it is a file in which Almanac keeps a state or a plan' : undefined;
}

/** A path relative to the root with `/` between its parts, as findings write it; `.` for the root itself. */
export function relativePath(root: string, absolute: string): string {
  return relative(root, absolute).split(sep).join('/') || '.';
}

export function outside(path: string, why: string): { readonly finding: Finding } {
  return finding(
    'reference-outside',
    path,
    why,
    'Only files inside the workspace are read. Copy or move the file there.',
  );
}

export function finding(
  code: Code,
  path: string,
  why: string,
  hint = 'Check the path and the permissions.',
): { readonly finding: Finding } {
  const message = `${path} cannot be read: ${why}.`;
  return { finding: { code, message, hint, place: { file: path } } };
}

/** Describes the broken link on the path, if there is one. */
function brokenLink(absolute: string, error: unknown): string | undefined {
  if (errnoOf(error) !== 'ENOENT') return undefined;
  const segments = absolute.split(sep);
  for (let count = segments.length; count > 1; count -= 1) {
    const path = join(sep, ...segments.slice(0, count));
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    return stats.isSymbolicLink() ? `it is a link to ${readlinkSync(path)}, which does not exist` : undefined;
  }
  return undefined;
}

/** Decodes bytes strictly as UTF-8: an invalid byte is reported with its position and never replaced. */
type Decoded =
  | { readonly text: string }
  | { readonly problem: string; readonly hint: string; readonly at?: TextPosition };

/** Counted from 1; columns are UTF-16 code units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const wideMarks: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32 (little-endian)', [0xff, 0xfe, 0, 0]],
  ['UTF-32 (big-endian)', [0, 0, 0xfe, 0xff]],
  ['UTF-16 (little-endian)', [0xff, 0xfe]],
  ['UTF-16 (big-endian)', [0xfe, 0xff]],
];

const strict = new TextDecoder('utf-8', { fatal: true });

const hint = 'Save it as UTF-8.';

/** An archive of the type ZIP begins so, and a workbook is one. */
const archiveMark = [0x50, 0x4b, 3, 4];

const beginsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);

/** The text without its byte order mark, or a clause that says what is wrong with the file. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const wide = wideMarks.find(([, mark]) => beginsWith(bytes, mark));
  if (wide !== undefined) return { problem: `it is ${wide[0]} text by its byte order mark`, hint };
  if (beginsWith(bytes, archiveMark))
    return {
      problem: 'it is an archive, such as a workbook of Excel, and not a text file',
      hint: 'In Excel, save the sheet as CSV UTF-8.',
    };
  const zero = bytes.indexOf(0);
  try {
    const text = strict.decode(bytes);
    if (zero === -1) return { text };
    const at = placeAfter(text.slice(0, text.indexOf('\0')));
    return { problem: `it has a NUL byte ${inWords(at)}, so it is not a text file`, hint, at };
  } catch {
    const { before, offset } = firstBad(bytes);
    const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
    const words = zero === -1 ? '' : '; it also has NUL bytes, so it may not be a text file at all';
    const at = placeAfter(before);
    return { problem: `the byte 0x${byte} ${inWords(at)} is not UTF-8${words}`, hint, at };
  }
}

export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The first bad byte and the text before it: the first replacement character that the bytes do not hold. */
function firstBad(bytes: Uint8Array): { readonly before: string; readonly offset: number } {
  const text = new TextDecoder().decode(bytes);
  const replacement = Buffer.from('\uFFFD');
  let offset = hasMark(bytes) ? 3 : 0;
  let end = 0;
  for (const { index } of text.matchAll(/\uFFFD/g)) {
    offset += Buffer.byteLength(text.slice(end, index));
    if (!replacement.equals(bytes.subarray(offset, offset + 3))) return { before: text.slice(0, index), offset };
    end = index;
  }
  return { before: text, offset: bytes.length };
}

function placeAfter(text: string): TextPosition {
  return { line: text.split('\n').length, column: text.length - text.lastIndexOf('\n') };
}

function inWords({ line, column }: TextPosition): string {
  return `at line ${line}, column ${column}`;
}
