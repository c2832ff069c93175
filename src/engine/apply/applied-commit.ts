// Which commit the state names after an apply. It is where the next look at what was reviewed begins, so it advances only
// when nothing of what that commit declares is left to do.

import type { ApplyResult } from '../../model/plan/apply-outcome.ts';
import { openChanges, type State } from '../../model/plan/state.ts';
import type { Environment } from '../load/load-config.ts';
import type { Selection } from '../propose/selection.ts';

/** Whether the plan covers the whole workspace and what it declares. */
export function isWhole({ targets, refresh }: Selection): boolean {
  return targets === undefined && !refresh?.only;
}

/**
 * The state with the commit of this run; outside CI, and where a change was not carried out or is unresolved, with the
 * earlier one.
 */
export function withCommit(state: State, results: readonly ApplyResult[], environment: Environment): State {
  const commit = commitOf(environment);
  const isOpen = openChanges(state).length > 0 || results.some(({ status }) => status !== 'applied');
  return commit === undefined || isOpen ? state : { ...state, commit };
}

/** The commit that CI has checked out, as GitHub and GitLab name it. */
function commitOf(environment: Environment): string | undefined {
  return ['GITHUB_SHA', 'CI_COMMIT_SHA']
    .map(environment)
    .find((name) => name !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(name));
}
