// Where the value of a field could be written, the deepest place first: what the value refers to, what is behind an alias,
// and the entry itself. Whether others agree is not decided here.

import type { Json } from '../../model/values/json.ts';
import { pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { isVisible } from '../../model/values/unseen.ts';
import type { SplicedItem } from '../../model/workspace/composed/composed.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import { referencesIn } from '../../parse/written/references-in.ts';
import type { WrittenValue } from '../../parse/written/written-values.ts';
import { type LocatedPlace, textFilePath, type ValuePlace } from '../sources/value-place.ts';
import type { Supply } from '../sources/value-source.ts';
import type { Goal } from './drift-goals.ts';
import { editsFor, rewritten } from './edit-value.ts';
import { isSetField, isSharedWithOthers, type PlaceChoice, type PlaceEdit } from './place-edit.ts';

/** `usedAt`: where others would read it; `isNew`: nothing is written at the place yet. */
export interface OwnedPlace<P extends ValuePlace> {
  readonly place: P;
  readonly usedAt: ValuePlace;
  readonly isNew: boolean;
}

export interface Candidate extends OwnedPlace<ValuePlace> {
  readonly value: WrittenValue;
  readonly raw: Json;
  /** Of a list that takes in the items of others. */
  readonly spliced?: readonly SplicedItem[];
}

export function splicedIn({ composed }: SealedResource, field: string): Pick<Candidate, 'spliced'> {
  const spliced = composed?.lists.get(pointerTo(field));
  return spliced === undefined ? {} : { spliced };
}

export function placesOf(supply: Supply, { resource, field }: Goal, choice: PlaceChoice): readonly Candidate[] {
  const { place, value, raw } = supply;
  const spliced = splicedIn(resource, field);
  const candidates: Candidate[] = [...referredPlaces(supply, resource, choice)];
  if (value.pointer !== place.origin.pointer) {
    const anchor = { kind: 'anchor' as const, origin: { ...place.origin, pointer: value.pointer } };
    if (!isSharedWithOthers(anchor.origin, choice)) {
      candidates.push({ place: anchor, usedAt: anchor, isNew: false, value, raw, ...spliced });
    }
  }
  const own = ownedPlace(place, choice);
  return own === undefined ? candidates : [...candidates, { value, raw, ...spliced, ...own }];
}

/** The variable, the audience or the text file that is the whole value. */
export function referredPlaces(
  { place, value, raw }: { readonly place: LocatedPlace; readonly value: WrittenValue; readonly raw: Json },
  resource: SealedResource,
  choice: PlaceChoice,
): readonly Candidate[] {
  const whole = typeof raw === 'string' ? referencesIn(raw).whole : undefined;
  if (whole?.namespace === 'file') {
    const file = { kind: 'text-file', path: textFilePath(place.origin.file, whole.name) } as const;
    if (!choice.isProse(file.path)) return [];
    return [{ place: file, usedAt: file, isNew: false, value, raw }];
  }
  if (whole?.namespace === 'audience') return audiencePlace(whole.name, resource, choice);
  const variable = whole?.namespace === 'var' ? choice.sources.variable(whole.name) : undefined;
  if (whole === undefined || variable === undefined) return [];
  const own = ownedPlace({ kind: 'variable', origin: variable.origin, name: whole.name } as const, choice);
  return own === undefined ? [] : [{ value: variable.value, raw: variable.raw, ...own }];
}

function audiencePlace(name: string, resource: SealedResource, { sources }: PlaceChoice): readonly Candidate[] {
  const audience = sources.audience(resource, name);
  if (audience === undefined) return [];
  const { origin, value, raw, composed } = audience;
  const place = { kind: 'audience', origin, name } as const;
  const spliced = composed?.lists.get(pointerTo(pointerSegments(origin.pointer).at(-1) ?? ''));
  return [{ place, usedAt: place, isNew: false, value, raw, ...(spliced === undefined ? {} : { spliced }) }];
}

/**
 * The place if no other environment reads it. With --env, a value in the part of almanac.yaml that all of them share is
 * overridden for this one.
 */
export function ownedPlace<P extends LocatedPlace>(place: P, choice: PlaceChoice): OwnedPlace<P> | undefined {
  const { origin } = place;
  if (!isSharedWithOthers(origin, choice)) return { place, usedAt: place, isNew: false };
  const isInCommonPart = /^\/(?:variables|defaults)\//.test(origin.pointer);
  if (choice.environmentName === undefined || !isInCommonPart) return undefined;
  const pointer = pointerTo('environments', choice.environmentName) + origin.pointer;
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
  const { pointer: slot } = place.origin;
  const edits = isNew
    ? [{ pointer: slot, value: rewritten(plainOf(part), declared, target, isSet) }]
    : editsFor({ ...part, slot, meant: declared ?? null }, target, isSet);
  return { goals, place, edits };
}

/** A list that takes in others is written anew, without them: it has to differ from what it takes in. */
export function plainOf({ raw, spliced }: Pick<Candidate, 'raw' | 'spliced'>): Json {
  return spliced === undefined ? raw : null;
}
