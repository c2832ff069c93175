// Differences that the service does not take over: two updates undid them, and they are still there. Sending them again at
// every run would change nothing, so they are said and not planned. One update is not enough: somebody may have made the
// same change again, and the list may lag behind.

import type { FieldDiff } from '../model/plan/plan.ts';
import type { StateResource, Undone } from '../model/plan/state.ts';
import type { ObservedResource } from '../model/service/observed.ts';
import { equalJson, type Json, type JsonObject } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfResource } from '../model/workspace/field-place.ts';
import type { Match } from './match.ts';

/** How far the service's clock may be ahead of ours. */
const toleranceMs = 120_000;

/**
 * What was observed without the fields that the service did not take over, and what it holds in these. Those that a sink
 * replaced are sent again whatever the service does with them: it would be quiet about a delivery to a customer.
 */
export function withoutNotTaken(
  { prior, desired }: Pick<Match, 'prior' | 'desired'>,
  observed: ObservedResource | undefined,
): { readonly observed: ObservedResource | undefined; readonly notTaken: JsonObject } {
  if (prior?.undone === undefined || observed?.found !== true) return { observed, notTaken: {} };
  if (isTouchedSince(prior.undone.at, observed.updatedAt)) return { observed, notTaken: {} };
  const { fields, attributes } = observed;
  const { again, fields: undone } = prior.undone;
  const kept = Object.entries(undone).filter(
    ([name, held]) =>
      again.includes(name) &&
      !Object.hasOwn(desired?.sink?.declared ?? {}, name) &&
      fields.has(name) &&
      equalJson(attributes[name] ?? null, held) &&
      !equalJson(attributes[name] ?? null, prior.attributes[name] ?? null),
  );
  if (kept.length === 0) return { observed, notTaken: {} };
  const notTaken: JsonObject = Object.fromEntries(kept);
  const rest = Object.entries(attributes).filter(([name]) => !Object.hasOwn(notTaken, name));
  return {
    observed: {
      ...observed,
      fields: new Set([...fields].filter((name) => !Object.hasOwn(notTaken, name))),
      attributes: Object.fromEntries(rest),
    },
    notTaken,
  };
}

/** Somebody may have made the same change again. */
function isTouchedSince(at: string, updatedAt: string | undefined): boolean {
  return updatedAt === undefined || Date.parse(updatedAt) > Date.parse(at) + toleranceMs;
}

/** What the service holds in the fields that drifted; null for a field that is not set. */
export function heldIn(counted: readonly FieldDiff[], observed: JsonObject | undefined): JsonObject {
  const names = new Set(counted.map(({ path }) => pointerSegments(path)[0] ?? ''));
  return Object.fromEntries([...names].map((name): [string, Json] => [name, observed?.[name] ?? null]));
}

/** What the state remembers when an update undoes a drift. */
export function undoneBy(held: JsonObject, prior: StateResource | undefined): Undone {
  const before = prior?.undone?.fields ?? {};
  const again = Object.keys(held).filter(
    (name) => Object.hasOwn(before, name) && equalJson(before[name] ?? null, held[name] ?? null),
  );
  return { fields: held, again };
}

export function notTakenOver({ address, desired }: Match, notTaken: JsonObject): readonly Finding[] {
  const names = Object.keys(notTaken);
  if (names.length === 0) return [];
  const words = names.map((name) => `\`${name}\``).join(', ');
  return [
    {
      code: 'not-taken-over',
      message: `Omni did not take over ${words} from the last update of \`${address}\`, so ${names.length === 1 ? 'it is' : 'they are'} not sent again.`,
      hint: 'Declare what Omni has, or replace the schedule with --replace.',
      address,
      ...(desired === undefined ? {} : { place: placeOfResource(desired) }),
    },
  ];
}
