// AI jobs for a terminal: progress, end and answer.

import type { AiJobDocument, JobEnd } from '../../model/plan/apply-outcome.ts';
import type { Json } from '../../model/values/json.ts';
import { symbolOf, symbolWidth } from '../plan/action-symbols.ts';
import type { Page } from '../text/field-lines.ts';
import { hintLines } from '../text/hint-text.ts';
import { safeText, truncate, wrap } from '../text/terminal-text.ts';
import type { Theme } from '../text/theme.ts';

/** One line without its end. */
export function jobProgressLine(
  theme: Theme,
  width: number,
  { address, state, message }: { readonly address: string; readonly state: string; readonly message?: string },
): string {
  const shownMessage = message === undefined ? '' : `: ${safeText(message)}`;
  return theme.dim(truncate(`    ${safeText(address)} ${safeText(state)}${shownMessage}`, width));
}

/** One line without its end. */
export function jobEndedLine(theme: Theme, address: string, { state }: JobEnd): string {
  const line = `${safeText(address)} ${state === null ? 'did not end while it was followed' : safeText(state)}`;
  return state === 'COMPLETE'
    ? `${theme.run(symbolOf('run'))} ${line}`
    : `${theme.error('!'.padStart(symbolWidth))} ${line}`;
}

/** What a job answered, or why there is no answer. */
export function jobEndLines(page: Page, address: string, end: JobEnd): readonly string[] {
  const { state, resultSummary, error } = end;
  const title = state === null ? 'was not followed to its end' : `is ${safeText(state)}`;
  const role = state === 'COMPLETE' ? page.theme.strong : page.theme.error;
  return [
    role(`${safeText(address)} ${title}:`),
    ...indentedText(page, resultSummary),
    ...indentedText(page, error?.message),
    ...hintLines(page, hintAfter(address, state)),
  ];
}

function hintAfter(address: string, state: JobEnd['state']): string | undefined {
  if (state === null) return `Run \`almanac ai status ${address}\` to see its progress.`;
  if (state === 'COMPLETE') return undefined;
  return `The next apply does not run it again. To repeat it unchanged, run \`almanac state rm ${address}\`, then apply.`;
}

/** Ends with a newline. */
export function renderAiJob(document: AiJobDocument, page: Page): string {
  const { address, id, state, progress, error, resultSummary, omniChatUrl, result } = document;
  const lines = [
    `${page.theme.strong(safeText(address))} is ${safeText(state)} ${page.theme.dim(`(id ${safeText(id)})`)}`,
    ...indentedText(page, progress?.message),
    ...indentedText(page, [error?.message, error?.detail].filter((text) => text !== undefined).join(': ') || undefined),
    ...(result === undefined ? indentedText(page, resultSummary) : indentedText(page, answerIn(result, resultSummary))),
    ...(omniChatUrl === undefined ? [] : [`  ${safeText(omniChatUrl)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function answerIn(result: Readonly<Record<string, Json>>, summary: string | undefined): string | undefined {
  const found = [result['resultSummary'], result['message'], summary].find((text) => typeof text === 'string');
  return typeof found === 'string' ? found : undefined;
}

function indentedText({ width }: Page, text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : wrap(safeText(text.trim(), { keepNewlines: true }), width, '  ');
}
