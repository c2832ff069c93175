// Every edit that takes an address out of the source files, from all environments together, and what must stay because a
// schedule or a list would be left with nobody.

import { configOf } from '../../apply/propose/basis.ts';
import { type ValuePlaces, valuePlaces } from '../../declare/value-places.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import type { Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import type { LocatedPlace } from '../../model/workspace/origins.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { OpenDocuments } from '../../yaml/written/open-documents.ts';
import type { LoadedSide } from '../base/edit/prove-everywhere.ts';
import { receiversOf } from '../base/people/who.ts';
import { type Leaving, type NamingField, occurrencesIn, type Writing } from './written-places.ts';

export interface PersonEdit {
  readonly key: string;
  readonly origin: Origin;
  readonly line: number | undefined;
  readonly list: Origin | undefined;
  readonly before: string;
  readonly value: string | undefined;
  readonly isCell: boolean;
  /** Who uses it. */
  readonly addresses: Set<Address>;
  /** Of an environment in which it is used. */
  readonly documents: OpenDocuments;
}

/** A place that makes somebody a recipient or an owner. */
export interface Use {
  readonly environment: string | undefined;
  /** `environments.NAME` of a sink, `audiences.NAME` of an audience that nothing uses. */
  readonly address: string;
  /** Of the edit; undefined where it cannot be edited. */
  readonly key: string | undefined;
  readonly field: NamingField | 'sink';
}

export interface CollectedEdits {
  readonly edits: readonly PersonEdit[];
  readonly uses: readonly Use[];
  /** Why, by address. */
  readonly blocked: Map<string, string>;
  /** Those of them that stay only because they would have no recipient left. */
  readonly lastOnes: ReadonlySet<string>;
}

interface Collecting extends Leaving {
  readonly sides: readonly LoadedSide[];
}

/** What is found, place by place. */
interface Collection {
  readonly edits: Map<string, PersonEdit>;
  readonly uses: Use[];
  readonly blocked: Map<string, string>;
  readonly lastOnes: Set<string>;
  /** Of edits that are not made: for whose sake, by the key of the edit. */
  readonly withheld: Map<string, string>;
}

export function collectEdits(
  { sides, ...leaving }: Collecting,
  whyFixed: (path: string) => string | undefined,
): CollectedEdits {
  const collection: Collection = {
    ...{ edits: new Map(), uses: [], blocked: new Map(), lastOnes: new Set(), withheld: new Map() },
  };
  for (const side of sides) collectSide(side, leaving, collection);
  const { edits, uses, blocked, lastOnes, withheld } = collection;
  withholdWholeLists([...edits.values()], withheld, blocked);
  withholdFixedFiles(collection, whyFixed);
  blockWhatShares(collection);
  const isOnlyLast = (address: string) => blocked.get(address) === noneLeft;
  const left = [...edits.values()].filter(({ key }) => !withheld.has(key));
  return { edits: left, uses, blocked, lastOnes: new Set([...lastOnes].filter(isOnlyLast)) };
}

/** Collects in one environment. */
interface Collector {
  readonly environment: string | undefined;
  readonly leaving: Leaving;
  readonly places: ValuePlaces;
  /** Returns the key of the edit. */
  readonly add: (address: string, writing: Writing, field: Use['field']) => string;
  readonly block: (address: string, why: string) => void;
  readonly collection: Collection;
}

function collectSide({ side, loaded }: LoadedSide, leaving: Leaving, collection: Collection): void {
  const { desired, audiences, fileNamed } = loaded;
  const config = configOf(loaded);
  const places = valuePlaces({ resources: desired.resources, fileNamed });
  const { documents, viaOf } = places;
  const environment = side.name;
  const { edits, uses, blocked } = collection;
  const add: Collector['add'] = (address, { place, list, before, value }, field) => {
    const { origin } = place;
    const key = keyOf(origin);
    const isCell = place.kind === 'item' && place.part === 'cell';
    const edit: PersonEdit = edits.get(key) ?? {
      ...{ key, origin, list, value, isCell, documents },
      before: before === '' ? leaving.email : before,
      line: viaOf(place).line,
      addresses: new Set(),
    };
    edit.addresses.add(address);
    edits.set(key, edit);
    uses.push({ environment, address, key, field });
    return key;
  };
  const block: Collector['block'] = (address, why) => {
    const before = blocked.get(address);
    if (before?.includes(why)) return;
    blocked.set(address, before === undefined ? why : `${before} ${why}`);
  };
  const collector: Collector = { environment, leaving, places, add, block, collection };
  for (const resource of desired.resources) collectResource(resource, collector);
  for (const { name, origin } of audiences?.values() ?? [])
    for (const writing of textsIn({ ...origin, pointer: `${origin.pointer}/emails` }, collector))
      if (!edits.has(keyOf(writing.place.origin))) add(`audiences.${name}`, writing, 'recipients');
  collectSink(config, collector);
}

function collectResource(
  resource: Resource,
  { environment, leaving, places, add, block, collection }: Collector,
): void {
  const { uses, withheld, lastOnes } = collection;
  const { address } = resource;
  const { email, to } = leaving;
  const isLast = to === undefined && receiversOf(resource).every(({ recipient }) => recipient === email);
  for (const each of occurrencesIn(resource, leaving, places)) {
    const { field } = each;
    const isLastOne = isLast && field === 'recipients';
    if ('why' in each) {
      uses.push({ environment, address, key: undefined, field });
      if (!isLastOne) block(address, each.why);
    } else {
      const key = add(address, each.writing, field);
      if (isLastOne) withheld.set(key, address);
    }
    if (!isLastOne) continue;
    block(address, noneLeft);
    lastOnes.add(address);
  }
}

function collectSink({ file, deliver }: Config, collector: Collector): void {
  const { environment, leaving, add, block, collection } = collector;
  const { email, to } = leaving;
  if (file === undefined || environment === undefined || deliver?.email === undefined) return;
  const pointer = pointerTo('environments', environment, 'deliver', 'email');
  const sink = `environments.${environment}`;
  const isTheirs = (each: string) => each.toLowerCase() === email;
  const isAlone = to === undefined && deliver.email.every(isTheirs);
  const found = textsIn({ file, document: 0, pointer }, collector);
  if (found.length < deliver.email.filter(isTheirs).length)
    block(sink, 'Its sink names the address where Almanac cannot edit it. Change it yourself.');
  for (const writing of found) {
    const key = add(sink, writing, 'sink');
    if (!isAlone) continue;
    collection.withheld.set(key, sink);
    block(sink, 'Its sink would have no recipient left. Name somebody with --to.');
  }
}

/** The items of a list that are the address. */
function textsIn(origin: Origin, { leaving: { email, to }, places: { documents } }: Collector): readonly Writing[] {
  const found = documents.valueAt(origin);
  const list: readonly Json[] = Array.isArray(found) ? found : [];
  return list.flatMap((each, index) => {
    if (typeof each !== 'string' || each.toLowerCase() !== email) return [];
    const place: LocatedPlace = { kind: 'resource', origin: { ...origin, pointer: origin.pointer + pointerTo(index) } };
    // What an alias gives is written elsewhere.
    if (documents.lineOf(place.origin) === undefined) return [];
    const isNamed = (name: string | undefined) => (other: Json) =>
      typeof other === 'string' && other.toLowerCase() === name;
    const isThere = list.some(isNamed(to?.toLowerCase())) || list.slice(0, index).some(isNamed(email));
    return [{ place, list: origin, before: each, value: isThere ? undefined : to }];
  });
}

function withholdFixedFiles(
  { edits, withheld, blocked }: Collection,
  whyFixed: (path: string) => string | undefined,
): void {
  for (const { key, origin, addresses } of edits.values()) {
    const why = whyFixed(origin.file);
    if (why === undefined) continue;
    withheld.set(key, origin.file);
    for (const address of addresses) blocked.set(address, `${origin.file} cannot be written: ${why}.`);
  }
}

/** What uses a place that stays because of others stays as well. */
function blockWhatShares({ edits, uses, blocked, withheld }: Collection): void {
  for (const { address, key = '' } of uses) {
    const because = withheld.get(key);
    if (because === undefined || blocked.has(address)) continue;
    const place = edits.get(key);
    const where =
      place === undefined ? '' : ` in ${place.origin.file}${place.line === undefined ? '' : `:${place.line}`}`;
    blocked.set(address, `It shares the address${where} with ${because}, which would have no recipient left.`);
  }
}

const noneLeft = 'It would have no recipient left. Name somebody with --to, or remove it.';

function keyOf({ file, document, pointer }: Origin): string {
  return JSON.stringify([file, document, pointer]);
}

/** What others refer to must hold somebody. */
function withholdWholeLists(
  edits: readonly PersonEdit[],
  withheld: Map<string, string>,
  blocked: Map<string, string>,
): void {
  const removed = edits.filter(
    ({ key, list, value }) => list !== undefined && value === undefined && !withheld.has(key),
  );
  const byList = groupBy(removed, ({ list }) => (list === undefined ? '' : keyOf(list)));
  for (const own of byList.values()) {
    const [{ list, documents } = { list: undefined, documents: undefined }] = own;
    const items = list && documents?.valueAt(list);
    if (list === undefined || !Array.isArray(items) || items.length > own.length) continue;
    const reason = `The list in ${list.file}${own[0]?.line === undefined ? '' : `:${own[0].line}`} would be empty. Name somebody with --to, or remove the list.`;
    for (const { key, addresses } of own) {
      withheld.set(key, 'its list');
      for (const address of addresses) if (!blocked.has(address)) blocked.set(address, reason);
    }
  }
}
