// The history and the check of a shared place for people.

import type { StateCheckDocument, StateHistoryDocument, StateVersion } from '../../model/plan/state-documents.ts';
import { heldWords, runWords, secondsWords } from '../../model/workspace/lock-words.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { displayWidth, pad, safeText, wrap } from '../text/terminal-text.ts';

/** A block of lines for each state that was written; ends with a newline. */
export function renderHistory({ state, versions, more }: StateHistoryDocument, page: Page): string {
  if (versions.length === 0) return `${wrap(`${safeText(state)} has no state yet.`, page.width).join('\n')}\n`;
  const column = Math.max(...versions.map(({ serial }) => displayWidth(`serial ${serial}`))) + 2;
  const blocks = versions.map((version) => versionLines(version, column, page));
  const rest = more ? ['', ...wrap('Older states were left out: --limit N shows more.', page.width)] : [];
  return `${[...blocks.flat(), ...rest].join('\n')}\n`;
}

function versionLines(version: StateVersion, column: number, { theme, width }: Page): readonly string[] {
  const { serial, at, by, changes, over } = version;
  const below = ' '.repeat(column);
  const lines = [
    `${safeText(at)}, ${changeWords(changes)}`,
    `by ${safeText(runWords(by))}`,
    ...(by.runUrl === undefined ? [] : [safeText(by.runUrl)]),
    ...(over === undefined ? [] : [`took over the lock of ${safeText(runWords(over))}`]),
    ...(over?.runUrl === undefined ? [] : [safeText(over.runUrl)]),
  ].flatMap((line) => wrap(line, width, below));
  const [first = '', ...rest] = lines;
  return [`${theme.strong(pad(`serial ${serial}`, column))}${first.slice(column)}`, ...rest];
}

/** A repair by hand, a push and a move change the state alone. */
function changeWords(changes: number): string {
  return changes === 0 ? 'no resource changed' : `${countOf(changes, 'resource')} changed`;
}

/** Ends with a newline. */
export function renderCheck(check: StateCheckDocument, page: Page): string {
  const { state, shared } = check;
  const name = safeText(state);
  const first = shared
    ? `${name} is fit: it can be read and written, and of several writers one wins.`
    : `${name} is a file, for one machine at a time. Nothing else has to be in place.`;
  const row = (label: string, words: string) => wrap(`${pad(`${label}:`, 7)}${words}`, page.width, '  ');
  return `${[...wrap(first, page.width), ...row('state', stateWords(check)), ...row('lock', lockWords(check))].join('\n')}\n`;
}

function stateWords({ held }: StateCheckDocument): string {
  if (held === null) return 'none yet';
  return `serial ${held.serial}, ${countOf(held.resources, 'resource')}, lineage ${safeText(held.lineage)}`;
}

function lockWords({ lock: { held, by, expiresIn } }: StateCheckDocument): string {
  if (!held) return by === undefined ? 'free' : `free: the run of ${safeText(runWords(by))} has ended`;
  const who = by === undefined ? 'held' : safeText(heldWords(by)).replace(/^, /, '');
  return `${who}${expiresIn === undefined ? '' : `; without a sign of it, free in ${secondsWords(expiresIn)}`}`;
}
