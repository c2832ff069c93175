// Parses the text of a state file, and renders a state. A text that cannot be parsed is a failure with a reason and a
// hint. Whether the state belongs to this organization is checked in ../current-state.ts.

import { idKey } from '../../model/fields/ids.ts';
import { keptVersion, type State, stateSchema } from '../../model/plan/state.ts';
import type { RecordedGroup } from '../../model/plan/user-groups.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject, type Json, sortKeys } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import { Damage, namingDamage, newerThanThis } from './damage.ts';

/**
 * `name` is the users' name for the file; `wayOut` is the hint for a state not in use. Throws Failure state-unreadable.
 */
export function parseState(text: string, name: string, wayOut?: string): State {
  const restore = `Restore its last good version, for example with \`git restore ${name}\`. Almanac never overwrites a state that it cannot read.`;
  return namingDamage(name, wayOut ?? restore, () => stateOf(text.startsWith('\uFEFF') ? text.slice(1) : text));
}

/** Throws Damage, like the functions that it calls. */
function stateOf(json: string): State {
  if (json.trim() === '') throw new Damage('it is empty');
  const marker = /^(?:<{7}|={7}|>{7}|\|{7})(?= |\r?$)/m.exec(json);
  if (marker !== null) {
    throw new Damage(
      `it contains git conflict markers (line ${json.slice(0, marker.index).split('\n').length})`,
      `Keep the side that was applied last, whole: remove the other side and the marker lines. What the other side made is not tracked then: \`${command('plan', '--refresh')}\` shows what differs.`,
    );
  }
  const value = checkedJson(json);
  refuseOtherVersion(value, 'state');
  const state = checkedDocument(stateSchema, value, (problem) => new Damage(problem));
  for (const address in state.resources) spellIds(state.resources[address]);
  for (const entry of [...state.orphans, ...state.unresolved]) spellIds(entry);
  const wrong = idTrackedTwice(state);
  if (wrong !== undefined) throw new Damage(wrong);
  return state;
}

/**
 * Spells the ids of a parsed state or journal line as Omni lists them. An id that somebody wrote in
 * capitals would be the id of nothing that is listed, and be used unchecked.
 */
export function spellIds(entry: Ids = {}): void {
  for (const name of ['id', 'madeBy', 'replaced'] as const) {
    const id = entry[name];
    if (typeof id === 'string') entry[name] = idKey(id);
  }
  if (entry.existing !== undefined) entry.existing = entry.existing.map(idKey);
  for (const group of entry.groups ?? []) spellIds(group);
}

interface Ids {
  id?: string | undefined;
  madeBy?: string | undefined;
  replaced?: string | true | undefined;
  existing?: readonly string[] | undefined;
  groups?: readonly RecordedGroup[] | undefined;
}

function checkedJson(json: string): Json {
  try {
    const value = JSON.parse(json) as Json;
    // A text as Almanac writes it has no key twice: only another one is read a second time.
    const own = JSON.stringify(value, null, 2);
    const problem = json.startsWith(own) && json.slice(own.length) === '\n' ? undefined : keyTwice(json);
    if (problem !== undefined) throw new Damage(problem);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Damage(jsonProblem(json, error));
    if (!(error instanceof RangeError)) throw error;
    throw new Damage('it is nested too deeply, or a text in it is too long');
  }
}

/** Throws Damage for a state or a journal of a version that is not read. */
export function refuseOtherVersion(value: Json, what: 'state' | 'journal'): void {
  if (!isJsonObject(value) || typeof value['version'] !== 'number') return;
  const { version, toolVersion } = value;
  if (version === keptVersion) return;
  const why = `as ${what} version ${version}; this almanac reads version ${keptVersion}`;
  if (version > keptVersion) throw newerThanThis(why, toolVersion);
  const wayOut = `An earlier build wrote it. Start with a new state, as if this one were lost: \`${command('import', '--write-state', '--declared')}\` finds in Omni what is declared.`;
  throw new Damage(`it was written ${why}`, wayOut);
}

function idTrackedTwice(state: State): string | undefined {
  const { resources } = state;
  const addressById = new Map<string, string>();
  for (const key in resources) {
    const id = resources[key]?.id;
    if (id === undefined) continue;
    const first = addressById.get(id);
    if (first !== undefined) return `${pointerTo('resources', key, 'id')} is also the id of ${first}`;
    addressById.set(id, key);
  }
  return undefined;
}

/**
 * Words of Node without what it quotes, as a person may have named any file as a state. Not every one of its messages says
 * where.
 */
function jsonProblem(json: string, { message }: SyntaxError): string {
  const [words, position] = message.split(/ at position (\d+)|, (?:\.{3})?"/);
  return `it is not valid JSON: ${words}${position === undefined ? '' : ` (${placeIn(json, Number(position))})`}`;
}

/** In valid JSON, only a key is a text before a colon. */
const keyOrBrace = /("[^"\\]*(?:\\[\s\S][^"\\]*)*"?)(\s*:)?|[{}]/g;

/** JSON.parse keeps the last of two equal keys, which a bad merge leaves. */
function keyTwice(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: text = '', 2: colon, index } of json.matchAll(keyOrBrace)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(text));
      if (open.at(-1)?.has(key))
        return `the key ${JSON.stringify(key)} appears twice in the same object (${placeIn(json, index)})`;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`;
}

/**
 * The text of a state, which is made to be read in a git diff: one value a line, the head first,
 * everything below sorted.
 */
export function renderState(state: State): string {
  return `${JSON.stringify(ordered(state), null, 2)}\n`;
}

function ordered(state: State): object {
  const { resources, orphans, unresolved, ...rest } = state;
  const { version, lineage, serial, toolVersion, baseUrl, salt, secretKey, ...facts } = rest;
  const { commit, commitAt, checkout, names, owners } = facts;
  const head = {
    version,
    lineage,
    serial,
    toolVersion,
    baseUrl,
    salt,
    secretKey,
    commit,
    commitAt,
    checkout,
    names,
    owners,
  };
  const body = {
    resources: sortKeys(resources as unknown as Json),
    orphans: sortKeys(orphans as unknown as Json),
    unresolved: sortKeys(unresolved as unknown as Json),
  };
  return { ...head, ...body };
}
