// Goes through a written value and everything that it refers to. So whoever asks where a value comes from, and whoever asks
// what uses a place, follow the same references.

import type { Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { Composed, SplicedItem } from '../../model/workspace/composed.ts';
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
  follow(reference: Reference): Referred | undefined;
}

/** Through the value of one field. */
export type Walk = (resource: Declaring, field: string, visitor: Pick<Visitor, 'part' | 'reference'>) => void;

export function walkValue(start: Referred, visitor: Visitor): void {
  visit({ ...start, path: '', isWhole: true }, visitor);
}

interface Step extends Referred, Pick<Part, 'path' | 'isWhole'> {
  /** The items of a list that is taken into another one, and their places there. */
  readonly takenIn?: readonly SplicedItem[];
  readonly takenInto?: Pointer;
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
    const referred = visitor.follow(reference);
    visitor.reference(reference, { ...step, isWhole }, referred);
    const { path, takenIn, takenInto } = step;
    const taken = takenIn === undefined || takenInto === undefined ? {} : { takenIn, takenInto };
    if (referred !== undefined) visit({ ...referred, ...taken, path, isWhole }, visitor);
  }
}

function visitEntries(step: Step, raw: object, visitor: Visitor): void {
  const { place, value, composed, at } = step;
  const spliced = composed?.lists.get(at);
  for (const [key, part] of Object.entries(raw)) {
    const [supplier] = value.suppliers(key);
    if (supplier === undefined) continue;
    const takenIn = spliced?.filter(({ written }) => written === Number(key));
    const inside: Step = {
      ...{ value: supplier.value, raw: part as Json, composed, isInterpolated: step.isInterpolated },
      place: placeWithin(place, supplier.slot),
      at: at + pointerTo(key),
      path: pathOf(step, key, takenIn),
      isWhole: step.isWhole,
      ...(takenIn === undefined ? {} : { takenIn, takenInto: step.path }),
    };
    visit(inside, visitor);
  }
}

function pathOf(step: Step, key: string, takenIn: readonly SplicedItem[] | undefined): Pointer {
  if (takenIn !== undefined) return step.path + pointerTo(takenIn[0]?.index ?? key);
  const { takenIn: own, takenInto, path } = step;
  const index = own?.find(({ item }) => item === Number(key))?.index;
  return takenInto === undefined || index === undefined ? path + pointerTo(key) : takenInto + pointerTo(index);
}

/** What an alias or a merge key brings in is written elsewhere. */
function placeWithin(place: LocatedPlace, slot: Pointer): LocatedPlace {
  const origin: Origin = { ...place.origin, pointer: slot };
  const isElsewhere = !isWithin(slot, place.origin.pointer);
  return isElsewhere && (place.kind === 'resource' || place.kind === 'default')
    ? { kind: 'anchor', origin }
    : { ...place, origin };
}
