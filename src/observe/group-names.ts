// Finds the user group that a name means. It is the one in the access list of a dashboard. The list is asked for once,
// and also proves that the group may see it. An id that is written is not looked up, nor a name whose id is known.

import { groupNotTold, placeOfGroup, unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { isGroupId, isUuid } from '../model/fields/ids.ts';
import { groupNamed, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Principal } from '../model/service/remote.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { type Resource, userGroupsIn } from '../model/workspace/resource.ts';
import { accessFinding, nowFinding } from './observed-groups.ts';
import { inParallel, unlessOpen } from './sending.ts';
import type { Service } from './service.ts';

/** `groups`: those with access. Undefined where nobody can tell which of them is meant. */
export function groupMeantBy(text: string, groups: readonly Principal[]): RecordedGroup | undefined {
  const [one, ...others] = groups.filter(({ name }) => name === text);
  return one !== undefined && others.length === 0 && isUuid(one.id) ? { text, id: one.id, name: one.name } : undefined;
}

/** A declaration, with the groups whose ids the state knows. */
export interface NamingResource {
  readonly resource: Resource;
  readonly knownGroups: readonly RecordedGroup[];
}

/**
 * Reports names that mean no group, what became of the groups that the state knows under the others, and lists that were not read;
 * with `onlyUnknown`, the first alone.
 */
export async function checkGroups(
  resources: readonly NamingResource[],
  service: Service,
  { onlyUnknown = false } = {},
): Promise<readonly Finding[]> {
  const naming = resources.flatMap(({ resource, knownGroups }): readonly NamedGroup[] => {
    const { identifier, userGroups } = resource.attributes;
    const texts = Array.isArray(userGroups) ? userGroupsIn({ userGroups: [...userGroups] }) : [];
    if (typeof identifier !== 'string') return [];
    const named = texts.filter((text) => !isGroupId(text));
    return named.map((text) => ({ resource, identifier, text, group: groupNamed(text, knownGroups) }));
  });
  const asked = naming.filter(({ group }) => group === undefined || !onlyUnknown);
  const lists = await accessLists(asked, service);
  return asked.flatMap(({ resource, identifier, text, group }): readonly Finding[] => {
    const { address } = resource;
    const access = lists.get(identifier);
    if (access === undefined) return onlyUnknown ? [] : [groupNotTold(text, resource)];
    if (group === undefined)
      return groupMeantBy(text, access) === undefined ? [unknownGroupFinding(text, access, identifier, resource)] : [];
    const now = nowFinding(address, group, { groups: [], access });
    if (now !== undefined) return [now];
    const away = accessFinding(address, group, access);
    return away === undefined ? [] : [{ ...away, ...placeOfGroup(resource, text) }];
  });
}

/** A declared name. */
interface NamedGroup {
  readonly resource: Resource;
  readonly identifier: string;
  readonly text: string;
  /** The group that the state knows under it. */
  readonly group: RecordedGroup | undefined;
}

/** The groups with access to each dashboard; without those whose list is refused. */
async function accessLists(
  naming: readonly NamedGroup[],
  service: Service,
): Promise<ReadonlyMap<string, readonly Principal[]>> {
  const dashboards = [...new Set(naming.map(({ identifier }) => identifier))];
  const lists = new Map<string, readonly Principal[]>();
  if (dashboards.length === 0) return lists;
  const api = await service.api();
  await inParallel(dashboards, service.concurrency, async (dashboard) => {
    const access = await unlessOpen(api.groupsWithAccess(dashboard, service.call));
    if (access !== undefined) lists.set(dashboard, access);
  });
  return lists;
}
