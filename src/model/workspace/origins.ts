// Where values come from that do not simply stand in their resource: from a default, or through the references of a text.
// Whoever resolves them records it, and nobody follows them a second time. The record holds places and no values, and
// almost no resource has one.

import { isWithin, type Pointer, pointerSegments, pointerTo } from '../values/pointer.ts';
import type { Origin } from './source-file.ts';

/** A place that a value can come from. */
export type ValuePlace =
  | { readonly kind: 'resource'; readonly origin: Origin }
  /** What an alias or a merge key refers to. */
  | { readonly kind: 'anchor'; readonly origin: Origin }
  | { readonly kind: 'default'; readonly origin: Origin }
  | { readonly kind: 'variable'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'audience'; readonly origin: Origin; readonly name: string }
  /** Of a loop; the name is its key. `part`: the key itself, or a cell of a CSV file. */
  | { readonly kind: 'item'; readonly origin: Origin; readonly name: string; readonly part?: 'key' | 'cell' }
  /** Of the environment with this name. */
  | { readonly kind: 'sink'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'text-file'; readonly path: string };

/** Every place but a text file, whose lines nobody looks into. */
export type LocatedPlace = Exclude<ValuePlace, { readonly kind: 'text-file' }>;

export interface Origins {
  /** By the place of the text that refers, or of the field that a default gives. */
  readonly given: ReadonlyMap<Pointer, Given>;
  /** The lists that take in the items of others, by their place. */
  readonly lists: ReadonlyMap<Pointer, readonly SplicedItem[]>;
}

export interface Given {
  /** It is the value of the one giver. Otherwise it is a text, put together from all of them and from those that they name. */
  readonly isWhole: boolean;
  readonly by: readonly Giver[];
}

export interface Giver {
  readonly place: Exclude<ValuePlace, { readonly kind: 'resource' | 'anchor' | 'sink' }>;
  /** Of the value there: pointers begin at it. */
  readonly origins?: Origins | undefined;
}

/** An item that a written list contributes. Where two are the same, both have the place of the one that is kept. */
export interface SplicedItem {
  /** Its place in the list as it is understood. */
  readonly index: number;
  /** The item of the written list that it comes from. */
  readonly written: number;
  /** Its place in the list to which the written item refers; undefined where the item itself is written. */
  readonly item?: number;
}

/** What gives the whole value at a written place. */
export function giverOf(origins: Origins | undefined, at: Pointer): Giver | undefined {
  const given = origins?.given.get(at);
  return given?.isWhole === true ? given.by[0] : undefined;
}

/** Of a value that is put together from parts with places of their own. */
export function withOthers(some: Origins | undefined, others: Origins | undefined): Origins | undefined {
  if (some === undefined || others === undefined) return some ?? others;
  return { given: joined(some.given, others.given), lists: joined(some.lists, others.lists) };
}

function joined<V>(some: ReadonlyMap<Pointer, V>, others: ReadonlyMap<Pointer, V>): ReadonlyMap<Pointer, V> {
  if (some.size === 0 || others.size === 0) return some.size === 0 ? others : some;
  const all = new Map(some);
  for (const [pointer, value] of others) all.set(pointer, value);
  return all;
}

/** The written place of a part of a value. What came from another list is at the reference to that list. */
export function writtenPointer(pointer: Pointer, origins: Origins | undefined): Pointer {
  if (origins === undefined || origins.lists.size === 0) return pointer;
  return pointerSegments(pointer).reduce((above, segment) => {
    const found = origins.lists.get(above)?.find(({ index }) => index === Number(segment));
    return above + pointerTo(found === undefined ? segment : found.written);
  }, '');
}

/** The givers of single entries of a map: the values of the map stand at the places that `placeOf` names. */
export function giversOf(
  names: readonly string[],
  origins: Origins | undefined,
  placeOf: (name: string) => Giver['place'],
): ReadonlyMap<string, Giver> {
  return new Map(names.map((name) => [name, { place: placeOf(name), origins: originsAt(origins, pointerTo(name)) }]));
}

function originsAt(origins: Origins | undefined, pointer: Pointer): Origins | undefined {
  if (origins === undefined) return undefined;
  const within = <V>(map: ReadonlyMap<Pointer, V>) =>
    new Map(
      [...map].flatMap(([at, each]) => (isWithin(at, pointer) ? [[at.slice(pointer.length), each] as const] : [])),
    );
  const [given, lists] = [within(origins.given), within(origins.lists)];
  return given.size + lists.size === 0 ? undefined : { given, lists };
}

/** The audiences that give a value or a part of one. */
export function audiencesIn(origins: Origins | undefined): readonly string[] {
  return [...(origins?.given.values() ?? [])].flatMap(({ isWhole, by }) =>
    by.flatMap(({ place, origins: inside }) => [
      ...(isWhole && place.kind === 'audience' ? [place.name] : []),
      ...audiencesIn(inside),
    ]),
  );
}
