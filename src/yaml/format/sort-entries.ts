// Sorts the entries of a map into canonical order, as far as anchors allow: an alias refers to the last anchor with its
// name above it, so entries that name an anchor keep their order among each other.

import { audienceFields, loopFields } from '../../model/fields/common-fields.ts';
import { configFields, environmentFields } from '../../model/fields/config-fields.ts';
import type { Fields, Shape } from '../../model/fields/field.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { kindsInOrder, sectionOf } from '../../model/values/address.ts';
import { pushAll } from '../../model/values/many.ts';
import { type Entry, keyOf, sourcesIn } from '../edit/entries.ts';

const userKey = /^x-/;

/** Keys with a lower rank come first, and those with the same rank keep their order. */
export function rankIn(order: Order, name: string): number {
  if (name === '<<' || userKey.test(name)) return -1;
  const place = order.keys.indexOf(name);
  return place < 0 ? order.keys.length : place;
}

/** The same entries in another order. */
export function sortEntries(entries: readonly Entry[], order: Order): readonly Entry[] {
  const ranks = entries.map((entry) => rankIn(order, keyOf(entry) ?? ''));
  // Most maps are already in order, and a section with thousands of entries keeps the user's order.
  if (ranks.every((value, index) => index === 0 || value >= (ranks[index - 1] ?? value))) return entries;
  const ranked = entries.map((entry, index) => ({ entry, index, rank: ranks[index] ?? 0, names: namesIn(entry) }));
  const sorted: Entry[] = [];
  const left = [...ranked].sort((a, b) => a.rank - b.rank || a.index - b.index);
  while (left.length > 0) {
    const free = left.findIndex((candidate) => !left.some((other) => mustPrecede(other, candidate)));
    pushAll(
      sorted,
      left.splice(Math.max(free, 0), 1).map(({ entry }) => entry),
    );
  }
  return sorted;
}

interface Names {
  readonly anchors: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
}

interface Ranked {
  readonly index: number;
  readonly names: Names;
}

function mustPrecede(other: Ranked, candidate: Ranked): boolean {
  if (other.index >= candidate.index) return false;
  const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((name) => b.has(name));
  return (
    shares(other.names.anchors, candidate.names.anchors) ||
    shares(other.names.anchors, candidate.names.aliases) ||
    shares(other.names.aliases, candidate.names.anchors)
  );
}

function namesIn(entry: Entry): Names {
  const named = (wanted: string) =>
    new Set(
      [...entry.start, ...sourcesIn(entry)].flatMap(({ type, source }) => (type === wanted ? source.slice(1) : [])),
    );
  return { anchors: named('anchor'), aliases: named('alias') };
}

// The order in which a file lists its sections and fields: that of the tables, so that a new field has its place. The
// user's own keys (filters, variables, `extra`, anything below `x-`) keep the user's order.

/** The order of a map's keys, and of the maps below them; undefined if the order has a meaning or is the user's. */
export interface Order {
  /** Known keys in their order; others follow in their original order. */
  readonly keys: readonly string[];
  readonly below: (key: string) => Order | undefined;
  /** A new map with this order is written on one line, if that is short enough. */
  readonly onOneLine?: true;
}

/** For a source file: first what the rest depends on, then the resources in the order in which they are applied. */
export const sourceOrder: Order = orderOf(['defaults', 'audiences', ...kindsInOrder.map((kind) => sectionOf[kind])], {
  defaults: orderOf([], Object.fromEntries(kindsInOrder.map((kind) => [sectionOf[kind], fieldsOrder(fieldsOf[kind])]))),
  ...Object.fromEntries(kindsInOrder.map((kind) => [sectionOf[kind], anyKey(resourceOrder(fieldsOf[kind]))])),
  audiences: anyKey(fieldsOrder(audienceFields)),
  moved: anyKey({ ...orderOf(['from', 'to']), onOneLine: true }),
  adopt: anyKey(orderOf(['to', 'id'])),
  removed: anyKey(orderOf(['from', 'keep'])),
});

/** For almanac.yaml. */
export const configOrder: Order = {
  keys: [...Object.keys(configFields), 'defaults', 'environments'],
  below: (key) => {
    if (key === 'defaults') return sourceOrder.below('defaults');
    if (key === 'environments') return anyKey(environmentOrder);
    return fieldsOrder(configFields).below(key);
  },
};

const environmentOrder: Order = {
  keys: [...Object.keys(environmentFields), 'defaults'],
  below: (key) => (key === 'defaults' ? sourceOrder.below('defaults') : fieldsOrder(environmentFields).below(key)),
};

function orderOf(keys: readonly string[], below: Readonly<Record<string, Order>> = {}): Order {
  return {
    keys:
      keys.length === 0 ? Object.keys(below) : [...keys, ...Object.keys(below).filter((key) => !keys.includes(key))],
    below: (key) => (Object.hasOwn(below, key) ? below[key] : undefined),
  };
}

/** A map or a list of similar entries, in the user's order. */
function anyKey(order: Order | undefined): Order {
  return { keys: [], below: () => order };
}

/** The items of a loop come first, because the fields refer to them. Their own order is the user's. */
function resourceOrder(fields: Fields): Order {
  const { keys, below } = fieldsOrder(fields);
  const order = fieldsOrder({ forEachRow: loopFields.forEachRow });
  return {
    keys: [...Object.keys(loopFields), ...keys],
    below: (key) => (key === 'forEach' ? anyKey(itemOrder) : (below(key) ?? order.below(key))),
  };
}

/** The values of an item have the user's names, in the user's order. */
const itemOrder: Order = { keys: [], below: () => undefined, onOneLine: true };

function fieldsOrder(fields: Fields): Order {
  return {
    keys: Object.keys(fields),
    below: (key) => (Object.hasOwn(fields, key) ? shapeOrder(fields[key]?.shape) : undefined),
  };
}

function shapeOrder(shape: Shape | undefined): Order | undefined {
  if (shape?.type === 'list') return anyKey(shapeOrder(shape.items));
  if (shape?.type !== 'object') return undefined;
  return shape.fields === undefined ? anyKey(shape.entries && shapeOrder(shape.entries)) : fieldsOrder(shape.fields);
}
