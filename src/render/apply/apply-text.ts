// The outcome of an apply, for a terminal: the counts, the failures and what is left to do.

import type { ApplyDocument, ApplyResult, FinishedEntry } from '../../model/plan/apply-outcome.ts';
import { groupBy } from '../../model/values/group-by.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { orphanLines, resolveLines } from '../plan/orphan-text.ts';
import { countList, countOf } from '../text/count-words.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { hintLines } from '../text/hint-text.ts';
import { firstLines, mostEqual, mostSingle } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { jobEndLines } from './ai-job-text.ts';
import { statusRoles, statusWords, troubleKey, withoutIds } from './result-lines.ts';
import { trustPolicyBlocks } from './trust-policy-text.ts';

export interface ApplySummaryOptions extends Page {
  /** A resource's attributes as declared: which role an S3 delivery uses. */
  readonly attributesOf: (address: string) => JsonObject | undefined;
  /** The entries that took effect. */
  readonly finished: readonly FinishedEntry[];
}

/** Ends with a newline. */
export function renderApplySummary(document: ApplyDocument, options: ApplySummaryOptions): string {
  const blocks = [
    ...troubleBlocks(document, options),
    chatLines(document, options),
    ...jobBlocks(document, options),
    ...trustPolicyBlocks(options, document.results, options.attributesOf),
    finishedLines(options),
    orphanLines(options, document.orphans),
    countLines(document, options),
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** `Applied 3 changes, 1 failed, 1 skipped.` */
function countLines({ summary }: ApplyDocument, { theme, width }: Page): readonly string[] {
  const applied = `Applied ${countOf(summary.applied, 'change')}`;
  const others = countList([
    [summary.failed, 'failed'],
    [summary.unknown, 'with an unknown outcome'],
    [summary.skipped, 'skipped'],
  ]);
  const text = others === '' ? `${applied}.` : `${applied}, ${others}.`;
  return wrap(text, width).map(summary.failed + summary.unknown === 0 ? theme.strong : theme.error);
}

/** What failed, is unknown or was skipped; changes with the same message are grouped. */
function troubleBlocks({ results }: ApplyDocument, page: Page): readonly (readonly string[])[] {
  return (['failed', 'unknown', 'skipped'] as const).flatMap((status) => {
    const ended = results.filter((each) => each.status === status);
    return [...groupBy(ended, troubleKey).values()].map((group) => troubleLines(page, status, group));
  });
}

/** Where the entries are that can be removed now. */
function finishedLines(page: ApplySummaryOptions): readonly string[] {
  const { finished, width } = page;
  if (finished.length === 0) return [];
  const taken = countOf(finished.length, 'entry has', 'entries have');
  return [
    ...wrap(`${taken} taken effect and can be removed with almanac fmt --prune:`, width),
    ...listed(page, finished, mostEqual, ({ section, file, line }) => [`  ${safeText(file)}:${line} (${section})`]),
  ];
}

function troubleLines(page: Page, status: keyof typeof statusRoles, group: readonly ApplyResult[]): readonly string[] {
  const error = group[0]?.error;
  const named = listed(page, group, mostSingle, ({ address, action }) => {
    const text = `${safeText(address)} (${action}) ${statusWords[status]}`;
    return hangingLines(page, '! ', text, { role: statusRoles[status], column: 0 });
  });
  const isOpen = status === 'unknown' && error?.hint === undefined;
  return [
    ...named,
    ...(error === undefined ? [] : wrap(safeText(messageOf(group), { keepNewlines: true }), page.width, '  ')),
    ...hintLines(page, error?.hint),
    ...(isOpen ? resolveLines(page, group.length === 1 ? (group[0]?.address ?? '') : 'ADDRESS', '  ') : []),
  ];
}

function messageOf(group: readonly ApplyResult[]): string {
  const [message = '', ...others] = new Set(group.map(({ error }) => error?.message ?? ''));
  return others.length === 0 ? message : withoutIds(message);
}

function listed<T>(
  page: Page,
  items: readonly T[],
  most: number,
  linesOf: (item: T) => readonly string[],
): readonly string[] {
  return firstLines(items, page.showsAll ? items.length : most, linesOf, (more) => page.theme.dim(`  ${more}`));
}

/** How the AI jobs that were followed ended. */
function jobBlocks({ results }: ApplyDocument, page: Page): readonly (readonly string[])[] {
  return results.flatMap(({ address, job }) => (job === undefined ? [] : [jobEndLines(page, address, job)]));
}

/** Where the answers of AI jobs appear. */
function chatLines({ results }: ApplyDocument, { theme }: Page): readonly string[] {
  const chats = results.flatMap(({ address, outputs }) => {
    const url = outputs?.['omniChatUrl'];
    return typeof url === 'string' ? [`  ${safeText(address)}`, `    ${safeText(url)}`] : [];
  });
  return chats.length === 0 ? [] : [theme.strong('AI jobs run here:'), ...chats];
}
