// What Omni knows about somebody who leaves: who they and their successor are, and the list of schedules, which says who owns
// each. Only an organization key may look people up. Changes nothing.

import {
  isOrganizationKey,
  type ListedSchedule,
  organizationKeyPrefix,
  type RemoteUser,
} from '../../model/service/remote.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isRefusal, memberAt } from '../../service/owners/owners.ts';
import { requireFullOperations, type Service } from '../../service/service.ts';

export interface AboutPerson {
  /** Undefined where nobody in the organization has the address. */
  readonly member: RemoteUser | undefined;
  /** The same of who takes over; undefined without --to as well. */
  readonly successor: RemoteUser | undefined;
  /** All schedules of the organization. */
  readonly listed: readonly ListedSchedule[];
}

const offlineHint = 'With --offline the files alone are searched.';

/** Call it before any work. Throws Failure usage, missing-token and missing-base-url; sends nothing. */
export function checkMayAsk(config: Config, service: Pick<Service, 'token'>): void {
  requireFullOperations(config, 'what somebody owns', offlineHint);
  if (!isOrganizationKey(tokenOf(service))) {
    throw new Failure(
      'usage',
      `Only an organization key, which begins with ${organizationKeyPrefix}, may look up who has an address, and the token in use is of another kind.`,
      { hint: `Use an organization key. ${offlineHint} Nothing was sent.` },
    );
  }
}

function tokenOf(service: Pick<Service, 'token'>): string {
  try {
    return service.token();
  } catch (error) {
    if (!(error instanceof Failure) || error.hint === undefined) throw error;
    throw new Failure(error.code, error.message, { hint: `${error.hint} ${offlineHint}`, cause: error });
  }
}

/** Throws Failure api-unauthorized where the token may not ask for people, and what the api throws. */
export async function askAboutPerson(
  { email, to }: { readonly email: string; readonly to: string | undefined },
  service: Service,
): Promise<AboutPerson> {
  const api = await service.api();
  try {
    const member = await memberAt(email, api, service.call);
    const successor = to === undefined ? undefined : await memberAt(to, api, service.call);
    return { member, successor, listed: await api.listSchedules({}, service.call) };
  } catch (error) {
    if (!(error instanceof Failure) || !isRefusal(error)) throw error;
    throw new Failure(error.code, error.message, { hint: `${error.hint ?? ''} ${offlineHint}`.trim(), cause: error });
  }
}

/** A whole sentence; undefined for a successor who can own schedules. */
export function whyNoOwner(to: string, successor: RemoteUser | undefined): string | undefined {
  if (successor === undefined) return `Nobody in the organization has the address ${to}, so it cannot own a schedule.`;
  return successor.active ? undefined : `The account of ${to} is deactivated, so it cannot own a schedule.`;
}
