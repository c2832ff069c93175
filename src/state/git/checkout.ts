// How the clone of the workspace stands to what was applied last: whether its commit is older, which files it holds that no
// commit does, and whether a commit holds by now what was applied without one. Whoever has no repository, no git or a clone
// that cannot tell is told nothing, and no run fails for it.

import { lstatSync } from 'node:fs';
import { join, parse, posix, relative, sep } from 'node:path';
import type { InRepository } from '../../declare/workspace.ts';
import { askClone, baseEnvironment, inClone, runGit } from '../../files/git.ts';
import { realPath, repositoryRoot } from '../../files/paths.ts';
import { hashesOf } from '../../files/repository.ts';
import type { Variables } from '../../model/outside.ts';
import type { MovedSubmodule } from '../../model/plan/standing.ts';
import { groupBy } from '../../model/values/collections.ts';
import { gitCommand } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';

export interface Checkout {
  /** The commit that is checked out; undefined where nobody can tell. */
  head(): Promise<string | undefined>;
  /**
   * `behind`: the commit is surely a descendant of what is checked out. `unfetched`: the clone does not have it. `shallow`: a
   * clone without its whole history cannot tell. Undefined for a commit on another line as well: a squash or a rebase leaves
   * it behind.
   */
  standing(commit: string): Promise<'behind' | 'unfetched' | 'shallow' | undefined>;
  /**
   * What differs from the commit that is checked out, of files that git tracks. What git ignores, or does not know yet, is not
   * among them, nor what a filter of git writes in another form.
   */
  edited(files: RunFiles): Promise<readonly EditedFile[]>;
  /**
   * Of recorded contents, by path in the repository, those that are neither here nor in a commit that the checkout has and
   * `since` had not.
   */
  lacking(contents: Contents, since: string): Promise<Contents>;
  /** Those at another commit than the one that is checked out around them records. What was edited in them is not asked. */
  moved(submodules: readonly InRepository[]): Promise<readonly MovedSubmodule[]>;
  /** What a remote calls its default branch; undefined where it does not answer. The one question that is sent elsewhere. */
  defaultBranch(remote: string): Promise<string | undefined>;
}

/** What a remote may take to answer. */
const remoteMs = 20_000;

/** By path in the repository, the id that git gives the content; empty for a file that was removed. */
type Contents = Readonly<Record<string, string>>;

/** Paths are from the root of the workspace. */
interface RunFiles {
  /** Those that the run reads. */
  readonly read: readonly string[];
  /** Which of the paths, whether they exist or not, it would read as sources. */
  sourcesAmong(paths: readonly string[]): Promise<readonly string[]>;
}

export interface EditedFile {
  /** From the root of the workspace. */
  readonly path: string;
  /** From the root of the repository. */
  readonly name: string;
  /** The id that git gives the content; empty for a file that was removed. */
  readonly content: string;
  /** The text in the commit; undefined for a file that it does not have. */
  readonly committed: string | undefined;
}

interface CheckoutOptions {
  readonly root: string;
  readonly environment: Variables;
  readonly signal?: AbortSignal | undefined;
}

const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** What `git log` might run or leave out by the configuration of the clone. */
const plainLog = [
  '-c',
  'log.showSignature=false',
  '-c',
  'log.showRoot=true',
  'log',
  '-1',
  '-m',
  '--format=%H',
] as const;

/** Which submodules are at another commit, whatever the configuration and .gitmodules say. */
const commitsOnly = [
  'diff-index',
  '--raw',
  '-z',
  '--no-abbrev',
  '--no-renames',
  '--ignore-submodules=dirty',
  '--diff-filter=M',
] as const;

export function openCheckout({ root, environment, signal }: CheckoutOptions): Checkout {
  const workspace = realPath(root);
  const folder = repositoryRoot(workspace);
  const askAt = async (at: string | undefined, ...args: readonly string[]) => {
    if (at === undefined) return undefined;
    return askClone(at, { environment, signal }, ...args).catch(() => undefined);
  };
  const ask = (...args: readonly string[]) => askAt(folder, ...args);
  /** Undefined where git does not answer. */
  const printedAt = async (at: string | undefined, ...args: readonly string[]) => {
    const run = await askAt(at, ...args);
    return run?.code === 0 ? run.stdout.toString('utf8') : undefined;
  };
  const printed = (...args: readonly string[]) => printedAt(folder, ...args);
  const defaultBranch = async (remote: string) => {
    if (folder === undefined) return undefined;
    const { root: outside } = parse(folder);
    const environmentOfClone = inClone(baseEnvironment(environment, folder));
    const options = { folder: outside, environment: environmentOfClone, limitMs: remoteMs, signal };
    // Its configuration may name another program for the remote.
    const asked = ['ls-remote', '--symref', '--upload-pack=git-upload-pack', '--', remote, 'HEAD'];
    const run = await runGit(['-C', folder, ...asked], options).catch((error) => {
      if (error instanceof Failure) throw error;
    });
    return run?.code === 0 ? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(run.stdout.toString('utf8'))?.[1] : undefined;
  };
  const read = async () => {
    const [isShallow = '', head = ''] = (await ask('rev-parse', '--is-shallow-repository', 'HEAD'))?.stdout
      .toString('utf8')
      .split('\n') ?? [''];
    return { isWhole: isShallow === 'false', head: isCommit.test(head) ? head : undefined };
  };
  const nameOf = (path: string) =>
    posix.join(
      relative(folder ?? '', workspace)
        .split(sep)
        .join('/'),
      path,
    );
  const pathOf = (name: string) =>
    relative(workspace, join(folder ?? '', name))
      .split(sep)
      .join('/');

  /** By path in the repository, the id of the content that a commit has below the workspace. */
  const committedBelow = async (): Promise<ReadonlyMap<string, string>> => {
    const listed = (await printed('ls-tree', '-r', '-z', 'HEAD', '--', nameOf('.'))) ?? '';
    return new Map(
      listed.split('\0').flatMap((entry) => {
        const [, id, name] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
        return id === undefined || name === undefined ? [] : [[name, id] as const];
      }),
    );
  };
  /** Of the files, those whose content git writes as it is here but for ends of lines. */
  const asWritten = async (names: readonly string[]): Promise<ReadonlySet<string>> => {
    const filters = ['filter', 'ident', 'working-tree-encoding'];
    const told = await printed('check-attr', '-z', ...filters, '--', ...names);
    // A name, the attribute and its value, again and again.
    const parts = (told ?? '').split('\0');
    const filtered = new Set(
      parts.filter((_, index) => index % 3 === 0 && !['unspecified', 'unset'].includes(parts[index + 2] ?? 'unset')),
    );
    return new Set(told === undefined ? [] : names.filter((name) => !filtered.has(name)));
  };
  const isThere = (name: string) => lstatSync(join(folder ?? '', name), { throwIfNoEntry: false })?.isFile() === true;
  const isCommitted = async (name: string, content: string, since: string): Promise<boolean> => {
    const now = await printed('ls-tree', '-z', 'HEAD', '--', name);
    const [, id = ''] = /^\d+ blob ([0-9a-f]+)\t/.exec(now ?? '') ?? [];
    if (now !== undefined && id === content) return true;
    const which = content === '' ? ['--diff-filter=D'] : [`--find-object=${content}`];
    const found = isCommit.test(since)
      ? await printed(...plainLog, ...which, `${since}..HEAD`, '--', `:(literal)${name}`)
      : undefined;
    return found !== undefined && found !== '';
  };

  return {
    defaultBranch,
    head: async () => (await read()).head,
    standing: async (commit) => {
      if (!isCommit.test(commit)) return undefined;
      const { isWhole, head } = await read();
      if (head === undefined || head === commit) return undefined;
      const isThereToo = await ask('cat-file', '-e', commit);
      if (isThereToo?.code === 1 && isWhole) return 'unfetched';
      const isAncestor = isThereToo?.code === 0 ? await ask('merge-base', '--is-ancestor', head, commit) : undefined;
      if (isAncestor?.code === 0) return 'behind';
      return isWhole ? undefined : 'shallow';
    },
    edited: async ({ read: paths, sourcesAmong }) => {
      if (folder === undefined) return [];
      const known = await committedBelow();
      if (known.size === 0) return [];
      const added = await printed('diff-index', '--cached', '--name-only', '--diff-filter=A', '-z', 'HEAD');
      const staged = new Set((added ?? '').split('\0'));
      const here = paths.map((path) => ({ path, name: nameOf(path) }));
      const other = here.filter(({ name }) => {
        const id = known.get(name);
        return id === undefined ? staged.has(name) : !hashesOf(join(folder, name), id.length).includes(id);
      });
      const isRead = new Set(here.map(({ name }) => name));
      const others = [...known.keys()].filter((name) => !isRead.has(name)).map(pathOf);
      const removed = (await sourcesAmong(others)).filter((path) => !isThere(nameOf(path)));
      const plain = other.length === 0 ? new Set() : await asWritten(other.map(({ name }) => name));
      const edited = [
        ...other.filter(({ name }) => plain.has(name) && isThere(name)),
        ...removed.map((path) => ({ path, name: nameOf(path) })),
      ];
      const textOf = async (id: string | undefined) => (id === undefined ? undefined : printed('cat-file', 'blob', id));
      return Promise.all(
        edited.map(async ({ path, name }) => {
          const id = known.get(name);
          // With the ends of lines that git keeps, whatever a checkout on Windows has.
          const content = isThere(name) ? (hashesOf(join(folder, name), id?.length ?? 40).at(-1) ?? '') : '';
          return { path, name, content, committed: await textOf(id) };
        }),
      );
    },
    moved: async (submodules) => {
      const moved: MovedSubmodule[] = [];
      for (const [repository, all] of groupBy(submodules, (each) => each.repository)) {
        const inThere = all.map(({ name }) => `:(literal)${name}`);
        const told = await printedAt(join(workspace, repository), ...commitsOnly, 'HEAD', '--', ...inThere);
        const fields = told?.split('\0') ?? [];
        for (const { path, name } of all) {
          const [, recorded] = /^:160000 160000 (\w+) /.exec(fields[fields.indexOf(name) - 1] ?? '') ?? [];
          if (recorded === undefined) continue;
          const here = (await printedAt(join(workspace, path), 'rev-parse', 'HEAD'))?.trim() ?? '';
          const update = gitCommand(repository, 'submodule update', [name]);
          moved.push({ path: path.replace(/\/$/, ''), recorded, here, update });
        }
      }
      return moved;
    },
    lacking: async (contents, since) => {
      if (folder === undefined) return {};
      const lacked: [string, string][] = [];
      for (const [name, content] of Object.entries(contents)) {
        const isHere = content === '' ? !isThere(name) : hashesOf(join(folder, name), content.length).includes(content);
        if (!isHere && !(await isCommitted(name, content, since))) lacked.push([name, content]);
      }
      return Object.fromEntries(lacked);
    },
  };
}
