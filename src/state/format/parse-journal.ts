// Parses the text of a journal, and renders its lines. The last line may be incomplete, because the run died while writing
// it: then it has no newline. A line is durable before anything acts on it, so an incomplete intent was not started and an
// incomplete outcome leaves its intent open. Any other damage is refused, not guessed: the checksum of a line shows it.

import {
  type Journal,
  type JournalIntent,
  type JournalLine,
  type JournalOutcome,
  journalSchemas,
} from '../../model/plan/journal.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Schema } from '../../model/values/schema.ts';
import { trimEndOf } from '../../model/values/words.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import { Damage, namingDamage } from './damage.ts';
import { parseSummed, withSum } from './log-entry.ts';
import { refuseOtherVersion, spellIds } from './parse-state.ts';

type LinesByType = { readonly [T in JournalLine['type']]: Extract<JournalLine, { readonly type: T }> };

/** Returns undefined if nothing was started. Throws Failure state-unreadable. */
export function parseJournal(text: string, name: string): Journal | undefined {
  return namingDamage(name, wayOut, () => journalIn(text));
}

const wayOut = `The journal records what an unfinished apply did; without it, the next apply would repeat some of those changes. Restore a good copy, or repair the line by hand. To continue without the journal, move it away and compare the service with \`${command('plan', '--refresh')}\` before the next apply.`;

/** Throws Damage, like the functions that it calls. */
function journalIn(text: string): Journal | undefined {
  const rows = text.split('\n');
  const torn = rows.pop() ?? ''; // the text after the last newline
  if (!mayBeTorn(torn, rows.length === 0)) throw new Damage(`line ${rows.length + 1} is corrupt`);
  const [first, ...rest] = rows.map((row, index) => parseRow(row, index + 1));
  if (first === undefined) return undefined;

  refuseOtherVersion(first, 'journal');
  const header = checked(first, ['header'], 1);
  const lines = rest.map((value, index) => checked(value, ['intent', 'outcome'], index + 2));
  for (const line of lines) spellIds(line);
  refuseLostLines(lines);
  return { header, lines };
}

/** Parses a line that must be as it was written. */
function parseRow(row: string, line: number): Json {
  const value = parseSummed(row);
  if (value === undefined) throw new Damage(`line ${line} is corrupt`);
  return value;
}

/** True for the beginning of a line without a newline. A whole line and one character more has lost its newline. */
function mayBeTorn(text: string, isFirst: boolean): boolean {
  if (parseSummed(text.slice(0, -1)) !== undefined) return false;
  const begun = trimEndOf(text, /\0/);
  return !isFirst || begun.startsWith(headerStart) || headerStart.startsWith(begun);
}

const headerStart = '{"type":"header",';

function checked<T extends JournalLine['type']>(value: Json, types: readonly T[], line: number): LinesByType[T] {
  const type = isJsonObject(value) ? types.find((known) => known === value['type']) : undefined;
  if (type === undefined) throw new Damage(`in line ${line}, /type is not ${types.join(' or ')}`);
  const schema: { readonly [K in JournalLine['type']]: Schema<LinesByType[K]> } = journalSchemas;
  return checkedDocument(schema[type], value, (problem) => new Damage(`in line ${line}, ${problem}`));
}

function refuseLostLines(lines: readonly (JournalIntent | JournalOutcome)[]): void {
  const begun = new Set<number>();
  for (const [index, { type, seq }] of lines.entries()) {
    if (type === 'intent' && begun.has(seq)) throw new Damage(`line ${index + 2} starts ${seq} a second time`);
    if (type === 'outcome' && !begun.has(seq)) {
      throw new Damage(`line ${index + 2} reports the outcome of ${seq}, which no earlier line starts`);
    }
    if (type === 'intent') begun.add(seq);
  }
}

/** One line of the journal. Its newline tells a whole line from a torn one, and its checksum a damaged one. */
export function renderJournalLine(line: JournalLine): string {
  return `${withSum(JSON.stringify(line))}\n`;
}
