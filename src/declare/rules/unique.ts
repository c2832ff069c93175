// Finds declarations that share what only one of them may have. That is an address, or what a `Unique` compares; the
// table in kinds-of-declaration.ts names those of each kind.

import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Field } from '../../model/fields/field.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { idKey } from '../../model/fields/ids.ts';
import { receiverKey } from '../../model/fields/receiver.ts';
import { kinds } from '../../model/values/address.ts';
import { stringIn } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { Secret } from '../../model/values/secret.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Finding, type FindingWords, placeOf } from '../../model/workspace/diagnostic.ts';
import { fileOf, placeOfField } from '../../model/workspace/field-place.ts';
import { declaredAttributes, type Loop, meet, type Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf } from '../acceptances.ts';

/** A finding for each declaration with the address of an earlier one. */
export function uniqueAddresses(resources: readonly Resource[], loops: readonly Loop[] = []): readonly Finding[] {
  return repeated(declarations(resources, loops), ({ address }) => address).map(({ later, first }) => ({
    code: 'duplicate-address',
    message: `The ${kinds[later.kind].words} \`${later.address}\` is already declared at ${first.origin.file}:${first.line}; only one of the two can take effect.`,
    hint: 'Rename one of them, or remove it.',
    address: later.address,
    place: placeOf(later.origin, 'key'),
  }));
}

/** A loop is one declaration, whatever it makes. */
function declarations(resources: readonly Resource[], loops: readonly Loop[]): readonly (Resource | Loop)[] {
  if (loops.length === 0) return resources;
  return [...new Set([...resources.map((resource) => resource.item?.loop ?? resource), ...loops])];
}

export interface Unique {
  readonly field: string;
  /** The shared value; undefined if it is not compared. */
  readonly identity: (resource: Resource) => string | undefined;
  readonly group?: (resource: Resource) => string | undefined;
  readonly words: (later: Resource, first: Resource) => FindingWords;
  /** An acceptance of one of these codes silences it. Of those that share a value, only one can do without. */
  readonly accepted?: readonly Code[];
}

/** `resources` are those of one kind. */
export function unlessUnique(
  { field, identity, group, words, accepted = [] }: Unique,
  resources: readonly Resource[],
): readonly Finding[] {
  const isAccepted = (resource: Resource) => {
    if (accepted.length === 0 || resource.attributes['accept'] === undefined) return false;
    const acceptances = acceptancesOf(resource);
    return accepted.some((code) => acceptances.has(code));
  };
  const all = firstOfEach(resources);
  // A finding is about the later one, so those that accept it come last, whatever the order of files.
  const ordered = all.some(isAccepted) ? [...all.filter((each) => !isAccepted(each)), ...all.filter(isAccepted)] : all;
  return repeated(ordered, identity, meet, group).map(({ later, first }) => ({
    ...words(later, first),
    address: later.address,
    concerns: [first.address],
    ...placesOf(later, field),
  }));
}

export const dashboardIsDeclaredOnce: Unique = {
  field: 'identifier',
  identity: ({ attributes }) => textOrSecret(attributes['identifier']),
  words: (later, first) => ({
    code: 'dashboard-declared-twice',
    message: `The dashboard \`${later.attributes['identifier']}\` is declared by \`${first.address}\` already, at ${fileOf(first)}:${first.line}; they would overwrite each other.`,
    hint: 'Put all filters of a dashboard into one declaration.',
  }),
};

/** No other resource with the same values of the fields `on` has its name; `where` says that in a message. */
export function nameIsItsOwn(on: readonly string[], where: string, code: Code): Unique {
  return {
    field: 'name',
    identity: ({ attributes }) => stringIn(attributes['name']),
    group: ({ kind, attributes }) => {
      const values = on.map((field) => groupText(fieldsOf[kind][field], attributes[field]));
      return values.includes(undefined) ? undefined : JSON.stringify(values);
    },
    words: (later, first) => wordsAboutSame(later, first, where, code),
    accepted: [code, 'for-each-same-name'],
  };
}

/** Two items of one loop that deliver the same rows to the same people at the same time, whatever their names. */
export const deliveryIsItsOwn: Unique = {
  field: 'name',
  identity: (resource) => {
    const attributes = declaredAttributes(resource);
    const { to, rows } = deliveryOf(resource.kind, attributes);
    // Without a filter of its own, the difference between two of them is not known.
    if (rows.size === 0 || to.length === 0 || to.some(({ isHidden }) => isHidden)) return undefined;
    const others = Object.entries(attributes).filter(([name]) => fieldsOf[resource.kind][name]?.decides !== 'text');
    const receivers = to.map((each) => [receiverKey(each), each.path, each.file]).sort();
    return JSON.stringify([others, receivers]);
  },
  group: ({ item }) => item?.loop.address,
  words: (_, first) => ({
    code: 'same-delivery',
    message: `\`${first.address}\` delivers the same rows to the same receivers at the same time, so these receivers get each report twice.`,
    hint: 'Remove one of the two items, or write `accept: { same-delivery: REASON }`.',
  }),
  accepted: ['same-delivery'],
};

function wordsAboutSame(later: Resource, first: Resource, where: string, code: Code): FindingWords {
  const same = `has the same name ${where}. Omni allows it, but recipients cannot tell the two apart.`;
  if (later.item !== undefined && later.item.loop === first.item?.loop)
    return {
      code: 'for-each-same-name',
      message: `\`${first.address}\` ${same}`,
      hint: 'Put a value of the item into `name`, such as `${each.key}`, or write `accept: { for-each-same-name: REASON }`.',
    };
  return {
    code,
    message: `\`${first.address}\` at ${fileOf(first)}:${first.line} ${same}`,
    hint: `Rename one of them, or write \`accept: { ${code}: REASON }\`.`,
  };
}

function placesOf(resource: Resource, field: string): Pick<Finding, 'place' | 'related'> {
  const { place, related } = placeOfField(resource, pointerTo(field));
  return { place, related };
}

/** Undefined if it is not compared. All resources without the field are in one group. */
function groupText(field: Field | undefined, value: unknown): string | undefined {
  if (value === undefined) return '';
  const found = stringIn(value);
  return field?.meaning === 'id' && found !== undefined ? idKey(found) : found;
}

/** Leaves out resources that were already reported for a duplicate address. */
function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const met = new Set<string>();
  return resources.filter(({ address }) => {
    const isFirst = !met.has(address);
    met.add(address);
    return isFirst;
  });
}

/** Secrets are compared by content, so that two variables with the same value are found; messages show a mask. */
function textOrSecret(value: unknown): string | undefined {
  return value instanceof Secret ? value.reveal() : stringIn(value);
}

/** Each resource with the first one before it that has its identity, is in its group and can collide with it. */
function repeated<R>(
  resources: readonly R[],
  identity: (resource: R) => string | undefined,
  conflict: (a: R, b: R) => boolean = () => true,
  group: (resource: R) => string | undefined = () => '',
) {
  const byIdentity = new Map<string, readonly R[]>();
  const found: { readonly later: R; readonly first: R }[] = [];
  for (const later of resources) {
    const name = group(later);
    const id = name === undefined ? undefined : identity(later);
    if (name === undefined || id === undefined) continue;
    const key = `${name.length} ${name}${id}`;
    const same = byIdentity.get(key) ?? [];
    const first = same.find((other) => conflict(other, later));
    if (first === undefined) byIdentity.set(key, [...same, later]);
    else found.push({ later, first });
  }
  return found;
}
