// How the clone of the workspace stands to what was applied last: whether its commit is older, and which submodules are at
// another commit. Whoever has no repository, no git or a clone that cannot tell is told nothing, and no run fails for it.

import { join, parse } from 'node:path';
import type { InRepository } from '../../declare/workspace.ts';
import { askClone, baseEnvironment, inClone, runGit } from '../../files/git.ts';
import { realPath, repositoryRoot } from '../../files/paths.ts';
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
  /** Those at another commit than the one that is checked out around them records. What was edited in them is not asked. */
  moved(submodules: readonly InRepository[]): Promise<readonly MovedSubmodule[]>;
  /** What a remote calls its default branch; undefined where it does not answer. The one question that is sent elsewhere. */
  defaultBranch(remote: string): Promise<string | undefined>;
}

/** What a remote may take to answer. */
const remoteMs = 20_000;

interface CheckoutOptions {
  readonly root: string;
  readonly environment: Variables;
  readonly signal?: AbortSignal | undefined;
}

const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
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
  };
}
