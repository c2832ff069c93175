// Finds the user group that a name means. It is the one in the access list of a dashboard. The list is asked for once,
// and also proves that the group may see it. An id that is written is not looked up, nor a name whose id is known.

import { placeOfGroup, unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { userGroupsIn } from '../model/fields/attributes.ts';
import { isGroupId, isUuid } from '../model/fields/ids.ts';
import { groupNamed, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Principal } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { accessFinding, awayFinding } from './observed-groups.ts';
import { inParallel, unlessRefused } from './sending.ts';
import type { Service } from './service.ts';

/** `groups`: those with access. Undefined where nobody can tell which of them is meant. */
export function groupMeantBy(text: string, groups: readonly Principal[]): RecordedGroup | undefined {
  const [one, ...others] = groups.filter(({ name }) => name === text);
  return one !== undefined && others.length === 0 && isUuid(one.id) ? { text, id: one.id, name: one.name } : undefined;
}

/** The groups of a resource that the state knows. */
export type KnownGroups = (address: Address) => readonly RecordedGroup[];

/** Reports faults of the names that declarations use. A dashboard whose list is refused is left out. */
export async function checkGroups(
  resources: readonly Resource[],
  service: Service,
  knownOf: KnownGroups,
): Promise<readonly Finding[]> {
  const isUnsure = (text: string, known: readonly RecordedGroup[]) => groupNamed(text, known) === undefined;
  const withAccessLists = await withAccess(namingIn(resources, knownOf, isUnsure), service);
  return withAccessLists.flatMap(({ resource, identifier, names, access }) =>
    names.flatMap((text): readonly Finding[] =>
      groupMeantBy(text, access) === undefined ? [unknownGroupFinding(text, access, identifier, resource)] : [],
    ),
  );
}

/** Finds Omni's present names for the groups whose ids the state knows. */
export async function checkKnownGroups(
  resources: readonly Resource[],
  service: Service,
  knownOf: KnownGroups,
): Promise<readonly Finding[]> {
  const isKnown = (text: string, known: readonly RecordedGroup[]) => groupNamed(text, known) !== undefined;
  const withAccessLists = await withAccess(namingIn(resources, knownOf, isKnown), service);
  return withAccessLists.flatMap(({ resource, names, access }) =>
    names.flatMap((text) => {
      const { address } = resource;
      const group = groupNamed(text, knownOf(address));
      if (group === undefined) return [];
      const away = awayFinding(address, group, [], access);
      if (away !== undefined) return away;
      const finding = accessFinding(address, group, access);
      return finding === undefined ? [] : { ...finding, ...placeOfGroup(resource, text) };
    }),
  );
}

interface NamedGroups {
  readonly resource: Resource;
  readonly identifier: string;
  readonly names: readonly string[];
}

/** The resources that name groups, with those of the names that are chosen. An id is no name. */
function namingIn(
  resources: readonly Resource[],
  knownOf: KnownGroups,
  isChosen: (text: string, known: readonly RecordedGroup[]) => boolean,
): readonly NamedGroups[] {
  return resources.flatMap((resource) => {
    const { identifier, userGroups } = resource.attributes;
    const texts = Array.isArray(userGroups) ? userGroupsIn({ userGroups: [...userGroups] }) : [];
    const known = knownOf(resource.address);
    const names = texts.filter((text) => !isGroupId(text) && isChosen(text, known));
    return typeof identifier === 'string' && names.length > 0 ? [{ resource, identifier, names }] : [];
  });
}

/** Adds the groups that have access to the dashboard; leaves out names whose list is refused. */
async function withAccess(naming: readonly NamedGroups[], service: Service) {
  const dashboards = [...new Set(naming.map(({ identifier }) => identifier))];
  if (dashboards.length === 0) return [];
  const api = await service.api();
  const lists = new Map<string, readonly Principal[] | undefined>();
  await inParallel(dashboards, service.concurrency, async (dashboard) => {
    lists.set(dashboard, await unlessRefused(api.groupsWithAccess(dashboard, service.call)));
  });
  return naming.flatMap((each) => {
    const access = lists.get(each.identifier);
    return access === undefined ? [] : [{ ...each, access }];
  });
}
