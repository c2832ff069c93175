// Parses the text of a state file, or fails with a reason and a hint. The engine checks whether the state belongs to this service (base URL).

import { type State, stateSchema, stateVersion } from '../../model/plan/state.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { shortText } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import { findJsonProblem, type JsonProblem } from './find-json-problem.ts';

/**
 * `name` is the users' name for the file; `wayOut` is the hint for a state not in use. Throws Failure state-unreadable.
 */
export function parseState(text: string, name: string, wayOut?: string): State {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const restore =
    wayOut ??
    `Restore its last good version, for example with \`git restore ${name}\`. Almanac never overwrites a state that it cannot read.`;
  if (json.trim() === '') throw unreadable(name, 'it is empty', restore);

  const marker = /^(?:<{7}|={7}|>{7}|\|{7})(?= |\r?$)/m.exec(json);
  if (marker !== null) {
    throw unreadable(
      name,
      `it contains git conflict markers (line ${lineAndColumn(json, marker.index).line})`,
      `Keep the side that was applied last, whole: remove the other side and the marker lines. What the other side made is not tracked then: \`almanac plan --refresh\` shows what differs.`,
    );
  }
  const value = plainValue(json) ?? checkedJson(json, name, restore);
  refuseOtherVersion(value, name, 'state', stateVersion);
  const state = checkedDocument(stateSchema, value, (problem) => unreadable(name, problem, restore));
  const wrong = idTrackedTwice(state);
  if (wrong !== undefined) throw unreadable(name, wrong, restore);
  return state;
}

/** Undefined for a text that has a problem, or may have one: `checkedJson` says which. Fast for a large state. */
function plainValue(json: string): Json | undefined {
  try {
    const value = JSON.parse(json) as Json;
    return repeatsNoKey(json, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkedJson(json: string, name: string, restore: string): Json {
  const problem = findJsonProblem(json);
  if (problem !== undefined) throw unreadable(name, jsonProblemWords(json, problem), restore);
  return JSON.parse(json) as Json;
}

export function unreadable(name: string, why: string, hint: string): Failure {
  return new Failure('state-unreadable', `${name} cannot be read: ${shortText(why, 600)}.`, { hint });
}

export function newerThanThis(name: string, what: string, toolVersion: Json | undefined): Failure {
  const writer = typeof toolVersion === 'string' ? `almanac ${toolVersion}` : 'a newer almanac';
  const upgrade = typeof toolVersion === 'string' ? `to ${toolVersion} or later` : 'to the version that wrote it';
  return unreadable(name, `it was written by ${writer}, ${what}`, `Upgrade almanac ${upgrade}.`);
}

/** Throws Failure state-unreadable for a state or a journal of another version than `read`. */
export function refuseOtherVersion(value: Json, name: string, what: 'state' | 'journal', read: number): void {
  if (!isJsonObject(value) || typeof value['version'] !== 'number' || value['version'] === read) return;
  const { version, toolVersion } = value;
  const why = `as ${what} version ${version}; this almanac reads version ${read}`;
  if (version > read) throw newerThanThis(name, why, toolVersion);
  throw unreadable(
    name,
    `it was written ${why}`,
    'No release of Almanac wrote that version. Restore a later one, or begin a new state in another place and take over what exists with entries of `adopt`.',
  );
}

function idTrackedTwice(state: State): string | undefined {
  const { resources } = state;
  const seen = new Map<string, string>();
  for (const key in resources) {
    const id = resources[key]?.id;
    if (id === undefined) continue;
    const first = seen.get(id);
    if (first !== undefined) return `${pointerTo('resources', key, 'id')} is also the id of ${first}`;
    seen.set(id, key);
  }
  return undefined;
}

function jsonProblemWords(text: string, problem: JsonProblem): string {
  const { line, column } = lineAndColumn(text, problem.offset);
  switch (problem.kind) {
    case 'cut-short':
      return `it is truncated (it ends at line ${line}, column ${column}, before the JSON does)`;
    case 'not-json':
      return `it is not valid JSON (line ${line}, column ${column})`;
    case 'duplicate-key':
      return `the key ${JSON.stringify(problem.key)} appears twice in the same object (line ${line}, column ${column})`;
  }
}

function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

// Whether no object of a JSON text has a key twice. JSON.parse keeps the last of two equal keys, so then the value has
// fewer keys than the text. In a text of JSON every key ends with a quote and a colon, which a string may also hold: so a
// text has at most as many keys as it has such pairs, and where the value has that many, none was dropped.

/** `value` is what JSON.parse made of the text. False for some texts that hold such a pair in a string. */
export function repeatsNoKey(text: string, value: Json): boolean {
  return colonsAfterQuotes(text) === keysIn(value);
}

function colonsAfterQuotes(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === 0x22) count += 1;
  }
  return count;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function keysIn(value: Json): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const entry of value) count += keysIn(entry);
  } else if (isJsonObject(value)) {
    for (const key in value) count += 1 + keysIn(value[key] as Json);
  }
  return count;
}
