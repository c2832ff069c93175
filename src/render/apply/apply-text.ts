// The outcome of an apply, for a terminal: a line for each change as it ends, and at the end the counts, the failures and
// what is left to do.

import { actions } from '../../model/plan/action.ts';
import type { ApplyDocument, ApplyResult, FinishedEntry, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { symbolOf, symbolWidth } from '../plan/action-symbols.ts';
import { orphanLines, resolveLines } from '../plan/orphan-text.ts';
import { countList, countOf } from '../text/count-words.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { hintLines } from '../text/hint-text.ts';
import { displayWidth, safeText, truncate, wrap } from '../text/terminal-text.ts';
import type { Role, Theme } from '../text/theme.ts';
import { jobEndLines } from './ai-job-text.ts';
import { trustPolicyBlocks } from './trust-policy-text.ts';

const statusRoles = { failed: 'error', skipped: 'warning', unknown: 'error' } as const satisfies Partial<
  Record<ResultStatus, Role>
>;

const statusWords: Readonly<Record<Exclude<ResultStatus, 'applied'>, string>> = {
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'has an unknown outcome',
};

/** One line without its end: what was done to which resource, its id; for a failure as much of the message as fits. */
export function renderChangeLine(result: ApplyResult, change: Change, theme: Theme, width: number): string {
  const { action, status } = result;
  const address = safeText(result.address);
  if (status === 'applied') {
    const from = change.previousAddress === undefined ? '' : ` from ${safeText(change.previousAddress)}`;
    const id = result.id === undefined ? '' : ` ${theme.dim(`(id ${safeText(result.id)})`)}`;
    return `${theme[action](symbolOf(action))} ${address} ${actions[action].done}${from}${id}`;
  }
  const head = `${address} (${action}) ${statusWords[status]}`;
  const words = result.error === undefined ? '' : safeText(result.error.message);
  const room = width - symbolWidth - 1 - displayWidth(`${head}: `);
  const tail = words === '' || room < 8 ? '' : `: ${truncate(words, room)}`;
  const mark = status === 'unknown' ? '?' : '!';
  return `${theme[statusRoles[status]](mark.padStart(symbolWidth))} ${head}${tail}`;
}

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
    const alike = new Map<string, ApplyResult[]>();
    for (const result of results.filter((each) => each.status === status)) {
      const key = JSON.stringify([result.error?.message, result.error?.hint]);
      const group = alike.get(key) ?? [];
      group.push(result);
      alike.set(key, group);
    }
    return [...alike.values()].map((group) => troubleLines(page, status, group));
  });
}

const mostNamed = 10;

/** Where the entries are that can be removed now. */
function finishedLines(page: ApplySummaryOptions): readonly string[] {
  const { finished, width } = page;
  if (finished.length === 0) return [];
  const named = finished
    .slice(0, mostNamed)
    .map(({ section, file, line }) => `  ${safeText(file)}:${line} (${section})`);
  const more = finished.length - mostNamed;
  return [
    ...wrap(
      `${countOf(finished.length, 'entry has', 'entries have')} taken effect and can be removed with almanac fmt --prune:`,
      width,
    ),
    ...named,
    ...(more > 0 ? [page.theme.dim(`  and ${more} more`)] : []),
  ];
}

function troubleLines(page: Page, status: keyof typeof statusRoles, group: readonly ApplyResult[]): readonly string[] {
  const { theme, width } = page;
  const error = group[0]?.error;
  const named = group.slice(0, mostNamed).flatMap(({ address, action }) => {
    const text = `${safeText(address)} (${action}) ${statusWords[status]}`;
    return hangingLines(page, '! ', text, { role: statusRoles[status], column: 0 });
  });
  const more = group.length - mostNamed;
  const isOpen = status === 'unknown' && error?.hint === undefined;
  return [
    ...named,
    ...(more > 0 ? [theme.dim(`  and ${more} more`)] : []),
    ...(error === undefined ? [] : wrap(safeText(error.message, { keepNewlines: true }), width, '  ')),
    ...hintLines(page, error?.hint),
    ...(isOpen ? resolveLines(page, group.length === 1 ? (group[0]?.address ?? '') : 'ADDRESS', '  ') : []),
  ];
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
