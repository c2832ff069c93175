// What is journalled before an effect.

import type { JournalIntent } from '../model/plan/journal.ts';
import type { Call } from '../plan/calls.ts';
import type { Step } from '../plan/plan.ts';
import { plainText } from '../state/fold-journal.ts';

export type Intended = Omit<JournalIntent, 'type' | 'seq' | 'at'>;

/** Of a step that moves, whatever else it does. */
export function moveIntent({ change: { address, previousAddress } }: Step): Intended {
  return { address, action: 'move', previousAddress };
}

/** Of a step that sends nothing. */
export function quietIntent({ change, after, unread = [], throughSink }: Step): Intended {
  const { address, action, reason } = change;
  // Omni never returns a password, so an adopted schedule may have one that is not declared.
  const mayHaveOne = after?.['destinationType'] === 'sftp' && after['passwordUnencrypted'] === undefined;
  const notRead = action === 'adopt' && mayHaveOne ? [...unread, 'passwordUnencrypted'] : unread;
  return {
    address,
    action,
    attributes: after,
    unread: after && notRead.length > 0 ? notRead : undefined,
    throughSink: after && throughSink,
    // Observing some fields does not settle what an earlier apply left open.
    ahead: reason === 'refreshed' || undefined,
    stateOnly: action === 'update' || undefined,
    release: reason === 'removed' || reason === 'missing' || undefined,
  };
}

/** Of one request of a step. */
export function callIntent({ change, calls, after = {}, unread, sinks, throughSink }: Step, call: Call): Intended {
  const { address, kind, action, id, reason } = change;
  const isReplacing = reason === 'replaced' || (action === 'replace' && calls.at(-1)?.send === 'delete');
  const replaced = isReplacing ? id : undefined;
  if (call.send === 'delete') return { address, action: 'delete', replaced };
  const isMade = call.send === 'post' || call.send === 'patch';
  const isSent = calls.slice(0, calls.indexOf(call) + 1).some(({ send }) => ['post', 'patch', 'put'].includes(send));
  const named =
    kind === 'schedule' ? { identifier: plainText(after, 'identifier'), name: plainText(after, 'name') } : {};
  return {
    address,
    action: isMade ? action : 'update',
    attributes: call.leaves,
    ...named,
    ahead: (action === 'update' && call !== calls.at(-1)) || undefined,
    unread: isSent ? undefined : unread,
    throughSink: isSent ? sinks : throughSink,
    replaced: call.send === 'post' ? replaced : undefined,
  };
}
