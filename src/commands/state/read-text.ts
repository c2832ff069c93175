// The history and the check of a shared place for people.

import type { StateVersion } from '../../model/plan/state.ts';
import { largest } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import { heldWords, runWords, secondsWords } from '../../model/workspace/lock.ts';
import { type Block, indented, part, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import type { StateCheckDocument, StateHistoryDocument } from './state-document.ts';

/** For each state that was written. Ends with a newline. */
export function renderHistory({ state, versions, more }: StateHistoryDocument, page: Page): string {
  if (versions.length === 0) return printText([`${state} has no state yet.`], page);
  const column = largest(
    0,
    versions.map(({ serial }) => `serial ${serial}  `.length),
  );
  const rest = part(more && 'Older states were left out: --limit N shows more.');
  return printText([part(...versions.map((version) => versionItem(version, column))), rest], page);
}

function versionItem({ serial, at, by, changes, over }: StateVersion, column: number): Block {
  return {
    mark: strong(`serial ${serial}`.padEnd(column)),
    of: `${at}, ${changeWords(changes)}`,
    below: [
      `by ${runWords(by)}`,
      by.runUrl,
      over !== undefined && `took over the lock of ${runWords(over)}`,
      over?.runUrl,
    ],
  };
}

/** A repair by hand, a push and a move change the state alone. */
function changeWords(changes: number): string {
  return changes === 0 ? 'no resource changed' : `${countOf(changes, 'resource')} changed`;
}

/** Ends with a newline. */
export function renderCheck(check: StateCheckDocument, page: Page): string {
  const { state, shared } = check;
  const first = shared
    ? `${state} is fit: it can be read and written, and of several writers one wins.`
    : `${state} is a file, for one machine at a time. Nothing else has to be in place.`;
  return printText([first, indented(2, `state: ${stateWords(check)}`, `lock:  ${lockWords(check)}`)], page);
}

function stateWords({ held }: StateCheckDocument): string {
  if (held === null) return 'none yet';
  return `serial ${held.serial}, ${countOf(held.resources, 'resource')}, lineage ${held.lineage}`;
}

function lockWords({ lock: { held, by, expiresIn } }: StateCheckDocument): string {
  if (!held) return by === undefined ? 'free' : `free: the run of ${runWords(by)} has ended`;
  const who = by === undefined ? 'held' : heldWords(by).replace(/^, /, '');
  return `${who}${expiresIn === undefined ? '' : `; without a sign of it, free in ${secondsWords(expiresIn)}`}`;
}
