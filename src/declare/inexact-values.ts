// Errors for numbers in filters that YAML does not keep as written. A filter compares with them as if they were texts,
// or within one, so the rows of another value pass. Such a number may be written in a default, behind an alias, in a
// variable or in an item. What a secret is given is never shown. Loaded only where a file has such a number.

import { isOfNumbers } from '../model/fields/conditions.ts';
import { secretFieldsOf } from '../model/fields/fields.ts';
import type { Address } from '../model/values/address.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import type { Finding, Place, SourceFile } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { revealSecrets } from '../model/workspace/map-leaves.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { makeLocator } from '../yaml/locate.ts';
import { inexactWords } from '../yaml/parse-source.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';
import { conditionsIn, type FiltersOfKind } from './rules/filter-shape.ts';
import { walkPlaces } from './walk-places.ts';

/** The same findings: as errors where a filter of these resources compares with the number, and none where it is a secret. */
export function inexactInResources(
  findings: readonly Finding[],
  resources: readonly Resource[],
  fileNamed: (path: string) => SourceFile | undefined,
): readonly Finding[] {
  const inexact = findings.filter(({ code }) => code === 'inexact-number');
  const files = new Set(inexact.flatMap(({ place }) => place?.file ?? []));
  const spots = new Set(inexact.map(({ place }) => spotOf(place)));
  const locator = makeLocator(fileNamed);
  const spotted = ({ place, ...written }: NumberPlace) => {
    const { source = '', start } = (files.has(place.file) && locator.writtenAt(place)) || {};
    const spot = `${start} ${place.file}`;
    return spots.has(spot) ? [{ ...written, source, spot }] : [];
  };
  const compared = new Map<string, InexactValue>();
  const secret = new Set<string>();
  const filters = new Set<string>();
  for (const resource of resources) {
    for (const { spot } of secretValues(resource).flatMap(spotted)) secret.add(spot);
    for (const { spot, filter, source, isWhole } of comparedValues(resource).flatMap(spotted)) {
      filters.add(JSON.stringify(placeOfField(resource, filter).place));
      const known = compared.get(spot);
      const by = (known?.by ?? new Set()).add(resource.address);
      compared.set(spot, { source, isWhole: isWhole || known?.isWhole === true, by });
    }
  }
  const faulty = new Set([...compared.values()].flatMap(({ by }) => [...by]));
  return findings.flatMap((finding) => {
    // Its hint would hold another number than the file.
    if (finding.code === 'filter-shape' && filters.has(JSON.stringify(finding.place))) return [];
    // What it compares with is said first.
    const { address, concerns = [] } = finding;
    if (finding.code === 'filter-incomplete' && [...concerns, address].some((at) => at && faulty.has(at))) return [];
    const spot = finding.code === 'inexact-number' ? spotOf(finding.place) : '';
    // The type of its value is wrong, which is said where it is used.
    if (secret.has(spot)) return [];
    const found = compared.get(spot);
    if (found === undefined) return finding;
    const { source, by } = found;
    return { ...finding, ...inexactWords(source, found), severity: 'error', concerns: [...by] } as const;
  });
}

interface InexactValue {
  readonly source: string;
  /** Of one filter at least it is a value, not a piece of one. */
  readonly isWhole: boolean;
  readonly by: Set<Address>;
}

function spotOf(place: Place | undefined): string {
  return place !== undefined && 'span' in place ? `${place.span.start} ${place.file}` : '';
}

/** What may be a number that gives a value or, within a text, a piece of one. */
interface NumberPlace {
  readonly isWhole: boolean;
  /** Of the entry of the field that it is in. */
  readonly filter: Pointer;
  readonly place: Extract<Place, { readonly pointer: Pointer }>;
}

/** What gives the values that the filters of a resource compare with without a word that they are numbers. */
function comparedValues(resource: Resource): readonly NumberPlace[] {
  const { filters } = kindsOfDeclaration[resource.kind];
  const value = filters && revealSecrets(resource.attributes).value[filters.field];
  if (filters === undefined || !isJsonObject(value)) return [];
  const values = new Map(Object.entries(value).flatMap(([id, each]) => valuesIn(each, filters, pointerTo(id))));
  return writtenIn(resource, filters.field, values);
}

function secretValues(resource: Resource): readonly NumberPlace[] {
  const { value } = revealSecrets(resource.attributes);
  return secretFieldsOf[resource.kind].flatMap((field) =>
    writtenIn(resource, field, new Map(textsOf(value[field] ?? null, ''))),
  );
}

/** `values`: by their place in the field. */
function writtenIn(resource: Resource, field: string, values: ReadonlyMap<Pointer, Json>): readonly NumberPlace[] {
  if (values.size === 0) return [];
  const found: NumberPlace[] = [];
  walkPlaces(resource, field, resource.attributes[field], ({ path, place, isWhole, isText }) => {
    const value = values.get(path);
    if (value === undefined || isWhole !== (typeof value === 'number') || !isText || place.kind === 'text-file') return;
    const filter = pointerTo(field, ...pointerSegments(path).slice(0, 1));
    found.push({ isWhole, filter, place: { ...place.origin, at: 'value' } });
  });
  return found;
}

type ValueAt = readonly [pointer: Pointer, value: Json];

/** What is no map counts as its values. */
function valuesIn(filter: Json, of: FiltersOfKind, pointer: Pointer): readonly ValueAt[] {
  if (!isJsonObject(filter)) return textsOf(filter, pointer);
  return conditionsIn(filter, of, pointer).flatMap(({ filter: condition, pointer: at }) =>
    isOfNumbers(condition) ? [] : textsOf(condition['values'] ?? null, at + pointerTo('values')),
  );
}

/** The numbers and the texts. */
function textsOf(value: Json, pointer: Pointer): readonly ValueAt[] {
  if (typeof value === 'number' || typeof value === 'string') return [[pointer, value]];
  return Array.isArray(value) ? value.flatMap((each: Json, index) => textsOf(each, pointer + pointerTo(index))) : [];
}
