// Whether each user group that a declaration names has access to its dashboard: one access list a dashboard. An id that is
// written is not checked, nor a name whose id is known.

import { unknownGroupFinding } from '../declare/online/unknown-group.ts';
import { namesIn } from '../model/fields/attributes.ts';
import { isGroupId, isNamedBy, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/memoize.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { inParallel, unlessRefused } from './sending.ts';
import type { Service } from './service.ts';

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
  if (naming.length === 0) return [];
  const api = await service.api();
  const ask = memoize((dashboard: string) => unlessRefused(api.groupsWithAccess(dashboard, service.call)));
  const dashboards = [...new Set(naming.map(({ identifier }) => identifier))];
  await inParallel(dashboards, service.concurrency, async (dashboard) => void (await ask(dashboard)));
  const found = await Promise.all(
    naming.map(async ({ resource, identifier, names }) => {
      const groups = await ask(identifier);
      return names.flatMap((text): readonly Finding[] => {
        const named = groups?.filter(({ name }) => name === text);
        const isSure = named === undefined || (named.length === 1 && named.every(({ id }) => isGroupId(id)));
        return isSure ? [] : [unknownGroupFinding(text, named, identifier, resource)];
      });
    }),
  );
  return found.flat();
}
