// Orphans and unresolved changes, wherever they are listed: what they are, and the command that resolves them.

import type { UnresolvedNote } from '../../model/plan/plan.ts';
import type { Orphan, State } from '../../model/plan/state.ts';
import { countOf } from '../text/count-words.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { quoteText } from '../text/visible-text.ts';

export function orphanLines(page: Page, orphans: readonly Orphan[]): readonly string[] {
  const left = leftLines(
    page,
    orphans.filter(({ replaced }) => !replaced),
  );
  const replaced = replacedLines(
    page,
    orphans.filter((orphan) => orphan.replaced),
  );
  return [...left, ...(left.length > 0 && replaced.length > 0 ? [''] : []), ...replaced];
}

function leftLines(page: Page, orphans: readonly Orphan[]): readonly string[] {
  if (orphans.length === 0) return [];
  const made = countOf(orphans.length, 'schedule');
  const [runs, they] = orphans.length === 1 ? ['runs', 'it'] : ['run', 'them'];
  return [
    ...titleLines(page, 'Orphans:', `${made} that Almanac created still ${runs} in Omni, untracked.`),
    '',
    ...orphanRows(page, orphans),
    '',
    ...wrap(`Remove ${they} in Omni, then clear ${they} from this list:`, page.width),
    '  almanac state orphans --clear ID',
  ];
}

function replacedLines(page: Page, orphans: readonly Orphan[]): readonly string[] {
  if (orphans.length === 0) return [];
  const made = countOf(orphans.length, 'schedule');
  const [runs, they] = orphans.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return [
    ...titleLines(page, 'Replaced:', `${made} that ${runs} replaced may still run in Omni.`),
    '',
    ...orphanRows(page, orphans),
    '',
    ...wrap(
      `The next almanac apply with operations full deletes ${they}. Or remove ${they} in Omni, then clear ${they} from this list:`,
      page.width,
    ),
    '  almanac state orphans --clear ID',
  ];
}

function orphanRows({ theme, width }: Page, orphans: readonly Orphan[]): readonly string[] {
  return orphans.flatMap((orphan) => [
    `  ${theme.warning('!')} ${safeText(orphan.id)}`,
    ...wrap(orphanWords(orphan), width, '      ').map(theme.dim),
  ]);
}

function orphanWords({ name, identifier, address, since }: Orphan): string {
  return `${quoteText(name)} on dashboard ${safeText(identifier)}, was ${safeText(address)}, since ${safeText(since)}`;
}

export function unresolvedLines(page: Page, unresolved: readonly UnresolvedNote[]): readonly string[] {
  if (unresolved.length === 0) return [];
  const ended = `${countOf(unresolved.length, 'change')} of an earlier apply ended before the outcome was known.`;
  return [
    ...titleLines(page, 'Unresolved:', ended),
    '',
    ...lookedForLines(page, unresolved),
    ...decidedLines(page, unresolved),
  ];
}

/** Deliveries that were asked for: they concern no plan. */
export function triggerLines(page: Page, { unresolved }: Pick<State, 'unresolved'>): readonly string[] {
  const open = unresolved.filter(({ action }) => action === 'trigger');
  if (open.length === 0) return [];
  const ended = `It is not known whether Omni delivered ${open.length === 1 ? 'it' : 'them'}. Only the next trigger waits for an answer.`;
  const [first] = open;
  return [
    ...titleLines(page, 'Triggered:', ended),
    '',
    ...open.flatMap(({ address, since }) =>
      hangingLines(page, '! ', `${safeText(address)} (since ${safeText(since)})`, { role: 'warning', column: 2 }),
    ),
    '',
    ...wrap('Ask a recipient, or look at the deliveries in Omni, then record the answer with one of:', page.width),
    ...['--done', '--retry'].map(
      (choice) => `  almanac state resolve ${open.length === 1 ? first?.address : 'ADDRESS'} ${choice}`,
    ),
  ];
}

function lookedForLines(page: Page, unresolved: readonly UnresolvedNote[]): readonly string[] {
  const notes = unresolved.filter(({ lookedFor }) => lookedFor);
  if (notes.length === 0) return [];
  const what = notes.length === 1 ? 'it' : 'them';
  const way = `The next almanac apply looks for ${what} in Omni before anything else, and goes on.`;
  const more = notes.length < unresolved.length ? [''] : [];
  return [...unresolvedRows(page, notes), '', ...wrap(way, page.width), ...more];
}

/** What an apply cannot find out. */
function decidedLines(page: Page, unresolved: readonly UnresolvedNote[]): readonly string[] {
  const notes = unresolved.filter(({ lookedFor }) => !lookedFor);
  return notes.length === 0 ? [] : [...unresolvedRows(page, notes), '', ...resolveLines(page, 'ADDRESS')];
}

function unresolvedRows(page: Page, notes: readonly UnresolvedNote[]): readonly string[] {
  return notes.flatMap(({ address, action, since }) =>
    hangingLines(page, '! ', `${safeText(address)} (${action}, since ${safeText(since)})`, {
      role: 'warning',
      column: 2,
    }),
  );
}

/** How to resolve a change with an unknown outcome. */
export function resolveLines({ width }: Page, address: string, indent = ''): readonly string[] {
  const command = `${indent}  almanac state resolve ${safeText(address)}`;
  return [
    ...wrap('Check in Omni whether it was carried out, then record the answer with one of:', width, indent),
    ...['--id ID', '--done', '--retry'].map((choice) => `${command} ${choice}`),
  ];
}

function titleLines({ theme, width }: Page, title: string, text: string): readonly string[] {
  return wrap(`${title} ${text}`, width).map((line, index) =>
    index === 0 ? theme.strong(title) + line.slice(title.length) : line,
  );
}
