// The ways to give a field another value: the place that would be edited, and all that have a value from there. Which way
// is taken is decided in choose-place.ts.

import { movedTo, type Use, type ValuePlaces } from '../../declare/value-places.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { Address } from '../../model/values/address.ts';
import { canonicalJson, type Json } from '../../model/values/json.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import { isVisible } from '../../model/values/words.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import {
  giverOf,
  type Held,
  type LocatedPlace,
  placeIn,
  type SplicedItem,
  type ValuePlace,
} from '../../model/workspace/origins.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import { elements, sorted } from '../../plan/difference.ts';
import type { OpenDocuments, WrittenValue } from '../../yaml/written/written-values.ts';
import type { ValueEdit } from '../base/edit/edit-files.ts';
import type { Goal } from './drift-goals.ts';
import { rewritten } from './rewrite-value.ts';

/** What is written for some fields at once: all of it or nothing. */
export interface PlaceEdit {
  readonly goals: readonly Goal[];
  readonly place: ValuePlace;
  /** Empty for a text file. */
  readonly edits: readonly ValueEdit[];
  /** The new text of a text file. */
  readonly text?: string | undefined;
}

/** A way to give a field another value, which is right if all users of the place want the same there. */
export interface Candidate {
  readonly place: ValuePlace;
  /** The place and what is wanted there: the same for all that want the same. */
  readonly key: string;
  users(): readonly Pick<Use, 'resource' | 'field' | 'isWhole'>[];
  /** What is written at the place; undefined removes it. Throws NotEditable. */
  value(): Json | undefined;
}

export interface PlaceChoice {
  readonly places: ValuePlaces;
  /** Those of almanac.yaml. */
  readonly defaults: readonly DefaultsLayer[];
  readonly configFile: string | undefined;
  /** The environment that --env chose, and those that almanac.yaml names beside it. */
  readonly environment: string | undefined;
  readonly otherEnvironments: readonly string[];
  /** Whether a file is a text for people, and neither a source nor a program. */
  readonly isProse: (path: string) => boolean;
  /** All instances of a loop, by its address. */
  readonly instancesOf: (loop: Address) => readonly SealedResource[];
}

export function candidateKey(place: ValuePlace, target: Json | undefined, isSet: boolean): string {
  const { file, document, pointer } =
    place.kind === 'text-file' ? { file: place.path, document: 0, pointer: '' } : place.origin;
  const wanted = target === undefined ? [] : [isSet ? sorted(elements(target)) : target];
  return canonicalJson([file, document, pointer, isSet, wanted]);
}

export function isSetField({ kind }: Pick<SealedResource, 'kind'>, field: string): boolean {
  return fieldsOf[kind][field]?.set === true;
}

/** Whether another environment takes the value from this place of almanac.yaml. Source files are the same for all. */
export function isSharedWithOthers(origin: Origin, { configFile, places, ...choice }: PlaceChoice): boolean {
  if (origin.file !== configFile) return false;
  const { environment, otherEnvironments } = choice;
  if (environment !== undefined) return !isWithin(origin.pointer, pointerTo('environments', environment));
  const isOwn = (name: string) => {
    const pointer = pointerTo('environments', name) + origin.pointer;
    return places.documents.valueAt({ ...origin, pointer }) !== undefined;
  };
  return !otherEnvironments.every(isOwn);
}

/** `usedAt`: where others would read it; `isNew`: nothing is written at the place yet. */
export interface OwnedPlace<P extends ValuePlace> {
  readonly place: P;
  readonly usedAt: ValuePlace;
  readonly isNew: boolean;
}

/** A place that gives all of a field, with what is written there. */
export type Holder = OwnedPlace<ValuePlace> & Omit<WrittenRaw, 'place'>;

/** Where the value of a field could be written, the deepest place first: what it refers to, an anchor, the entry itself. */
export function holdersOf(supply: WrittenRaw, choice: PlaceChoice): readonly Holder[] {
  const { place, value } = supply;
  const anchor = { kind: 'anchor' as const, origin: { ...place.origin, pointer: value.pointer } };
  const isAlias = value.pointer !== place.origin.pointer;
  const own = ownedPlace(place, choice);
  return [
    ...referredHolders(supply, choice),
    ...(isAlias && !isSharedWithOthers(anchor.origin, choice)
      ? [{ ...supply, place: anchor, usedAt: anchor, isNew: false }]
      : []),
    ...(own === undefined ? [] : [{ ...supply, ...own }]),
  ];
}

/** The variable, the audience or the text file that is the whole value. */
export function referredHolders(written: WrittenRaw, choice: PlaceChoice): readonly Holder[] {
  const giver = giverOf(written.origins, written.at);
  if (giver === undefined) return [];
  const { place } = giver;
  if (place.kind === 'text-file')
    return choice.isProse(place.path) ? [{ ...written, place, usedAt: place, isNew: false }] : [];
  const there = rawIn({ ...giver, place }, choice.places.documents);
  if (there === undefined) return [];
  if (place.kind === 'audience') return [{ ...there, usedAt: there.place, isNew: false }];
  const own = place.kind === 'variable' ? ownedPlace(there.place, choice) : undefined;
  return own === undefined ? [] : [{ ...there, ...own }];
}

/**
 * The place if no other environment reads it. With --env, a value in the part of almanac.yaml that all of them share is
 * overridden for this one.
 */
export function ownedPlace<P extends LocatedPlace>(place: P, choice: PlaceChoice): OwnedPlace<P> | undefined {
  const { origin } = place;
  if (!isSharedWithOthers(origin, choice)) return { place, usedAt: place, isNew: false };
  const isInCommonPart = /^\/(?:variables|defaults)\//.test(origin.pointer);
  if (choice.environment === undefined || !isInCommonPart) return undefined;
  const pointer = pointerTo('environments', choice.environment) + origin.pointer;
  return { place: { ...place, origin: { ...origin, pointer } }, usedAt: place, isNew: true };
}

/** None if the place cannot hold the value. */
export function candidateAt(
  { place, usedAt, isNew, ...part }: Holder,
  target: Json,
  { resource, field, declared = null }: Goal,
  { places }: PlaceChoice,
): readonly Candidate[] {
  const isSet = isSetField(resource, field);
  const users = () => places.usesOf(usedAt);
  const key = candidateKey(place, target, isSet);
  if (place.kind !== 'text-file') {
    const [raw, spliced] = isNew ? [plainOf(part)] : [part.raw, splicedIn(part)];
    return [{ place, key, users, value: () => rewritten(raw, declared, target, isSet, spliced) }];
  }
  // A text file can hold a text if a reader sees all of it, and is left to a field that shares it with none.
  const isText = typeof target === 'string' && isVisible(target.replaceAll(/\r?\n|\t/g, ''));
  return isText && users().length === 1 ? [{ place, key, users, value: () => target }] : [];
}

/** A list that takes in others is written as a whole, without them: it has to differ from what it takes in. */
export function plainOf(written: Pick<WrittenRaw, 'raw' | 'origins' | 'at'>): Json {
  return splicedIn(written) === undefined ? written.raw : null;
}

/** A value as it is written, with what the record says of it. */
export interface WrittenRaw extends Pick<Held, 'origins' | 'at'> {
  /** Where an alias of it may stand. */
  readonly place: LocatedPlace;
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** With references. */
  readonly raw: Json;
}

/** Undefined where nothing is written. */
export function rawIn(held: Held, { suppliersAt, valueAt }: OpenDocuments): WrittenRaw | undefined {
  const place = placeIn(held);
  const [first] = suppliersAt(place.origin);
  if (first === undefined) return undefined;
  const slot = movedTo(place, first.slot);
  const raw = valueAt(slot.origin) ?? valueAt(place.origin) ?? null;
  return { place: slot, value: first.value, raw, origins: held.origins, at: held.at };
}

/** The items that a list takes from others. */
export function splicedIn({ origins, at }: Pick<Held, 'origins' | 'at'>): readonly SplicedItem[] | undefined {
  return origins?.lists.get(at);
}
