// The state with what was observed laid over it. The plan starts from there, so it undoes what others have changed, and
// says for each difference who made it.

import type { FieldDiff, Plan } from '../model/plan/plan.ts';
import type { ObservedResource } from '../model/service/observed.ts';
import type { Kind } from '../model/values/address.ts';
import { kindOf } from '../model/values/address.ts';
import { byCodeUnit, define, type Json, type JsonObject } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { diffAttributes } from './diff-attributes.ts';
import { ignoreChangesOf } from './facts.ts';
import type { Match } from './match.ts';
import { withoutNotTaken } from './not-taken.ts';

export interface Drifted {
  /** The match with what the state records. */
  readonly recorded: Match;
  /** The match with what was observed in place of what was applied; without it where the resource is gone. */
  readonly effective: Match;
  /** Undefined if the resource is as it was applied, or was not observed. */
  readonly drift: Drift | undefined;
  /** The fields that the service did not take over from an update, with what it holds; null for a field that is not set. */
  readonly notTaken: JsonObject;
  /** The fields that were read back. */
  readonly observedFields: ReadonlySet<string>;
}

export interface Drift {
  readonly kind: Kind;
  /** From what was applied to what was observed; one removal of the whole if the resource is gone. */
  readonly diff: readonly FieldDiff[];
  /** Without the fields under ignoreChanges: if nothing is left, the resource does not count as drifted. */
  readonly counted: readonly FieldDiff[];
  readonly isGone: boolean;
}

const nothing: ReadonlySet<string> = new Set();

export function withObserved(match: Match, found: ObservedResource | undefined): Drifted {
  const { prior, desired } = match;
  const { observed, notTaken } = withoutNotTaken(prior, found);
  const undrifted = { recorded: match, effective: match, drift: undefined, notTaken };
  if (prior === undefined || observed === undefined) return { ...undrifted, observedFields: nothing };
  const kind = desired?.kind ?? kindOf(match.address) ?? 'schedule';
  if (!observed.found) {
    const { prior: _, ...rest } = match;
    const diff: readonly FieldDiff[] = [{ path: '', op: 'remove', sensitive: false }];
    const drift = { kind, diff, counted: diff, isGone: true };
    return { recorded: match, effective: rest, drift, notTaken, observedFields: nothing };
  }
  const observedFields = observed.fields;
  const attributes = overlaid(prior.attributes, observed);
  const diff = diffAttributes(kind, prior.attributes, attributes);
  if (diff.length === 0) return { ...undrifted, observedFields };
  const ignored = new Set(ignoreChangesOf(desired?.attributes ?? {}));
  const counted = diff.filter(({ path }) => !ignored.has(pointerSegments(path)[0] ?? ''));
  const effective = { ...match, prior: { ...prior, attributes } };
  return { recorded: match, effective, drift: { kind, diff, counted, isGone: false }, notTaken, observedFields };
}

function overlaid(applied: JsonObject, observed: Extract<ObservedResource, { found: true }>): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(applied)) if (!observed.fields.has(name)) define(result, name, value);
  for (const [name, value] of Object.entries(observed.attributes)) define(result, name, value);
  return result;
}

/** As the plan document lists it. */
export function driftOf(entries: readonly Drifted[]): Plan['drift'] {
  return entries
    .flatMap(({ recorded, drift }) =>
      drift === undefined || drift.counted.length === 0
        ? []
        : [{ address: recorded.moved?.from ?? recorded.address, diff: drift.counted }],
    )
    .sort((a, b) => byCodeUnit(a.address, b.address));
}
