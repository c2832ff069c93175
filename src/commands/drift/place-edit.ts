// The ways to give a field another value. Each has the place that would be edited, and all users of its value.
// write-drift.ts decides which way is taken.

import { elements, sorted } from '../../declare/comparable.ts';
import { movedTo, type Use, type ValuePlaces } from '../../declare/value-places.ts';
import type { ValueEdit } from '../../edit/edit-files.ts';
import type { Address } from '../../model/values/address.ts';
import { canonicalJson, type Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { isVisible } from '../../model/values/unseen.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import {
  type LocatedPlace,
  placeIn,
  type SplicedItem,
  sourceOf,
  type ValueIn,
  type ValuePlace,
} from '../../model/workspace/origins.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import { isSetField } from '../../report/fields/set-differences.ts';
import type { ParsedFiles } from '../../yaml/parsed-files.ts';
import type { WantedValue } from './drift-goals.ts';
import { rewritten } from './rewrite-value.ts';

/** The edits for some fields at once: all of them or none. */
export interface PlaceEdit {
  readonly goals: readonly WantedValue[];
  readonly place: ValuePlace;
  /** Empty for a text file. Each edit is in the file of the place, unless it names another one. */
  readonly edits: readonly (ValueEdit & Partial<Origin>)[];
  readonly text?: string | undefined;
}

/** A way to give a field another value, which is right if all users of the place want the same there. */
export interface Placement {
  readonly place: ValuePlace;
  /** Identifies the place and the wanted value: equal wishes have equal keys. */
  readonly key: string;
  readonly itemValue?: string;
  users(): readonly Pick<Use, 'resource' | 'field' | 'isWhole'>[];
  /** The value to write at the place; undefined removes it. Throws NotEditable. */
  value(): Json | undefined;
  /** An edit elsewhere that the place needs to give the field its value. */
  readonly also?: { readonly origin: Origin; readonly value: Json } | undefined;
}

export interface PlaceChoice {
  readonly places: ValuePlaces;
  readonly config: Config;
  readonly sources: ReadonlySet<string>;
  readonly instancesOf: (loop: Address) => readonly SealedResource[];
  /** Returns the reason why a file cannot be written; undefined if it can. */
  readonly readOnlyReason: (path: string) => string | undefined;
}

export function fileOf({ place }: Pick<PlaceEdit, 'place'>): string {
  return place.kind === 'text-file' ? place.path : place.origin.file;
}

export function candidateKey(place: ValuePlace, target: Json | undefined, isSet: boolean): string {
  const { file, document, pointer } =
    place.kind === 'text-file' ? { file: place.path, document: 0, pointer: '' } : place.origin;
  const wanted = target === undefined ? [] : [isSet ? sorted(elements(target)) : target];
  return canonicalJson([file, document, pointer, isSet, wanted]);
}

/** True if another environment takes the value from this place of almanac.yaml. Source files are the same for all. */
export function isSharedWithOthers(origin: Origin, { config, places }: PlaceChoice): boolean {
  const { file, environment, environments } = config;
  if (origin.file !== file) return false;
  if (environment !== undefined) return !isWithin(origin.pointer, pointerTo('environments', environment));
  const isOwn = (name: string) => {
    const pointer = pointerTo('environments', name) + origin.pointer;
    return places.documents.valueAt({ ...origin, pointer }) !== undefined;
  };
  return !environments.every(isOwn);
}

/** A place where a field's value can be written, and which no other environment reads. */
export interface Holder extends WrittenRaw {
  /** Present if nothing is written at the place yet: it overrides this one, which all environments read. */
  readonly overridden?: LocatedPlace;
}

/**
 * The place if no other environment reads it. With --env, a value in the shared part of almanac.yaml is overridden for
 * this one.
 */
export function ownHolder(written: WrittenRaw, choice: PlaceChoice): Holder | undefined {
  const { place } = written;
  const { origin } = place;
  const { environment } = choice.config;
  if (!isSharedWithOthers(origin, choice)) return written;
  const isInCommonPart = /^\/(?:variables|defaults)\//.test(origin.pointer);
  if (environment === undefined || !isInCommonPart) return undefined;
  const pointer = pointerTo('environments', environment) + origin.pointer;
  return { ...written, place: { ...place, origin: { ...origin, pointer } }, overridden: place };
}

/** The places that give all of a field, the deepest first: the target of its reference, an anchor, the entry itself. */
export function wholeCandidates(
  written: WrittenRaw,
  target: Json,
  goal: WantedValue,
  choice: PlaceChoice,
): readonly Placement[] {
  const { place, text } = written;
  const anchor = { kind: 'anchor' as const, origin: { ...place.origin, pointer: text } };
  const isAlias = text !== place.origin.pointer;
  const behind = isAlias && !isSharedWithOthers(anchor.origin, choice) ? { ...written, place: anchor } : undefined;
  return [
    ...referredCandidates(written, target, goal, choice),
    ...[behind, ownHolder(written, choice)].flatMap((holder) => candidateAt(holder, target, goal, choice)),
  ];
}

/** The variable, the audience or the text file that is the whole value. */
export function referredCandidates(
  { origins, at }: WrittenRaw,
  target: Json,
  goal: WantedValue,
  choice: PlaceChoice,
): readonly Placement[] {
  const valueGiver = sourceOf(origins, at);
  if (valueGiver === undefined) return [];
  const { place } = valueGiver;
  if (place.kind === 'text-file') return inTextFile(place, target, choice);
  const referred = rawIn({ ...valueGiver, place }, choice.places.documents);
  if (referred === undefined || (place.kind !== 'audience' && place.kind !== 'variable')) return [];
  return candidateAt(place.kind === 'audience' ? referred : ownHolder(referred, choice), target, goal, choice);
}

/** Files that hold texts for people. Texts that others wrote in Omni never go into a program or configuration. */
const prose = /\.(?:txt|md|html?)$/i;

/** A text file can hold a text if a reader sees all of it, and is left alone if several fields share it. */
function inTextFile(
  place: Extract<ValuePlace, { readonly kind: 'text-file' }>,
  target: Json,
  { places, config, sources }: PlaceChoice,
): readonly Placement[] {
  const { path } = place;
  const isProse = prose.test(path) && path !== config.file && !sources.has(path);
  const isText = typeof target === 'string' && isVisible(target.replaceAll(/\r?\n|\t/g, ''));
  const users = () => places.usesOf(place);
  if (!isProse || !isText || users().length > 1) return [];
  return [{ place, key: candidateKey(place, target, false), users, value: () => target }];
}

function candidateAt(
  holder: Holder | undefined,
  target: Json,
  { resource, field, declared = null }: WantedValue,
  { places }: PlaceChoice,
): readonly Placement[] {
  if (holder === undefined) return [];
  const { place, overridden } = holder;
  const isSet = isSetField(resource.kind, [field]);
  const value = () =>
    overridden === undefined
      ? rewritten(holder.raw, declared, target, isSet, splicedIn(holder))
      : rewritten(plainOf(holder), declared, target, isSet);
  // A loop's text may mean something else for each instance, so no partial edit is right for all.
  const key = `${candidateKey(place, target, isSet)} ${canonicalJson(declared)}`;
  return [{ place, key, users: () => places.usesOf(overridden ?? place), value }];
}

/** A list that includes others is written as a whole, without them: it has to differ from what it includes. */
export function plainOf(written: Pick<WrittenRaw, 'raw' | 'origins' | 'at'>): Json {
  return splicedIn(written) === undefined ? written.raw : null;
}

/** A value as it is written, with its origins from the record. */
export interface WrittenRaw extends Pick<ValueIn, 'origins' | 'at'> {
  /** The place, at which there may be an alias. */
  readonly place: LocatedPlace;
  /** The place of the written value: behind the alias, if there is one. */
  readonly text: Pointer;
  /** The value with references. */
  readonly raw: Json;
}

/** Undefined if nothing is written. */
export function rawIn(valueIn: ValueIn, { suppliersAt, valueAt }: ParsedFiles): WrittenRaw | undefined {
  const place = placeIn(valueIn);
  const [first] = suppliersAt(place.origin);
  if (first === undefined) return undefined;
  const slot = movedTo(place, first.slot);
  const raw = valueAt(slot.origin) ?? valueAt(place.origin) ?? null;
  return { place: slot, text: first.text, raw, origins: valueIn.origins, at: valueIn.at };
}

/** The items that a list takes from others. */
export function splicedIn({ origins, at }: Pick<ValueIn, 'origins' | 'at'>): readonly SplicedItem[] | undefined {
  return origins?.lists.get(at)?.();
}
