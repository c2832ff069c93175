// The state with what was observed laid over it. The plan starts from there, so it undoes what others have changed, and
// says for each difference who made it.

import { fieldsOf } from '../model/fields/fields.ts';
import type { ObservedResource, ReceiversOfSchedule } from '../model/plan/observation.ts';
import { type OpenChange, sentToTracked } from '../model/plan/open-change.ts';
import type { FieldDiff, Plan } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import { groupNamed } from '../model/plan/user-groups.ts';
import type { Address } from '../model/values/address.ts';
import {
  byCodeUnit,
  canonicalJson,
  define,
  isJsonObject,
  type Json,
  type JsonObject,
  stringIn,
} from '../model/values/json.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { isPaused, type SealedResource, userGroupsIn, withUserGroups } from '../model/workspace/resource.ts';
import { diffAttributes } from './difference.ts';
import { ignoreChangesOf } from './kept.ts';
import { kindOfMatch, type Match, trackedAs } from './match.ts';

/** A match as the state records it, and as a look has seen it. */
export interface SeenMatch {
  readonly recorded: Match;
  /** The match with what was observed in place of what was applied; without it where the resource is gone. */
  readonly effective: Match;
  /** Absent if the resource is as it was applied, or was not observed. */
  readonly drift: Drift | undefined;
  /** The fields that were read back. */
  readonly observedFields: ReadonlySet<string>;
  readonly ownedBy?: string | undefined;
  /** The reason why nothing is sent about the resource: it is not known what became of it. */
  readonly doubt?: string | undefined;
  /** The receivers that a look has seen. */
  readonly received?: ReceiversOfSchedule | undefined;
  /** True if the schedule is paused, whoever did that. */
  readonly isPaused: boolean | undefined;
  /** The former name of the dashboard, from the last apply, if a look has proven that it was renamed. */
  readonly formerly?: string | undefined;
  /** The dashboard's name in Omni, if it was renamed and is not declared so. */
  readonly renamedTo?: string | undefined;
  /** Omni's lasting id of the dashboard, however that is renamed, as a look has read it. */
  readonly entityId?: string | undefined;
  /** Unread filters that a look has seen to equal those of the dashboard. */
  readonly asDashboard?: readonly Pointer[] | undefined;
  /** The adopted resource as a look has seen it. */
  readonly adopted?: ObservedResource | undefined;
}

export interface Drift {
  /** The differences from what was applied to what was observed; one removal of the whole if the resource is gone. */
  readonly diff: readonly FieldDiff[];
  /**
   * The differences except fields under ignoreChanges, and those that are as declared now: only the state is behind there. If
   * nothing is left, the resource does not count as drifted.
   */
  readonly counted: readonly FieldDiff[];
  /** True if something is as it is declared now, and not as it was applied. */
  readonly isAgreed: boolean;
  readonly isGone: boolean;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * The observation without the fields that an update to the declared values, or to those that were `sent`, may have set, or some
 * of them: they are planned from what the state held before it.
 */
function notYetDone(
  match: Match,
  found: ObservedResource | undefined,
  sent: readonly JsonObject[],
): ObservedResource | undefined {
  const { prior, desired } = match;
  const observed = withFormerName(match, found);
  if (prior === undefined || desired === undefined || !observed?.found) return observed;
  const { kind, attributes: declared } = desired;
  const inOmni = overlaid(prior.attributes, observed);
  // The elements of a set count separately: it takes several requests to change one.
  const differing = (from: JsonObject) =>
    new Map(
      diffAttributes(kind, from, inOmni).map(({ path, op, before, after }) => {
        const [name = ''] = pointerSegments(path);
        return [fieldsOf[kind][name]?.set ? canonicalJson([name, op, before ?? after ?? null]) : name, name];
      }),
    );
  const [first = new Map<string, string>(), ...others] = [prior.attributes, declared, ...sent].map(differing);
  const otherFields = new Set([
    ...[...first].flatMap(([key, name]) => (others.every((each) => each.has(key)) ? name : [])),
    ...ignoreChangesOf(declared),
  ]);
  const attributes = Object.entries(observed.attributes).filter(([name]) => otherFields.has(name));
  const { entityId, formerly = inOmni['identifier'] } = observed;
  return {
    ...observed,
    // After a lost request has moved the schedule, this is the id of another dashboard than the state has.
    entityId: formerly === prior.attributes['identifier'] ? entityId : undefined,
    fields: new Set([...observed.fields].filter((name) => otherFields.has(name))),
    attributes: Object.fromEntries(attributes),
  };
}

/** The record of an adopted schedule until it is looked at: each of its filters may be the dashboard's. */
export function adoptedAs(id: string, attributes: JsonObject): StateResource {
  const { filterConfig } = attributes;
  const filters = isJsonObject(filterConfig) ? Object.keys(filterConfig) : [];
  const unread = filters.map((filter) => pointerTo('filterConfig', filter));
  return asIfTracked(id, attributes, unread.length === 0 ? undefined : unread);
}

/** The state's record of an adopted resource, and the fields in which it differs from the declaration. */
export function takenOver(address: Address, prior: StateResource, there: ObservedResource | undefined) {
  const found = there?.found ? there : undefined;
  const { effective, drift } = withObserved({ address, prior }, found);
  const ofFilters = found?.fields.has('filterConfig') ? found.asDashboard : prior.unread;
  const unread = [...(found?.unread ?? []), ...(ofFilters ?? [])];
  const after = (effective.prior ?? prior).attributes;
  return {
    after,
    unread: unread.length === 0 ? undefined : unread,
    entityId: found?.entityId,
    seenGroups: found?.groups,
    differs: [...new Set(drift?.diff.map(({ path }) => pointerSegments(path)[0] ?? ''))],
  };
}

/** `open`: an update of which nobody knows whether it was carried out, or how far. */
export function withObserved(given: Match, found: ObservedResource | undefined, open?: OpenChange): SeenMatch {
  if (given.adopt !== undefined) {
    const { doubt, received } = found?.found ? found : {};
    const undrifted = {
      recorded: given,
      effective: given,
      drift: undefined,
      observedFields: nothing,
      isPaused: undefined,
    };
    return { ...undrifted, doubt, received, adopted: found };
  }
  const left = open === undefined ? withFormerName(given, found) : notYetDone(given, found, sentToTracked(open));
  const { match, observed } = withNewNames(given, left);
  const { prior, desired } = match;
  const { ownedBy, doubt, received, formerly, entityId, asDashboard } = observed?.found ? observed : {};
  const effective = withSeenGroups(match, observed);
  const renamedTo = presentName(match, found);
  const paused = found?.found && found.fields.has('paused') ? isPaused(found.attributes) : undefined;
  const seenOf = { ownedBy, doubt, received, isPaused: paused, formerly, renamedTo, entityId, asDashboard };
  const undrifted = { recorded: match, effective, drift: undefined, ...seenOf };
  if (prior === undefined || observed === undefined) return { observedFields: nothing, ...undrifted };
  if (!observed.found) {
    const { prior: _, ...rest } = match;
    const diff: readonly FieldDiff[] = [{ path: '', op: 'remove', sensitive: false }];
    // A resource that is gone on both sides leaves nothing to decide.
    const isAgreed = desired === undefined;
    const drift = { diff, counted: isAgreed ? [] : diff, isAgreed, isGone: true };
    return { ...undrifted, effective: rest, drift, observedFields: nothing };
  }
  const kind = kindOfMatch(match);
  const observedFields = observed.fields;
  const attributes = overlaid(prior.attributes, observed);
  const diff = diffAttributes(kind, prior.attributes, attributes);
  if (diff.length === 0) return { ...undrifted, observedFields };
  const ignored = new Set(ignoreChangesOf(desired?.attributes ?? {}));
  const noticed = diff.filter(({ path }) => !ignored.has(pointerSegments(path)[0] ?? ''));
  const counted = desired === undefined ? noticed : notAsDeclared(noticed, desired, attributes);
  const isAgreed = counted.length < noticed.length;
  const seen = withSeenGroups({ ...match, prior: { ...prior, attributes } }, observed);
  return { ...undrifted, effective: seen, drift: { diff, counted, isAgreed, isGone: false }, observedFields };
}

/**
 * The match without filters that an import left unread and that are no longer declared. They may be the dashboard's all along, so
 * removing one changes nothing before a request carries the whole schedule.
 */
export function withoutTakenOut(seenMatch: SeenMatch): SeenMatch {
  const { recorded, effective } = seenMatch;
  return { ...seenMatch, recorded: withoutUndeclared(recorded), effective: withoutUndeclared(effective) };
}

function withoutUndeclared(match: Match): Match {
  const { desired, prior } = match;
  const applied = prior?.attributes['filterConfig'];
  if (desired === undefined || prior?.unread === undefined || !isJsonObject(applied)) return match;
  const declared = desired.attributes['filterConfig'] ?? {};
  const isTakenOut = (id: string) =>
    isJsonObject(declared) && !Object.hasOwn(declared, id) && prior.unread?.includes(pointerTo('filterConfig', id));
  const remainingFilters = Object.entries(applied).filter(([id]) => !isTakenOut(id));
  if (remainingFilters.length === Object.keys(applied).length) return match;
  const { filterConfig: _, ...otherAttributes } = prior.attributes;
  const attributes = { ...otherAttributes, filterConfig: Object.fromEntries(remainingFilters) };
  return { ...match, prior: { ...prior, attributes } };
}

function presentName({ desired }: Match, found: ObservedResource | undefined): string | undefined {
  if (!found?.found || found.formerly === undefined || desired?.attributes['identifier'] !== found.formerly)
    return undefined;
  return stringIn(found.attributes['identifier']);
}

/** A dashboard that was renamed is the one that was applied, unless its new identifier is declared: then only the state is behind. */
function withFormerName({ desired }: Match, observed: ObservedResource | undefined): ObservedResource | undefined {
  if (!observed?.found || observed.formerly === undefined || !observed.fields.has('identifier')) return observed;
  if (desired?.attributes['identifier'] === observed.attributes['identifier']) return observed;
  return { ...observed, attributes: { ...observed.attributes, identifier: observed.formerly } };
}

/** A user group that is declared by what Omni calls it now is the one that was applied under its former name. */
function withNewNames(
  match: Match,
  observed: ObservedResource | undefined,
): { readonly match: Match; readonly observed: ObservedResource | undefined } {
  const { prior, desired } = match;
  const groups = (observed?.found ? observed.groups : undefined) ?? prior?.groups ?? [];
  const [applied, declared] = [userGroupsIn(prior?.attributes ?? {}), userGroupsIn(desired?.attributes ?? {})];
  const former = declared
    .filter((text) => !applied.includes(text))
    .flatMap((text) => {
      const group = groupNamed(text, groups);
      return group === undefined || declared.includes(group.text) ? [] : [[group.text, text] as const];
    });
  if (prior === undefined || former.length === 0) return { match, observed };
  const now = new Map(former);
  const renamed = <T extends Pick<StateResource, 'attributes' | 'groups'>>(each: T): T => {
    const { attributes, groups: some } = each;
    const names = userGroupsIn(attributes).map((text) => now.get(text) ?? text);
    const named = some?.map((group) => ({ ...group, text: now.get(group.text) ?? group.text }));
    return { ...each, attributes: withUserGroups(attributes, names), groups: named };
  };
  return {
    match: { ...match, prior: renamed(prior) },
    observed: observed?.found ? renamed(observed) : observed,
  };
}

/** The user groups that a look saw are all that receive the schedule. */
function withSeenGroups(match: Match, observed: ObservedResource | undefined): Match {
  const { prior } = match;
  if (prior === undefined || !observed?.found || observed.groups === undefined) return match;
  return { ...match, prior: { ...prior, groups: observed.groups } };
}

function notAsDeclared(
  diff: readonly FieldDiff[],
  { kind, attributes: declared }: SealedResource,
  observed: JsonObject,
): readonly FieldDiff[] {
  const differingParts = diffAttributes(kind, declared, observed).map(({ path }) => partAt(path));
  return diff.filter(({ path }) => {
    const part = partAt(path);
    return differingParts.some((other) => isWithin(other, part) || isWithin(part, other));
  });
}

/** The part that is compared as one: a field, and a single filter or control. */
function partAt(path: Pointer): Pointer {
  const [field = '', entry] = pointerSegments(path);
  return entry !== undefined && inParts.has(field) ? pointerTo(field, entry) : pointerTo(field);
}

const inParts: ReadonlySet<string> = new Set(['filters', 'controls', 'filterConfig']);

/**
 * The ids of filters that others gave a schedule, or that are gone from its dashboard: nothing else takes the whole of an
 * applied one from what was observed.
 */
export function filtersIn(diff: readonly FieldDiff[], what: 'given' | 'gone'): readonly string[] {
  const [wanted, side] = what === 'given' ? (['add', 'after'] as const) : (['remove', 'before'] as const);
  return diff.flatMap(({ path, op, [side]: filters }) => {
    const [field, id, key] = pointerSegments(path);
    if (field !== 'filterConfig' || op !== wanted || key !== undefined) return [];
    return id !== undefined ? [id] : isJsonObject(filters) ? Object.keys(filters) : [];
  });
}

function overlaid(applied: JsonObject, observed: Extract<ObservedResource, { found: true }>): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(applied)) if (!observed.fields.has(name)) define(result, name, value);
  for (const [name, value] of Object.entries(observed.attributes)) define(result, name, value);
  return result;
}

/** Lists the drift for the plan document. */
export function driftOf(entries: readonly SeenMatch[]): Plan['drift'] {
  return entries
    .flatMap(({ recorded, drift }) =>
      drift === undefined || drift.counted.length === 0 ? [] : [{ address: trackedAs(recorded), diff: drift.counted }],
    )
    .sort((a, b) => byCodeUnit(a.address, b.address));
}

/** The addresses in the state of resources that others changed to what is declared now. */
export function agreedIn(entries: readonly SeenMatch[]): readonly Address[] {
  return entries.flatMap(({ recorded, drift }) => (drift?.isAgreed ? [trackedAs(recorded)] : [])).sort(byCodeUnit);
}

/** The record that the state would hold of a schedule that it does not track yet, so that it can be compared like one that it tracks. */
export function asIfTracked(id: string | undefined, attributes: JsonObject, unread?: readonly string[]): StateResource {
  const unknown = new Date(0).toISOString();
  return { id, attributes, unread, createdAt: unknown, updatedAt: unknown };
}
