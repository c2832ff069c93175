// Resolved declarations as a source file, with comments about the places of values. A comment after each field names
// the place that gives its value; if the parts of a value come from different places, each part has one.

import type { SoundLoaded } from '../../declare/load/load.ts';
import { type ValuePlaces, valuePlaces } from '../../declare/value-places.ts';
import { viaWords } from '../../deliveries/who-words.ts';
import { destinationOf, sinkFields } from '../../model/fields/delivery.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, addressOf, type Kind, kinds, kindsInOrder } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { Secret, sensitive } from '../../model/values/secret.ts';
import type { Config } from '../../model/workspace/config.ts';
import { mapLeaves } from '../../model/workspace/map-leaves.ts';
import {
  placeIn,
  type ResolvedField,
  type ResolvedResource,
  type ValuePlace,
  type Via,
} from '../../model/workspace/origins.ts';
import {
  type Declared,
  type DeclaredObject,
  declaredAttributes,
  heldField,
  type Resource,
} from '../../model/workspace/resource.ts';
import { choiceAmong, resolveOrAll } from '../../plan/select.ts';
import { type NewField, printNew } from '../../report/source-text.ts';
import { visibleText } from '../../report/text/visible-values.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { Notes } from '../../yaml/edit/print-value.ts';

/** Ends with a newline. */
export function renderResolved(resources: readonly ResolvedResource[]): string {
  const moved = resources.filter(({ address, section, key }) => address !== `${section}.${key}`);
  return printNew({
    head: [],
    sections: kindsInOrder.map((kind) => {
      const { section } = kinds[kind];
      const own = resources.filter((resource) => resource.section === section);
      return {
        section,
        entries: own.map((each) => ({ key: each.key, commentBehind: fileAndLine(each), fields: fieldsIn(each) })),
      };
    }),
    // Without its loop an instance has another address.
    list: ['moved', moved.map(({ address, section, key }) => ({ from: address, to: `${section}.${key}` }))],
  });
}

function fieldsIn({ fields }: ResolvedResource): readonly NewField[] {
  return fields.map((field) => {
    const words = wordsOf(field);
    const notesAt = (path: Pointer): Notes => ({
      words: words.get(path),
      below: (key) => notesAt(path + pointerTo(key)),
    });
    return { name: field.name, value: field.value, notes: notesAt('') };
  });
}

/** Comments keyed by the pointer of a part; the empty pointer is the whole value. */
function wordsOf({ via, parts, isHidden }: ResolvedField): ReadonlyMap<Pointer, string> {
  const whole = (words: string) => new Map([['', visibleText(words)]]);
  const [first] = parts;
  if (isHidden) return whole(`not shown, copy it from ${placeWords(via)}`);
  if (first === undefined) return whole(placeWords(via));
  const places = new Set(parts.map((part) => placeKey(part.via)));
  if (places.size === 1) return whole(placeWords(placeKey(via) === placeKey(first.via) ? via : first.via));
  const byPath = groupBy(parts, ({ path }) => path);
  const words = [...byPath].map(([path, each]) => {
    const said = new Set(each.map((part) => placeWords(part.via)));
    return [path, visibleText([...said].join('; '))] as const;
  });
  return new Map([...whole(placeWords(via)), ...words]);
}

/** The lines of one audience are one place. */
function placeKey({ kind, name, file }: Via): string {
  return JSON.stringify([kind, name, file]);
}

/** `audience partners, people.yaml:3`. */
function placeWords(via: Via): string {
  return [viaWords(via), fileAndLine(via)].filter((part) => part !== '').join(', ');
}

/**
 * A request for declarations as they are sent, each value with its place, for readers of a workspace with defaults,
 * variables and audiences. The result can be pasted as declarations, and then plans nothing.
 */
interface ResolveRequest {
  readonly loaded: SoundLoaded;
  /** Resolves keys to addresses. */
  readonly state?: State | undefined;
  /** Only these resources; all if empty. */
  readonly selectors: readonly string[];
}

/** Sorted by address. Throws Failure usage for a selector that matches nothing. */
export function resolveDeclarations({ loaded, state, selectors }: ResolveRequest): readonly ResolvedResource[] {
  const { config, desired, fileNamed } = loaded;
  const declared = desired.resources.map(({ address }) => address);
  const whyNot = () => ({ why: 'is no longer declared' });
  const { addresses } = resolveOrAll(selectors, choiceAmong(declared, { loaded, state, whyNot }));
  const chosen = desired.resources.filter(({ address }) => addresses.has(address));
  const places = valuePlaces({ resources: desired.resources, fileNamed });
  const keyOf = ownKeys(desired.resources);
  const sinkOf = sinkPlaces(config, places);
  const sorted = chosen.toSorted((a, b) => byCodeUnit(a.address, b.address));
  return sorted.map((resource) => resolveResource(resource, { places, keyOf, sinkOf }));
}

type SinkPlaces = (resource: Resource, field: string) => ValuePlace | undefined;

function sinkPlaces({ deliver, file = '' }: Config, { documents }: ValuePlaces): SinkPlaces {
  const origin = { file, document: 0, pointer: '' };
  const isThere = documents.valueAt(origin) !== undefined;
  return (resource, field) => {
    const { sink } = resource;
    if (sink === undefined || deliver === undefined || !isThere || !sinkFields.includes(field)) return undefined;
    const pointer = pointerTo('environments', sink.environment, 'deliver', String(destinationOf(resource)));
    return { kind: 'sink', origin: { ...origin, pointer }, name: sink.environment };
  };
}

interface ResolvedInput {
  readonly places: ValuePlaces;
  readonly keyOf: (address: Address) => string;
  readonly sinkOf: SinkPlaces;
}

function resolveResource(resource: Resource, { places, keyOf, sinkOf }: ResolvedInput): ResolvedResource {
  const { address, kind, origin, line, item, in: environments } = resource;
  const ofPresence: DeclaredObject = environments === undefined ? {} : { in: environments };
  const attributes: DeclaredObject = { ...resource.attributes, ...ofPresence };
  const declared: DeclaredObject = { ...declaredAttributes(resource), ...ofPresence };
  const fields = fieldNames(kind, Object.keys(attributes)).map((name): ResolvedField => {
    const { value, isHidden } = shownValue(attributes[name] ?? null, fieldsOf[kind][name]?.secret === true);
    const sink = sinkOf(resource, name);
    const own = placeIn(heldField(resource, name));
    return {
      name,
      value,
      isHidden,
      via: places.viaOf(sink ?? places.writtenAt(own)?.slot ?? own),
      parts:
        sink === undefined
          ? places
              .tracesOf(resource, name, declared[name])
              .map(({ path, place }) => ({ path, via: places.viaOf(place) }))
          : [],
    };
  });
  return {
    address,
    section: kinds[kind].section,
    key: keyOf(address),
    file: (item?.origin ?? origin).file,
    line,
    fields,
  };
}

const maxKeyLength = 64;

/** The key of a resource as a declaration of its own: an instance of a loop needs one that nothing else has. */
function ownKeys(resources: readonly Resource[]): (address: Address) => string {
  const keys = new Map<Address, string>();
  const taken = new Set<Address>();
  for (const { address, item } of resources) if (item === undefined) taken.add(address);
  for (const { address, item, kind } of [...resources].sort((a, b) => byCodeUnit(a.address, b.address))) {
    const [, first = '', ...rest] = address.split('.');
    const whole = [first, ...rest].join('-').slice(0, maxKeyLength);
    let key = whole;
    for (let count = 2; item !== undefined && taken.has(addressOf(kind, key)); count += 1)
      key = `${whole.slice(0, maxKeyLength - 5)}-${count}`;
    taken.add(addressOf(kind, key));
    keys.set(address, key);
  }
  return (address) => keys.get(address) ?? address;
}

/** In the order of a formatted file. */
function fieldNames(kind: Kind, names: readonly string[]): readonly string[] {
  const order = Object.keys(fieldsOf[kind]);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((a, b) => rank(a) - rank(b));
}

/** No reference has this form, so whoever pastes it is told to fill it in. */
const hidden = '${not shown}';

function shownValue(value: Declared, isSecret: boolean): { readonly value: Json; readonly isHidden?: true } {
  let isHidden: true | undefined;
  const shown = mapLeaves(value, (leaf) => {
    if (!(leaf instanceof Secret)) return typeof leaf === 'string' ? escaped(leaf) : leaf;
    const text = leaf.shown ?? sensitive;
    // Beside its variables a password has a text of its own, or a dollar sign that has no spelling before a reference.
    const isWhole = isSecret || leaf.variables.length === 0;
    const isLost = (isWhole && text.replaceAll(/\$\{env\.\w*\}/g, '') !== '') || text.includes('\\u0024');
    if (!isLost) return text;
    isHidden = true;
    return hidden;
  });
  return { value: shown as Json, isHidden };
}

/** A function, because `$$` in a replacement string means one `$`. */
function escaped(text: string): string {
  return text.replaceAll('${', () => '$${');
}
