// `accept`: which warnings about a resource somebody has looked at, why each may stay, and until when. A day is over when it
// is over in UTC. Whether an acceptance that has ended stops a command is the command's decision: `validate` and `plan`
// report the warning again, and a run of what was reviewed only says so.

import { isDay } from '../model/values/day.ts';
import { isJsonObject } from '../model/values/json.ts';
import type { DeclaredObject } from '../model/workspace/resource.ts';

export interface Acceptance {
  readonly reason: string;
  /** The last day; undefined where it has no end. */
  readonly until?: string;
}

/** What decides whether an acceptance has ended, and what follows. */
export interface AcceptanceDays {
  /** In UTC. */
  readonly today: string;
  /** `counts`: the warning is back, as severe as `checks` makes it. `warns`: it is a warning at most. */
  readonly ended: 'counts' | 'warns';
}

interface Accepting {
  readonly attributes: DeclaredObject;
}

const none: ReadonlyMap<string, Acceptance> = new Map();

/** By code, as declared; a code may be unknown. What is written wrongly accepts nothing, and is an error. */
export function acceptancesOf({ attributes }: Accepting): ReadonlyMap<string, Acceptance> {
  const { accept } = attributes;
  if (!isJsonObject(accept)) return none;
  return new Map(
    Object.entries(accept).flatMap(([code, entry]) => {
      const acceptance = acceptanceIn(entry);
      return acceptance === undefined ? [] : [[code, acceptance] as const];
    }),
  );
}

function acceptanceIn(entry: unknown): Acceptance | undefined {
  const { reason, until }: Readonly<Record<string, unknown>> = isJsonObject(entry) ? entry : { reason: entry };
  if (typeof reason !== 'string' || reason === '') return undefined;
  if (until === undefined) return { reason };
  return typeof until === 'string' && isDay(until) ? { reason, until } : undefined;
}

export function hasEnded({ until }: Acceptance, { today }: Pick<AcceptanceDays, 'today'>): boolean {
  return until !== undefined && until < today;
}

/** Follows what a finding says. */
export function endedWords(until: string): string {
  return `It was accepted until ${until}, and that day is over.`;
}
