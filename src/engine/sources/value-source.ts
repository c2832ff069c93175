// Where the value of a field really comes from, and who else has its value from there: the resource itself, a default, an
// anchor, a variable of almanac.yaml, an audience, or a text file. Nothing is decided here.

import { sectionOf } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { valueAt } from '../../model/values/value-at.ts';
import type { Audiences } from '../../model/workspace/composed/audience.ts';
import type { Composed } from '../../model/workspace/composed/composed.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Origin, SourceFile } from '../../model/workspace/source-file.ts';
import { halfFor } from '../../parse/expand/use-audience.ts';
import { parseSource } from '../../parse/parse-source.ts';
import type { Reference } from '../../parse/written/references-in.ts';
import { type WrittenDocument, type WrittenValue, writtenDocuments } from '../../parse/written/written-values.ts';
import { parseYaml } from '../../parse/yaml-documents.ts';
import { collectUses } from './collect-uses.ts';
import { traceValue } from './trace-value.ts';
import type { Declaring, LocatedPlace, Trace, Use, ValuePlace } from './value-place.ts';
import { type Referred, type Walk, walkValue } from './walk-value.ts';

/** What gives a field its value, or would if the places before it did not. */
export interface Supply {
  readonly place: Extract<LocatedPlace, { readonly kind: 'resource' | 'anchor' | 'default' }>;
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** As written, with references. */
  readonly raw: Json;
}

/** What an audience gives to one kind of destination. */
interface AudienceValue {
  readonly origin: Origin;
  readonly value: WrittenValue;
  readonly raw: Json;
  readonly composed?: Composed | undefined;
}

/** The raw value of a cell is not told. */
export interface ItemValue extends Omit<Referred, 'place'> {
  readonly place: Extract<LocatedPlace, { readonly kind: 'item' }>;
}

export interface ValueSources {
  /** Through the value of a field, and all that it refers to. */
  readonly walk: Walk;
  /** Of every part, in their order. Several give the same part if they say the same, or if its text is made of them. */
  tracesOf(resource: Declaring, field: string): readonly Trace[];
  /** The effective one first. */
  suppliesOf(resource: Declaring, field: string): readonly Supply[];
  /** Every use of the text at a place and of what lies in it. */
  usesOf(place: ValuePlace): readonly Use[];
  variable(name: string): { readonly origin: Origin; readonly value: WrittenValue; readonly raw: Json } | undefined;
  audience(resource: Declaring, name: string): AudienceValue | undefined;
  /** What `${each.NAME}` means in an instance of a loop. */
  item(resource: Declaring, name: string): ItemValue | undefined;
  /** The places of its document that have what is written at a place. */
  readersOf(origin: Origin): readonly Pointer[];
  /** Whether something outside of a map refers to it or to a part of it. */
  isReferredTo(origin: Origin): boolean;
  /** The line of a written place of a YAML file, from 1; undefined where nothing is written. */
  lineOf(origin: Origin): number | undefined;
  /** The value of a document, with aliases and merge keys resolved. */
  documentAt(origin: Pick<Origin, 'file' | 'document'>): Json | undefined;
}

export interface SourcesInput {
  readonly resources: readonly Declaring[];
  readonly audiences?: Audiences | undefined;
  readonly config: Config;
  readonly fileNamed: (path: string) => SourceFile | undefined;
  /** What a file was parsed to, for whoever has parsed it before. */
  readonly yamlOf?: YamlOf | undefined;
}

export type YamlOf = typeof parseYaml;

interface OpenDocument {
  readonly written: WrittenDocument;
  readonly value: Json;
  readonly origin: Origin;
}

export function valueSources(input: SourcesInput): ValueSources {
  const open = documentReader(input);
  const supplies = supplyReader(input, open);
  const variable = memoize((name: string) => variableNamed(name, input, open));
  const audience = (resource: Declaring, name: string) => audienceFor(resource, name, input, open);
  const item = (resource: Declaring, name: string, at: Pointer) => itemValue(resource, name, at, input, open);
  const walk = walker(supplies, { variable, audience, item });
  // Not every question needs the uses of everything.
  const uses = memoize((_: 'all') => collectUses(input.resources, walk));
  return {
    walk,
    suppliesOf: supplies,
    tracesOf: (resource, field) => traceValue(resource, field, walk),
    variable,
    audience,
    item: (resource, name) => item(resource, name, ''),
    usesOf: (place) => uses('all')(place),
    readersOf: ({ file, document, pointer }) => open(file).get(document)?.written.readersOf(pointer) ?? [pointer],
    isReferredTo: ({ file, document, pointer }) => open(file).get(document)?.written.isReferredTo(pointer) ?? false,
    lineOf: ({ file, document, pointer }) => open(file).get(document)?.written.lineOf(pointer),
    documentAt: ({ file, document }) => open(file).get(document)?.value,
  };
}

type Open = (path: string) => ReadonlyMap<number, OpenDocument>;

function documentReader({ fileNamed, yamlOf = parseYaml }: SourcesInput): Open {
  const known = new Map<string, ReadonlyMap<number, OpenDocument>>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const file = fileNamed(path);
    // Parsed once for the values and for their places.
    const yaml = file && yamlOf(file);
    const written = yaml === undefined ? new Map<number, WrittenDocument>() : writtenDocuments(yaml);
    const sources = file === undefined ? [] : parseSource(file, yaml).value;
    const documents = sources.flatMap(({ origin, value }) => {
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

function variableNamed(name: string, { config }: SourcesInput, open: Open): ReturnType<ValueSources['variable']> {
  const [document] = config.file === undefined ? [] : open(config.file).values();
  if (document === undefined) return undefined;
  const { environment } = config;
  const own = environment === undefined ? [] : [pointerTo('environments', environment, 'variables', name)];
  for (const pointer of [...own, pointerTo('variables', name)]) {
    const [first] = document.written.suppliersAt(pointer);
    if (first === undefined) continue;
    const raw = valueAt(document.value, pointer) ?? null;
    return { origin: { ...document.origin, pointer: first.slot }, value: first.value, raw };
  }
  return undefined;
}

function audienceFor(
  { kind, attributes }: Declaring,
  name: string,
  { audiences }: SourcesInput,
  open: Open,
): AudienceValue | undefined {
  const declared = audiences?.get(name);
  const half = declared && halfFor({ kind, destinationType: attributes['destinationType'] }, declared);
  const document = declared && open(declared.origin.file).get(declared.origin.document);
  if (declared === undefined || half === undefined || document === undefined) return undefined;
  const pointer = declared.origin.pointer + pointerTo(half);
  const [first] = document.written.suppliersAt(pointer);
  if (first === undefined) return undefined;
  const raw = valueAt(document.value, pointer) ?? null;
  const { composed } = declared;
  return { origin: { ...declared.origin, pointer: first.slot }, value: first.value, raw, composed };
}

/** A value of the item that an instance is made from. */
function itemValue(
  { item, composed }: Declaring,
  name: string,
  at: Pointer,
  { fileNamed, config }: SourcesInput,
  open: Open,
): ItemValue | undefined {
  if (item === undefined) return undefined;
  const { key, origin } = item;
  const pointer = ['key', 'value'].includes(name) ? origin.pointer : origin.pointer + pointerTo(name);
  const place = { kind: 'item', origin: { ...origin, pointer }, name: key } as const;
  const cell = { pointer, suppliers: () => [], keys: () => [] };
  const part = name === 'key' ? 'key' : fileNamed(origin.file)?.isTable === true ? 'cell' : undefined;
  if (part !== undefined) return { place: { ...place, part }, value: cell, raw: key, isInterpolated: false, at };
  const document = open(origin.file).get(origin.document);
  const [first] = document?.written.suppliersAt(pointer) ?? [];
  if (document === undefined || first === undefined) return undefined;
  const raw = valueAt(document.value, pointer) ?? null;
  const isInterpolated = origin.file !== config.file;
  return {
    place: { ...place, origin: { ...origin, pointer: first.slot } },
    value: first.value,
    raw,
    isInterpolated,
    composed,
    at,
  };
}

interface Lookups extends Pick<ValueSources, 'variable' | 'audience'> {
  readonly item: (resource: Declaring, name: string, at: Pointer) => Referred | undefined;
}

function walker(supplies: Supplies, { variable, audience, item }: Lookups): Walk {
  const follow = (resource: Declaring, { namespace, name }: Reference, from: Pointer): Referred | undefined => {
    if (namespace === 'each') return item(resource, name, from);
    if (namespace === 'var') {
      const found = variable(name);
      if (found === undefined) return undefined;
      const { origin, ...rest } = found;
      return { ...rest, place: { kind: 'variable', origin, name }, isInterpolated: false, at: '' };
    }
    const found = namespace === 'audience' ? audience(resource, name) : undefined;
    if (found === undefined) return undefined;
    const { origin, ...rest } = found;
    const at = pointerTo(pointerSegments(origin.pointer).at(-1) ?? '');
    return { ...rest, place: { kind: 'audience', origin, name }, isInterpolated: true, at };
  };
  return (resource, field, visitor) => {
    const [supply] = supplies(resource, field);
    if (supply === undefined) return;
    const start = { ...supply, isInterpolated: true, composed: resource.composed, at: pointerTo(field) };
    walkValue(start, { ...visitor, follow: (reference, from) => follow(resource, reference, from) });
  };
}
