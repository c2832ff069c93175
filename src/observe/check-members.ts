// Judges the members of declared user groups without a state. The schedules exist in Omni already. Asks for one list
// for each dashboard, and the recipients of each schedule there that has the name of a declared one with groups.

import { membersAreInside } from '../declare/inside/members-inside.ts';
import { judgesRecipients } from '../declare/inside/recipients-inside.ts';
import type { Loaded } from '../declare/load/load.ts';
import type { ReadGroup } from '../model/plan/observation.ts';
import { groupNamed } from '../model/plan/user-groups.ts';
import { mayBeNamed } from '../model/service/recognise-rows.ts';
import type { RemoteRecipients } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/memoize.ts';
import type { WithFindings } from '../model/workspace/diagnostic.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { inParallel, unlessRefused } from './sending.ts';
import type { Service } from './service.ts';

interface MembershipCheck {
  readonly resource: Resource;
  readonly identifier: string;
  readonly name: string;
  readonly texts: readonly string[];
}

/** The value: the declared names and ids of which members were read. */
export async function checkMembers(
  { config, desired: { resources }, days, rows }: Pick<Loaded, 'config' | 'desired' | 'days' | 'rows'>,
  service: Service,
): Promise<WithFindings<ReadonlySet<string>>> {
  const receiving = config !== undefined && judgesRecipients(config) ? resources.flatMap(receivingOf) : [];
  if (config === undefined || receiving.length === 0) return { value: new Set(), findings: [] };
  const { call, concurrency } = service;
  const api = await service.api();
  const list = memoize((identifier: string) => unlessRefused(api.listSchedules({ identifier }, call)));
  const recipientsOf = memoize((id: string) => unlessRefused(api.getRecipients(id, call)));
  const read = new Map<Address, readonly ReadGroup[]>();
  await inParallel(receiving, concurrency, async ({ resource, identifier, name, texts }) => {
    const listed = (await list(identifier)) ?? [];
    const groups = new Map<string, ReadGroup>();
    for (const row of listed.filter((each) => each.destinationType === 'email' && mayBeNamed(each, identifier, name)))
      for (const group of declaredGroups(texts, (await recipientsOf(row.id)) ?? {})) groups.set(group.text, group);
    read.set(resource.address, [...groups.values()]);
  });
  const value = new Set([...read.values()].flatMap((groups) => groups.map(({ text }) => text)));
  return { value, findings: membersAreInside(resources, (address) => read.get(address) ?? [], { config, days, rows }) };
}

function receivingOf(resource: Resource): readonly MembershipCheck[] {
  const { identifier, name, userGroups } = resource.attributes;
  const texts = Array.isArray(userGroups) ? userGroups.filter((each): each is string => typeof each === 'string') : [];
  return typeof identifier === 'string' && typeof name === 'string' && texts.length > 0
    ? [{ resource, identifier, name, texts }]
    : [];
}

function declaredGroups(texts: readonly string[], { groups = [] }: Partial<RemoteRecipients>): readonly ReadGroup[] {
  return groups.flatMap(({ id = '', name, emails }) => {
    const text = texts.find((each) => groupNamed(each, [{ id, text: name }]) !== undefined);
    return text === undefined ? [] : [{ text, emails }];
  });
}
