// The requests that a change takes, in order. A request that starts mail comes as late as possible, one that stops it as
// early as possible: a schedule is paused before it changes and resumed afterwards, and a replaced schedule is deleted
// once the new one exists.

import type { Action } from '../model/plan/action.ts';
import type { Kind } from '../model/values/address.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Operations } from '../model/workspace/config.ts';

/** One request to the service. */
export type Call = 'patch' | 'post' | 'put' | 'delete' | 'pause' | 'resume';

export interface Called {
  readonly kind: Kind;
  readonly action: Action | 'no-op';
  readonly operations: Operations;
  /** Whether anything differs apart from being paused. */
  readonly hasContent: boolean;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** Attributes of an earlier update whose outcome is unknown. */
  readonly uncertain: JsonObject | undefined;
}

/** For a decision that sends something. */
export function callsOf({ kind, action, operations, hasContent, before, after, uncertain }: Called): readonly Call[] {
  if (kind === 'dashboard') return ['patch'];
  const pauses = isPaused(after);
  switch (action) {
    case 'delete':
      return ['delete'];
    case 'create':
      return pauses ? ['post', 'pause'] : ['post'];
    case 'replace':
      return ['post', ...(pauses ? (['pause'] as const) : []), ...(operations === 'full' ? (['delete'] as const) : [])];
    case 'update': {
      const wasPaused = isPaused(before);
      // An open pause hides an open resume before it, so a schedule to be paused is always paused again. Whether a schedule
      // that must run is paused, `before` and `uncertain` say.
      const mayDiffer = uncertain !== undefined && (pauses || isPaused(uncertain) !== wasPaused);
      const switches = pauses !== wasPaused || mayDiffer;
      const put: readonly Call[] = hasContent || uncertain !== undefined ? ['put'] : [];
      if (!switches) return put;
      return pauses ? ['pause', ...put] : [...put, 'resume'];
    }
    default:
      return ['post'];
  }
}

export function isPaused(attributes: JsonObject | undefined): boolean {
  return attributes?.['paused'] === true;
}

export function withPaused({ paused: _, ...rest }: JsonObject, paused: boolean): JsonObject {
  return paused ? { ...rest, paused: true } : rest;
}
