// Parses the text of a state file, or fails with a reason and a hint. The engine checks whether the state belongs to this service (base URL).

import { recordedOutOfExtra } from '../../model/fields/out-of-extra.ts';
import { type State, stateSchema, stateVersion } from '../../model/plan/state.ts';
import { isJsonObject, type Json, parseJson, sortKeys } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { shortText } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';

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
      `it contains git conflict markers (line ${json.slice(0, marker.index).split('\n').length})`,
      `Keep the side that was applied last, whole: remove the other side and the marker lines. What the other side made is not tracked then: \`almanac plan --refresh\` shows what differs.`,
    );
  }
  const value = checkedJson(json, name, restore);
  refuseOtherVersion(value, name, 'state', stateVersion);
  const state = checkedDocument(stateSchema, value, (problem) => unreadable(name, problem, restore));
  const wrong = idTrackedTwice(state);
  if (wrong !== undefined) throw unreadable(name, wrong, restore);
  return withFieldsOutOfExtra(state);
}

/** As this version records it. */
function withFieldsOutOfExtra(state: State): State {
  const resources = { ...state.resources };
  for (const [address, resource] of Object.entries(resources))
    if (resource.attributes['extra'] !== undefined) resources[address] = recordedOutOfExtra(resource, address);
  return { ...state, resources, unresolved: state.unresolved.map((open) => recordedOutOfExtra(open, open.address)) };
}

/**
 * JSON.parse keeps the last of two equal keys, which a bad merge leaves. A text as Almanac writes it has none: only another
 * one is read a second time.
 */
function checkedJson(json: string, name: string, restore: string): Json {
  try {
    const value = parseJson(json);
    if (value !== undefined && `${JSON.stringify(value, null, 2)}\n` === json) return value;
    const problem = jsonProblem(json);
    if (problem !== undefined) throw unreadable(name, problem, restore);
    return JSON.parse(json) as Json;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unreadable(name, 'it is nested too deeply, or a text in it is too long', restore);
  }
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

const jsonText = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"`;
/** A number, or one of the three words. */
const jsonWord = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
const jsonToken = new RegExp(
  `[ \\t\\n\\r]*(?:(?<text>${jsonText})|(?<word>${jsonWord})|(?<mark>[{}[\\],:])|(?<end>$)|)`,
  'y',
);
/** Of a text that ends too early: the rest is nothing, or the beginning of a text or of a word. */
const begunText = String.raw`"[^"\\\x00-\x1f]*(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*)*\\?`;
const begun = new RegExp(`^(?:${begunText}|t|tr|tru|f|fa|fal|fals|n|nu|nul|-?[\\d.eE+-]*)$`);
/** The kinds of tokens with which a value begins. */
const aValue = ['text', 'word', '{', '['];

/**
 * What is wrong with a text that is not JSON as it was written, and where; undefined if nothing is. JSON.parse says the place
 * in words that differ between Node versions, and silently drops the first of two equal keys, which a bad merge leaves.
 */
function jsonProblem(json: string): string | undefined {
  /** The keys of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  /** The kinds of tokens that may come next. */
  let expected = aValue;
  jsonToken.lastIndex = 0;
  for (;;) {
    const groups = jsonToken.exec(json)?.groups ?? {};
    const kind = groups['mark'] ?? ['text', 'word', 'end'].find((name) => groups[name] !== undefined) ?? '';
    const at = jsonToken.lastIndex - (groups['text'] ?? groups['word'] ?? groups['mark'] ?? '').length;
    if (!expected.includes(kind)) {
      const isTruncated = !expected.includes('end') && begun.test(json.slice(at));
      if (!isTruncated) return `it is not valid JSON (${placeIn(json, at)})`;
      return `it is truncated (it ends at ${placeIn(json, json.length)}, before the JSON does)`;
    }
    const keys = open.at(-1);
    if (kind === 'end') return undefined;
    if (kind === 'text' && !expected.includes('word')) {
      const key = String(JSON.parse(groups['text'] ?? ''));
      if (keys?.has(key))
        return `the key ${JSON.stringify(key)} appears twice in the same object (${placeIn(json, at)})`;
      keys?.add(key);
      expected = [':'];
    } else if (kind === ':') expected = aValue;
    else if (kind === ',') expected = keys === undefined ? aValue : ['text'];
    else if (kind === '{' || kind === '[') {
      open.push(kind === '{' ? new Set() : undefined);
      expected = kind === '{' ? ['text', '}'] : [...aValue, ']'];
    } else {
      if (kind === '}' || kind === ']') open.pop();
      expected = open.length === 0 ? ['end'] : [',', open.at(-1) === undefined ? ']' : '}'];
    }
  }
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
  const { version, lineage, serial, toolVersion, baseUrl, salt, secretKey, commit, checkout } = rest;
  const head = { version, lineage, serial, toolVersion, baseUrl, salt, secretKey, commit, checkout };
  const body = {
    resources: sortKeys(resources as unknown as Json),
    orphans: sortKeys(orphans as unknown as Json),
    unresolved: sortKeys(unresolved as unknown as Json),
  };
  return { ...head, ...body };
}
