// Deliveries that somebody asks for at once: what will be sent and to whom, for the person who confirms it, and what
// became of it.

import { isDelivered, type TriggeredSchedule, type TriggerStatus } from '../model/deliveries.ts';
import { countOf, mostEqual } from '../model/values/words.ts';
import { indented, joined, someOf, strong } from './doc.ts';
import { printText } from './print-text.ts';
import type { Page } from './text/theme.ts';

export interface ShownTarget {
  readonly address: string;
  readonly destinationType: string;
  readonly to: readonly string[];
}

/** Ends with a newline. With -v everybody is named. */
export function renderTargets(page: Page, targets: readonly ShownTarget[]): string {
  const everybody = new Set(targets.flatMap(({ to }) => to)).size;
  const head = `${countOf(targets.length, 'schedule')} will be delivered once, now, to ${countOf(everybody, 'recipient')}:`;
  const most = page.showsAll ? Number.POSITIVE_INFINITY : mostEqual;
  const rows = targets.flatMap(({ address, destinationType, to }) => [
    indented(2, strong(address)),
    indented(4, [destinationType, ' to ', to.length === 0 ? 'a secret' : someOf(to, most)]),
  ]);
  return printText([head, ...rows], page);
}

const words: Readonly<Record<TriggerStatus, string>> = {
  sent: 'Omni was asked to deliver it.',
  failed: 'Failed.',
  unknown: 'The answer was lost.',
  skipped: 'Not sent.',
  fresh: 'Not sent, because it is not stale.',
  blocked: 'Not sent.',
};

/** Ends with a newline. */
export function renderTriggered(page: Page, results: readonly TriggeredSchedule[]): string {
  const rows = results.flatMap((result) => {
    const { address, status, message, hint } = result;
    const name = isDelivered(result) ? strong(address) : ({ role: 'error', of: address } as const);
    return [
      { hang: 2, of: [name, ': ', joined([words[status], message], ' ')] },
      hint !== undefined && indented(2, ['hint: ', hint]),
    ];
  });
  return printText(rows, page);
}
