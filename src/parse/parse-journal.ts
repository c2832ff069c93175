// Parses the text of a journal. The last line may be incomplete, because the run died while writing it. A line is durable
// before anything acts on it, so an incomplete intent was not started and an incomplete outcome leaves its intent open.

import type { Journal, JournalIntent, JournalLine, JournalOutcome } from '../model/plan/journal.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import type { Failure } from '../model/workspace/failure.ts';
import { documentProblem } from './document-problem.ts';
import { newerThanThis, unreadable } from './parse-state.ts';
import type { DocumentValidator } from './schema-error.ts';
import { validateHeader, validateIntent, validateOutcome } from './state.compiled.js';

const journalVersion = 1;

type LinesByType = { readonly [T in JournalLine['type']]: Extract<JournalLine, { readonly type: T }> };

const validators: { readonly [T in JournalLine['type']]: DocumentValidator<LinesByType[T]> } = {
  header: validateHeader,
  intent: validateIntent,
  outcome: validateOutcome,
};

/** Undefined if nothing was started. Throws Failure state-unreadable. */
export function parseJournal(text: string, name: string): Journal | undefined {
  const rows = text.split('\n');
  const torn = rows.pop(); // the text after the last newline
  const values = rows.map(parseRow);
  if (torn === '' && values.at(-1) === undefined) values.pop();
  if (values.length === 0) return undefined;
  const [first, ...rest] = values;

  refuseNewerJournal(first, name);
  const header = checked(first, ['header'], name, 1);
  const lines = rest.map((value, index) => checked(value, ['intent', 'outcome'], name, index + 2));
  refuseLostLines(lines, name);
  return { header, lines };
}

function parseRow(row: string): Json | undefined {
  try {
    return JSON.parse(row);
  } catch {
    return undefined;
  }
}

function checked<T extends JournalLine['type']>(
  value: Json | undefined,
  types: readonly T[],
  name: string,
  line: number,
): LinesByType[T] {
  if (value === undefined) throw broken(name, `line ${line} is corrupt and is not the last line`);
  const type = isJsonObject(value) ? types.find((known) => known === value['type']) : undefined;
  if (type === undefined) throw broken(name, `in line ${line}, /type is not ${types.join(' or ')}`);
  const isLine: DocumentValidator<LinesByType[T]> = validators[type];
  if (!isLine(value)) throw broken(name, `in line ${line}, ${documentProblem(isLine.errors)}`);
  return value;
}

function refuseNewerJournal(first: Json | undefined, name: string): void {
  if (!isJsonObject(first) || typeof first['version'] !== 'number' || first['version'] <= journalVersion) return;
  const what = `as journal version ${first['version']}; this almanac reads version ${journalVersion}`;
  throw newerThanThis(name, what, first['toolVersion']);
}

function refuseLostLines(lines: readonly (JournalIntent | JournalOutcome)[], name: string): void {
  const begun = new Set<number>();
  for (const [index, { type, seq }] of lines.entries()) {
    if (type === 'intent' && begun.has(seq)) throw broken(name, `line ${index + 2} starts ${seq} a second time`);
    if (type === 'outcome' && !begun.has(seq)) {
      throw broken(name, `line ${index + 2} reports the outcome of ${seq}, which no earlier line starts`);
    }
    if (type === 'intent') begun.add(seq);
  }
}

function broken(name: string, why: string): Failure {
  return unreadable(
    name,
    why,
    'The journal records what an unfinished apply did; without it, the next apply would repeat some of those changes. Restore a good copy, or repair the line by hand. To continue without the journal, move it away and compare the service with `almanac plan` before the next apply.',
  );
}
