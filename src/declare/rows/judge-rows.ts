// Judges if receivers may get the rows that they are shown. It is the one judgement of declarations, applied deliveries
// and those in Omni. It proves what Almanac asks of Omni, and not a dashboard's result.

import { hasValues, textOf } from '../../model/fields/conditions.ts';
import { type Delivery, deliveryOf, filtersSetBy, type Limit } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import { type Address, deliversDashboard, type Kind } from '../../model/values/address.ts';
import { memoize, once, pushAll } from '../../model/values/collections.ts';
import { insideTest } from '../../model/values/domains.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { maxJudged } from '../../model/values/words.ts';
import type { RowsConfig } from '../../model/workspace/config.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { isOutsideAddress } from '../inside/receiving-places.ts';
import { oddConditions } from '../rules/filter-conditions.ts';
import { deliveryFilters } from '../rules/filter-shape.ts';
import {
  type EndedLine,
  everyRow,
  type Permissions,
  type PlaceDoubt,
  type ReceiverPermissions,
} from './permissions.ts';

export interface RowRules extends Division {
  readonly permissions: Permissions;
}

export interface Division {
  /** All of `safety.rows.filters`. */
  readonly filters: readonly string[];
  /** The filters that a declared schedule or dashboard of an identifier uses. */
  readonly usedOn: (identifier: Json | undefined) => readonly string[];
  /** The identifiers of dashboards whose rows belong to nobody, and of single tiles, whose names no dashboard has. */
  readonly shared: ReadonlySet<Json | undefined>;
  /** Takes an address, a host or a bucket. */
  readonly isOutside: (receiver: Receiver) => boolean;
  /** `safety.internalDomains`, one of which a misspelled domain may mean. */
  readonly internalDomains?: readonly string[];
}

export function divisionOf(
  { filters, shared }: RowsConfig,
  resources: readonly Resource[],
  internalDomains: readonly string[],
): Division {
  const divides = new Set(filters);
  const used = filtersUsed(resources, (id) => divides.has(id));
  return {
    filters,
    usedOn: (identifier) => [...used(identifier)],
    shared: new Set(shared),
    isOutside: outsideReceiver(internalDomains),
    internalDomains,
  };
}

/** Tests whether a receiver is outside; one whose place is not known counts as outside. */
export function outsideReceiver(internalDomains: readonly string[]): Division['isOutside'] {
  const isInside = memoize(insideTest(internalDomains), 10_000);
  return ({ kind, shown, isHidden = false }) => {
    switch (kind) {
      case 'email':
        return isHidden || isOutsideAddress(shown, isInside);
      case 'webhook':
      case 'sftp':
        return isHidden || !isInside(shown.toLowerCase());
      // The owner of a bucket is not known, and only Omni knows the members of a group.
      default:
        return true;
    }
  };
}

/** The ids of filters that some schedule or dashboard of an identifier sets. */
export function filtersUsed(
  resources: readonly Resource[],
  isWanted: (id: string) => boolean = () => true,
): (identifier: Json | undefined) => ReadonlySet<string> {
  const used = new Map<string, Set<string>>();
  for (const resource of resources) {
    const { dashboard, ids } = filtersSetBy(resource);
    if (dashboard === undefined) continue;
    const name = dashboardName(dashboard);
    for (const id of ids) if (isWanted(id)) used.set(name, (used.get(name) ?? new Set()).add(id));
  }
  return (identifier = '') => used.get(dashboardName(identifier)) ?? none;
}

const none: ReadonlySet<string> = new Set();

/** Omni may read an identifier in other letters as the same one. */
export function dashboardName(identifier: Json): string {
  return textOf(identifier).trim().toLowerCase();
}

/** A value that a delivery shows, by a filter of its own. */
export interface ShownValue {
  readonly filter: string;
  readonly value: string;
  readonly at: Pointer;
}

export interface UnlimitedRows {
  readonly filters: readonly string[];
  /** With `odd`, a finding has the fault. With `sign`, a value is `*`: every row in the table, a text in Omni. */
  readonly why: 'missing' | 'empty' | 'form' | 'odd' | 'sign' | 'extra' | 'no-filters' | 'unread';
  /** The key of the condition, or the field of `extra`, that may let others through. */
  readonly key?: string;
  /** The odd part, as a sentence. */
  readonly whatIsOdd?: string;
  /** The filter; undefined if there is none. */
  readonly at?: Pointer;
}

export type ShownRows = { readonly shown: readonly ShownValue[] } | { readonly unlimited: UnlimitedRows };

export type RowFault = { readonly receiver: Receiver } & (
  | { readonly kind: 'unnamed' }
  /** About all receivers. */
  | { readonly kind: 'sign'; readonly unlimited: UnlimitedRows }
  | { readonly kind: 'doubtful'; readonly doubt: PlaceDoubt; readonly rows: ShownRows | undefined }
  /** About all receivers that may not have every row: their common filter is wrong, whoever they are. */
  | {
      readonly kind: 'unlimited';
      readonly receivers: readonly NamedReceiver[];
      readonly unlimited: UnlimitedRows;
      /** The id of a filter that divides nothing, and only lets through values that they all may see. */
      readonly instead: () => string | undefined;
    }
  /** `valuesOfOthers` are computed on demand. There may be thousands of receivers and of values. */
  | {
      readonly kind: 'others';
      readonly allowed: ReceiverPermissions;
      readonly valuesOfOthers: () => readonly ShownValue[];
    }
  /** It was right until a day that is over. */
  | { readonly kind: 'ended'; readonly line: EndedLine }
);

/** A receiver with a line. */
interface NamedReceiver {
  readonly receiver: Receiver;
  readonly allowed: ReceiverPermissions;
}

export type JudgedDelivery = Pick<Delivery, 'to' | 'inExtra' | 'dashboard' | 'rows' | 'extras'>;

/** `unread` are the state's pointers of filters that may be those of the dashboard. */
export function withUnread(
  { to, inExtra, dashboard, rows, extras }: JudgedDelivery,
  unread: readonly string[],
): JudgedDelivery {
  const marked = [...rows].map(([id, limit]) => [id, { ...limit, isUnread: unread.includes(limit.at) }] as const);
  return { to, inExtra, dashboard, extras, rows: new Map(marked) };
}

/** Empty if each receiver may have its rows. Lines that have ended come last: no number of them hides a mistake. */
export function judgeRows(kind: Kind, delivery: JudgedDelivery, rules: RowRules): readonly RowFault[] {
  const faults: RowFault[] = [];
  const over: RowFault[] = [];
  const judged = judgedReceivers(kind, delivery, rules);
  const belongs = !isShared(delivery, rules);
  const limited = judged.find(({ allowed }) => isLimited(allowed));
  const shownNow = once(() => shownRows(kind, delivery, rules));
  const rows = belongs && limited !== undefined ? shownNow() : undefined;
  const unlimited = rows !== undefined && 'unlimited' in rows ? rows.unlimited : undefined;
  // Otherwise somebody would add the apparently missing line, and allow every row.
  if (limited !== undefined && unlimited?.why === 'sign')
    return [{ kind: 'sign', receiver: limited.receiver, unlimited }];
  const shown = rows !== undefined && 'shown' in rows ? rows.shown : [];
  // Receivers of the same lines have the same object.
  const isOthers = memoize((allowed: ReceiverPermissions) =>
    shown.some(({ value }) => allowed.answer(value) === 'may-not'),
  );
  const endedOf = memoize((allowed: ReceiverPermissions) =>
    allowed.lines.some(({ isOver }) => isOver) ? endedAmong(allowed, belongs ? shownNow() : undefined) : [],
  );
  const receivers: NamedReceiver[] = [];
  const instead = () => (unlimited?.why === 'missing' ? filterInstead(delivery, receivers, rules) : undefined);
  for (const { receiver, allowed } of judged) {
    if (allowed === undefined) {
      faults.push({ kind: 'unnamed', receiver });
      continue;
    }
    const ended = endedOf(allowed).map((line) => ({ kind: 'ended', receiver, line }) as const);
    if (!belongs) {
      pushAll(over, ended);
      continue;
    }
    if (isLimited(allowed) && unlimited !== undefined) {
      if (receivers.length === 0) faults.push({ kind: 'unlimited', receiver, receivers, unlimited, instead });
      receivers.push({ receiver, allowed });
      continue;
    }
    const hasOthers = isOthers(allowed);
    const doubt = hasOthers ? undefined : rules.permissions.doubtAbout(receiver);
    const valuesOfOthers = () => shown.filter(({ value }) => allowed.answer(value) === 'may-not');
    if (hasOthers) faults.push({ kind: 'others', receiver, allowed, valuesOfOthers });
    else if (doubt !== undefined) faults.push({ kind: 'doubtful', receiver, doubt, rows });
    else pushAll(over, ended);
  }
  return [...faults, ...over];
}

/**
 * The lines past their day that alone let a receiver see these rows; of thousands, the first ones. `rows` is undefined
 * if they belong to nobody.
 */
function endedAmong({ answer, over }: ReceiverPermissions, rows: ShownRows | undefined): readonly EndedLine[] {
  if (rows === undefined) return over === undefined ? [] : [over];
  const shown = 'unlimited' in rows ? [everyRow] : rows.shown.map(({ value }) => value);
  const ended = shown.map(answer).filter((answered) => typeof answered === 'object');
  return [...new Set(ended)].slice(0, maxJudged);
}

/** True if no line ever let it see every row: one that has ended is a fault of its own. */
function isLimited(allowed: ReceiverPermissions | undefined): boolean {
  return allowed === undefined || allowed.answer(everyRow) === 'may-not';
}

function filterInstead(
  { rows }: JudgedDelivery,
  receivers: readonly NamedReceiver[],
  { filters }: RowRules,
): string | undefined {
  return [...rows.keys()].find((id) => {
    const passing = valuesOf(rows.get(id) as Limit);
    const mayPass = ({ allowed }: NamedReceiver) =>
      'values' in passing && passing.values.every((value) => allowed.answer(value) === 'may');
    return !filters.includes(id) && receivers.every(mayPass);
  });
}

/** True if the rows of its dashboard belong to nobody. */
export function isShared({ dashboard }: Pick<Delivery, 'dashboard'>, { shared }: Pick<Division, 'shared'>): boolean {
  return shared.size > 0 && shared.has(dashboard);
}

export interface JudgedReceiver {
  readonly receiver: Receiver;
  /** Undefined if no line names it. */
  readonly allowed: ReceiverPermissions | undefined;
}

/** A delivery's receivers who need a line; in Slack, and for hosts of AI jobs, those that have one. */
export function judgedReceivers(
  kind: Kind,
  { to, inExtra }: Pick<Delivery, 'to' | 'inExtra'>,
  { permissions, isOutside }: RowRules,
): readonly JudgedReceiver[] {
  const judged: JudgedReceiver[] = [];
  for (const receivers of [to, inExtra])
    for (const receiver of receivers) {
      if (!isOutside(receiver)) continue;
      const allowed = permissions.allowedTo(receiver);
      if (allowed !== undefined || needsLine(kind, receiver) || permissions.namesPlaceOf(receiver))
        judged.push({ receiver, allowed });
    }
  return judged;
}

/** True if somebody who may not have every row today receives it. */
export function isJudged(kind: Kind, delivery: Delivery, rules: RowRules): boolean {
  if (isShared(delivery, rules)) return false;
  return judgedReceivers(kind, delivery, rules).some(({ allowed }) => allowed?.answer(everyRow) !== 'may');
}

/** The addresses of the declared reports that the table of permissions judges. */
export function judgedAddresses(resources: readonly Resource[], rules: RowRules): ReadonlySet<Address> {
  const judged = resources.filter((each) =>
    isJudged(each.kind, deliveryOf(each.kind, declaredAttributes(each)), rules),
  );
  return new Set(judged.map(({ address }) => address));
}

/** True if a receiver outside needs a line that says what it may have. */
export function needsLine(kind: Kind, receiver: Pick<Receiver, 'kind'>): boolean {
  return kind !== 'aiJob' && receiver.kind !== 'slack';
}

type RowsDivided = Pick<Division, 'filters' | 'usedOn'>;

/** Only its own filters limit a delivery: the dashboard's may change tomorrow. */
export function shownRows(
  kind: Kind,
  { rows, dashboard, extras }: JudgedDelivery,
  { filters, usedOn }: RowsDivided,
): ShownRows {
  if (!deliversDashboard(kind)) return { unlimited: { filters: [], why: 'no-filters' } };
  const used = usedOn(dashboard);
  const needed = used.length > 0 ? used : filters.filter((id) => rows.has(id));
  const missing = needed.filter((id) => !rows.has(id));
  if (needed.length === 0 || missing.length > 0)
    return { unlimited: { filters: needed.length === 0 ? filters : missing, why: 'missing' } };
  const shown: ShownValue[] = [];
  for (const id of needed) {
    const limit = rows.get(id) as Limit;
    if (limit.isUnread) return { unlimited: { filters: [id], why: 'unread', at: limit.at } };
    const passing = valuesOf(limit);
    if ('why' in passing) return { unlimited: { at: limit.at, ...passing, filters: [id] } };
    for (const [index, value] of passing.values.entries())
      shown.push({ filter: id, value, at: limit.at + pointerTo('values', index) });
  }
  const [extra] = extras;
  if (extra !== undefined) return { unlimited: { filters: needed, why: 'extra', key: extra, at: pointerTo('extra') } };
  return { shown };
}

/** The values that alone pass; undefined if others may. */
export function passingValues(limit: Limit): readonly string[] | undefined {
  const passing = valuesOf(limit);
  return 'values' in passing ? passing.values : undefined;
}

/** The values that alone pass, or why others may. */
function valuesOf({
  written,
  condition,
  at,
}: Limit): { readonly values: readonly string[] } | Omit<UnlimitedRows, 'filters'> {
  if (!isJsonObject(written)) return { why: 'form' };
  const key = Object.keys(condition).find((name) => !isPlain(name, condition[name]));
  if (key !== undefined) return { why: 'form', key };
  const { values } = condition;
  if (!hasValues(values)) return { why: 'empty' };
  const list: readonly Json[] = Array.isArray(values) ? values : [];
  const isList = list.every((each) => (typeof each === 'string' || typeof each === 'number') && hasValues(each));
  if (!isList || list.length === 0) return { why: 'form', key: 'values' };
  // Only Omni knows whether a condition with a finding lets others through.
  const [odd] = oddConditions(condition, deliveryFilters, at, { referredAt: () => undefined });
  if (odd !== undefined) return { why: 'odd', whatIsOdd: odd.message };
  const texts = list.map(textOf);
  const sign = texts.indexOf(everyRow);
  return sign < 0 ? { values: texts } : { why: 'sign', at: at + pointerTo('values', sign) };
}

/** True if a key of a condition lets no other row through. */
function isPlain(key: string, value: Json | undefined): boolean {
  switch (key) {
    case 'values':
    case 'ui_type':
      return true;
    case 'kind':
      return typeof value === 'string' && value.toUpperCase() === 'EQUALS';
    case 'type':
      return value === 'string' || value === 'number';
    case 'is_negative':
    case 'case_insensitive':
      return value === false;
    default:
      return false;
  }
}

/** The rows of a receiver, as lines of the table name them: values, or every row. */
export interface RowsOfReceiver {
  readonly receiver: Receiver;
  /** One object for all receivers of a delivery: there may be thousands of both. */
  readonly shows: ReadonlySet<string>;
}

/** Empty for a shared dashboard. */
export function rowsByReceiver(kind: Kind, delivery: Delivery, rules: RowRules): readonly RowsOfReceiver[] {
  if (isShared(delivery, rules)) return [];
  const rows = shownRows(kind, delivery, rules);
  const shows = new Set('shown' in rows ? rows.shown.map(({ value }) => value) : [everyRow]);
  return judgedReceivers(kind, delivery, rules).map(({ receiver }) => ({ receiver, shows }));
}
