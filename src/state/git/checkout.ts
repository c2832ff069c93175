// How the clone of the workspace stands to the commit of the last apply. Whoever has no repository, no git or a shallow clone
// is told nothing, and no run fails for it.

import { askClone } from '../../files/git.ts';
import { realPath, repositoryRoot } from '../../files/paths.ts';
import type { Variables } from '../../model/outside.ts';

export interface Checkout {
  /** The commit that is checked out; undefined where nobody can tell. */
  head(): Promise<string | undefined>;
  /**
   * `behind`: the commit is a descendant of what is checked out. `unfetched`: the clone does not have it. Undefined for a
   * commit on another line as well: a squash or a rebase leaves it behind.
   */
  standing(commit: string): Promise<'behind' | 'unfetched' | undefined>;
}

interface CheckoutOptions {
  readonly root: string;
  readonly environment: Variables;
}

const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function openCheckout({ root, environment }: CheckoutOptions): Checkout {
  const folder = repositoryRoot(realPath(root));
  const ask = async (...args: readonly string[]) => {
    if (folder === undefined) return undefined;
    return askClone(folder, environment, ...args).catch(() => undefined);
  };
  const read = async () => {
    const [isShallow = '', head = ''] = (await ask('rev-parse', '--is-shallow-repository', 'HEAD'))?.stdout
      .toString('utf8')
      .split('\n') ?? [''];
    return { isWhole: isShallow === 'false', head: isCommit.test(head) ? head : undefined };
  };
  return {
    head: async () => (await read()).head,
    standing: async (commit) => {
      if (!isCommit.test(commit)) return undefined;
      const { isWhole, head } = await read();
      if (!isWhole || head === undefined || head === commit) return undefined;
      const isThere = await ask('cat-file', '-e', commit);
      if (isThere?.code === 1) return 'unfetched';
      const isAncestor = isThere?.code === 0 ? await ask('merge-base', '--is-ancestor', head, commit) : undefined;
      return isAncestor?.code === 0 ? 'behind' : undefined;
    },
  };
}
