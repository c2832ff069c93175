// The checks of the state and its lock, and what the check of git needs to know where many share the state.

import type { Config } from '../../model/workspace/config.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import type { HeldLock, StateStore } from '../../ports/state-store.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { refuseUnmoved, unusedStates } from '../state/unmoved-state.ts';
import { type Attempt, attempt } from './attempt.ts';
import type { SharedFacts } from './check-git.ts';
import { checkLock } from './check-lock.ts';
import { checkState, type Recorded, unreadState } from './check-state.ts';
import { failedBy, skipped, type Verdict } from './verdict.ts';

export interface OpenedState {
  readonly store: StateStore;
  /** Absolute; undefined for a state that many share. */
  readonly path: string | undefined;
}

export interface StateContext {
  readonly workspace: Workspace;
  readonly config: Config | undefined;
  readonly desired: Desired;
  /** The environment chosen with --env. */
  readonly environmentName: string | undefined;
}

interface Verdicts {
  readonly state: Verdict;
  readonly lock: Verdict;
}

export async function stateVerdicts(
  { workspace, config, desired, environmentName }: StateContext,
  store: StateStore,
  recorded: Attempt<Recorded>,
): Promise<Verdicts> {
  const isShared = store.shared !== undefined;
  const lease = isShared && config !== undefined && 'lease' in config.state ? config.state.lease : undefined;
  // One reading of a shared place tells both, so a run that ends meanwhile is not half seen.
  const held: Attempt<HeldLock | undefined> =
    isShared && 'value' in recorded ? { value: recorded.value.stored.held } : await attempt(() => store.lockHolder());
  const lockOf = (value: HeldLock | undefined) => checkLock({ held: value, name: store.name, lease });
  if ('failure' in recorded) {
    const { failure } = recorded;
    const isOfLock = failure.code === 'state-locked';
    const lock = 'failure' in held ? skipped('Not read: see the state.') : lockOf(held.value);
    return { state: unreadState(failure), lock: isOfLock ? failedBy(failure) : lock };
  }
  if ('failure' in held) return { state: failedBy(held.failure), lock: skipped('Not read: see the state.') };
  const isLocked = held.value !== undefined && !held.value.isDead;
  const moved = await attempt(() => refuseUnmoved(store, workspace, { config, desired, environmentName }));
  const facts = { baseUrl: config?.api.baseUrl, isLocked, isShared };
  return {
    state: 'failure' in moved ? failedBy(moved.failure) : checkState(recorded.value, facts),
    lock: lockOf(held.value),
  };
}

export async function sharedFacts(
  workspace: Workspace,
  config: Config | undefined,
  place: OpenedState | undefined,
): Promise<SharedFacts | undefined> {
  if (config === undefined || config.state.backend === 'local' || place?.path !== undefined) return undefined;
  return { place: config.state, unused: await unusedStates(workspace, config.api.baseUrl) };
}

/** A code host knows who may write a branch, and only a job of its own may ask it: the action does. */
export function checkBranch(config: Config): Verdict {
  if (config.state.backend !== 'git') return skipped('The state is not in a git branch.');
  return skipped(
    `Nobody was asked who may write the branch ${config.state.branch}. docs/state-git.md shows how to let only a deploy key write it.`,
  );
}

/** Such as where a package is not installed. */
export function unopened(failure: Failure): Verdicts {
  return { state: failedBy(failure), lock: skipped('Not read: see the state.') };
}
