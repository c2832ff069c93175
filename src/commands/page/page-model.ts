// What the page says, before it is laid out: what is delivered, when, to whom and because of what. A kind of resource that
// delivers is a row that makes such a report; nothing else of the page knows kinds.

import type { ReceiverKind } from '../../model/fields/receiver.ts';

export interface PageModel {
  /** Of the organization; undefined where no base URL is known. */
  readonly host?: string | undefined;
  /** An instant in UTC. */
  readonly madeAt: string;
  readonly commit?: string | undefined;
  readonly environment?: string | undefined;
  /** What chose the reports; empty for all. */
  readonly selectors: readonly string[];
  /** Whether it is known which domains are ours. */
  readonly knowsInside: boolean;
  /** A table says whose rows are whose, and what Omni makes of it can be proven. */
  readonly canProve: boolean;
  readonly isMasked: boolean;
  /** By name. */
  readonly reports: readonly PageReport[];
  /** What to know of the lines of the table of permissions that have ended, or end soon. */
  readonly permissions: readonly PagePermission[];
  /** Only with --status. */
  readonly online?: PageAsked | undefined;
}

export interface PagePermission {
  readonly words: string;
  /** The same without who receives it. */
  readonly masked: string;
  readonly isOver: boolean;
  /** The reports that it is about; none where it is about the line alone. */
  readonly reports: readonly string[];
}

/** One thing that is delivered again and again. */
export interface PageReport {
  /** Of its element. */
  readonly id: string;
  readonly name: string;
  /** In a list: the name, with more where others have the same. */
  readonly label: string;
  /** `PDF`. */
  readonly what: string;
  /** `by e-mail`. */
  readonly way: string;
  /** Of an alert: when a run delivers. */
  readonly condition?: string | undefined;
  readonly subject?: PageSubject | undefined;
  /** Where it is there. */
  readonly idInOmni?: string | undefined;
  /** Its page in Omni, where it is there. */
  readonly link?: string | undefined;
  /** Who answers for it. */
  readonly owner?: string | undefined;
  /** Whose account it runs as, where that is declared. */
  readonly account?: string | undefined;
  /** Undefined where it does not run by a clock. */
  readonly when?: PageTiming | undefined;
  readonly paused: boolean;
  /** What of it is kept as applied last, in words. */
  readonly keptAsApplied?: string | undefined;
  /** What Omni still does because the change is not applied, as the end of a sentence. */
  readonly stillInOmni?: string | undefined;
  readonly receivers: readonly PageReceiver[];
  /** How many receive it, also where they are not named. */
  readonly recipientCount: number;
  readonly filters: readonly { readonly name: string; readonly words: string }[];
  readonly tags: readonly string[];
  readonly note?: string | undefined;
  /** `schedules/sales.yaml:13`. */
  readonly place: string;
  /** The environment whose sink receives it instead. */
  readonly sink?: string | undefined;
  /** The state is known, and does not have it yet. */
  readonly isNew: boolean;
  /** It is no longer declared, and still delivered. */
  readonly isLeaving: boolean;
  readonly health?: PageHealth | undefined;
}

/** What a report shows: a dashboard. */
export interface PageSubject {
  /** What reports on the same one have in common. */
  readonly key: string;
  readonly name: string;
  readonly link?: string | undefined;
}

export interface PageTiming {
  readonly words: string;
  readonly schedule: string;
  readonly timezone: string;
  /** Local time: `2026-11-23T09:00`; undefined where it never runs again. */
  readonly next?: string | undefined;
}

export interface PageReceiver {
  readonly recipient: string;
  /** It stands for several, in words. */
  readonly isCount?: boolean;
  readonly kind: ReceiverKind;
  /** The domain, the host or what else is inside or outside. */
  readonly place: string;
  /** `list finance`; empty for what the declaration itself names, and one of `stillVia` for what only the state names. */
  readonly via: string;
  readonly isOutside: boolean;
}

/** No declaration names them. */
export const stillVia = {
  applied: 'still, until the change is applied',
  unresolved: 'perhaps: the outcome of a change is unknown',
} as const;

/** `through the list finance`, `directly`. */
export function wayWords(via: string): string {
  if (via === '') return 'directly';
  return Object.values<string>(stillVia).includes(via) ? via : `through the ${via}`;
}

/** What somebody should know of its last run. */
export interface PageHealth {
  readonly words: string;
  readonly needsAttention: boolean;
  /** When its last run ended, an instant. */
  readonly lastCompletedAt?: string | undefined;
}

export interface PageAsked {
  /** Undefined where only some were asked for. */
  readonly notKeptHere?: number | undefined;
  /** How many are declared and applied, and not in Omni's list. */
  readonly gone: number;
  /** The token is a personal one, which may just not see what is gone. */
  readonly seesLess: boolean;
  /** Whether anything was delivered, or failed to be. */
  readonly hasRun: boolean;
}

/** Not yet paused in Omni only: by what is declared, or by what Omni said. */
export function failing({ reports }: PageModel): readonly PageReport[] {
  return reports.filter(({ health }) => health?.needsAttention === true);
}

export function pausedAmong(reports: readonly PageReport[]): readonly PageReport[] {
  return reports.filter(({ paused }) => paused);
}
