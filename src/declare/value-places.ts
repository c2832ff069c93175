// The places in the source files that give a field its value, and what else has its value from a place. The resolver has
// recorded both; the documents are opened for what aliases and merge keys bring in, and for lines.

import { byCodeUnit } from '../model/values/json.ts';
import { memoize, once } from '../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import type { Origin } from '../model/workspace/diagnostic.ts';
import {
  giverOf,
  type Held,
  type LocatedPlace,
  placeIn,
  type SplicedItem,
  type ValuePlace,
  type Via,
} from '../model/workspace/origins.ts';
import { declaredAttributes, heldField, type Resource, type Sink } from '../model/workspace/resource.ts';
import { makeLocator } from '../yaml/locate.ts';
import { type FileNamed, type OpenDocuments, openDocuments } from '../yaml/written/open-documents.ts';

/** A resource of which only the shape of its attributes is looked at. */
interface Declaring extends Pick<Resource, 'address' | 'origin' | 'origins' | 'item'> {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly sink?: Sink<Readonly<Record<string, unknown>>>;
}

/** What gives a part of a field its value. */
interface Trace {
  /** The part, inside the field as it is understood; empty for all of it. */
  readonly path: Pointer;
  readonly place: ValuePlace;
}

/** A field of a resource that uses a place; `path` is the part of the field that does. */
export interface Use {
  readonly resource: Declaring;
  readonly field: string;
  readonly path: Pointer;
  /** The place is the whole part: not a piece of its text. */
  readonly isWhole: boolean;
}

/** Where a place stands in its document. */
interface Written {
  /** The entry in the map or list that holds it; an alias may stand there. */
  readonly slot: LocatedPlace;
  /** Behind the alias. */
  readonly text: LocatedPlace;
}

export interface ValuePlaces {
  readonly documents: OpenDocuments;
  /** Undefined where nothing is written. */
  writtenAt(place: LocatedPlace): Written | undefined;
  /** Of every part, in their order. Several give the same part if they say the same, or if its text is made of them. */
  tracesOf(resource: Declaring, field: string, value: unknown): readonly Trace[];
  /** Every use of the text at a place and of what lies in it. */
  usesOf(place: ValuePlace): readonly Use[];
  /** The place as people look it up: a file and a line. */
  viaOf(place: ValuePlace): Via;
}

interface PlacesInput {
  readonly resources: readonly Declaring[];
  readonly fileNamed: FileNamed;
}

export function valuePlaces({ resources, fileNamed }: PlacesInput): ValuePlaces {
  const documents = openDocuments(fileNamed);
  const writtenAt = (place: LocatedPlace) => writtenIn(place, documents);
  const locator = makeLocator(fileNamed);
  // Not every question needs the uses of everything.
  const uses = once(() => collectUses(resources, writtenAt));
  return {
    documents,
    writtenAt,
    tracesOf: (resource, field, value) => tracesOf(resource, field, value, writtenAt),
    usesOf: (place) => uses()(place),
    viaOf: (place) => {
      if (place.kind === 'text-file') return { kind: place.kind, file: place.path };
      const { file } = place.origin;
      const line = fileNamed(file)?.isTable
        ? locator.locate({ ...place.origin, at: 'value' })?.line
        : documents.lineOf(place.origin);
      return { kind: place.kind, name: 'name' in place ? place.name : undefined, file, line };
    },
  };
}

/** What an alias or a merge key brings in is written elsewhere. */
function writtenIn(place: LocatedPlace, { suppliersAt }: OpenDocuments): Written | undefined {
  if (place.kind === 'item' && place.part !== undefined) return { slot: place, text: place };
  const [supplier] = suppliersAt(place.origin);
  return supplier && { slot: movedTo(place, supplier.slot), text: movedTo(place, supplier.text) };
}

/** What is written elsewhere, and has no name of its own, is at an anchor. */
export function movedTo(place: LocatedPlace, pointer: Pointer): LocatedPlace {
  if (pointer === place.origin.pointer) return place;
  const origin = { ...place.origin, pointer };
  return 'name' in place ? { ...place, origin } : { kind: 'anchor', origin };
}

type WrittenAt = ValuePlaces['writtenAt'];

function tracesOf(resource: Declaring, field: string, value: unknown, writtenAt: WrittenAt): readonly Trace[] {
  const traces: Trace[] = [];
  walkField(resource, field, value, ({ path, place, isWhole, isText }) => {
    if (!isText) return;
    if (place.kind === 'text-file') return void traces.push({ path, place });
    const written = writtenAt(place);
    if (written !== undefined) traces.push({ path, place: isWhole ? written.text : written.slot });
  });
  return traces;
}

function collectUses(resources: readonly Declaring[], writtenAt: WrittenAt): ValuePlaces['usesOf'] {
  const texts = new Map<string, Map<Pointer, Use[]>>();
  const names = new Map<string, Use[]>();
  const add = <K>(map: Map<K, Use[]>, key: K, use: Use): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [use]);
    else known.push(use);
  };
  const addPlace = (place: LocatedPlace, use: Use): void => {
    const written = writtenAt(place);
    if (written === undefined) return;
    const key = documentKey(place.origin);
    const inDocument = texts.get(key) ?? new Map<Pointer, Use[]>();
    texts.set(key, inDocument);
    for (const pointer of new Set([written.slot.origin.pointer, written.text.origin.pointer]))
      add(inDocument, pointer, use);
  };
  for (const resource of resources) {
    for (const [field, value] of Object.entries(declaredAttributes(resource))) {
      walkField(resource, field, value, ({ path, place, isWhole }) => {
        const use = { resource, field, path, isWhole };
        const name = nameKey(place);
        if (name !== undefined) add(names, name, use);
        // A key names its item, and nothing is written there.
        if (place.kind !== 'text-file' && !(place.kind === 'item' && place.part === 'key')) addPlace(place, use);
      });
    }
  }
  const sortedPointers = memoize((key: string) => [...(texts.get(key)?.keys() ?? [])].sort(byCodeUnit));
  const within = (origin: Origin): readonly Use[] => {
    const key = documentKey(origin);
    const found = pointersWithin(sortedPointers(key), origin.pointer);
    return found.flatMap((pointer) => texts.get(key)?.get(pointer) ?? []);
  };
  return (place) => {
    const named = names.get(nameKey(place) ?? '') ?? [];
    return place.kind === 'text-file' ? named : [...named, ...within(place.origin)];
  };
}

/** Who uses one part of an audience, or one value of a variable, may use the others. */
function nameKey(place: ValuePlace): string | undefined {
  if (place.kind === 'text-file') return `file ${place.path}`;
  return place.kind === 'audience' || place.kind === 'variable' ? `${place.kind} ${place.name}` : undefined;
}

/** A pointer, and those that begin with it and a slash: they are next to each other. */
function pointersWithin(sorted: readonly Pointer[], pointer: Pointer): readonly Pointer[] {
  const firstFrom = (text: string) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const own = firstFrom(pointer);
  // `0` is the character after the slash.
  const below = sorted.slice(firstFrom(`${pointer}/`), firstFrom(`${pointer}0`));
  return sorted[own] === pointer ? [pointer, ...below] : below;
}

function documentKey({ file, document }: Origin): string {
  return `${document} ${file}`;
}

// Goes through the value of a field and through everything that gives it or a part of it, as the resolver recorded it.

/** A place that a value passes on its way, or that a piece of its text is from. */
interface Part {
  /** What it is a part of as it is understood: inside the field. */
  readonly path: Pointer;
  /** In the document, where an alias may stand. */
  readonly place: ValuePlace;
  /** It is all of that part: not a piece of its text. */
  readonly isWhole: boolean;
  /** The text is written there: nothing else gives it, and it is no list or map of others. */
  readonly isText: boolean;
}

type ReportPart = (part: Part) => void;

/** In the order in which they are written; what refers comes before what it refers to. */
export function walkField(
  resource: Pick<Resource, 'origin' | 'origins'>,
  field: string,
  value: unknown,
  report: ReportPart,
): void {
  visit({ path: '', value, ...heldField(resource, field) }, report);
}

/** A part of a value as it is understood. */
interface Entry {
  /** In the map or list that is written. */
  readonly key: string | number;
  readonly path: Pointer;
  readonly value: unknown;
}

interface Step extends Held {
  readonly path: Pointer;
  readonly value?: unknown;
  /** Its entries instead, where they stand in another list. */
  readonly entries?: readonly Entry[];
}

function visit(step: Step, report: ReportPart): void {
  const { path, origins, at } = step;
  const given = origins?.given.get(at);
  const giver = giverOf(origins, at);
  const entries = step.entries ?? entriesOf(step);
  const isText = giver === undefined && entries.length === 0 && origins?.lists.has(at) !== true;
  report({ path, place: placeIn(step), isWhole: true, isText });
  if (giver?.place.kind === 'text-file') report({ path, place: giver.place, isWhole: true, isText: true });
  else if (giver !== undefined) visit({ ...step, ...giver, place: giver.place, origins: giver.origins }, report);
  else if (given !== undefined)
    for (const each of given.by) report({ path, place: placeIn(each), isWhole: false, isText: true });
  else visitEntries(step, entries, report);
}

function visitEntries(step: Step, entries: readonly Entry[], report: ReportPart): void {
  const { path, place, origins, at } = step;
  const spliced = origins?.lists.get(at);
  if (spliced === undefined) {
    for (const { key, ...entry } of entries) visit({ ...entry, place, origins, at: at + pointerTo(key) }, report);
    return;
  }
  const contributed = contributions(spliced);
  const isWritten = (index: number) => contributed.has(index) || origins?.given.has(at + pointerTo(index));
  for (let index = 0; isWritten(index); index += 1) {
    const from = { place, origins, at: at + pointerTo(index) };
    const { first, items } = contributed.get(index) ?? { first: -1, items: [] };
    const entry = entries[first];
    // What contributes nothing has no place in the list.
    if (entry === undefined) visit({ ...from, path: `${path}/-`, entries: [] }, report);
    else if (items.length === 0) visit({ ...from, path: entry.path, value: entry.value }, report);
    else visit({ ...from, path: entry.path, entries: takenFrom(entries, items) }, report);
  }
}

function takenFrom(entries: readonly Entry[], items: readonly number[]): readonly Entry[] {
  return items.map((item, key) => ({ ...(entries[item] as Entry), key }));
}

function entriesOf({ path, value }: Step): readonly Entry[] {
  if (typeof value !== 'object' || value === null || value instanceof Secret) return [];
  return Object.entries(value).map(([key, entry]) => ({ key, path: path + pointerTo(key), value: entry }));
}

/** What an entry of a list contributes to the list as it is understood. */
interface Contribution {
  /** The place of its first item. */
  readonly first: number;
  /** The places of the items of the list to which the entry refers, in their order there. */
  readonly items: number[];
}

function contributions(spliced: readonly SplicedItem[]): ReadonlyMap<number, Contribution> {
  const entries = new Map<number, Contribution>();
  for (const { written, index, item } of spliced) {
    const entry = entries.get(written) ?? { first: index, items: [] };
    entries.set(written, entry);
    if (item !== undefined) entry.items.push(index);
  }
  return entries;
}
