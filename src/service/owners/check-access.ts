// Whether the declared owners may see their dashboards, as the access lists of these say. False alarms are worse here than
// silence, and much about the lists is not documented. So nothing is said unless all of this holds:
//
// - the list of documents calls the dashboard `restricted`: what the whole organization may see need not list everybody;
// - every entry of its access list was understood (service/answers/read-answers.ts says what is expected);
// - nobody in it has the owner's membership id or address;
// - no group in it may be one of the owner's: where there are groups, the list of people must name those of the owner, and
//   neither an id nor a name may be equal.
//
// Whoever is in the list is assumed to see the dashboard, whatever the role. Not documented, and not told by any answer
// that is read here: who is an organization admin, and whether one sees what is not shared with them. The hint says so.

import type { AccessList, KnownDocument } from '../../model/service/documents.ts';
import type { RemoteUser } from '../../model/service/remote.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Api, CallOptions } from '../api.ts';
import { type Declared, placedAtOwner } from './check-owners.ts';
import { isRefusal, isSameId } from './owners.ts';

/** A schedule, the dashboard that it delivers, and the member who is to own it. */
export interface OwnedDashboard extends Declared {
  readonly user: RemoteUser;
  readonly identifier: string;
}

interface Asking {
  api(): Promise<Pick<Api, 'listAccess'>>;
  readonly call: CallOptions;
}

/** Sends one request for each restricted dashboard, and for each further hundred who may see it. */
export async function checkAccess(
  owned: readonly OwnedDashboard[],
  documents: readonly KnownDocument[],
  service: Asking,
): Promise<readonly Finding[]> {
  const restricted = new Set(documents.flatMap((each) => (isRestricted(each) ? each.identifier : [])));
  const lists = new Map<string, AccessList | undefined>();
  const findings: Finding[] = [];
  for (const each of owned) {
    const { identifier, user } = each;
    if (!restricted.has(identifier)) continue;
    if (!lists.has(identifier)) lists.set(identifier, await accessOf(identifier, service));
    const list = lists.get(identifier);
    if (list !== undefined && isOutside(user, list)) findings.push(cannotView(each));
  }
  return findings;
}

function isRestricted({ scope, deleted, hasDashboard }: KnownDocument): boolean {
  return scope === 'restricted' && !deleted && hasDashboard;
}

/** Undefined where the token may not ask. */
async function accessOf(identifier: string, { api, call }: Asking): Promise<AccessList | undefined> {
  try {
    return await (await api()).listAccess(identifier, call);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Whether it is certain that neither the member nor a group of theirs is listed. */
function isOutside({ id, email, groups }: RemoteUser, { principals, isWhole }: AccessList): boolean {
  const isMember = (listed: { readonly id?: string; readonly email?: string }) =>
    (listed.id !== undefined && isSameId(listed.id, id)) ||
    (listed.email !== undefined && isSameId(listed.email, email));
  if (!isWhole || principals.some(isMember)) return false;
  const listed = principals.filter(({ type }) => type === 'userGroup');
  if (listed.length === 0) return true;
  // Ids of groups have more than one form, so only names tell two groups apart.
  const areNamed = [...listed, ...(groups ?? [])].every(({ name }) => name !== undefined);
  if (groups === undefined || !areNamed) return false;
  return !listed.some((group) => groups.some((theirs) => theirs.id === group.id || theirs.name === group.name));
}

function cannotView({ resource, owner }: OwnedDashboard): Finding {
  const words = {
    code: 'owner-cannot-view',
    message: `The access list of the dashboard of \`${resource.address}\` has neither ${owner} nor a group of theirs. Omni refuses an owner who cannot view the dashboard.`,
    hint: 'Share the dashboard with them, or declare another owner. Omni does not say who is an organization admin: accept the warning for one who can open the dashboard.',
  } as const;
  return placedAtOwner(words, resource);
}
