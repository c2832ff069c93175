// Chooses with whose rights a schedule is rendered. They are those of its declared owner, else of the owner that the
// list of schedules gives, else of the token. Only an organization key can choose.

import { isOrganizationKey, type ListedSchedule } from '../../model/service/remote.ts';
import { stringIn } from '../../model/values/json.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { membersAmong, ownerIdOf, unlessPeopleRefused } from '../owners/owners.ts';
import type { Service } from '../service.ts';

export interface Rights {
  /** A membership id; undefined for the token's. */
  readonly userId: string | undefined;
  /** The rights in words, as the end of a sentence. */
  readonly words: string;
}

const ofKey: Rights = { userId: undefined, words: 'the organization key, because no owner is known' };

/** The requests that `openRights` sends for all of them, without further pages. The people are listed only for an owner. */
export function requestsForRights(
  wanted: readonly Resource[],
  token: string,
): { readonly least: number; readonly most: number } {
  if (!isOrganizationKey(token)) return { least: 0, most: 0 };
  const addresses = new Set(wanted.map(declaredOwner).filter((owner) => owner?.includes('@')));
  const unknown = wanted.filter((resource) => declaredOwner(resource) === undefined);
  const dashboards = new Set(unknown.map(({ attributes }) => attributes['identifier']));
  const least = addresses.size + dashboards.size;
  return { least, most: least + (dashboards.size > 0 ? 1 : 0) };
}

/** Asks for the schedules of a dashboard once. What it returns throws what the api throws. */
export function openRights(service: Service): (resource: Resource) => Promise<Rights> {
  const listed = new Map<string, Promise<readonly ListedSchedule[]>>();
  const listOf = async (identifier: string) => {
    const api = await service.api();
    const rows = listed.get(identifier) ?? api.listSchedules({ identifier }, service.call);
    listed.set(identifier, rows);
    return rows;
  };
  return async (resource) => {
    const owner = declaredOwner(resource);
    if (!isOrganizationKey(service.token())) return rightsOfMember(owner);
    const api = await service.api();
    if (owner !== undefined) return { userId: await ownerIdOf(owner, api, service.call), words: owner };
    const { identifier, name } = resource.attributes;
    const same = (await listOf(String(identifier))).filter((row) => row.name === name);
    const [ownerId, other] = new Set(same.map((row) => row.ownerId));
    if (ownerId === undefined || other !== undefined) return ofKey;
    const users = await unlessPeopleRefused(api.listUsers({}, service.call));
    const member = membersAmong(users ?? [])(ownerId);
    return member?.active ? { userId: member.id, words: member.email } : ofKey;
  };
}

function rightsOfMember(owner: string | undefined): Rights {
  const whose = owner === undefined ? 'its owner' : owner;
  return { userId: undefined, words: `the member of the token; rows may differ from what ${whose} may see` };
}

function declaredOwner({ attributes: { owner, userId } }: Resource): string | undefined {
  return stringIn(owner ?? userId);
}
