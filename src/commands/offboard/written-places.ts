// The places in the source files that make somebody a recipient or the owner of a resource, and how each would be edited.
// Places are edited once for all that use them, because a person leaves everywhere.

import { type ValuePlaces, walkField } from '../../declare/value-places.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import type { LocatedPlace, ValuePlace } from '../../model/workspace/origins.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { isSameId } from '../../service/owners/owners.ts';
import { receiversOf } from '../base/people/who.ts';

export interface Leaving {
  /** In lower case. */
  readonly email: string;
  /** Who takes over; undefined for nobody. */
  readonly to: string | undefined;
  /** The membership id of the person; undefined where Omni was not asked, or knows nobody with the address. */
  readonly memberId?: string | undefined;
  /** A whole sentence: why the successor cannot own anything; undefined where nothing is known against it. */
  readonly whyNoOwner?: string | undefined;
}

/** The fields that can name somebody. */
export type NamingField = 'recipients' | 'owner' | 'userId';

/** One edit of a source file. */
export interface Writing {
  readonly place: LocatedPlace;
  /** The list that holds the place; undefined for a value that is no item of a list. */
  readonly list: Origin | undefined;
  readonly before: string;
  /** Undefined removes it from the list. */
  readonly value: string | undefined;
}

/** A place, or why it cannot be edited. */
export type Occurrence = { readonly field: NamingField } & ({ readonly writing: Writing } | { readonly why: string });

export function occurrencesIn(resource: Resource, leaving: Leaving, places: ValuePlaces): readonly Occurrence[] {
  return [...recipientsIn(resource, leaving, places), ...ownersIn(resource, leaving, places)];
}

/** Whether a declared owner is the person. */
export function isThem(owner: unknown, { email, memberId }: Pick<Leaving, 'email' | 'memberId'>): owner is string {
  if (typeof owner !== 'string') return false;
  return isSameId(owner, email) || (memberId !== undefined && isSameId(owner, memberId));
}

function recipientsIn(resource: Resource, leaving: Leaving, places: ValuePlaces): readonly Occurrence[] {
  const theirs = receiversOf(resource).filter(({ kind, recipient }) => kind === 'email' && recipient === leaving.email);
  if (theirs.length === 0) return [];
  const field = 'recipients';
  const leaves = leavesOf(resource, field, places);
  return theirs.flatMap(({ path }): readonly Occurrence[] => {
    const own = leaves.filter((leaf) => leaf.path === path);
    if (own.length === 0) return [{ field, why: elsewhere }];
    return own.map((leaf) => ({ field, ...occurrence(leaf, leaves, leaving, places) }));
  });
}

/** A schedule has one owner, so it cannot be left without. */
function ownersIn(resource: Resource, leaving: Leaving, places: ValuePlaces): readonly Occurrence[] {
  if (resource.kind !== 'schedule') return [];
  const { owner, userId } = resource.attributes;
  const found: Occurrence[] = [];
  if (isThem(owner, leaving)) {
    const field = 'owner';
    const why = leaving.to === undefined ? needsOwner : leaving.whyNoOwner;
    const leaves = leavesOf(resource, field, places);
    if (why !== undefined) found.push({ field, why });
    else if (leaves.length === 0) found.push({ field, why: elsewhere });
    else for (const leaf of leaves) found.push({ field, ...occurrence(leaf, leaves, leaving, places) });
  }
  if (leaving.memberId !== undefined && isThem(userId, leaving)) found.push({ field: 'userId', why: actsForThem });
  return found;
}

const needsOwner = 'It declares them as its `owner`. Name a successor with --to.';
const actsForThem = 'Its `userId` is their membership id. Remove it, or declare an `owner` instead.';
const elsewhere = 'The address is written where Almanac cannot edit it. Change it yourself.';

/** A text on the way to an item of the list. */
interface Passed {
  readonly place: LocatedPlace;
  /** Behind an alias. */
  readonly text: LocatedPlace;
  readonly raw: string;
}

/** A text that gives an item of the list, behind the references that lead to it. */
interface Leaf {
  readonly path: Pointer;
  /** The text is the last; before it, what refers to it. */
  readonly chain: readonly Passed[];
  /** Where the pieces are from of which it is put together. */
  readonly pieces: ValuePlace['kind'][];
}

function leavesOf(resource: Resource, field: NamingField, places: ValuePlaces): readonly Leaf[] {
  const leaves: Leaf[] = [];
  let chain: readonly Passed[] = [];
  let leadsOn = false;
  walkField(resource, field, declaredAttributes(resource)[field], ({ path, place, isWhole, isText }) => {
    if (place.kind === 'text-file' && isWhole) leaves.push({ path, chain, pieces: [place.kind] });
    else if (!isWhole) leaves.at(-1)?.pieces.push(place.kind);
    if (place.kind === 'text-file' || !isWhole) return;
    const written = places.writtenAt(place);
    const raw = place.kind === 'item' && place.part !== undefined ? place.name : places.documents.valueAt(place.origin);
    const isPassed = written !== undefined && typeof raw === 'string';
    chain = isPassed ? [...(leadsOn ? chain : []), { place: written.slot, text: written.text, raw }] : [];
    leadsOn = isPassed && !isText;
    if (isPassed && isText) leaves.push({ path, chain, pieces: [] });
  });
  return leaves;
}

type Found = { readonly writing: Writing } | { readonly why: string };

function occurrence(leaf: Leaf, leaves: readonly Leaf[], leaving: Leaving, places: ValuePlaces): Found {
  const { to } = leaving;
  for (const [index, part] of [...leaf.chain.entries()].reverse()) {
    const { place, raw } = part;
    const isDeepest = index === leaf.chain.length - 1;
    const before = place.kind === 'item' && place.part === 'cell' ? '' : raw;
    const list = listOf(place, places);
    if (isDeepest && leaf.pieces.includes('item'))
      return { why: 'The address is put together from values of the item. Change it yourself.' };
    if (list !== undefined) {
      const isThere = isTaken(leaf, list, leaving, leaves, places);
      return { writing: { place, list, before, value: isThere ? undefined : to } };
    }
    if (place.kind === 'item' && place.part === 'key')
      return {
        why: 'The address is the key of an item, which is a part of the name of its schedule. Change it yourself.',
      };
    // Otherwise the list would name the successor twice.
    const isNeeded =
      to !== undefined && !lists(leaf, places).some((each) => isTaken(leaf, each, leaving, leaves, places));
    // What an alias gives is changed where it is written.
    const written = { ...place, origin: { ...place.origin, pointer: part.text.origin.pointer } };
    if (isNeeded && namesOnly(written, places))
      return { writing: { place: written, list: undefined, before, value: to } };
    if (index > 0 && place.kind === 'item') return { why: whyNotInItem(place, to) };
  }
  return { why: elsewhere };
}

function whyNotInItem(place: LocatedPlace, to: string | undefined): string {
  const row = place.kind === 'item' && place.part === 'cell';
  const what = row
    ? `the column \`${pointerSegments(place.origin.pointer).at(-1) ?? ''}\` of ${place.origin.file}`
    : `a value of the item in ${place.origin.file}`;
  return to === undefined
    ? `The loop reads the address from ${what}, and an instance without it cannot be written. Name somebody with --to, or remove the ${row ? 'row' : 'item'}.`
    : `The loop reads the address from ${what}, which others use as well or which says more than who receives or owns it. Change it yourself.`;
}

/** Undefined where it is no item of a list. */
function listOf({ origin }: LocatedPlace, places: ValuePlaces): Origin | undefined {
  const pointer = pointerTo(...pointerSegments(origin.pointer).slice(0, -1));
  const isList = origin.pointer !== '' && Array.isArray(places.documents.valueAt({ ...origin, pointer }));
  return isList ? { ...origin, pointer } : undefined;
}

/** The lists that hold a text, or what refers to it. */
function lists({ chain }: Leaf, places: ValuePlaces): readonly Origin[] {
  return chain.flatMap(({ place }) => listOf(place, places) ?? []);
}

/** Whether a list names the successor beside a text, or the person before it, whose place the successor takes. */
function isTaken(
  leaf: Leaf,
  list: Origin,
  { email, to }: Leaving,
  leaves: readonly Leaf[],
  places: ValuePlaces,
): boolean {
  if (to === undefined) return false;
  const isThere = (name: string) => (other: Leaf) => other !== leaf && isIn(other, list, name, places);
  return leaves.some(isThere(to.toLowerCase())) || leaves.slice(0, leaves.indexOf(leaf)).some(isThere(email));
}

/** Whether a list holds somebody. */
function isIn(leaf: Leaf, list: Origin, name: string, places: ValuePlaces): boolean {
  const last = leaf.chain.at(-1);
  if (leaf.pieces.length > 0 || last?.raw.toLowerCase() !== name) return false;
  const isSame = ({ file, document, pointer }: Origin) =>
    file === list.file && document === list.document && pointer === list.pointer;
  return lists(leaf, places).some(isSame);
}

/** Whether a value is used for nothing but to name a recipient or an owner. */
function namesOnly(place: LocatedPlace, { usesOf }: ValuePlaces): boolean {
  return usesOf(place).every(({ field, isWhole }) => (field === 'recipients' || field === 'owner') && isWhole);
}
