// The places in source files that give a field its value, and their users. The resolver has recorded both; documents
// are opened for aliases and merge keys, and for lines.

import { memoize, once } from '../model/values/collections.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { type Pointer, parentOf } from '../model/values/pointer.ts';
import type { Origin } from '../model/workspace/diagnostic.ts';
import type { LocatedPlace, ValuePlace, Via } from '../model/workspace/origins.ts';
import { declaredAttributes, type Resource, type Sink } from '../model/workspace/resource.ts';
import { makeLocator } from '../yaml/locate.ts';
import { type FileNamed, type ParsedFiles, parsedFiles } from '../yaml/parsed-files.ts';
import { walkPlaces } from './walk-places.ts';

/** A resource of which only the shape of its attributes is read. */
interface DeclaringResource extends Pick<Resource, 'address' | 'origin' | 'origins' | 'item'> {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly sink?: Sink<Readonly<Record<string, unknown>>>;
}

interface Trace {
  /** The part, inside the resolved field; empty for all of it. */
  readonly path: Pointer;
  readonly place: ValuePlace;
}

/** A field of a resource that uses a place; `path` is the part of the field that does. */
export interface Use {
  readonly resource: DeclaringResource;
  readonly field: string;
  readonly path: Pointer;
  /** True if the place gives the whole part, and not a piece of its text. */
  readonly isWhole: boolean;
}

interface PlaceInDocument {
  /** The entry in the map or list that contains it; there may be an alias. */
  readonly slot: LocatedPlace;
  /** Behind the alias. */
  readonly text: LocatedPlace;
}

export interface ValuePlaces {
  readonly documents: ParsedFiles;
  /** Undefined if nothing is written. */
  writtenAt(place: LocatedPlace): PlaceInDocument | undefined;
  /** The sources of every part, in order. Several give the same part if they are equal, or if its text has them all. */
  tracesOf(resource: DeclaringResource, field: string, value: unknown): readonly Trace[];
  /** Every use of the text at a place and inside it. */
  usesOf(place: ValuePlace): readonly Use[];
  /** The place as people look it up: a file and a line. */
  viaOf(place: ValuePlace): Via;
}

interface PlacesInput {
  readonly resources: readonly DeclaringResource[];
  readonly fileNamed: FileNamed;
}

export function valuePlaces({ resources, fileNamed }: PlacesInput): ValuePlaces {
  const documents = parsedFiles(fileNamed);
  const writtenAt = (place: LocatedPlace) => writtenIn(place, documents);
  const locator = makeLocator(fileNamed);
  // Not every question needs all uses.
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

/** The values of an alias or a merge key are written elsewhere. */
function writtenIn(place: LocatedPlace, { suppliersAt }: ParsedFiles): PlaceInDocument | undefined {
  if (place.kind === 'item' && place.part !== undefined) return { slot: place, text: place };
  const [supplier] = suppliersAt(place.origin);
  return supplier && { slot: movedTo(place, supplier.slot), text: movedTo(place, supplier.text) };
}

/** A value that is written elsewhere, without a name of its own, is at an anchor. */
export function movedTo(place: LocatedPlace, pointer: Pointer): LocatedPlace {
  if (pointer === place.origin.pointer) return place;
  const origin = { ...place.origin, pointer };
  return 'name' in place ? { ...place, origin } : { kind: 'anchor', origin };
}

type WrittenAt = ValuePlaces['writtenAt'];

function tracesOf(resource: DeclaringResource, field: string, value: unknown, writtenAt: WrittenAt): readonly Trace[] {
  const traces: Trace[] = [];
  walkPlaces(resource, field, value, ({ path, place, isWhole, isText }) => {
    if (!isText) return;
    if (place.kind === 'text-file') return void traces.push({ path, place });
    // A value that completes a map is not written, and exists because of the map.
    const written =
      writtenAt(place) ?? writtenAt({ ...place, origin: { ...place.origin, pointer: parentOf(place.origin.pointer) } });
    if (written !== undefined) traces.push({ path, place: isWhole ? written.text : written.slot });
  });
  return traces;
}

function collectUses(resources: readonly DeclaringResource[], writtenAt: WrittenAt): ValuePlaces['usesOf'] {
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
      walkPlaces(resource, field, value, ({ path, place, isWhole }) => {
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

/** A user of one part of an audience, or of one value of a variable, may use the others. */
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
