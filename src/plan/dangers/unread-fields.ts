// Fields that the service does not return, and that an import therefore guessed: the first update that sends one may
// change what recipients see.

import { type Danger, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { inBackticks } from '../../model/values/in-backticks.ts';
import type { Json } from '../../model/values/json.ts';
import { textOf } from './destinations.ts';
import { counted, makeFound } from './folded.ts';

export function unreadFields(changes: readonly Change[], state: State | undefined): Danger {
  const after = new Map(changes.map((change) => [change.address, change.after]));
  const found = makeFound(
    changes.filter(isSentWhole).flatMap((change) =>
      unreadOf(change, state)
        .filter((field) => field !== 'passwordUnencrypted')
        .map((field) => [field, change.address] as const),
    ),
  );
  const items = [...found].map(([field, addresses]) => ({
    subject: field,
    detail: wordsOf(field, addresses, after.get(addresses[0] ?? '')?.[field]),
  }));
  const title = `${counted(items.length, 'field that Omni does not return is', 'fields that Omni does not return are')} set`;
  return { code: 'unread', gravity: dangerGravity.unread, title, items };
}

/** Every PUT carries the whole schedule; pausing, resuming and transferring send nothing else. */
export function isSentWhole({ action, diff, requests }: Change): boolean {
  if (requests === 0 || (action !== 'update' && action !== 'replace')) return false;
  return diff.some(({ path }) => path !== '/paused' && path !== '/owner');
}

export function unreadOf({ address, previousAddress }: Change, state: State | undefined): readonly string[] {
  return state?.resources[previousAddress ?? address]?.unread ?? [];
}

function wordsOf(field: string, addresses: readonly Address[], value: Json | undefined): string {
  if (addresses.length > 1) return `${addresses.length} schedules: sets ${field}, which Omni does not return`;
  const text = textOf(value);
  return `\`${addresses[0]}\`: sets ${field}, which Omni does not return${text === undefined ? '' : `, to ${inBackticks(text)}`}`;
}
