// The request of an apply, its ports, and what it returns. The request is what the user asks, the ports are the world.

import type { Loaded } from '../declare/load/load.ts';
import type { Environment } from '../declare/load/load-config.ts';
import type { Untold } from '../declare/rows/on-dashboards.ts';
import type { Clock, Randomness, Reporter } from '../model/outside.ts';
import type { ApplyDocument, FinishedEntry, RunCost } from '../model/plan/apply-outcome.ts';
import type { CheckoutPosition } from '../model/plan/checkout-position.ts';
import type { Neighbours } from '../model/plan/neighbours.ts';
import type { PlanDocument } from '../model/plan/plan.ts';
import type { State } from '../model/plan/state.ts';
import type { Service } from '../observe/service.ts';
import type { PlanRequest } from '../plan/proposal.ts';
import type { StateStore } from '../state/state-store.ts';

export interface ApplyRequest extends PlanRequest {
  readonly loaded: Loaded;
  /** The digest that the plan must have. */
  readonly expect?: string | undefined;
  /** The digests of the changes that were reviewed: the plan may hold no other. */
  readonly expectChanges?: ReadonlySet<string> | undefined;
  /** These declarations were never applied, so that nothing of them can be there unseen. */
  readonly firstApply?: boolean | undefined;
  /** Nobody is asked. */
  readonly autoApprove?: boolean | undefined;
  /** Apply even if the plan removes many resources. */
  readonly force?: boolean | undefined;
  readonly failFast?: boolean | undefined;
  /** Seconds to wait for a lock that is held. */
  readonly lockTimeout: number;
}

export interface ApplyPorts {
  readonly service: Service;
  readonly clock: Clock;
  readonly toolVersion: string;
  readonly store: StateStore;
  readonly environment: Environment;
  readonly randomness: Randomness;
  readonly reporter: Reporter;
  readonly signal: AbortSignal | undefined;
  /** Undefined if no clone of the workspace is to be asked. */
  readonly checkout?: {
    /** The commit that is checked out, if any. */
    head(): Promise<string | undefined>;
    /** Tells where the checked-out commit is relative to the one that was applied last. */
    standing(state: State | undefined): Promise<CheckoutPosition>;
  };
  /** Returns the resources that other states of the organization track. */
  readonly others?: () => Promise<Neighbours>;
  /** Asks for agreement; nothing is applied if the answer is no. */
  readonly confirm: (asked: AskedToApply) => Promise<boolean>;
}

/** The plan that somebody has to agree to. */
export interface AskedToApply {
  readonly document: PlanDocument;
  /** The cost of its requests; undefined if it takes none. */
  readonly cost: RunCost | undefined;
  /** True if what it creates may exist already, unseen by this run, so that only somebody who knows can answer. */
  readonly mayBeSecond: boolean;
  /** The filters of its reports that the layouts of dashboards say nothing about. */
  readonly untold: Untold;
}

export interface AppliedPlan {
  readonly plan: PlanDocument;
  /** Undefined if the plan was declined. */
  readonly document?: ApplyDocument;
  readonly state: State | undefined;
  /** The entries of moved, adopt and removed that this apply finished. */
  readonly finished?: readonly FinishedEntry[];
}
