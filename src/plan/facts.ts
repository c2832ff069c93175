// The input of the decision table: the differences of a match, and the few facts that follow from them.

import { stateOnlyFields } from '../model/fields/fields.ts';
import type { FieldDiff } from '../model/plan/plan.ts';
import { type Kind, kindOf } from '../model/values/address.ts';
import { define, equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import type { Operations } from '../model/workspace/config.ts';
import { diffAttributes, diffOfCreate, holdsSecret, sameSecret } from './diff-attributes.ts';
import type { Match } from './match.ts';
import { isEmptyPatch, type Patch, patchBetween } from './patch.ts';

export interface Facts {
  readonly kind: Kind;
  readonly declared: boolean;
  /** tracked: it recurs or lasts. ran: it was a test delivery that ran once. */
  readonly prior: 'none' | 'tracked' | 'ran';
  readonly moved: 'no' | 'moved-entry' | 'equal-content';
  readonly adopted: boolean;
  readonly released: boolean;
  /** It is declared, for other environments only. */
  readonly absent: boolean;
  /** The environment has sinks: it delivers to these, and not to those who are declared. */
  readonly sunk: boolean;
  /** It was observed to be gone. */
  readonly gone: boolean;
  /** The declaration differs from what was applied but not from what was observed: both were changed alike. */
  readonly stale: boolean;
  readonly testNow: boolean;
  /**
   * state-only: nothing that the service sees. paused: nothing but `paused` and the owner. owner: nothing but the owner. target: another dashboard. sink: no content,
   * and nobody knows that what runs delivers to the sink of the environment.
   */
  readonly change: 'none' | 'state-only' | 'owner' | 'paused' | 'content' | 'target' | 'sink';
  /** --replace names it. */
  readonly replace: boolean;
  /** An earlier request that can be repeated, such as a PATCH, has an unknown outcome. */
  readonly uncertain: boolean;
  readonly operations: Operations;
}

export interface Difference {
  readonly diff: readonly FieldDiff[];
  /** What is declared, with the last applied values of ignored fields. */
  readonly after: JsonObject | undefined;
  /** The values that replace the declared ones under ignoreChanges; undefined removes the field. */
  readonly ignored: Readonly<Record<string, Json | undefined>>;
  readonly patch?: Patch;
}

/** `toSend`: the difference leads to a request, which cannot hold an applied secret, because its text is not known. */
export function differenceOf(match: Match, uncertain: boolean, toSend: boolean): Difference {
  const { desired, prior } = match;
  if (desired === undefined) return { diff: [], after: undefined, ignored: {} };
  if (prior === undefined) {
    const { attributes: after, kind } = desired;
    return {
      diff: diffOfCreate(kind, after),
      after,
      ignored: {},
      ...(kind === 'dashboard' ? { patch: patchBetween(undefined, after, equalOrUnknown) } : {}),
    };
  }
  if (prior.attributes === desired.attributes) return { diff: [], after: desired.attributes, ignored: {} };
  const ignored = ignoredFields(desired.attributes, prior.attributes, toSend);
  const after = withIgnored(desired.attributes, ignored);
  const diff = equalJson(prior.attributes, after) ? [] : diffAttributes(desired.kind, prior.attributes, after);
  if (desired.kind !== 'dashboard') return { diff, after, ignored };
  const whole = uncertain || namesAnother(prior.attributes, after);
  return { diff, after, ignored, patch: patchBetween(whole ? undefined : prior.attributes, after, equalOrUnknown) };
}

/** Whether two declarations of a dashboard name different ones. */
export function namesAnother(before: JsonObject, after: JsonObject): boolean {
  return !equalOrUnknown(before['identifier'] ?? null, after['identifier'] ?? null);
}

function equalOrUnknown(a: Json, b: Json): boolean {
  return equalJson(a, b) || sameSecret(a, b);
}

/** The fields that `lifecycle.ignoreChanges` names. */
export function ignoreChangesOf({ lifecycle }: JsonObject): readonly string[] {
  const names = isJsonObject(lifecycle) ? lifecycle['ignoreChanges'] : undefined;
  return Array.isArray(names) ? (names as readonly string[]) : [];
}

const applicability = ['format', 'destinationType', 'slackRecipientType'] as const;

/**
 * Fields under ignoreChanges that differ, with their last applied values. None if the destination or the format has
 * changed, because the last applied values do not fit the new one.
 */
function ignoredFields(
  after: JsonObject,
  before: JsonObject,
  toSend: boolean,
): Readonly<Record<string, Json | undefined>> {
  if (applicability.some((name) => after[name] !== before[name])) return {};
  const ignored: Record<string, Json | undefined> = {};
  for (const name of ignoreChangesOf(after)) {
    const value = before[name];
    if (equalJson(after[name], value) || (toSend && value !== undefined && holdsSecret(value))) continue;
    define(ignored, name, value);
  }
  return ignored;
}

/** Whether a request would need the text of a secret that was applied last. */
export function ignoresSecret({ ignored }: Difference): boolean {
  return Object.values(ignored).some((value) => value !== undefined && holdsSecret(value));
}

/** Lays the values of ignored fields over the declared ones. */
export function withIgnored<V>(
  attributes: Readonly<Record<string, V>>,
  ignored: Readonly<Record<string, V | undefined>>,
): Readonly<Record<string, V>> {
  const names = Object.keys(ignored);
  if (names.length === 0) return attributes;
  const result: Record<string, V> = {};
  for (const [name, value] of Object.entries({ ...attributes, ...ignored }))
    if (value !== undefined) define(result, name, value);
  return result;
}

export function factsOf(
  match: Match,
  difference: Difference,
  policy: Pick<Facts, 'operations' | 'uncertain' | 'gone' | 'stale'> & { readonly replace: ReadonlySet<string> },
): Facts {
  const kind = match.desired?.kind ?? kindOf(match.address) ?? 'schedule';
  const { prior } = match;
  return {
    kind,
    declared: match.desired !== undefined,
    prior: prior === undefined ? 'none' : kind === 'schedule' && prior.id === undefined ? 'ran' : 'tracked',
    moved: match.moved?.by ?? 'no',
    adopted: match.adopt !== undefined,
    released: match.released === true,
    absent: match.absent !== undefined,
    sunk: match.desired?.sink !== undefined,
    gone: policy.gone,
    stale: policy.stale,
    testNow: difference.after?.['testNow'] === true,
    change: changeOf(match, kind, difference),
    replace: policy.replace.has(match.address),
    uncertain: policy.uncertain,
    operations: policy.operations,
  };
}

function changeOf(match: Match, kind: Kind, difference: Difference): Facts['change'] {
  const change = changedIn(match, kind, difference);
  const { desired, prior } = match;
  const isKnown = kind !== 'schedule' || desired?.sink === undefined || prior?.id === undefined || prior.throughSink;
  return isKnown || change === 'content' ? change : 'sink';
}

/** An owner that is no longer declared stays as it is. */
export function isTransferred(diff: readonly FieldDiff[]): boolean {
  return diff.some(({ path, op }) => path === '/owner' && op !== 'remove');
}

function changedIn({ prior }: Match, kind: Kind, { diff, after, patch }: Difference): Facts['change'] {
  if (diff.length === 0 || prior === undefined || after === undefined) return 'none';
  const fields = new Set(diff.map(({ path }) => pointerSegments(path)[0]));
  for (const name of stateOnlyFields) fields.delete(name);
  const transfers = kind === 'schedule' && isTransferred(diff);
  if (kind === 'schedule') fields.delete('owner');
  if (fields.size === 0) return transfers ? 'owner' : 'state-only';
  if (kind === 'schedule' && fields.size === 1 && fields.has('paused')) return 'paused';
  if (kind === 'dashboard' && namesAnother(prior.attributes, after)) return 'target';
  if (patch !== undefined && isEmptyPatch(patch)) return 'state-only';
  return 'content';
}
