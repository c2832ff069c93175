// Compares the clone of the workspace with what was applied last. Tells whether it holds that commit, and which submodules are at
// another one. Without a repository, git, or a clone that can tell, the answers are undefined, and no run fails for it. Git
// answers from what the clone has; only `filesAt` fetches what a partial clone lacks.

import { join } from 'node:path';
import type { InRepository } from '../../declare/workspace.ts';
import { askClone, withAskedRemote } from '../../files/git.ts';
import { realPath, repositoryRoot } from '../../files/paths.ts';
import { relativePath } from '../../files/read-source.ts';
import type { LastApplied, MovedSubmodule } from '../../model/plan/checkout-position.ts';
import { groupBy } from '../../model/values/collections.ts';
import { utcDay } from '../../model/values/day.ts';
import { gitCommand } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { LogOptions } from '../log/backend.ts';
import { type AskedClone, type CommittedFiles, pathsBelow, readBlobs, readCommit, readObjects } from './read-commit.ts';

type ChooseFiles = (paths: readonly string[]) => Promise<readonly string[]>;

export interface Checkout {
  /** The commit that is checked out; undefined if git cannot tell. */
  head(): Promise<string | undefined>;
  /**
   * The relation of the last apply's commit to the one that is checked out; undefined if git does not tell. `isState` is true for
   * a path from the root of the workspace whose content is no declaration.
   */
  standing(commit: string, isState?: (path: string) => boolean): Promise<CheckoutState | undefined>;
  /** The id of the commit that a name stands for; undefined in no repository. Without an id, the clone lacks it. */
  commitNamed(name: string): Promise<{ readonly commit?: string; readonly isShallow?: boolean } | undefined>;
  /** As `readCommit`; of the whole repository, with paths from its root. */
  filesAt(commit: string, choose: ChooseFiles, where?: 'repository'): Promise<CommittedFiles | undefined>;
  /**
   * Files of the checked-out commit, anywhere in the repository: their texts by path from the root of the workspace,
   * undefined where the clone lacks one. The texts that one file had are keyed by its path and their ids. Undefined if git cannot tell.
   */
  committed(asked: CommittedQuestion): Promise<ReadonlyMap<string, string | undefined> | undefined>;
  /** The files below the workspace that git tracks, by path from its root; undefined if git cannot tell. */
  tracked(): Promise<ReadonlySet<string> | undefined>;
  /** Submodules at another commit than the one around them records. Their edited files are not asked about. */
  moved(submodules: readonly InRepository[]): Promise<readonly MovedSubmodule[]>;
  /** The commits of the line that is checked out, the newest first, each with its committer date; the reason if git does not tell. */
  line(): Promise<readonly DatedCommit[] | 'no-git' | 'shallow'>;
  /** At most `count` commits of that line, from one on and the newest first, that changed something below the workspace. */
  changing(from: string, count: number): Promise<readonly string[]>;
  /** True if one commit is another one, or an ancestor of it; false if git cannot tell. */
  isIn(commit: string, later: string): Promise<boolean>;
  /** The default branch of a remote, by its own answer; undefined if it gives none. The only question that is sent elsewhere. */
  defaultBranch(remote: string): Promise<string | undefined>;
  /** The address under which this user commits, as git knows it, also outside of a repository. */
  userEmail(): Promise<string | undefined>;
}

/** The part of the position that git alone tells. */
export interface CheckoutState extends Omit<LastApplied, 'commit' | 'brought'> {
  /** The commit at which two diverged lines parted; undefined if they have nothing in common. */
  readonly parted?: string | undefined;
}

/**
 * All files of these names, the one at a path from the root of the workspace, or what the one there was in this commit and in those
 * before, the newest first.
 */
export type CommittedQuestion =
  | { readonly names: readonly string[] }
  | { readonly path: string }
  | { readonly formerly: string };

export interface DatedCommit {
  readonly commit: string;
  /** In epoch milliseconds. */
  readonly date: number;
}

/** Milliseconds that a remote may take to answer. */
const remoteMs = 20_000;

type CheckoutOptions = Pick<LogOptions, 'root' | 'environment' | 'signal'>;

const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const comparing = ['--raw', '-z', '--no-abbrev', '--no-renames'] as const;
/** Options that find submodules at another commit, whatever the configuration and .gitmodules say. */
const commitsOnly = ['diff-index', ...comparing, '--ignore-submodules=dirty', '--diff-filter=M'] as const;
const rawOptions = [...comparing, '--ignore-submodules=none', '--no-ext-diff'] as const;
/** Each commit is compared with each of its parents, and none is left out because another has the same files. */
const logOptions = ['--format=', '--no-show-signature', '--full-history', '-m'] as const;
/** More would not fit into a command line: then all files of the workspace are looked through. */
const maxPaths = 500;
/** The id of the empty tree, by the length of ids. */
const emptyTrees: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** The contents that a diff leads to, by their ids: zeros where a file is gone. */
function contentsIn(raw: string): readonly (readonly [path: string, content: string])[] {
  const found = raw.matchAll(/:\d{6} \d{6} [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\0([^\0]+)\0/g);
  return [...found].map(([, content = '', path = '']) => [path, content]);
}

function dayOf(content: Buffer): string | undefined {
  const [, seconds] = /^committer .* (\d+) [+-]\d{4}$/m.exec(content.toString('utf8')) ?? [];
  return seconds === undefined ? undefined : utcDay(Number(seconds) * 1000);
}

export function openCheckout(options: CheckoutOptions): Checkout {
  const clone = cloneOf(options);
  const { folder, workspace, printedAt } = clone;
  return {
    defaultBranch: (remote) => defaultBranchOf(remote, clone, options),
    userEmail: async () => (await printedAt(folder ?? workspace, 'config', 'user.email'))?.trim() || undefined,
    line: () => lineOf(clone),
    changing: (from, count) => changingIn(from, count, clone),
    isIn: async (commit, later) =>
      isCommit.test(later) && (await clone.ask('merge-base', '--is-ancestor', commit, later))?.code === 0,
    head: async () => (await headOf(clone)).head,
    standing: (commit, isState = () => false) => standingOf(commit, isState, clone),
    commitNamed: (name) => commitNamed(name, clone),
    filesAt: async (commit, choose, where) =>
      clone.asked && readCommit(where === undefined ? clone.asked : { ...clone.asked, prefix: '' }, commit, choose),
    committed: (asked) => committedIn(asked, clone),
    tracked: async () => {
      const listed = await clone.printed('-C', clone.workspace, 'ls-files', '-z');
      return listed === undefined ? undefined : new Set(listed.split('\0'));
    },
    moved: (submodules) => movedOf(submodules, clone),
  };
}

type Clone = ReturnType<typeof cloneOf>;

/** The ways to ask git; each gives undefined if it does not answer. */
function cloneOf({ root, environment, signal }: CheckoutOptions) {
  const workspace = realPath(root);
  const folder = repositoryRoot(workspace);
  const below = folder === undefined ? '' : relativePath(folder, workspace);
  const askAt = async (at: string | undefined, args: readonly string[], input?: readonly string[]) => {
    if (at === undefined) return undefined;
    return askClone(at, { environment, signal, input }, ...args).catch(() => undefined);
  };
  const printedAt = async (at: string | undefined, ...args: readonly string[]) => {
    const run = await askAt(at, args);
    return run?.code === 0 ? run.stdout.toString('utf8') : undefined;
  };
  /** The path of the workspace in the repository, with a slash at its end. */
  const prefix = ['', '.'].includes(below) ? '' : `${below}/`;
  const asked: AskedClone | undefined =
    folder === undefined
      ? undefined
      : { folder, prefix, environment, signal, ask: (input, ...args) => askAt(folder, args, input) };
  return {
    workspace,
    folder,
    prefix,
    ours: pathsBelow(prefix),
    ask: (...args: readonly string[]) => askAt(folder, args),
    printedAt,
    printed: (...args: readonly string[]) => printedAt(folder, ...args),
    asked,
  };
}

async function headOf({ ask }: Clone) {
  const [isShallow = '', head = ''] = (await ask('rev-parse', '--is-shallow-repository', 'HEAD'))?.stdout
    .toString('utf8')
    .split('\n') ?? [''];
  return { isWhole: isShallow === 'false', head: isCommit.test(head) ? head : undefined };
}

async function commitNamed(name: string, clone: Clone): ReturnType<Checkout['commitNamed']> {
  const told = await clone.printed('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  const commit = told?.trim() ?? '';
  if (isCommit.test(commit)) return { commit };
  const { isWhole, head } = await headOf(clone);
  return head === undefined ? undefined : { isShallow: !isWhole };
}

async function defaultBranchOf(remote: string, { folder }: Clone, { environment, signal }: CheckoutOptions) {
  if (folder === undefined) return undefined;
  // Its configuration may name another program for the remote.
  const asked = ['ls-remote', '--symref', '--upload-pack=git-upload-pack', '--', remote, 'HEAD'];
  const run = await withAskedRemote(folder, { environment, limitMs: remoteMs, signal }, ...asked).catch((error) => {
    if (error instanceof Failure) throw error;
  });
  return run?.code === 0 ? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(run.stdout.toString('utf8'))?.[1] : undefined;
}

async function lineOf(clone: Clone): ReturnType<Checkout['line']> {
  const { isWhole, head } = await headOf(clone);
  if (head === undefined) return 'no-git';
  if (!isWhole) return 'shallow';
  const told = await clone.printed('rev-list', '--first-parent', '--timestamp', head);
  if (told === undefined) return 'no-git';
  return [...told.matchAll(/^(\d+) (\w+)$/gm)].map(([, seconds, commit = '']) => ({
    commit,
    date: Number(seconds) * 1000,
  }));
}

async function changingIn(from: string, count: number, { ours, printed }: Clone): Promise<readonly string[]> {
  const told = await printed('rev-list', '--first-parent', `--max-count=${count}`, from, '--', ...ours);
  return told?.trim().split('\n') ?? [];
}

async function standingOf(
  commit: string,
  isState: (path: string) => boolean,
  clone: Clone,
): ReturnType<Checkout['standing']> {
  if (!isCommit.test(commit)) return undefined;
  const { isWhole, head } = await headOf(clone);
  if (head === undefined) return undefined;
  if (head === commit) return { relation: 'same' };
  const cannotTell = isWhole ? undefined : ({ relation: 'shallow' } as const);
  const objects = clone.asked && (await readObjects(clone.asked, [commit]));
  if (objects === undefined) return cannotTell;
  const [found] = objects;
  if (found === undefined) return isWhole ? { relation: 'unknown' } : cannotTell;
  const common = await clone.ask('merge-base', head, commit);
  // A 1 without output means that they have nothing in common.
  if (common === undefined || (common.code !== 0 && common.code !== 1)) return cannotTell;
  const parted = common.stdout.toString('utf8').trim() || undefined;
  if (parted === head) return { relation: 'behind' };
  if (parted === commit) return { relation: 'ahead' };
  if (!isWhole) return cannotTell;
  const held = await isHeld(commit, { head, parted, isState }, clone);
  if (held) return { relation: 'ahead' };
  // Where git cannot tell what the other line has, each change counts.
  return { relation: 'diverged', parted: held === undefined ? undefined : parted, date: dayOf(found) };
}

/** True if each file that the commit has differently than `parted` was like that on the way from there to `head`. */
async function isHeld(
  commit: string,
  { head, parted, isState }: { head: string; parted: string | undefined; isState: (path: string) => boolean },
  { prefix, ours, printed }: Clone,
): Promise<boolean | undefined> {
  const from = parted ?? emptyTrees[commit.length];
  const listed = from && (await printed('diff-tree', ...rawOptions, '-r', from, commit, '--', ...ours));
  if (listed === undefined) return undefined;
  const lacking = new Map(contentsIn(listed).filter(([path]) => !isState(path.slice(prefix.length))));
  if (lacking.size === 0) return true;
  const paths = lacking.size > maxPaths ? ours : [...lacking.keys()].map((path) => `:(literal)${path}`);
  const range = parted === undefined ? [head] : [head, `^${parted}`];
  const told = await printed('log', ...logOptions, ...rawOptions, ...range, '--', ...paths);
  if (told === undefined) return undefined;
  for (const [path, content] of contentsIn(told)) if (lacking.get(path) === content) lacking.delete(path);
  return lacking.size === 0;
}

async function committedIn(asked: CommittedQuestion, inClone: Clone): ReturnType<Checkout['committed']> {
  if ('formerly' in asked) return formerlyIn(asked.formerly, inClone);
  const { folder, workspace, ask, printed, asked: clone } = inClone;
  if (folder === undefined || clone === undefined) return new Map();
  const born = await ask('rev-parse', '--verify', '--quiet', 'HEAD');
  if (born === undefined || born.code !== 0) return born?.code === 1 ? new Map() : undefined;
  const head = born.stdout.toString('utf8').trim();
  const tree = emptyTrees[head.length] ?? '';
  const inRepository = 'path' in asked ? relativePath(folder, join(workspace, asked.path)) : '';
  // A path outside of the repository is in no commit of it, and git refuses to be asked for one.
  if (inRepository.startsWith('../')) return new Map();
  const ours = 'path' in asked ? [`:(top,literal)${inRepository}`] : asked.names.map((name) => `:(top,glob)**/${name}`);
  const compared = [...rawOptions, '-r', '--diff-filter=A', tree, head];
  const listed = await printed('diff-tree', ...compared, '--', ...ours);
  if (listed === undefined) return undefined;
  const files = contentsIn(listed);
  const contents = await readBlobs(
    clone,
    files.map(([, id]) => id),
  );
  return new Map(files.map(([path, id]) => [relativePath(workspace, join(folder, path)), textIn(contents.get(id))]));
}

/** More changes of one file are not looked through. */
const maxFormer = 50;

async function formerlyIn(path: string, { prefix, printed, asked }: Clone): ReturnType<Checkout['committed']> {
  const range = [`--max-count=${maxFormer}`, 'HEAD', '--', `:(top,literal)${prefix}${path}`];
  // Without the commits that a merge left out: they would have to be looked through, which takes long in a large repository.
  const told = asked && (await printed('log', '--format=', '--no-show-signature', '-m', ...rawOptions, ...range));
  if (asked === undefined || told === undefined) return undefined;
  const ids = [...new Set(contentsIn(told).map(([, id]) => id))].filter((id) => !/^0+$/.test(id));
  const contents = await readBlobs(asked, ids);
  return new Map(ids.map((id) => [`${path} ${id}`, textIn(contents.get(id))]));
}

function textIn(content: Buffer | undefined): string | undefined {
  return content && new TextDecoder().decode(content);
}

async function movedOf(submodules: readonly InRepository[], { workspace, printedAt }: Clone) {
  const moved: MovedSubmodule[] = [];
  for (const [repository, all] of groupBy(submodules, (each) => each.repository)) {
    const inThere = all.map(({ name }) => `:(literal)${name}`);
    const printed = await printedAt(join(workspace, repository), ...commitsOnly, 'HEAD', '--', ...inThere);
    const fields = printed?.split('\0') ?? [];
    for (const { path, name } of all) {
      const [, recordedCommit] = /^:160000 160000 (\w+) /.exec(fields[fields.indexOf(name) - 1] ?? '') ?? [];
      if (recordedCommit === undefined) continue;
      const commitHere = (await printedAt(join(workspace, path), 'rev-parse', 'HEAD'))?.trim() ?? '';
      const update = gitCommand(repository, 'submodule update', [name]);
      moved.push({ path: path.replace(/\/$/, ''), recordedCommit, commitHere, update });
    }
  }
  return moved;
}
