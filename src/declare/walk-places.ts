// Walks a field's value and all recorded places that give it, or a part.

import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import { placeIn, type SplicedItem, sourceOf, type ValueIn, type ValuePlace } from '../model/workspace/origins.ts';
import { heldField, type Resource } from '../model/workspace/resource.ts';

/** A place that a value passes on its way, or that a piece of its text is from. */
interface Part {
  /** The part that it belongs to, inside the resolved field. */
  readonly path: Pointer;
  /** In the document, where there may be an alias. */
  readonly place: ValuePlace;
  /** True if it is all of that part, and not a piece of its text. */
  readonly isWhole: boolean;
  /** True if the text is written there: nothing else gives it, and it is not a list or map of others. */
  readonly isText: boolean;
}

type ReportPart = (part: Part) => void;

interface Walk {
  readonly report: ReportPart;
  /** True if the walk also enters the sources or parts of the value at a place. */
  readonly isEntered: (place: ValuePlace) => boolean;
}

/** In the order in which they are written; a reference comes before its target. */
export function walkPlaces(
  resource: Pick<Resource, 'origin' | 'origins'>,
  field: string,
  value: unknown,
  report: ReportPart,
  isEntered: Walk['isEntered'] = () => true,
): void {
  visit({ path: '', value, ...heldField(resource, field) }, { report, isEntered });
}

interface UnderstoodPart {
  /** The key in the written map or list. */
  readonly key: string | number;
  readonly path: Pointer;
  readonly value: unknown;
}

interface WalkStep extends ValueIn {
  readonly path: Pointer;
  readonly value?: unknown;
  /** Present if its entries come from another list. */
  readonly taken?: { readonly from: WalkStep; readonly items: Contribution };
}

function visit(step: WalkStep, walk: Walk): void {
  const { report, isEntered } = walk;
  const { path, origins, at } = step;
  const given = origins?.given.get(at);
  const valueGiver = sourceOf(origins, at);
  const isText = valueGiver === undefined && origins?.lists.has(at) !== true && !hasEntries(step);
  const place = placeIn(step);
  report({ path, place, isWhole: true, isText });
  if (!isEntered(place)) return;
  if (valueGiver?.place.kind === 'text-file') report({ path, place: valueGiver.place, isWhole: true, isText: true });
  else if (valueGiver !== undefined)
    visit({ ...step, ...valueGiver, place: valueGiver.place, origins: valueGiver.origins }, walk);
  else if (given !== undefined)
    for (const each of given.by) report({ path, place: placeIn(each), isWhole: false, isText: true });
  else visitEntries(step, walk);
}

function visitEntries(step: WalkStep, walk: Walk): void {
  const { path, place, origins, at } = step;
  const spliced = origins?.lists.get(at)?.();
  if (spliced === undefined) {
    for (const { key, ...entry } of entriesOf(step)) visit({ ...entry, place, origins, at: at + pointerTo(key) }, walk);
    return;
  }
  const contributed = contributions(spliced);
  const isWritten = (index: number) => contributed.has(index) || origins?.given.has(at + pointerTo(index));
  for (let index = 0; isWritten(index); index += 1) {
    const from = { place, origins, at: at + pointerTo(index) };
    const items = contributed.get(index) ?? nothingContributed;
    const entry = entryAt(step, items.at(0)?.index ?? -1);
    // An entry that contributes nothing has no place in the list.
    if (entry === undefined) visit({ ...from, path: `${path}/-`, taken: { from: step, items } }, walk);
    else if (items.at(0)?.item === undefined) visit({ ...from, path: entry.path, value: entry.value }, walk);
    else visit({ ...from, path: entry.path, taken: { from: step, items } }, walk);
  }
}

function hasEntries({ value, taken }: WalkStep): boolean {
  if (taken !== undefined) return taken.items.count > 0;
  if (typeof value !== 'object' || value === null || value instanceof Secret) return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length > 0;
}

function entriesOf(step: WalkStep): readonly UnderstoodPart[] {
  const { path, value, taken } = step;
  if (taken !== undefined)
    return Array.from({ length: taken.items.count }, (_, index) => entryAt(step, index) ?? []).flat();
  if (!hasEntries(step)) return [];
  return Object.entries(value as object).map(([key, entry]) => ({ key, path: path + pointerTo(key), value: entry }));
}

/** An entry of a list. Only visited ones are computed: a list may include thousands of entries. */
function entryAt({ path, value, taken }: WalkStep, index: number): UnderstoodPart | undefined {
  if (taken !== undefined) {
    const entry = entryAt(taken.from, taken.items.at(index)?.index ?? -1);
    return entry && { ...entry, key: index };
  }
  return Array.isArray(value) && Object.hasOwn(value, index)
    ? { key: index, path: path + pointerTo(index), value: value[index] }
    : undefined;
}

/** The items that an entry of a list contributes to the resolved list, in its order. There may be thousands. */
interface Contribution {
  readonly count: number;
  readonly at: (index: number) => SplicedItem | undefined;
}

const nothingContributed: Contribution = { count: 0, at: () => undefined };

/** Keyed by entry: its items are neighbours. */
function contributions(spliced: readonly SplicedItem[]): ReadonlyMap<number, Contribution> {
  const entries = new Map<number, Contribution>();
  for (let start = 0; start < spliced.length; ) {
    const { written } = spliced[start] as SplicedItem;
    let end = start + 1;
    while (spliced[end]?.written === written) end += 1;
    const [from, count] = [start, end - start];
    entries.set(written, { count, at: (index) => (index < count ? spliced[from + index] : undefined) });
    start = end;
  }
  return entries;
}

export interface ReferenceSource {
  readonly place: ValuePlace;
  /** True if it gives all of the value. */
  readonly isWhole: boolean;
}

/** Undefined if all of a value is written where it is used. */
export function referredAt(
  resource: Pick<Resource, 'origin' | 'origins' | 'attributes'>,
  pointer: Pointer,
): ReferenceSource | undefined {
  const [field = ''] = pointerSegments(pointer);
  let referred: ReferenceSource | undefined;
  walkPlaces(resource, field, resource.attributes[field], ({ path, place, isWhole }) => {
    const isWritten = place.kind === 'resource' || place.kind === 'anchor' || place.kind === 'default';
    const at = pointerTo(field) + path;
    if (!isWritten && isWithin(at, pointer)) referred = { place, isWhole: isWhole && at === pointer };
  });
  return referred;
}

/** True if a cell gives a value, or the list with it. */
export function isOfCell({ place }: Partial<ReferenceSource> = {}): boolean {
  return place?.kind === 'item' && place.part === 'cell';
}

/** The column of the cell that gives all of a value. */
export function columnOf(referred: ReferenceSource | undefined): string | undefined {
  const { place, isWhole } = referred ?? {};
  return isWhole && place?.kind === 'item' && place.part === 'cell'
    ? pointerSegments(place.origin.pointer)[1]
    : undefined;
}
