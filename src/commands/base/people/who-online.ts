// Who receives what, with the schedules that Almanac does not manage and with what each address is to the organization.
// Reads; changes nothing in Omni.

import type { Membership, Recipient } from '../../../model/people.ts';
import { isOrganizationKey, type ListedSchedule } from '../../../model/service/remote.ts';
import type { Api, CallOptions } from '../../../service/api.ts';
import { isRefusal } from '../../../service/owners/owners.ts';
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

/**
 * What e-mail addresses are to the organization: its members, who may be deactivated, people of whom it knows nothing but
 * the address, or none of these. Only an organization key may ask, so with another token nothing is said. It is assumed
 * that SCIM lists nobody who has no account: the vendor's pages do not say so.
 */
interface Asking {
  token(): string;
  api(): Promise<Pick<Api, 'listUsers' | 'listEmailOnlyUsers'>>;
  readonly call: CallOptions;
}

/** By address in lower case. */
type Memberships = ReadonlyMap<string, Membership>;

/**
 * Of addresses in lower case. `emailOnly`: those of whom the service has said already that it knows only the address.
 * Undefined where the token may not ask.
 */
export async function membershipsOf(
  emails: readonly string[],
  emailOnly: ReadonlySet<string>,
  service: Asking,
): Promise<Memberships | undefined> {
  if (!isOrganizationKey(service.token())) return undefined;
  const found = new Map<string, Membership>();
  const api = await service.api();
  try {
    const others = emails.filter((email) => !emailOnly.has(email));
    for (const { email, active } of await listed(others, (only) => api.listUsers(only, service.call))) {
      const address = email.toLowerCase();
      // Somebody who came back may have an account that is active beside another that is not.
      if (active || !found.has(address)) found.set(address, active ? 'member' : 'deactivated');
    }
    const strangers = others.filter((email) => !found.has(email));
    const known = await listed(strangers, (only) => api.listEmailOnlyUsers(only, service.call));
    for (const email of [...known.map((each) => each.toLowerCase()), ...emailOnly]) found.set(email, 'email-only');
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
  return new Map(emails.map((email) => [email, found.get(email) ?? 'unknown']));
}

/** Up to this many are asked for one by one: a list may have many pages, and nobody knows how many before the first. */
const fewAddresses = 5;

async function listed<T>(
  emails: readonly string[],
  ask: (only: { readonly email?: string }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (emails.length > fewAddresses) return ask({});
  return (await Promise.all(emails.map((email) => ask({ email })))).flat();
}
