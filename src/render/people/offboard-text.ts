// What leaves with a person, for a terminal: a row for each kind of thing.

import type { BlockedAddress, OffboardEdit, Received } from '../../model/people/offboard-document.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { firstOf, moreWords, mostSingle } from '../text/more-words.ts';
import { pad, safeText, wrap } from '../text/terminal-text.ts';
import type { OffboardReport, ShownPlace } from './offboard-report.ts';
import { ownedRows } from './owned-words.ts';
import { viaWords } from './via-words.ts';

const labelWidth = 11;

/** Ends with a newline. */
export function renderOffboard(report: OffboardReport, page: Page): string {
  const { document, lastOnes, still, writes } = report;
  const { receives, edits, blocked } = document;
  const row = rowsIn(page);
  const last = blocked.filter(({ address }) => lastOnes.has(address));
  const others = blocked.filter(({ address }) => !lastOnes.has(address));
  const rows = [
    ...row('owns', ownedRows(report, page)),
    ...row('receives', joined(receivedWords(receives, page), page)),
    ...row(writes ? 'edited' : 'written in', joined(editPlaces(edits), page)),
    ...row('last one', firstOf(last.map(lastWords), page)),
    ...row('stays', firstOf(others.map(blockedWords), page)),
    ...row('still in', joined(still.map(placeWords), page)),
  ];
  return `${[...rows, ...(rows.length > 0 ? [''] : []), ...wrap(closing(report), page.width)].join('\n')}\n`;
}

/** Each text begins a line of its own. */
function rowsIn({ theme, width }: Page) {
  const margin = ' '.repeat(labelWidth);
  return (label: string, texts: readonly string[]): readonly string[] =>
    texts
      .flatMap((text) => wrap(text, width - labelWidth))
      .map((line, index) => (index === 0 ? theme.strong(label) + pad('', labelWidth - label.length) : margin) + line);
}

function joined(names: readonly string[], { showsAll }: Page): readonly string[] {
  if (names.length === 0) return [];
  const shown = showsAll || names.length <= mostSingle + 1 ? names : names.slice(0, mostSingle);
  const rest = names.length - shown.length;
  return [shown.join(', ') + (rest === 0 ? '' : ` ${moreWords(rest)}`)];
}

/** Those that are untracked are counted, because only their names are known. */
function receivedWords(receives: readonly Received[], { showsAll }: Page): readonly string[] {
  const unmanaged = receives.filter(({ managed }) => !managed);
  const managed = receives.filter((each) => each.managed).map(managedWords);
  if (unmanaged.length === 0) return managed;
  const names = unmanaged.map(({ name, id }) => `"${safeText(name ?? '')}" (${safeText(id ?? '')})`);
  return [...managed, ...(showsAll ? names : []), `${unmanaged.length} untracked`];
}

function managedWords({ address = '', via }: Received): string {
  const because = viaWords(via);
  return safeText(address) + (because === '' ? '' : ` (${because})`);
}

function editPlaces(edits: readonly OffboardEdit[]): readonly string[] {
  return [...new Set(edits.map((edit) => safeText(fileAndLine(edit))))];
}

function placeWords({ isComment, ...place }: ShownPlace): string {
  return safeText(fileAndLine(place)) + (isComment ? ' (a comment)' : '');
}

function lastWords({ address }: BlockedAddress): string {
  return `${safeText(address)} would have no recipient left`;
}

function blockedWords({ address, reason }: BlockedAddress): string {
  return `${safeText(address)}: ${safeText(reason)}`;
}

function closing({ document, to, owned, lastOnes, still, writes, meant }: OffboardReport): string {
  const { email, owns, receives, edits, blocked } = document;
  const who = safeText(email);
  if (owns.length + receives.length + edits.length + blocked.length + still.length === 0)
    return [
      owned === undefined ? `${who} is declared nowhere.` : `${who} owns and receives nothing.`,
      ...(meant === undefined ? [] : [`Did you mean \`${safeText(meant)}\`?`]),
    ].join(' ');
  const files = countOf(new Set(edits.map(({ file }) => file)).size, 'file');
  const done = `${countOf(edits.length, 'edit')} in ${files}`;
  const left =
    blocked.length === 0
      ? []
      : [`${countOf(blocked.length, 'place')} must stay as ${blocked.length === 1 ? 'it is' : 'they are'}.`];
  // The reasons of the others say what helps.
  const successor = lastOnes.size > 0 && to === undefined ? ['A successor takes them: --to EMAIL.'] : [];
  const edited = edits.length === 0 ? [] : [writes ? `Made ${done}. Next: almanac plan.` : `With --write: ${done}.`];
  const none = edits.length === 0 && blocked.length === 0 ? ['There is nothing to edit.'] : [];
  return [...edited, ...none, ...left, ...successor].join(' ');
}
