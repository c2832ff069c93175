// Where the value of a field really comes from, and who else has its value from there: the resource itself, a default, an
// anchor, a variable of almanac.yaml, or a text file. Nothing is decided here; choose-place.ts does that.

import { dirname, join } from 'node:path/posix';
import { sectionOf } from '../../model/values/address.ts';
import { byCodeUnit, type Json } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { valueAt } from '../../model/values/value-at.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import type { Origin, SourceFile } from '../../model/workspace/source-file.ts';
import { parseSource } from '../../parse/parse-source.ts';
import { referencesIn } from '../../parse/written/references-in.ts';
import { type WrittenDocument, type WrittenValue, writtenDocuments } from '../../parse/written/written-values.ts';

/** A place in the source files that a value can come from. */
export type ValuePlace =
  | { readonly kind: 'resource'; readonly origin: Origin }
  /** What an alias or a merge key refers to. */
  | { readonly kind: 'anchor'; readonly origin: Origin }
  | { readonly kind: 'default'; readonly origin: Origin }
  | { readonly kind: 'variable'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'text-file'; readonly path: string };

/** What gives a field its value, or would if the places before it did not. */
export interface Supply {
  readonly place: Extract<ValuePlace, { readonly kind: 'resource' | 'anchor' | 'default' }>;
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** As written, with references. */
  readonly raw: Json;
}

/** A field of a resource that uses a place; `path` is the part of the field that does. */
export interface Use {
  readonly resource: SealedResource;
  readonly field: string;
  readonly path: Pointer;
  /** The place is the whole part: not a piece of its text. */
  readonly isWhole: boolean;
}

export interface ValueSources {
  /** The effective one first. */
  suppliesOf(resource: SealedResource, field: string): readonly Supply[];
  /** Every use of the text at a place and of what lies in it. */
  usesOf(place: ValuePlace): readonly Use[];
  variable(name: string): { readonly origin: Origin; readonly value: WrittenValue; readonly raw: Json } | undefined;
  /** The places of its document that have what is written at a place. */
  readersOf(origin: Origin): readonly Pointer[];
  /** Whether something outside of a map refers to it or to a part of it. */
  isReferredTo(origin: Origin): boolean;
  /** The value of a document, with aliases and merge keys resolved. */
  documentAt(origin: Pick<Origin, 'file' | 'document'>): Json | undefined;
}

export interface SourcesInput {
  readonly resources: readonly SealedResource[];
  readonly config: Config;
  readonly environmentName: string | undefined;
  readonly fileNamed: (path: string) => SourceFile | undefined;
}

interface OpenDocument {
  readonly written: WrittenDocument;
  readonly value: Json;
  readonly origin: Origin;
}

export function valueSources(input: SourcesInput): ValueSources {
  const open = documentReader(input.fileNamed);
  const supplies = supplyReader(input, open);
  const variable = (name: string) => variableNamed(name, input, open);
  const uses = collectUses(input.resources, supplies, variable);
  return {
    suppliesOf: supplies,
    variable,
    usesOf: (place) => uses(place),
    readersOf: ({ file, document, pointer }) => open(file).get(document)?.written.readersOf(pointer) ?? [pointer],
    isReferredTo: ({ file, document, pointer }) => open(file).get(document)?.written.isReferredTo(pointer) ?? false,
    documentAt: ({ file, document }) => open(file).get(document)?.value,
  };
}

type Open = (path: string) => ReadonlyMap<number, OpenDocument>;

function documentReader(fileNamed: SourcesInput['fileNamed']): Open {
  const known = new Map<string, ReadonlyMap<number, OpenDocument>>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const file = fileNamed(path);
    const written = file === undefined ? new Map<number, WrittenDocument>() : writtenDocuments(file);
    const documents = (file === undefined ? [] : parseSource(file).value).flatMap(({ origin, value }) => {
      const found = written.get(origin.document);
      return found === undefined ? [] : [[origin.document, { written: found, value, origin }] as const];
    });
    const opened = new Map(documents);
    known.set(path, opened);
    return opened;
  };
}

type Supplies = ValueSources['suppliesOf'];

function supplyReader({ config }: SourcesInput, open: Open): Supplies {
  const inMap = (holder: Origin, field: string, kind: 'resource' | 'default'): readonly Supply[] => {
    const document = open(holder.file).get(holder.document);
    if (document === undefined) return [];
    const own = holder.pointer + pointerTo(field);
    const suppliers = document.written.suppliersAt(own);
    return suppliers.map(({ slot, value }): Supply => {
      const origin = { ...holder, pointer: slot };
      return {
        place: { kind: slot === own ? kind : 'anchor', origin },
        value,
        raw: valueAt(document.value, slot) ?? valueAt(document.value, own) ?? null,
      };
    });
  };
  return (resource, field) => {
    const { origin, kind } = resource;
    const section = sectionOf[kind];
    const ofFile = [...open(origin.file).values()].map((document) => below(document.origin, 'defaults', section));
    const ofWorkspace = config.defaults.map((layer) => below(layer.origin, section));
    const layers = [...ofWorkspace, ...ofFile].reverse();
    return [...inMap(origin, field, 'resource'), ...layers.flatMap((layer) => inMap(layer, field, 'default'))];
  };
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}

function variableNamed(
  name: string,
  { config, environmentName }: SourcesInput,
  open: Open,
): ReturnType<ValueSources['variable']> {
  const [document] = config.file === undefined ? [] : open(config.file).values();
  if (document === undefined) return undefined;
  const own = environmentName === undefined ? [] : [pointerTo('environments', environmentName, 'variables', name)];
  for (const pointer of [...own, pointerTo('variables', name)]) {
    const [first] = document.written.suppliersAt(pointer);
    if (first === undefined) continue;
    const raw = valueAt(document.value, pointer) ?? null;
    return { origin: { ...document.origin, pointer: first.slot }, value: first.value, raw };
  }
  return undefined;
}

function collectUses(
  resources: readonly SealedResource[],
  supplies: Supplies,
  variable: ValueSources['variable'],
): ValueSources['usesOf'] {
  const texts = new Map<string, Map<Pointer, Use[]>>();
  const names = new Map<string, Use[]>();
  const add = <K>(map: Map<K, Use[]>, key: K, use: Use): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [use]);
    else known.push(use);
  };
  const addText = (origin: Origin, use: Use): void => {
    const key = documentKey(origin);
    const inDocument = texts.get(key) ?? new Map<Pointer, Use[]>();
    texts.set(key, inDocument);
    add(inDocument, origin.pointer, use);
  };
  const visit = (origin: Origin, value: WrittenValue, raw: Json, use: Use, isInterpolated: boolean): void => {
    addText(origin, use);
    if (value.pointer !== origin.pointer) addText({ ...origin, pointer: value.pointer }, use);
    if (typeof raw === 'string' && isInterpolated) visitReferences(origin, raw, use);
    if (typeof raw !== 'object' || raw === null) return;
    for (const [key, part] of Object.entries(raw)) {
      const [supplier] = value.suppliers(key);
      if (supplier === undefined) continue;
      const inside = { ...use, path: use.path + pointerTo(key) };
      visit({ ...origin, pointer: supplier.slot }, supplier.value, part as Json, inside, isInterpolated);
    }
  };
  const visitReferences = (origin: Origin, text: string, use: Use): void => {
    const { all, whole } = referencesIn(text);
    for (const { namespace, name } of all) {
      const used = { ...use, isWhole: whole !== undefined };
      if (namespace === 'file') add(names, textFileKey(textFilePath(origin.file, name)), used);
      if (namespace !== 'var') continue;
      add(names, variableKey(name), used);
      const found = variable(name);
      if (found !== undefined) visit(found.origin, found.value, found.raw, used, false);
    }
  };
  for (const resource of resources) {
    for (const field of Object.keys(resource.attributes)) {
      const [supply] = supplies(resource, field);
      if (supply === undefined) continue;
      visit(supply.place.origin, supply.value, supply.raw, { resource, field, path: '', isWhole: true }, true);
    }
  }
  const sortedPointers = memoize((key: string) => [...(texts.get(key)?.keys() ?? [])].sort(byCodeUnit));
  const within = (origin: Origin): readonly Use[] => {
    const key = documentKey(origin);
    const found = pointersWithin(sortedPointers(key), origin.pointer);
    return found.flatMap((pointer) => texts.get(key)?.get(pointer) ?? []);
  };
  return (place) => {
    if (place.kind === 'text-file') return names.get(textFileKey(place.path)) ?? [];
    if (place.kind !== 'variable') return within(place.origin);
    return [...(names.get(variableKey(place.name)) ?? []), ...within(place.origin)];
  };
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

function variableKey(name: string): string {
  return `var ${name}`;
}

function textFileKey(path: string): string {
  return `file ${path}`;
}

/** The path of `${file.…}` in the workspace. */
export function textFilePath(file: string, reference: string): string {
  return join(dirname(file), reference);
}
