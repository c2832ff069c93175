// What git tells of the files of a run: how they stand to what was applied last.

import type { Standing } from '../../model/plan/standing.ts';
import type { State } from '../../model/plan/state.ts';
import type { Run, Session } from './run.ts';

type OpenCheckout = Pick<Run, 'openCheckout' | 'environment'>;

/** Nothing is loaded where the declarations cannot be read. */
interface OfFiles {
  readonly workspace: Session['workspace'];
  readonly loaded: Session['loaded'] | undefined;
}

/**
 * Git is not asked where nothing was applied from a clone, and no submodule is read. A job of a CI system has what it has
 * fetched.
 */
export async function standingOf(
  run: OpenCheckout,
  { workspace, loaded }: OfFiles,
  state: State | undefined,
): Promise<Standing> {
  const { checkout: commit } = state ?? {};
  const submodules = loaded?.parts.submodules ?? [];
  if (commit === undefined && submodules.length === 0) return {};
  const checkout = await run.openCheckout(workspace.root);
  const moved = submodules.length === 0 ? [] : await checkout.moved(submodules);
  if (commit === undefined) return { moved };
  const standing = await checkout.standing(commit);
  return {
    moved,
    behind: standing === 'behind' ? commit : undefined,
    isShallow: standing === 'shallow',
    unfetched: standing === 'unfetched' && !isCi(run.environment) ? commit : undefined,
  };
}

export function isCi(environment: Run['environment']): boolean {
  return !['', 'false'].includes(environment('CI') ?? '');
}
