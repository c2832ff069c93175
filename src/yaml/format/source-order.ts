// The order in which a file lists its sections and fields: that of the tables, so that a new field has its place. The
// user's own keys (filters, variables, `extra`, anything below `x-`) keep the user's order.

import { audienceFields, loopFields } from '../../model/fields/common-fields.ts';
import { configFields, environmentFields } from '../../model/fields/config-fields.ts';
import type { Fields, Shape } from '../../model/fields/field.ts';
import { fieldsInside, fieldsOf } from '../../model/fields/fields.ts';
import { kinds, kindsInOrder } from '../../model/values/address.ts';

/** The order of a map's keys, and of the maps below them; undefined if the order has a meaning or is the user's. */
export interface Order {
  /** Known keys in their order; others follow in their original order. */
  readonly keys: readonly string[];
  readonly below: (key: string) => Order | undefined;
  /** A new map with this order is written on one line, if that is short enough. */
  readonly onOneLine?: true;
}

/** The order of a source file: first what the rest depends on, then the resources as they are applied. */
export const sourceOrder: Order = orderOf(
  ['defaults', 'audiences', ...kindsInOrder.map((kind) => kinds[kind].section)],
  {
    defaults: orderOf(
      [],
      Object.fromEntries(kindsInOrder.map((kind) => [kinds[kind].section, fieldsOrder(fieldsOf[kind])])),
    ),
    ...Object.fromEntries(kindsInOrder.map((kind) => [kinds[kind].section, anyKey(resourceOrder(fieldsOf[kind]))])),
    audiences: anyKey(fieldsOrder(audienceFields)),
    moved: anyKey({ ...orderOf(['from', 'to']), onOneLine: true }),
    adopt: anyKey(orderOf(['to', 'id'])),
    removed: anyKey(orderOf(['from', 'keep'])),
  },
);

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
  if (shape?.type === 'textOrRecord') return fieldsOrder(shape.fields);
  if (shape?.type === 'oneOf') return fieldsOrder(fieldsInside(shape) ?? {});
  if (shape?.type !== 'object') return undefined;
  return shape.fields === undefined ? anyKey(shape.entries && shapeOrder(shape.entries)) : fieldsOrder(shape.fields);
}
