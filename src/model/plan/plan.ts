// The plan: an ordered list of changes from state to desired state. It is a value: whatever shows, saves or applies
// it takes the same one. Its published form is schemas/plan.schema.json.

import type { Address, Kind } from '../values/address.ts';
import type { Json, JsonObject } from '../values/json.ts';
import type { Pointer } from '../values/pointer.ts';
import type { Operations } from '../workspace/config.ts';
import type { Diagnostic } from '../workspace/diagnostic.ts';
import type { Action } from './action.ts';
import type { Danger } from './danger.ts';
import type { Orphan } from './state.ts';

export const planFormatVersion = 1;

/** Why a change is planned; a closed list. */
export const reasons = {
  'not-in-state': 'it is declared and not in the state',
  'only-ran-before': 'so far it only ran once; now it is declared as recurring',
  changed: 'its declaration changed',
  'cannot-update':
    'its declaration changed, and operations core cannot update a schedule: the new one is created and the old one keeps running',
  requested: 'it was asked for with --replace',
  'identifier-changed': 'it now names another dashboard',
  'owner-changed': 'it is to belong to somebody else',
  'state-only': 'only what Almanac keeps in the state changed',
  'as-declared': 'Omni has it as declared already',
  'not-declared': 'it is no longer declared',
  'not-in-environment': 'it does not exist in this environment',
  removed: 'a removed entry releases it',
  'moved-entry': 'a moved entry names it',
  'equal-content': 'a resource of equal content is no longer declared',
  'adopt-entry': 'an adopt entry names it',
  sink: 'the sink of this environment receives it',
  'new-content': 'it has not run with this content',
  unresolved: 'an earlier apply did not finish it, or its answer was lost',
  drifted: 'it was changed outside of Almanac',
  'changed-and-drifted': 'its declaration changed, and it was changed outside of Almanac as well',
  missing: 'it is gone from Omni',
  refreshed: 'the state is brought in line with what is there',
  replaced: 'it was replaced, and an earlier apply ended before it was deleted',
} as const;

export type Reason = keyof typeof reasons;

/**
 * One field's difference. `before` and `after` are left out if there is no such value. A sensitive one holds a secret, of
 * which they show the text with the names of variables; where both are alike, its value alone differs.
 */
export interface FieldDiff {
  readonly path: Pointer;
  readonly op: 'add' | 'remove' | 'change';
  readonly before?: Json;
  readonly after?: Json;
  readonly sensitive: boolean;
}

export interface Change {
  readonly address: Address;
  readonly kind: Kind;
  readonly action: Action;
  readonly reason: Reason;
  readonly id?: string;
  readonly previousAddress?: Address;
  readonly file?: string;
  readonly line?: number;
  /** Attributes with texts in place of secrets; null where there are none. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly diff: readonly FieldDiff[];
  /** Of a transfer: the name of who owns it so far, where that was observed. */
  readonly ownedBy?: string;
  /** How many requests applying it sends when all goes well. */
  readonly requests: number;
  /** Why the change cannot be applied, and the way out. */
  readonly blocked?: string;
  /** It is blocked only until an apply: that looks in Omni for what an earlier one sent, before anything else. */
  readonly lookedFor?: true;
  /** In a document: of what a reviewer decides on. Left out if only the value of a secret differs: no review is needed. */
  readonly digest?: string;
}

/** How many changes there are of each action; `noop` counts the resources that stay as they are. */
export interface PlanSummary extends Readonly<Record<Action, number>> {
  readonly noop: number;
}

export interface UnresolvedNote {
  readonly address: Address;
  readonly action: Action;
  readonly since: string;
  /** An apply looks in Omni for what was sent, before anything else. */
  readonly lookedFor?: true;
}

/** What the planner decides; digest, versions and diagnostics are added around it. */
export interface Plan {
  readonly baseUrl: string | null;
  readonly operations: Operations;
  /** `commit`: that of the state. */
  readonly state: { readonly lineage: string | null; readonly serial: number; readonly commit?: string };
  readonly summary: PlanSummary;
  readonly orphans: readonly Orphan[];
  readonly unresolved: readonly UnresolvedNote[];
  readonly drift: readonly { readonly address: Address; readonly diff: readonly FieldDiff[] }[];
  readonly changes: readonly Change[];
}

/** The document that `plan --format json` prints. */
export interface PlanDocument extends Plan {
  /**
   * `place`: the name of the place that many share; left out for a file. `writtenBy`: who wrote the state there last,
   * where that was outside of CI.
   */
  readonly state: Plan['state'] & { readonly place?: string; readonly writtenBy?: string };
  readonly formatVersion: typeof planFormatVersion;
  readonly toolVersion: string;
  readonly digest: string;
  /** The sink that replaced recipients, and how many; left out where deliveries go to those who are declared. */
  readonly sink?: { readonly environment: string; readonly recipients: number };
  /** What a reviewer must see first, the gravest first. */
  readonly dangers: readonly Danger[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How the service is observed before a plan is made. */
export interface Refresh {
  /** deep: the details of all schedules; list: only of those that the list shows as changed. */
  readonly depth: 'list' | 'deep';
  /** Only bring the state in line with what was observed. */
  readonly only: boolean;
}

/** A plan file: the document, the digest of the desired state that it was made from, and how it was refreshed. */
export interface SavedPlan extends PlanDocument {
  readonly desiredDigest: string;
  /** The addresses that the plan was limited to; all where it is left out. */
  readonly targets?: readonly Address[];
  readonly refresh?: Refresh;
}

/**
 * Which changes leave a schedule running untracked: operations core can neither update nor delete. A schedule that a
 * `removed` entry releases is let go on purpose.
 */
export function leavesOrphan({ action, kind, id, reason }: Change, operations: Operations): boolean {
  if (operations !== 'core' || kind !== 'schedule' || id === undefined) return false;
  return action === 'replace' || (action === 'forget' && reason !== 'removed');
}

/** The orphans that a plan leaves as they are: those that it deletes are among its changes. */
export function remainingOrphans({ orphans, changes }: Plan): readonly Orphan[] {
  const dealtWith = new Set(changes.flatMap(({ action, id }) => (action === 'delete' ? id : [])));
  return orphans.filter(({ id }) => !dealtWith.has(id));
}
