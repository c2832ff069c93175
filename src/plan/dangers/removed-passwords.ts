// Passwords that a change may remove, because it sends the schedule without one: of an SFTP schedule whose password was
// applied and is no longer declared, and of an adopted one that may have a password that nobody recorded.

import { type Danger, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { hostOf } from './destinations.ts';
import { counted, foldedItems, makeFound } from './folded.ts';
import { isSentWhole, unreadOf } from './unread-fields.ts';

const password = 'passwordUnencrypted';

export function removedPasswords(changes: readonly Change[], state: State | undefined): Danger {
  const removing = changes.filter((change) => {
    const { before, after } = change;
    if (after?.['destinationType'] !== 'sftp' || after[password] !== undefined || !isSentWhole(change)) return false;
    return before?.[password] !== undefined || unreadOf(change, state).includes(password);
  });
  const found = makeFound(removing.map(({ address, after }) => [hostOf(after?.['address']) ?? '', address] as const));
  const title = `${counted(removing.length, 'change', 'changes')} may remove the password`;
  return { code: 'password-removed', gravity: dangerGravity['password-removed'], title, items: foldedItems(found) };
}
