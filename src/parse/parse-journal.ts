// The text of a journal -> Journal. The last line may be torn: the run died while it was written, and since a line is
// durable before anyone acts on it, a torn intent was not begun and a torn outcome leaves its intent open.

import type { Journal, JournalHeader, JournalIntent, JournalLine, JournalOutcome } from '../model/plan/journal.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import type { Failure } from '../model/workspace/failure.ts';
import {
  anyObject,
  anyText,
  type Check,
  instant,
  nonEmptyText,
  oneOf,
  optional,
  record,
  wholeNumber,
} from './check-shape.ts';
import { action, address, newerThanThis, unreadable } from './parse-state.ts';

const journalVersion = 1;

const shapes: Readonly<Record<JournalLine['type'], Check>> = {
  header: record<JournalHeader>({
    type: oneOf('header'),
    version: oneOf(journalVersion),
    lineage: nonEmptyText,
    serial: wholeNumber,
    baseUrl: nonEmptyText,
    salt: nonEmptyText,
    toolVersion: nonEmptyText,
  }),
  intent: record<JournalIntent>({
    type: oneOf('intent'),
    seq: wholeNumber,
    address,
    action,
    previousAddress: optional(address),
    attributes: optional(anyObject),
    identifier: optional(anyText),
    name: optional(anyText),
    release: optional(oneOf(true)),
    replaced: optional(nonEmptyText),
    ahead: optional(oneOf(true)),
    stateOnly: optional(oneOf(true)),
    at: instant,
  }),
  outcome: record<JournalOutcome>({
    type: oneOf('outcome'),
    seq: wholeNumber,
    status: oneOf('applied', 'failed', 'unknown'),
    id: optional(nonEmptyText),
    outputs: optional(anyObject),
    at: instant,
  }),
};

/** Undefined where nothing had begun. Throws Failure state-unreadable. */
export function parseJournal(text: string, name: string): Journal | undefined {
  const rows = text.split('\n');
  const torn = rows.pop(); // what stands after the last newline
  const values = rows.map(parseRow);
  if (torn === '' && values.at(-1) === undefined) values.pop();
  if (values.length === 0) return undefined;
  const [first, ...rest] = values;

  refuseNewerJournal(first, name);
  const header = checked(first, ['header'], name, 1) as JournalHeader;
  const lines = rest.map((value, index) => {
    return checked(value, ['intent', 'outcome'], name, index + 2) as JournalIntent | JournalOutcome;
  });
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

function checked(
  value: Json | undefined,
  types: readonly JournalLine['type'][],
  name: string,
  line: number,
): JournalLine {
  if (value === undefined) throw broken(name, `line ${line} is broken and is not the last`);
  const type = isJsonObject(value) ? types.find((known) => known === value['type']) : undefined;
  const wrong = type === undefined ? `/type is not ${types.join(' or ')}` : shapes[type](value, '');
  if (wrong !== undefined) throw broken(name, `in line ${line}, ${wrong}`);
  return value as unknown as JournalLine;
}

function refuseNewerJournal(first: Json | undefined, name: string): void {
  if (!isJsonObject(first) || typeof first['version'] !== 'number' || first['version'] <= journalVersion) return;
  const what = `as journal version ${first['version']}; this almanac reads version ${journalVersion}`;
  throw newerThanThis(name, what, first['toolVersion']);
}

function refuseLostLines(lines: readonly (JournalIntent | JournalOutcome)[], name: string): void {
  const begun = new Set<number>();
  for (const [index, { type, seq }] of lines.entries()) {
    if (type === 'intent' && begun.has(seq)) throw broken(name, `line ${index + 2} begins ${seq} a second time`);
    if (type === 'outcome' && !begun.has(seq)) {
      throw broken(name, `line ${index + 2} tells the outcome of ${seq}, which no line before it begins`);
    }
    if (type === 'intent') begun.add(seq);
  }
}

function broken(name: string, why: string): Failure {
  return unreadable(
    name,
    why,
    'It tells what an apply did that never finished; without it the next one would do some of it again. Put back a good copy or mend the line by hand. To go on without it, move it away and compare the service with `almanac plan` before the next apply.',
  );
}
