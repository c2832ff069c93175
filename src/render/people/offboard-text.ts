// What leaves with a person, for a terminal.

import type { BlockedAddress, OffboardDocument, OffboardEdit, Received } from '../../model/people/offboard-document.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { firstLines, mostSingle } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { viaWords } from './via-words.ts';

/** Ends with a newline. */
export function renderOffboard(document: OffboardDocument, writes: boolean, page: Page): string {
  const { receives, edits, blocked } = document;
  const parts = [
    partLines('Receives', receives, receivedWords, page),
    partLines(writes ? 'Edited' : 'Would edit', edits, editWords, page),
    partLines(stays, blocked, blockedWords, page),
    [closing(document, writes)],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const stays = 'Stays';

function partLines<T>(title: string, items: readonly T[], words: (item: T) => string, page: Page): readonly string[] {
  if (items.length === 0) return [];
  // Places stay whole where no terminal has an edge.
  const width = title === stays ? page.width : (page.room ?? page.width);
  const most = page.showsAll ? items.length : mostSingle;
  const linesOf = (item: T) =>
    wrap(words(item), width - 4).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`);
  return [page.theme.strong(title), ...firstLines(items, most, linesOf, (more) => `  ${more}`)];
}

function receivedWords({ address, via, ...place }: Received): string {
  const because = [fileAndLine(place), viaWords(via)].filter((part) => part !== '').join(', ');
  return `${safeText(address)} (${safeText(because)})`;
}

function editWords({ before, after, ...place }: OffboardEdit): string {
  const change = after === null ? `${safeText(before)} is removed` : `${safeText(before)} becomes ${safeText(after)}`;
  return `${safeText(fileAndLine(place))}: ${change}`;
}

function blockedWords({ address, reason }: BlockedAddress): string {
  return `${safeText(address)}: ${safeText(reason)}`;
}

function closing({ email, receives, edits, blocked }: OffboardDocument, writes: boolean): string {
  if (receives.length + edits.length + blocked.length === 0) return `${safeText(email)} receives nothing.`;
  const files = countOf(new Set(edits.map(({ file }) => file)).size, 'file');
  const done = `${countOf(edits.length, 'edit')} in ${files}`;
  const left = blocked.length === 0 ? '' : ` The address stays in ${countOf(blocked.length, 'place')}.`;
  if (writes) return edits.length === 0 ? `Nothing was edited.${left}` : `Made ${done}.${left} Next: almanac plan.`;
  return edits.length === 0 ? `Nothing can be edited.${left}` : `Would make ${done}: add --write.${left}`;
}
