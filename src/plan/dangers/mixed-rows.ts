// Receivers outside who get the rows of other receivers. A column of a table that slips by one row causes this: all
// receivers are known, so nobody new is named. On a dashboard, a value of a filter belongs to a domain if all who get
// the value outside are of that domain, as a look or what was applied says, and if at least three values of that filter
// belong to somebody. The planner does not know earlier plans: only a table of permissions remembers them.

import { isShared, passingValues } from '../../declare/rows/judge-rows.ts';
import { receiverText } from '../../declare/rows/permissions.ts';
import { lacksValue } from '../../model/fields/conditions.ts';
import type { Delivery } from '../../model/fields/delivery.ts';
import { plainNames, type Receiver, receiverKey } from '../../model/fields/receiver.ts';
import { addressWords, type DangerItem, type FoundDanger } from '../../model/plan/danger.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy, memoize, once } from '../../model/values/collections.ts';
import { domainOf, freeMailDomains } from '../../model/values/domains.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countOf, inBackticks, nameSome } from '../../model/values/words.ts';
import type { Report, World } from './world.ts';

export interface MixedRows {
  readonly dangers: readonly FoundDanger[];
  /** True if they say that a receiver gets a value by a report. */
  readonly isSaid: (address: Address, receiver: Receiver, value: string) => boolean;
}

export function mixedRows(world: World): MixedRows {
  const sentBy = memoize((delivery: Delivery) => sentOf(delivery, world));
  const sentIn = (side: 'known' | 'after', reports: readonly Report[]) =>
    reports.flatMap(({ address, [side]: delivery }): readonly SentBy[] => {
      const sent = delivery && sentBy(delivery);
      return sent === undefined ? [] : [{ address, sent }];
    });
  const planned = world.planned();
  const touched = new Set(planned.flatMap(({ known, after }) => [known?.dashboard, after?.dashboard]));
  const near =
    planned.length === 0
      ? []
      : world.reports().filter(({ known, after }) => [known, after].some((each) => touched.has(each?.dashboard)));
  const sentBefore = sentIn('known', near);
  const was = filtersOf(sentBefore);
  if (![...was.values()].some(({ owned }) => owned().size > 0)) return { dangers: [], isSaid: () => false };
  const [lose, get] = [sentIn('known', planned), sentIn('after', planned)];
  const found = gettingOthers(get, { was, is: filtersOf(sentIn('after', near)), sentBefore, world });
  const stillSent = once(() => valuesIn(sentIn('after', world.reports())));
  return {
    dangers: [...mixedDangers(found, world), lastReceivers(lose, get, { was, stillSent, outside: outsideWord(world) })],
    isSaid: (address, receiver, value) => found.said.get(address)?.get(receiverKey(receiver))?.has(value) ?? false,
  };
}

// The values that each owner gets.

/** The owner of a receiver, as people read it: a domain, an address of free mail, a group, a host or a bucket with its path. */
type Owner = string;

/** The values that a report sends outside. */
interface ReportOutside {
  readonly dashboard: string;
  readonly to: ReadonlyMap<Owner, readonly Receiver[]>;
  /** Absent if the report goes to several owners, or to somebody whose owner is not known. */
  readonly owner: Owner | undefined;
  /** The values of each filter, keyed by its id. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** True also if a filter limits the rows by other means than values. */
  readonly isLimitedBy: (id: string) => boolean;
}

interface SentBy {
  readonly address: Address;
  readonly sent: ReportOutside;
}

/** Returns undefined if nobody outside gets the delivery, or if its rows belong to nobody. */
function sentOf(delivery: Delivery, world: World): ReportOutside | undefined {
  const { rows } = world;
  const dashboard = delivery.dashboard;
  if (typeof dashboard !== 'string' || (rows !== undefined && isShared(delivery, rows))) return undefined;
  const all = [...delivery.to, ...delivery.inExtra];
  const isHidden = all.some((receiver) => receiver.isHidden);
  const to = groupBy(
    all.filter((receiver) => !receiver.isHidden && isOutside(receiver, world)),
    ownerOf,
  );
  if (to.size === 0 && !isHidden) return undefined;
  const [owner] = to.keys();
  const values = [...delivery.rows].flatMap(([id, limit]) => {
    const passing = rows === undefined || rows.filters.includes(id) ? passingValues(limit) : undefined;
    return passing === undefined ? [] : [[id, [...new Set(passing)]] as const];
  });
  return {
    dashboard,
    to,
    owner: to.size === 1 && !isHidden ? owner : undefined,
    values: new Map(values),
    isLimitedBy: (id) => {
      const limit = delivery.rows.get(id);
      return limit !== undefined && !lacksValue(limit.condition);
    },
  };
}

/** With a table of permissions, a group or a channel whose owner is not known is outside, too, if a line names it. */
function isOutside(receiver: Receiver, { mayLeave, rows }: World): boolean {
  return (
    mayLeave(receiver) || (rows?.isOutside(receiver) === true && rows.permissions.allowedTo(receiver) !== undefined)
  );
}

function ownerOf(receiver: Receiver): Owner {
  const { kind, shown, compared, group } = receiver;
  switch (kind) {
    case 'email': {
      const domain = domainOf(shown) ?? compared;
      return freeMailDomains.has(domain) ? compared : domain;
    }
    case 'group':
    case 'slack':
      return group?.name ?? shown;
    default:
      return receiverText(receiver).toLowerCase();
  }
}

/** True for the owners of one domain and of its hosts. */
function isNear(one: Owner, other: Owner): boolean {
  return one === other || isUnder(one, other) || isUnder(other, one);
}

function isUnder(owner: Owner, domain: Owner): boolean {
  const host = owner.replace(/[/?].*$/s, '').replace(/^.*@/s, '');
  return host === domain || host.endsWith(`.${domain}`);
}

/** The owners that get the values of one filter on one dashboard. */
interface Filter {
  /** The one owner of each value; undefined for a value that several get. */
  readonly ownerOf: Map<string, Owner | undefined>;
  /** Every owner that gets some value. */
  readonly owners: Set<Owner>;
  /** The values that belong to one; none where there are fewer than three. */
  readonly owned: () => ReadonlyMap<Owner, readonly string[]>;
}

type Filters = ReadonlyMap<string, Filter>;

const minOwned = 3;

function filterKey({ dashboard }: ReportOutside, id: string): string {
  return `${dashboard}\0${id}`;
}

function filtersOf(all: readonly SentBy[]): Filters {
  const filters = new Map<string, Filter>();
  for (const { sent } of all)
    for (const [id, values] of sent.values) {
      const key = filterKey(sent, id);
      const { ownerOf: owners, owners: some } = filters.get(key) ?? newFilter(filters, key);
      for (const owner of sent.to.keys()) some.add(owner);
      for (const value of values)
        owners.set(value, owners.has(value) && owners.get(value) !== sent.owner ? undefined : sent.owner);
    }
  return filters;
}

function newFilter(filters: Map<string, Filter>, key: string): Filter {
  const ownerOf = new Map<string, Owner | undefined>();
  const owned = once(() => {
    const single = [...ownerOf].flatMap(([value, owner]) => (owner === undefined ? [] : [{ value, owner }]));
    const byOwner = groupBy(single.length < minOwned ? [] : single, ({ owner }) => owner);
    return new Map([...byOwner].map(([owner, all]) => [owner, all.map(({ value }) => value)]));
  });
  const filter: Filter = { ownerOf, owners: new Set(), owned };
  filters.set(key, filter);
  return filter;
}

// The receivers that get the values of others.

/** A receiver who gets the rows of others, or an owner who takes over all that another one had. */
interface NewRows {
  readonly shown: string;
  readonly values: Set<string>;
  readonly owners: Set<Owner>;
  readonly addresses: Set<Address>;
  readonly had: Set<string>;
}

interface RowsByReceiver {
  readonly mixed: Map<string, NewRows>;
  readonly takeovers: Map<string, NewRows>;
  /** The values that each receiver is said to get, keyed by the address of the report and the key of the receiver. */
  readonly said: Map<Address, Map<string, Set<string>>>;
}

interface RowsCompared {
  readonly was: Filters;
  readonly is: Filters;
  readonly sentBefore: readonly SentBy[];
  readonly world: World;
}

function gettingOthers(get: readonly SentBy[], { was, is, sentBefore, world }: RowsCompared): RowsByReceiver {
  const found: RowsByReceiver = { mixed: new Map(), takeovers: new Map(), said: new Map() };
  const takers = memoize((key: string) => memoize((owner: Owner) => newOwnerOf(owner, was.get(key), is.get(key))));
  const { isWide, valuesOf } = knownBy(sentBefore);
  for (const { address, sent } of get)
    for (const [id, values] of sent.values) {
      const key = filterKey(sent, id);
      const filter = was.get(key);
      if (filter === undefined || filter.owned().size === 0) continue;
      const byOwner = groupBy(values, (value) => filter.ownerOf.get(value));
      for (const [getter, receivers] of sent.to)
        for (const [owner, of] of byOwner) {
          if (owner === undefined || isNear(owner, getter) || isWide(getter, sent.dashboard, id)) continue;
          const isTaken = takers(key)(owner) === getter;
          for (const receiver of receivers) {
            const valuesOfOthers = notInBase(of, receiver, world);
            if (valuesOfOthers.length === 0) continue;
            const [shown = receiver.shown] = plainNames(receiver);
            const getting = isTaken
              ? gettingAt(found.takeovers, JSON.stringify([getter, owner]), getter)
              : gettingAt(found.mixed, receiverKey(receiver), shown);
            getting.owners.add(owner);
            getting.addresses.add(address);
            if (!isTaken) addAll(getting.had, valuesOf(receiver, sent.dashboard, id));
            addAll(getting.values, valuesOfOthers);
            const ofReport = found.said.get(address) ?? new Map<string, Set<string>>();
            found.said.set(address, ofReport);
            ofReport.set(
              receiverKey(receiver),
              addAll(ofReport.get(receiverKey(receiver)) ?? new Set(), valuesOfOthers),
            );
          }
        }
    }
  return found;
}

/** Returns the owner that gets all the values of one that loses them, and got no value of this filter before. */
function newOwnerOf(owner: Owner, was: Filter | undefined, is: Filter | undefined): Owner | undefined {
  const takers = new Set((was?.owned().get(owner) ?? []).map((value) => is?.ownerOf.get(value)));
  const [taker] = takers;
  return takers.size === 1 && taker !== undefined && !was?.owners.has(taker) ? taker : undefined;
}

/** The values except those that the table of the base branch lets the receiver have. */
function notInBase(values: readonly string[], receiver: Receiver, { baseRows }: World): readonly string[] {
  const allowed = baseRows?.allowedTo(receiver);
  return allowed === undefined ? values : values.filter((value) => allowed.answer(value) !== 'may');
}

function gettingAt(all: Map<string, NewRows>, key: string, shown: string): NewRows {
  const getting = all.get(key) ?? {
    shown,
    values: new Set(),
    owners: new Set(),
    addresses: new Set(),
    had: new Set(),
  };
  all.set(key, getting);
  return getting;
}

function addAll<T>(to: Set<T>, items: Iterable<T>): Set<T> {
  for (const item of items) to.add(item);
  return to;
}

/** Looks up the values that receivers and their owners got. */
function knownBy(known: readonly SentBy[]) {
  const ofOwner = once(() =>
    groupBy(
      known.flatMap(({ sent }) => [...sent.to.keys()].map((owner) => ({ owner, sent }))),
      ({ owner }) => owner,
    ),
  );
  const ofReceiver = once(() =>
    groupBy(
      known.flatMap(({ sent }) =>
        [...sent.to.values()].flat().map((receiver) => ({ key: receiverKey(receiver), sent })),
      ),
      ({ key }) => key,
    ),
  );
  const wide = memoize((asked: string) => {
    const [owner, dashboard, id] = JSON.parse(asked) as [Owner, string, string];
    return (ofOwner().get(owner) ?? []).some(({ sent }) => sent.dashboard === dashboard && !sent.isLimitedBy(id));
  });
  const values = memoize((asked: string) => {
    const [key, dashboard, id] = JSON.parse(asked) as [string, string, string];
    const sent = (ofReceiver().get(key) ?? []).map((each) => each.sent);
    return new Set(sent.flatMap((each) => (each.dashboard === dashboard ? (each.values.get(id) ?? []) : [])));
  });
  return {
    /** True if an owner gets every row of a dashboard, as far as a filter limits them. */
    isWide: (owner: Owner, dashboard: string, id: string) => wide(JSON.stringify([owner, dashboard, id])),
    valuesOf: (receiver: Receiver, dashboard: string, id: string) =>
      values(JSON.stringify([receiverKey(receiver), dashboard, id])),
  };
}

function mixedDangers({ mixed, takeovers }: RowsByReceiver, world: World): readonly FoundDanger[] {
  const outside = outsideWord(world);
  const get = countOf(mixed.size, `receiver${outside} gets`, `receivers${outside} get`);
  const take = countOf(
    takeovers.size,
    `new receiver${outside} takes over all rows of another receiver`,
    `new receivers${outside} take over all rows of other receivers`,
  );
  return [
    {
      code: 'mixed-rows',
      gravity: 'grave',
      title: `${get} rows that other receivers got`,
      items: itemsOf(mixed, mixedWords),
    },
    { code: 'mixed-rows', gravity: 'caution', title: take, items: itemsOf(takeovers, takeoverWords) },
  ];
}

function itemsOf(all: ReadonlyMap<string, NewRows>, wordsOf: (getting: NewRows) => string): readonly DangerItem[] {
  return [...all.values()]
    .sort((a, b) => byCodeUnit(a.shown, b.shown))
    .map((each) => ({ subject: each.shown, detail: `${wordsOf(each)}, in ${addressWords([...each.addresses])}` }));
}

function mixedWords({ values, owners, had }: NewRows): string {
  const gets = `gets ${named(values)}`;
  return had.size > 0 ? `had ${named(had)} and ${gets}` : `${gets}, which only ${named(owners)} had`;
}

function takeoverWords({ values, owners }: NewRows): string {
  return `gets what ${named(owners)} had: ${countOf(values.size, 'value', 'values')}`;
}

function named(names: ReadonlySet<string>): string {
  return nameSome([...names].map(inBackticks));
}

interface LostFilters {
  readonly was: Filters;
  /** The values that still go outside, on any dashboard. */
  readonly stillSent: () => ReadonlySet<string>;
  readonly outside: string;
}

/** The values that belong to somebody, and that nobody outside gets any longer. */
function lastReceivers(
  lose: readonly SentBy[],
  get: readonly SentBy[],
  { was, stillSent, outside }: LostFilters,
): FoundDanger {
  const after = new Map(get.map(({ address, sent }) => [address, sent]));
  const lost = new Map<string, DangerItem>();
  for (const { address, sent } of lose)
    for (const [id, values] of sent.values) {
      const filter = was.get(filterKey(sent, id));
      const now = after.get(address);
      // Without the filter its receivers get the value and more, which is reported as different rows.
      const isOpened = now?.dashboard === sent.dashboard && !now.values.has(id);
      if (filter === undefined || filter.owned().size === 0 || isOpened) continue;
      for (const value of values) {
        const owner = filter.ownerOf.get(value);
        if (owner === undefined || stillSent().has(valueKey(id, value))) continue;
        const detail = `${inBackticks(owner)} had this value, and no receiver${outside} gets it by a filter now`;
        lost.set(JSON.stringify([value, owner]), { subject: value, detail });
      }
    }
  const title = countOf(
    lost.size,
    `value loses its last receiver${outside}`,
    `values lose their last receivers${outside}`,
  );
  return { code: 'last-receiver', title, items: [...lost.values()] };
}

function valuesIn(all: readonly SentBy[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { sent } of all)
    for (const [id, values] of sent.values) for (const value of values) keys.add(valueKey(id, value));
  return keys;
}

function valueKey(id: string, value: string): string {
  return `${id}\0${value}`;
}

/** Nobody knows what is outside until almanac.yaml says what is inside. */
function outsideWord({ internalDomains }: World): string {
  return internalDomains.length > 0 ? ' outside' : '';
}
