// The planner: desired state and state in, plan out. Pure: the same inputs give the same plan, byte for byte.

import { actionNames } from '../model/plan/action.ts';
import type { Change, Plan, PlanSummary, UnresolvedNote } from '../model/plan/plan.ts';
import { type OpenChange, openChanges, type State } from '../model/plan/state.ts';
import type { Observed } from '../model/service/observed.ts';
import { type Address, kindsInOrder } from '../model/values/address.ts';
import { byCodeUnit } from '../model/values/json.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { WithFindings } from '../model/workspace/diagnostic.ts';
import type { Desired, SealedResource } from '../model/workspace/resource.ts';
import { isLookedFor } from './block.ts';
import { callsOf } from './calls.ts';
import { agreedIn, driftOf, notYetDone, withObserved } from './drift.ts';
import { isSettled } from './is-settled.ts';
import { leftoverDeletes } from './leftovers.ts';
import { lostStep, makeStep, refreshStep, type Step } from './make-step.ts';
import { type Matching, match } from './match.ts';
import { openIntents } from './open-intents.ts';
import { targeted, trackedAs } from './targeted.ts';

export interface PlanPolicy {
  readonly baseUrl: string | undefined;
  readonly operations: Operations;
  /** Only the changes of these addresses; all where undefined. */
  readonly targets?: readonly Address[] | undefined;
  /** Schedules to replace although they did not change. */
  readonly replace?: readonly Address[] | undefined;
  /** Only bring the state in line with what was observed. */
  readonly refreshOnly?: boolean | undefined;
}

export interface Planned {
  readonly plan: Plan;
  /** In the order of the plan's changes. */
  readonly steps: readonly Step[];
  /** Resources in which others have changed something to what is declared now: only the state is behind there. */
  readonly agreed: readonly Address[];
}

export interface PlanInput {
  readonly desired: Desired<SealedResource>;
  readonly state: State | undefined;
  /** How the two match; computed here if it is left out. */
  readonly matching?: Matching;
  /** Undefined if the service was not observed. */
  readonly observed?: Observed | undefined;
  readonly policy: PlanPolicy;
}

export function makePlan({ desired, state, matching, observed, policy }: PlanInput): WithFindings<Planned> {
  const { value: matches, findings: fromMatching } = matching ?? match(desired, state);
  const unresolved = openChanges(state);
  const open = openIntents(unresolved, matches);
  const targets = policy.targets === undefined ? undefined : new Set(policy.targets);
  const context = { ...policy, replace: new Set(policy.replace), open };
  const chosen = targeted(matches, targets);
  const entries = chosen.flatMap((entry) => {
    const found = observed?.get(trackedAs(entry));
    const isOpen = open.of(entry) !== undefined;
    const isDone = found === undefined && !isOpen && isSettled(entry, context.replace);
    return isDone ? [] : [withObserved(entry, isOpen && !policy.refreshOnly ? notYetDone(entry, found) : found)];
  });
  const made = entries.map((entry) => (policy.refreshOnly ? refreshStep(entry) : makeStep(entry, context)));
  const steps = made.flatMap(({ value }) => value ?? []);
  const noop = chosen.length - steps.length;
  const isTarget = ({ address }: OpenChange) => targets?.has(address) ?? true;
  if (!policy.refreshOnly) {
    steps.push(...open.lost.filter(isTarget).map((entry) => lostStep(entry, policy.operations)));
    const wanted = desired.adoptions.filter(({ to }) => state?.resources[to]?.id === undefined);
    const adopted = new Set(wanted.map(({ id }) => id));
    const deletes = leftoverDeletes(state, policy.operations, targets, adopted);
    steps.push(...deletes.map((change): Step => ({ change, calls: callsOf(['delete']), ignored: {} })));
  }
  steps.sort((a, b) => inOrder(a.change, b.change));
  const changes = steps.map(({ change }) => change);
  const plan: Plan = {
    baseUrl: policy.baseUrl ?? null,
    operations: policy.operations,
    state: {
      lineage: state?.lineage ?? null,
      serial: state?.serial ?? 0,
      ...(state?.commit === undefined ? {} : { commit: state.commit }),
    },
    summary: summarise(changes, noop),
    orphans: state?.orphans ?? [],
    unresolved: unresolved.map((entry) => noteOf(entry, policy.operations)),
    drift: driftOf(entries),
    changes,
  };
  return {
    value: { plan, steps, agreed: agreedIn(entries) },
    findings: [...fromMatching, ...made.flatMap(({ findings }) => findings)],
  };
}

/**
 * Dashboards, then schedules, then AI jobs, and within a kind by address. The leftovers of earlier schedules at the same
 * address come after the change of the present one, by id.
 */
function inOrder(a: Change, b: Change): number {
  return (
    kindsInOrder.indexOf(a.kind) - kindsInOrder.indexOf(b.kind) ||
    byCodeUnit(a.address, b.address) ||
    Number(a.reason === 'replaced') - Number(b.reason === 'replaced') ||
    byCodeUnit(a.id ?? '', b.id ?? '')
  );
}

function summarise(changes: readonly Change[], noop: number): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const counts = Object.fromEntries(actionNames.map((action) => [action, count(action)]));
  return { ...(counts as Record<Change['action'], number>), noop };
}

function noteOf(open: OpenChange, operations: Operations): UnresolvedNote {
  const { address, action, since } = open;
  return { address, action, since, ...(isLookedFor(open, operations) ? { lookedFor: true } : {}) };
}
