// Who receives what a resource delivers, as it is declared: what a sink of the environment replaces counts, the sink does
// not. Where a kind names them is in the table of kinds.

import { hostOf } from '../../../model/fields/delivery.ts';
import { deliveries, destinationOf } from '../../../model/fields/schedule-form.ts';
import type { Kind } from '../../../model/values/address.ts';
import type { Json, JsonObject } from '../../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo, valueAt } from '../../../model/values/pointer.ts';
import { declaredAttributes, type Resource, shownAttributes } from '../../../model/workspace/resource.ts';
import { elements } from '../../../plan/comparable.ts';
import { commandTraits } from '../kinds.ts';
import type { RecipientKind } from './recipients-document.ts';

/** One of those who receive something. */
export interface Receiver {
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  readonly kind: RecipientKind;
  readonly field: string;
  /** The part of the field that names it; empty for all of it. */
  readonly path: Pointer;
}

export function receiversOf(resource: Resource): readonly Receiver[] {
  return receiversIn(resource.kind, shownAttributes(declaredAttributes(resource)));
}

/** The same of attributes that people may see. */
export function receiversIn(kind: Kind, attributes: JsonObject): readonly Receiver[] {
  const way = destinationOf({ kind, attributes });
  if (way === undefined) return [];
  const at = commandTraits[kind].receivers[way];
  const groupsAt = way === 'email' ? deliveries[kind].groups : undefined;
  return [
    ...(at === undefined ? [] : receiversAt(way, at, valueAt(attributes, at))),
    ...(groupsAt === undefined ? [] : receiversAt('group', groupsAt, valueAt(attributes, groupsAt))),
  ];
}

/** `at`: the place of the value in the attributes. */
function receiversAt(way: RecipientKind, at: Pointer, value: Json | undefined): readonly Receiver[] {
  const [field = '', ...rest] = pointerSegments(at);
  const path = pointerTo(...rest);
  const named = (name: string, item = '') => receiver(way, name, field, path + item);
  const whole = (name: Json | undefined) => (typeof name === 'string' ? [named(name)] : []);
  switch (way) {
    case 'email':
    case 'slack':
    case 'group':
      if (!Array.isArray(value)) return namesIn(value ?? []).map((name) => named(name));
      return value.flatMap((each: Json, index) => namesIn(each).map((name) => named(name, pointerTo(index))));
    case 'webhook':
    case 'sftp':
      return whole(hostOf(value) ?? value);
    case 's3':
      return whole(value);
  }
}

/** The first of those who are named twice, such as in upper and in lower case. */
export function distinctReceivers(resource: Resource): readonly Receiver[] {
  const seen = new Set<string>();
  return receiversOf(resource).filter(({ recipient }) => seen.size < seen.add(recipient).size);
}

/** One text may name several Slack users. */
function namesIn(value: Json): readonly string[] {
  return elements(value).flatMap((each) => (typeof each === 'string' ? [each] : []));
}

function receiver(kind: RecipientKind, name: string, field: string, path: Pointer): Receiver {
  const hasCase = kind === 'slack' || kind === 's3' || kind === 'group';
  return { recipient: hasCase ? name : name.toLowerCase(), kind, field, path };
}
