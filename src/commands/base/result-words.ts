// Words for the result of a change, during an apply and at its end.

import { type Action, actions } from '../../model/plan/action.ts';
import type { ApplyResult, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import { type Block, dim, type Words } from '../../report/doc.ts';
import { displayWidth, safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Role } from '../../report/text/theme.ts';

export const statusRoles = { failed: 'error', skipped: 'warning', unknown: 'error' } as const satisfies Partial<
  Record<ResultStatus, Role>
>;

export const statusWords: Readonly<Record<Exclude<ResultStatus, 'applied'>, string>> = {
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'has an unknown outcome',
};

export function doneWords({ action, requests }: Pick<Change, 'action' | 'requests'>): string {
  return action === 'update' && requests === 0 ? 'updated in the state' : actions[action].done;
}

export function withoutIds(message: string): string {
  return message.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, 'ID');
}

/** The outcome, resource and id of a change; for a failure, as much of its message as fits on the line. */
export function changeBlock(result: ApplyResult, { requests, previousAddress }: Change, width: number): Block {
  const { action, status, address, id, error } = result;
  if (status === 'applied') {
    const from = previousAddress !== undefined && ` from ${previousAddress}`;
    const of = [`${address} ${doneWords({ action, requests })}`, from, id !== undefined && [' ', dim(`(id ${id})`)]];
    return { mark: [symbolWords(action), ' '], of };
  }
  const head = `${address} (${action}) ${statusWords[status]}`;
  const room = width - displayWidth(`  ! ${safeText(head)}: `);
  const tail = error !== undefined && room >= 8 && `: ${truncate(safeText(error.message), room)}`;
  return { mark: [{ role: statusRoles[status], of: status === 'unknown' ? '  ?' : '  !' }, ' '], of: [head, tail] };
}

/** Symbols end in one column, so that what follows them is aligned. */
export function symbolWords(action: Action): Words {
  return { role: action, of: actions[action].symbol.padStart(3) };
}
