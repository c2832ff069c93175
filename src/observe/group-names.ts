// What the name of a user group means: the one group of that name in the access list of a dashboard, which is asked for once
// and also proves that the group may see it. An id that is written is not looked up, nor a name whose id is known.

import { unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { namesIn } from '../model/fields/attributes.ts';
import { isGroupId, isNamedBy, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Principal } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/memoize.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { inParallel, unlessRefused } from './sending.ts';
import type { Service } from './service.ts';

/** The groups with access to a dashboard. Throws what the service throws. */
export function accessLists({ api, call }: Service): (dashboard: string) => Promise<readonly Principal[]> {
  return memoize(async (dashboard: string) => (await api()).groupsWithAccess(dashboard, call));
}

/** `groups`: those with access. Undefined where nobody can tell which of them is meant. */
export function meantBy(text: string, groups: readonly Principal[]): RecordedGroup | undefined {
  const [one, ...others] = groups.filter(({ name }) => name === text);
  return one !== undefined && others.length === 0 && isGroupId(one.id)
    ? { text, id: one.id.toLowerCase(), name: one.name }
    : undefined;
}

/** What is wrong with the names that declarations use. A dashboard whose list is refused is left out. */
export async function checkGroups(
  resources: readonly Resource[],
  service: Service,
  knownOf: (address: Address) => readonly RecordedGroup[] = () => [],
): Promise<readonly Finding[]> {
  const naming = resources.flatMap((resource) => {
    const { identifier, userGroups } = resource.attributes;
    const names = Array.isArray(userGroups) ? namesIn({ userGroups: [...userGroups] }) : [];
    const known = knownOf(resource.address);
    const unsure = names.filter((text) => !isGroupId(text) && !known.some((group) => isNamedBy(text, group)));
    return typeof identifier === 'string' && unsure.length > 0 ? [{ resource, identifier, names: unsure }] : [];
  });
  const listOf = accessLists(service);
  const ask = memoize((dashboard: string) => unlessRefused(listOf(dashboard)));
  const dashboards = [...new Set(naming.map(({ identifier }) => identifier))];
  await inParallel(dashboards, service.concurrency, async (dashboard) => void (await ask(dashboard)));
  const found = await Promise.all(
    naming.map(async ({ resource, identifier, names }) => {
      const groups = await ask(identifier);
      return names.flatMap((text): readonly Finding[] => {
        if (groups === undefined || meantBy(text, groups) !== undefined) return [];
        return [unknownGroupFinding(text, groups, identifier, resource)];
      });
    }),
  );
  return found.flat();
}
