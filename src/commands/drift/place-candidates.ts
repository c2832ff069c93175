// Where the value of a field could be written, the deepest place first: what the value refers to, what is behind an alias,
// and the entry itself. Whether others agree is not decided here.

import type { Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { isVisible } from '../../model/values/words.ts';
import { giverOf, type LocatedPlace, type ValuePlace } from '../../model/workspace/origins.ts';
import type { Goal } from './drift-goals.ts';
import { rewritten } from './edit-value.ts';
import { isSetField, isSharedWithOthers, type PlaceChoice, type PlaceEdit } from './place-edit.ts';
import { rawIn, splicedIn, type WrittenRaw } from './written-raw.ts';

/** `usedAt`: where others would read it; `isNew`: nothing is written at the place yet. */
export interface OwnedPlace<P extends ValuePlace> {
  readonly place: P;
  readonly usedAt: ValuePlace;
  readonly isNew: boolean;
}

export type Candidate = OwnedPlace<ValuePlace> & Omit<WrittenRaw, 'place'>;

export function placesOf(supply: WrittenRaw, choice: PlaceChoice): readonly Candidate[] {
  const { place, value } = supply;
  const candidates: Candidate[] = [...referredPlaces(supply, choice)];
  if (value.pointer !== place.origin.pointer) {
    const anchor = { kind: 'anchor' as const, origin: { ...place.origin, pointer: value.pointer } };
    if (!isSharedWithOthers(anchor.origin, choice))
      candidates.push({ ...supply, place: anchor, usedAt: anchor, isNew: false });
  }
  const own = ownedPlace(place, choice);
  return own === undefined ? candidates : [...candidates, { ...supply, ...own }];
}

/** The variable, the audience or the text file that is the whole value. */
export function referredPlaces(written: WrittenRaw, choice: PlaceChoice): readonly Candidate[] {
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

/** The edit that gives a candidate another meaning; undefined if it cannot hold it. Throws NotEditable. */
export function editAt(
  { place, isNew, ...part }: Candidate,
  goals: readonly Goal[],
  target: Json,
  { resource, field, declared }: Goal,
): PlaceEdit | undefined {
  // A text file can hold a text if a reader sees all of it.
  if (place.kind === 'text-file')
    return typeof target === 'string' && isVisible(target.replaceAll(/\r?\n|\t/g, ''))
      ? { goals, place, edits: [], text: target }
      : undefined;
  const isSet = isSetField(resource, field);
  const value = isNew
    ? rewritten(plainOf(part), declared, target, isSet)
    : rewritten(part.raw, declared ?? null, target, isSet, splicedIn(part));
  return { goals, place, edits: [{ pointer: place.origin.pointer, value }] };
}

/** A list that takes in others is written as a whole, without them: it has to differ from what it takes in. */
export function plainOf(written: Pick<WrittenRaw, 'raw' | 'origins' | 'at'>): Json {
  return splicedIn(written) === undefined ? written.raw : null;
}
