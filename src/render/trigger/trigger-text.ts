// Deliveries that somebody asks for at once: what will be sent and to whom, for the person who confirms it, and what
// became of it.

import { isDelivered, type TriggeredSchedule, type TriggerStatus } from '../../model/deliveries/trigger-document.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { mostEqual, nameSome } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

export interface ShownTarget {
  readonly address: string;
  readonly destinationType: string;
  readonly to: readonly string[];
}

/** Ends with a newline. With -v everybody is named. */
export function renderTargets({ theme, width, showsAll }: Page, targets: readonly ShownTarget[]): string {
  const everybody = new Set(targets.flatMap(({ to }) => to)).size;
  const head = `${countOf(targets.length, 'schedule')} will be delivered once, now, to ${countOf(everybody, 'recipient')}:`;
  const most = showsAll ? Number.POSITIVE_INFINITY : mostEqual;
  const lines = targets.flatMap(({ address, destinationType, to }) => {
    const names =
      to.length === 0
        ? 'a secret'
        : nameSome(
            to.map((each) => safeText(each)),
            to.length,
            most,
          );
    return [`  ${theme.strong(safeText(address))}`, ...wrap(`${safeText(destinationType)} to ${names}`, width, '    ')];
  });
  return `${[...wrap(head, width), ...lines].join('\n')}\n`;
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
export function renderTriggered({ theme, width }: Page, results: readonly TriggeredSchedule[]): string {
  const lines = results.flatMap((result) => {
    const { address, status, message, hint } = result;
    const isBad = !isDelivered(result);
    const said = [words[status], ...(message === undefined ? [] : [message])].join(' ');
    const [first = '', ...rest] = wrap(`${safeText(address)}: ${safeText(said)}`, width, '  ');
    const name = safeText(address);
    const head = first.slice(2 + name.length);
    return [
      (isBad ? theme.error(name) : theme.strong(name)) + head,
      ...rest,
      ...(hint === undefined ? [] : wrap(`hint: ${safeText(hint)}`, width, '  ')),
    ];
  });
  return `${lines.join('\n')}\n`;
}
