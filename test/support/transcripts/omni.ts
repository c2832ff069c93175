// The service of a transcript: an emulator, what somebody changes in it, what it holds, and what it was sent. Ids are shown as
// the names of what they belong to: `<Weekly sales>`.

import { parse, stringify } from 'yaml';
import { giveIdentifier } from '../../../src/emulator/documents.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { parseFault } from '../../../src/emulator/faults.ts';
import type { EmulatorData } from '../../../src/emulator/store.ts';
import { hook } from '../vocabulary.ts';

export interface Omni {
  readonly host: string;
  readonly environment: Readonly<Record<'OMNI_BASE_URL' | 'OMNI_API_TOKEN', string>>;
  readonly emulator: Emulator;
  /** Somebody makes what has this name, or changes it, or removes it where nothing is said. */
  edit(collection: string, name: string, text: string): void;
  /** A line for each of a collection, with these fields. */
  holds(collection: string, fields: readonly string[]): string;
  /** The requests since the last call, without those that read unless they are asked for. */
  sent(withReads: boolean): string;
}

/** Parameters that say which part of a list is asked for. */
const paging = ['cursor', 'pageSize', 'sortField', 'sortDirection', 'startIndex', 'count'];

interface Thing {
  readonly [field: string]: unknown;
  readonly id?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** `setup`: `core` or `full`, then faults, and options such as `rateLimit=5`. */
export async function openOmni(setup: readonly string[], given: EmulatorOptions): Promise<Omni> {
  const [operations, ...more] = setup;
  const options = more.map((word) => /^(\w+)=(.+)$/.exec(word)).filter((option) => option !== null);
  const faults = more.filter((word) => !/^\w+=/.test(word)).map(parseFault);
  const emulator = createEmulator({
    ...{ rateLimit: 0, operations: operations as 'core' | 'full', faults },
    ...given,
    ...Object.fromEntries(options.map(([, name, value = '']) => [name, parse(value)])),
  });
  const { baseUrl, organizationKey } = await emulator.listen();
  const names = new Map<string, string>();
  let [seen, made] = [0, 0];

  /** What is no more has the name that it had. */
  const learn = (): void => {
    for (const thing of Object.values(collectionsOf(emulator.data())).flat()) {
      if (thing.id === undefined || names.has(thing.id)) continue;
      const same = [...names.values()].filter((name) => name.replace(/ \d+$/, '') === nameOf(thing)).length;
      names.set(thing.id, same === 0 ? nameOf(thing) : `${nameOf(thing)} ${same + 1}`);
    }
  };
  const named = (text: string): string =>
    text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => `<${names.get(id) ?? 'ID'}>`);
  const withIds = (text: string): string =>
    text.replace(/<([^<>]+)>/g, (said, name) => [...names].find(([, each]) => each === name)?.[0] ?? said);
  learn();

  return {
    emulator,
    host: new URL(baseUrl).host,
    environment: { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey },
    edit: (collection, name, text) => {
      learn();
      const change = parse(withIds(text)) as Thing | null;
      emulator.edit((data) => {
        const all = collectionsOf(data)[collection];
        if (all === undefined) throw new Error(`Omni has no ${collection}`);
        const found = all.filter((thing) => namesOf(thing).includes(name));
        if (change === null && found.length === 0) throw new Error(`Omni has no ${name} among its ${collection}`);
        if (change === null) for (const thing of found) all.splice(all.indexOf(thing), 1);
        else if (found.length > 0)
          for (const thing of found) become(thing, merged(rename(thing, change, data), change));
        else all.push(merged(newThing(collection, name, ++made, data, given.now?.() ?? 0), change));
      });
      learn();
    },
    holds: (collection, fields) => {
      learn();
      const things = collectionsOf(emulator.data())[collection] ?? [];
      return things.map((thing) => `${nameOf(thing)}: ${named(inOneLine(thing, fields))}\n`).join('');
    },
    sent: (withReads) => {
      learn();
      const all = emulator.requests();
      const lines = all.slice(seen).flatMap(({ method, path, query }) => {
        const isRead = method === 'GET';
        const asked = Object.entries(query).filter(([name]) => !paging.includes(name));
        const parameters = asked.map(([name, value], index) => `${index === 0 ? '?' : '&'}${name}=${value}`).join('');
        const line = named(`${method} ${path.replace('/api', '')}${parameters}`);
        return isRead && !withReads ? [] : [line];
      });
      seen = all.length;
      return counted(lines);
    },
  };
}

function collectionsOf(data: EmulatorData): Readonly<Record<string, Thing[]>> {
  const lists = Object.entries(data).filter(([name, list]) => Array.isArray(list) && name !== 'tokens');
  return Object.fromEntries(lists) as unknown as Readonly<Record<string, Thing[]>>;
}

const namesOf = ({ name, fields, email, identifier, id }: Thing): readonly string[] =>
  [name, fields?.['name'], email, identifier, id].filter((each) => typeof each === 'string');

const nameOf = (thing: Thing): string => namesOf(thing)[0] ?? '';

function newThing(collection: string, name: string, count: number, data: EmulatorData, now: number): Thing {
  const id = `10000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
  if (collection === 'members') return { id, name: name.replace(/@.*/, ''), email: name };
  if (collection !== 'schedules') return { id, name };
  const at = new Date(now).toISOString();
  const own = { ownerId: data.members[0]?.id ?? null, createdAt: at, updatedAt: at, hasPassword: false };
  return { id, ...own, fields: { ...hook(), name } };
}

/** The schedules of a document that gets another identifier stay on it. */
function rename(thing: Thing, { identifier }: Thing, data: EmulatorData): Thing {
  const document = data.documents.find((each) => each === thing);
  if (document !== undefined && typeof identifier === 'string') giveIdentifier(document, identifier, data);
  return thing;
}

/** The emulator may hold the thing elsewhere, too. */
function become(thing: Record<string, unknown>, now: Thing): void {
  for (const name of Object.keys(thing)) if (!Object.hasOwn(now, name)) delete thing[name];
  Object.assign(thing, now);
}

/** What is sent to another kind of destination keeps nothing of a webhook. */
function merged(thing: Thing, change: Thing): Thing {
  const isElsewhere = change.fields?.['destinationType'] !== undefined;
  const { url: _, ...fields } = thing.fields ?? {};
  return changed(isElsewhere ? { ...thing, fields } : thing, change) as Thing;
}

/** Maps are merged, and null takes a field away; only an owner may be null. */
function changed(before: unknown, change: unknown): unknown {
  if (!isMap(before) || !isMap(change)) return change;
  const all = Object.keys({ ...before, ...change }).map((name) => [
    name,
    Object.hasOwn(change, name) ? changed(before[name], change[name]) : before[name],
  ]);
  return Object.fromEntries(all.filter(([name, value]) => value !== null || name === 'ownerId'));
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inOneLine(thing: Thing, fields: readonly string[]): string {
  const found = fields.map((path) => [path, valueAt(thing, path) ?? valueAt(thing.fields ?? {}, path)] as const);
  const shown = fields.length === 0 ? thing : Object.fromEntries(found.filter(([, value]) => value !== undefined));
  return stringify(shown, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim();
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, key) => (inner as Thing | null | undefined)?.[key], value);
}

/** Reads that follow each other may be answered in any order, so they are sorted; what is sent twice in a row is counted. */
function counted(lines: readonly string[]): string {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    const isRead = line.startsWith('GET ');
    if (last?.[0] !== undefined && (isRead ? last[0].startsWith('GET ') : last[0] === line)) last.push(line);
    else runs.push([line]);
  }
  return runs
    .flatMap((run) =>
      [...new Set(run.sort())].map((line) => [line, run.filter((each) => each === line).length] as const),
    )
    .map(([line, count]) => `${line}${count === 1 ? '' : ` (${count} times)`}\n`)
    .join('');
}
