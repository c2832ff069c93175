// Who receives what, with the schedules that Almanac does not manage and with what each address is to the organization.
// Reads; changes nothing in Omni.

import type { Recipient } from '../../../model/people/who-document.ts';
import type { ListedSchedule } from '../../../model/service/remote.ts';
import { membershipsOf } from './memberships.ts';
import { readUnmanaged, type UnmanagedRecipients, type UnmanagedRequest } from './unmanaged-recipients.ts';
import { type WhoReceives, type WhoRequest, whoReceives } from './who.ts';

export interface WhoOnlineRequest extends Omit<WhoRequest, 'unmanaged'>, Omit<UnmanagedRequest, 'mayReceive'> {}

export interface WhoOnline extends WhoReceives, Pick<UnmanagedRecipients, 'left' | 'refused' | 'finish'> {
  /** False where the token may not ask for the people of the organization. */
  readonly knowsMembers: boolean;
}

/** Throws what `whoReceives` and `readUnmanaged` throw; the former before anything is sent. */
export async function whoOnline(request: WhoOnlineRequest): Promise<WhoOnline> {
  whoReceives(request);
  const read = await readUnmanaged({ ...request, mayReceive: (row) => mayReceive(row, request) });
  const { schedules, left, refused, finish } = read;
  const { recipients, unmatched } = whoReceives({ ...request, unmanaged: schedules });
  const receivers = schedules.flatMap((each) => each.receivers);
  const only = new Set(receivers.flatMap(({ recipient, emailOnly }) => (emailOnly ? [recipient] : [])));
  const emails = recipients.flatMap(({ kind, recipient }) => (kind === 'email' ? [recipient] : []));
  try {
    const memberships = await membershipsOf(emails, only, request.service);
    const withMembership = (each: Recipient): Recipient => {
      const { recipient, kind, deliveries } = each;
      const membership = kind === 'email' ? memberships?.get(recipient) : undefined;
      return membership === undefined ? each : { recipient, kind, membership, deliveries };
    };
    const knowsMembers = memberships !== undefined;
    return { recipients: recipients.map(withMembership), unmatched, left, refused, finish, knowsMembers };
  } catch (error) {
    throw read.explain(error);
  }
}

/** Only what an e-mail reaches has an `@` in its name, and neither Slack nor a bucket has a domain. */
function mayReceive({ destinationType }: ListedSchedule, { patterns, external }: WhoOnlineRequest): boolean {
  if (destinationType === '' || destinationType === 'email') return true;
  if (external && (destinationType === 'slack' || destinationType === 's3')) return false;
  return patterns.length === 0 || patterns.some((pattern) => !pattern.includes('@'));
}
