// Values that are put together from elsewhere: lists that take in the items of other lists, and audiences. Almost no
// resource has any, and those record nothing.

import { isWithin, type Pointer, pointerSegments, pointerTo } from '../../values/pointer.ts';

/** An item that a written list contributes. Where two are the same, both have the place of the one that is kept. */
export interface SplicedItem {
  /** Its place in the list as it is understood. */
  readonly index: number;
  /** The item of the written list that it comes from. */
  readonly written: number;
  /** Its place in the list to which the written item refers; undefined where the item itself is written. */
  readonly item?: number;
}

/** Places are those of the written value. */
export interface Composed {
  /** By the place of the list. */
  readonly lists: ReadonlyMap<Pointer, readonly SplicedItem[]>;
  /** The name of the audience, by the place of the reference. */
  readonly audiences: ReadonlyMap<Pointer, string>;
}

/** The written place of a part of a value. What came from another list is at the reference to that list. */
export function writtenPointer(pointer: Pointer, composed: Composed | undefined): Pointer {
  if (composed === undefined) return pointer;
  return pointerSegments(pointer).reduce((above, segment) => {
    const found = composed.lists.get(above)?.find(({ index }) => index === Number(segment));
    return above + pointerTo(found === undefined ? segment : found.written);
  }, '');
}

/** The same, and behind it the place in the list that the reference stands for, as that list is written. */
export function referredPointer(pointer: Pointer, composed: Composed | undefined): Pointer {
  if (composed === undefined) return pointer;
  return pointerSegments(pointer).reduce(
    (above, segment) => inWritten(above, Number(segment), composed) ?? above + pointerTo(segment),
    '',
  );
}

function inWritten(list: Pointer, index: number, composed: Composed): Pointer | undefined {
  const found = composed.lists.get(list)?.find((each) => each.index === index);
  if (found === undefined) return undefined;
  const reference = list + pointerTo(found.written);
  if (found.item === undefined) return reference;
  return inWritten(reference, found.item, composed) ?? reference + pointerTo(found.item);
}

/** The audience that gives a part of a value. */
export function audienceAt(pointer: Pointer, composed: Composed | undefined): string | undefined {
  if (composed === undefined) return undefined;
  const written = writtenPointer(pointer, composed);
  return [...composed.audiences].find(([place]) => isWithin(written, place))?.[1];
}

/** What is at or below the places of some fields. */
export function composedIn(composed: Composed, isPart: (pointer: Pointer) => boolean): Composed {
  const parts = <V>(map: ReadonlyMap<Pointer, V>) => new Map([...map].filter(([place]) => isPart(place)));
  return { lists: parts(composed.lists), audiences: parts(composed.audiences) };
}

/** Of different fields. */
export function composedOf(all: readonly Composed[]): Composed | undefined {
  if (all.length < 2) return all[0];
  return {
    lists: new Map(all.flatMap(({ lists }) => [...lists])),
    audiences: new Map(all.flatMap(({ audiences }) => [...audiences])),
  };
}
