// The content of the page before layout. It covers deliveries, their times, recipients and reasons. A kind of resource
// that delivers is a row that makes such a report; nothing else of the page knows kinds.

import type { ReceiverKind } from '../../model/fields/receiver.ts';
import type { TrackedCount } from '../../model/plan/neighbours.ts';

export interface PageModel {
  /** The organization's host; undefined if no base URL is known. */
  readonly host?: string | undefined;
  /** An instant in UTC. */
  readonly madeAt: string;
  readonly commit?: string | undefined;
  readonly environment?: string | undefined;
  /** The selectors that chose the reports; empty for all. */
  readonly selectors: readonly string[];
  /** True if the internal domains are known. */
  readonly knowsInside: boolean;
  /** True if a table says whose rows are whose, and Omni's result can be proven. */
  readonly canProve: boolean;
  readonly isMasked: boolean;
  /** Sorted by name. */
  readonly reports: readonly PageReport[];
  /** Notes about lines of the table of permissions that have ended, or end soon. */
  readonly permissions: readonly PagePermission[];
  /** Present only with --status. */
  readonly online?: PageAsked | undefined;
}

export interface PagePermission {
  readonly words: string;
  /** The same without the receiver's name. */
  readonly masked: string;
  readonly isOver: boolean;
  /** The ids of the reports that it is about; empty if it is only about the line. */
  readonly reports: readonly string[];
}

export interface PageReport {
  /** The id of its element. */
  readonly id: string;
  readonly name: string;
  /** The name in a list, with additions if others have the same. */
  readonly label: string;
  /** `PDF`. */
  readonly what: string;
  /** `by e-mail`. */
  readonly way: string;
  /** The condition under which an alert's run delivers. */
  readonly condition?: string | undefined;
  readonly subject?: PageSubject | undefined;
  /** The id, if it exists in Omni. */
  readonly idInOmni?: string | undefined;
  readonly link?: string | undefined;
  /** The person who answers for it. */
  readonly owner?: string | undefined;
  /** The account as which it runs, if that is declared. */
  readonly account?: string | undefined;
  /** Undefined if it does not run by a clock. */
  readonly when?: PageTiming | undefined;
  readonly paused: boolean;
  /** The fields that are kept as applied last, in words. */
  readonly keptAsApplied?: string | undefined;
  /** The runs that Omni still makes because the change is not applied, as the end of a sentence. */
  readonly stillInOmni?: string | undefined;
  readonly receivers: readonly PageReceiver[];
  /** The number of receivers, also if they are not named. */
  readonly recipientCount: number;
  readonly filters: readonly { readonly name: string; readonly words: string }[];
  readonly tags: readonly string[];
  readonly note?: string | undefined;
  /** `schedules/sales.yaml:13`. */
  readonly place: string;
  /** The environment whose sink receives it instead. */
  readonly sink?: string | undefined;
  /** True if the state is known, and does not have it yet. */
  readonly isNew: boolean;
  /** True if it is no longer declared, and still delivered. */
  readonly isLeaving: boolean;
  readonly health?: PageHealth | undefined;
}

export interface PageSubject {
  /** Equal for reports on the same one. */
  readonly key: string;
  readonly name: string;
  readonly link?: string | undefined;
}

export interface PageTiming {
  readonly words: string;
  readonly schedule: string;
  readonly timezone: string;
  /** Local time: `2026-11-23T09:00`; undefined if it never runs again. */
  readonly next?: string | undefined;
}

export interface PageReceiver {
  readonly recipient: string;
  /** True if it is a number of receivers, in words. */
  readonly isCount?: boolean;
  readonly kind: ReceiverKind;
  /** The domain, host or other place that is inside or outside. */
  readonly place: string;
  /** `list finance`; empty if the declaration names the receiver itself, one of `stillVia` if only the state does. */
  readonly via: string;
  readonly isOutside: boolean;
}

/** Ways by which a receiver is reached without a declaration. */
export const stillVia = {
  applied: 'still, until the change is applied',
  unresolved: 'perhaps: the outcome of a change is unknown',
} as const;

/** `through the list finance`, `directly`. */
export function wayWords(via: string): string {
  if (via === '') return 'directly';
  return Object.values<string>(stillVia).includes(via) ? via : `through the ${via}`;
}

/** The last run, if somebody should know about it. */
export interface PageHealth {
  readonly words: string;
  readonly needsAttention: boolean;
  /** The instant when its last run ended. */
  readonly lastCompletedAt?: string | undefined;
}

export interface PageAsked {
  /** Undefined if only some reports were requested. */
  readonly notKeptHere?: number | undefined;
  /** How many each neighbour tracks. */
  readonly trackedBy: readonly TrackedCount[];
  /** The number that are declared and applied, but not in Omni's list. */
  readonly gone: number;
  /** True for a personal token, which may just not see the missing ones. */
  readonly seesLess: boolean;
  /** True if anything was delivered, or failed to be. */
  readonly hasRun: boolean;
}

export function failing({ reports }: PageModel): readonly PageReport[] {
  return reports.filter(({ health }) => health?.needsAttention === true);
}

export function pausedAmong(reports: readonly PageReport[]): readonly PageReport[] {
  return reports.filter(({ paused }) => paused);
}
