// Goes through a written value and everything that it refers to. So whoever asks where a value comes from, and whoever asks
// what uses a place, follow the same references.

import type { Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { Composed, SplicedItem } from '../../model/workspace/composed/composed.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import { type Reference, referencesIn } from '../../parse/written/references-in.ts';
import type { WrittenValue } from '../../parse/written/written-values.ts';
import type { Declaring, LocatedPlace } from './value-place.ts';

/** A part of a value, as it is written. */
export interface Part {
  /** Where it is written, or where an alias of it stands. */
  readonly place: LocatedPlace;
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** As written, with references. */
  readonly raw: Json;
  /** What it is a part of as it is understood: inside the field. */
  readonly path: Pointer;
  /** It is all of that part: not a piece of its text. */
  readonly isWhole: boolean;
}

/** A whole value that something refers to. */
export interface Referred {
  readonly place: LocatedPlace;
  readonly value: WrittenValue;
  readonly raw: Json;
  /** Whether the references in it count. */
  readonly isInterpolated: boolean;
  readonly composed?: Composed | undefined;
  /** The place of the value in what is composed. */
  readonly at: Pointer;
}

export interface Visitor {
  part(part: Part): void;
  /** `to`: what it leads to; undefined for one that is not followed. */
  reference(reference: Reference, from: Part, to: Referred | undefined): void;
  /** `at`: the place of the reference in what is composed. */
  follow(reference: Reference, at: Pointer): Referred | undefined;
}

/** Through the value of one field. */
export type Walk = (resource: Declaring, field: string, visitor: Pick<Visitor, 'part' | 'reference'>) => void;

export function walkValue(start: Referred, visitor: Visitor): void {
  visit({ ...start, path: '', isWhole: true }, visitor);
}

interface Step extends Referred, Pick<Part, 'path' | 'isWhole'> {
  /** Where the items of a list are that is taken into another one; below the list itself if left out. */
  readonly itemPath?: (index: number) => Pointer;
}

function visit(step: Step, visitor: Visitor): void {
  visitor.part(step);
  const { raw, isInterpolated } = step;
  if (typeof raw === 'string' && isInterpolated) followReferences(step, raw, visitor);
  if (typeof raw === 'object' && raw !== null) visitEntries(step, raw, visitor);
}

function followReferences(step: Step, text: string, visitor: Visitor): void {
  const { all, whole } = referencesIn(text);
  const isWhole = step.isWhole && whole !== undefined;
  for (const reference of all) {
    const referred = visitor.follow(reference, step.at);
    visitor.reference(reference, { ...step, isWhole }, referred);
    const { path, itemPath } = step;
    if (referred !== undefined) visit({ ...referred, path, isWhole, ...(itemPath && { itemPath }) }, visitor);
  }
}

function visitEntries(step: Step, raw: object, visitor: Visitor): void {
  const { place, value, composed, at, isInterpolated, isWhole } = step;
  const spliced = composed?.lists.get(at);
  const contributed = itemsByEntry(spliced ?? []);
  const pathAt = (key: string | number) => step.itemPath?.(Number(key)) ?? step.path + pointerTo(key);
  for (const [key, part] of Object.entries(raw)) {
    const [supplier] = value.suppliers(key);
    if (supplier === undefined) continue;
    const own = contributed.get(Number(key));
    const itemPath = (index: number) => pathAt(own?.byItem.get(index) ?? index);
    const inside: Step = {
      ...{ value: supplier.value, raw: part as Json, composed, isInterpolated, isWhole },
      place: placeWithin(place, supplier.slot),
      at: at + pointerTo(key),
      // An entry that contributes nothing has no place in the list.
      path: pathAt(own?.first ?? (spliced === undefined ? key : '-')),
      ...(own !== undefined && own.byItem.size > 0 ? { itemPath } : {}),
    };
    visit(inside, visitor);
  }
}

/** What an entry of a list contributes to the list as it is understood. */
interface Contributed {
  /** The place of its first item. */
  readonly first: number;
  /** The places of the items of the list to which the entry refers, by their places there. */
  readonly byItem: Map<number, number>;
}

function itemsByEntry(spliced: readonly SplicedItem[]): ReadonlyMap<number, Contributed> {
  const entries = new Map<number, Contributed>();
  for (const { written, index, item } of spliced) {
    const entry = entries.get(written) ?? { first: index, byItem: new Map<number, number>() };
    entries.set(written, entry);
    if (item !== undefined && !entry.byItem.has(item)) entry.byItem.set(item, index);
  }
  return entries;
}

/** What an alias or a merge key brings in is written elsewhere. */
function placeWithin(place: LocatedPlace, slot: Pointer): LocatedPlace {
  const origin: Origin = { ...place.origin, pointer: slot };
  const isElsewhere = !isWithin(slot, place.origin.pointer);
  return isElsewhere && (place.kind === 'resource' || place.kind === 'default')
    ? { kind: 'anchor', origin }
    : { ...place, origin };
}
