// The origins of values that come from defaults or references. Whoever resolves them records it, and nobody follows
// them a second time. The record holds places and no values. A resource without defaults and references has none.
//
// variables: { team: Sales, boss: ana@example.com }        what is written
// audiences: { all: { emails: ["${var.boss}", cy@example.com] } }
// schedules: { a: { name: "${var.team} weekly", recipients: ["${audience.all}", bo@example.com] } }
//
// given  /name          a text that is put together, by the variable team          what is recorded of schedules.a
//        /recipients/0  the whole value, by the emails of the audience all, which hold an Origins of their own:
//                         given  /0  the whole value, by the variable boss
// lists  /recipients    ana, cy, bo: written item 0 with its item 0, written item 0 with its item 1, written item 1

import type { Address, Section } from '../values/address.ts';
import type { Json } from '../values/json.ts';
import { isWithin, type Pointer } from '../values/pointer.ts';
import type { Origin } from './diagnostic.ts';

export type ValuePlace =
  | { readonly kind: 'resource'; readonly origin: Origin }
  /** The place to which an alias or a merge key refers. */
  | { readonly kind: 'anchor'; readonly origin: Origin }
  | { readonly kind: 'default'; readonly origin: Origin }
  | { readonly kind: 'variable'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'audience'; readonly origin: Origin; readonly name: string }
  /** An item of a loop; the name is its key. `part`: the key itself, or a cell of a CSV file. */
  | { readonly kind: 'item'; readonly origin: Origin; readonly name: string; readonly part?: 'key' | 'cell' }
  /** The sink of the environment with this name. */
  | { readonly kind: 'sink'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'text-file'; readonly path: string };

/** Every place but a text file, whose lines nobody looks into. */
export type LocatedPlace = Exclude<ValuePlace, { readonly kind: 'text-file' }>;

export interface Origins {
  /** The sources by the place of the text that refers, or of the field that a default gives. */
  readonly given: ReadonlyMap<Pointer, ValueSource>;
  /** The lists that take in the items of others, by their place. */
  readonly lists: ReadonlyMap<Pointer, () => readonly SplicedItem[]>;
}

/** The value in the origins of almost all resources. */
export const noLists: Origins['lists'] = new Map();

export interface ValueSource {
  /** It is the value of the one giver. Otherwise it is a text, put together from all of them and from those that they name. */
  readonly isWhole: boolean;
  readonly by: readonly ValueGiver[];
}

/** The giver of a value: a default, the target of a reference, or another place in the declaration. */
export type ValueGiver = ValueIn<Exclude<ValuePlace, { readonly kind: 'anchor' | 'sink' }>>;

/** A value in what holds it: a field in its declaration, `/0` in the addresses of an audience, a variable by itself. */
export interface ValueIn<P extends ValuePlace = LocatedPlace> {
  /** The place that holds it. */
  readonly place: P;
  /** The record of what holds it. */
  readonly origins?: Origins | undefined;
  /** The place of the value in it; empty for all of it. */
  readonly at: Pointer;
}

/** An item that a written list contributes. Where two are the same, both have the place of the one that is kept. */
export interface SplicedItem {
  /** The item's place in the list as it is understood. */
  readonly index: number;
  /** The item of the written list that it comes from. */
  readonly written: number;
  /** Its place in the list to which the written item refers; undefined if the item itself is written. */
  readonly item?: number;
}

/** The place of the value itself. */
export function placeIn<P extends ValuePlace>({ place, at }: ValueIn<P>): P {
  if (at === '' || place.kind === 'text-file') return place;
  return { ...place, origin: { ...place.origin, pointer: place.origin.pointer + at } };
}

/** The giver of the whole value at a written place. */
export function sourceOf(origins: Origins | undefined, at: Pointer): ValueGiver | undefined {
  const given = origins?.given.get(at);
  return given?.isWhole === true ? given.by[0] : undefined;
}

/** The origins of a value that is put together from parts with places of their own. */
export function joinOrigins(some: Origins | undefined, others: Origins | undefined): Origins | undefined {
  if (some === undefined || others === undefined) return some ?? others;
  return { given: joined(some.given, others.given), lists: joined(some.lists, others.lists) };
}

function joined<V>(some: ReadonlyMap<Pointer, V>, others: ReadonlyMap<Pointer, V>): ReadonlyMap<Pointer, V> {
  if (some.size === 0 || others.size === 0) return some.size === 0 ? others : some;
  const all = new Map(some);
  for (const [pointer, value] of others) all.set(pointer, value);
  return all;
}

/** The files that hold what gives a value or a part of one. */
export function filesIn(origins: Origins | undefined): readonly string[] {
  return [...(origins?.given.values() ?? [])].flatMap(({ by }) =>
    by.flatMap(({ place, origins: inside }) => [
      place.kind === 'text-file' ? place.path : place.origin.file,
      ...filesIn(inside),
    ]),
  );
}

/** The audiences that give a value or a part of one. */
export function audiencesIn(origins: Origins | undefined, within: Pointer = ''): readonly string[] {
  return [...(origins?.given ?? [])].flatMap(([pointer, { isWhole, by }]) =>
    by.flatMap(({ place, origins: inside, at }) =>
      isWithin(pointer, within)
        ? [...(isWhole && place.kind === 'audience' ? [place.name] : []), ...audiencesIn(inside, at)]
        : [],
    ),
  );
}

// Declarations after defaults and references, each value with the place that it comes from.

/** The giver of a value, where a reader finds the text. */
export interface Via {
  readonly kind: ValuePlace['kind'];
  /** The name of a variable or an audience, the key of an item, or the environment of a sink. */
  readonly name?: string;
  readonly file: string;
  readonly line?: number;
}

export interface ResolvedField {
  readonly name: string;
  /** The value as in a source file: literal `${` are escaped, and secrets show only names of variables. */
  readonly value: Json;
  /** The value is a secret that is written in a file, and so is not shown. */
  readonly isHidden?: true;
  /** The entry that gives the field. */
  readonly via: Via;
  /** The givers of the parts of the value; the path of a whole value is empty. */
  readonly parts: readonly { readonly path: Pointer; readonly via: Via }[];
}

export interface ResolvedResource {
  readonly address: Address;
  readonly section: Section;
  /** The key that it has as a declaration of its own. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly fields: readonly ResolvedField[];
}
