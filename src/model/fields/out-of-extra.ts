// Fields that an earlier version did not know. People sent them below `extra`, and states hold them there: a declaration and
// a state mean the field, wherever they have it.

import { type Address, type Kind, kindOf } from '../values/address.ts';
import { define, isJsonObject, type JsonObject } from '../values/json.ts';
import { fieldsOf } from './fields.ts';

/** The names below `extra` that mean a field. One that is a field there as well stays: nobody knows which of the two counts. */
export function fieldsInExtra(kind: Kind, attributes: Readonly<Record<string, unknown>>): readonly string[] {
  const { extra } = attributes;
  if (!isJsonObject(extra)) return [];
  return Object.keys(extra).filter(
    (name) => Object.hasOwn(fieldsOf[kind], name) && fieldsOf[kind][name]?.wasExtra && !Object.hasOwn(attributes, name),
  );
}

/** The attributes with those fields in their own place; the very same where there are none. A null sets nothing. */
export function outOfExtra<V>(kind: Kind, attributes: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  const names = fieldsInExtra(kind, attributes);
  if (names.length === 0) return attributes;
  const { extra, ...rest } = attributes;
  const result: Record<string, V> = rest;
  const others: Record<string, V> = {};
  for (const [name, value] of Object.entries(extra as Readonly<Record<string, V>>)) {
    if (!names.includes(name)) define(others, name, value);
    else if (value !== null) result[name] = value;
  }
  return Object.keys(others).length === 0 ? result : { ...result, extra: others as V };
}

/** The same for what a state or a journal records about an address. */
export function recordedOutOfExtra<T extends { readonly attributes?: JsonObject }>(recorded: T, address: Address): T {
  const { attributes } = recorded;
  const kind = kindOf(address);
  if (attributes?.['extra'] === undefined || kind === undefined) return recorded;
  return { ...recorded, attributes: outOfExtra(kind, attributes) };
}
