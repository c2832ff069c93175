// Who gets more or less than before, from schedules that already existed. A recipient that is hidden behind a secret
// counts as added, since nobody can check that it was there.

import { type Danger, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { sensitive } from '../../model/values/secret.ts';
import { hidesRecipients, recipientsOf } from './destinations.ts';
import { counted, foldedItems, makeFound } from './folded.ts';

export function addedRecipients(changes: readonly Change[]): Danger {
  const added = changes.flatMap((change) => [...recipientsIn(change, 'after', 'before'), ...hidden(change)]);
  const items = foldedItems(makeFound(added));
  const title = `${counted(items.length, 'recipient is', 'recipients are')} added`;
  return { code: 'recipient-added', gravity: dangerGravity['recipient-added'], title, items };
}

export function removedRecipients(changes: readonly Change[]): Danger {
  const items = foldedItems(makeFound(changes.flatMap((change) => recipientsIn(change, 'before', 'after'))));
  const title = `${counted(items.length, 'recipient is', 'recipients are')} removed`;
  return { code: 'recipient-removed', gravity: dangerGravity['recipient-removed'], title, items };
}

type Side = 'before' | 'after';
type Named = readonly [recipient: string, address: string];

/** The recipients that one side of a change has and the other has not. */
function recipientsIn(change: Change, side: Side, other: Side): readonly Named[] {
  const [these, those] = [change[side], change[other]];
  if (these === null || those === null) return [];
  const known = new Set(recipientsOf(those));
  return recipientsOf(these).flatMap((recipient) =>
    known.has(recipient) ? [] : [[recipient, change.address] as const],
  );
}

function hidden({ address, before, after, diff }: Change): readonly Named[] {
  if (after === null || !hidesRecipients(after)) return [];
  const differs = diff.some(({ path }) => path === '/recipients' || path.startsWith('/recipients/'));
  return before === null || differs ? [[sensitive, address]] : [];
}
