// AI jobs for a terminal: progress, end and answer.

import type { AiJobDocument, JobEnd } from '../../model/plan/apply-outcome.ts';
import type { Json } from '../../model/values/json.ts';
import { type Block, dim, hint, indented, part, strong } from '../../report/doc.ts';
import { symbolOf } from '../../report/plan/change-report.ts';
import { printText } from '../../report/print-text.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page, Theme } from '../../report/text/theme.ts';

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
  return state === 'COMPLETE' ? `${theme.run(symbolOf('run'))} ${line}` : `${theme.error('!'.padStart(3))} ${line}`;
}

/** What a job answered, or why there is no answer. */
export function jobEndPart(address: string, end: JobEnd): Block {
  const { state, resultSummary, error } = end;
  const title = state === null ? 'was not followed to its end' : `is ${state}`;
  return part(
    { role: state === 'COMPLETE' ? 'strong' : 'error', of: `${address} ${title}:` },
    messageBlock(resultSummary),
    messageBlock(error?.message),
    hint(hintAfter(address, state)),
  );
}

function hintAfter(address: string, state: JobEnd['state']): string | undefined {
  if (state === null) return `Run \`almanac ai status ${address}\` to see its progress.`;
  if (state === 'COMPLETE') return undefined;
  return `The next apply does not run it again. To repeat it unchanged, run \`almanac state rm ${address}\`, then apply.`;
}

/** Ends with a newline. */
export function renderAiJob(document: AiJobDocument, page: Page): string {
  const { address, id, state, progress, error, resultSummary, omniChatUrl, result } = document;
  return printText(
    [
      [strong(address), ` is ${state} `, dim(`(id ${id})`)],
      messageBlock(progress?.message),
      messageBlock([error?.message, error?.detail].filter((text) => text !== undefined).join(': ')),
      messageBlock(result === undefined ? resultSummary : answerIn(result, resultSummary)),
      omniChatUrl !== undefined && indented(2, omniChatUrl),
    ],
    page,
  );
}

function answerIn(result: Readonly<Record<string, Json>>, summary: string | undefined): string | undefined {
  const found = [result['resultSummary'], result['message'], summary].find((text) => typeof text === 'string');
  return typeof found === 'string' ? found : undefined;
}

function messageBlock(text = ''): Block {
  return text !== '' && indented(2, { message: text.trim() });
}
