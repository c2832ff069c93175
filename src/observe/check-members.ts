// Judges the members of declared user groups without a state. The schedules exist in Omni already. Asks for one list
// for each dashboard, and the recipients of each schedule there that has the name of a declared one with groups.

import { quote } from '../declare/formats/quote.ts';
import { membersAreInside } from '../declare/inside/members-inside.ts';
import { judgesRecipients } from '../declare/inside/recipients-inside.ts';
import type { Loaded } from '../declare/load/load.ts';
import type { ReadGroup } from '../model/plan/observation.ts';
import { groupNamed } from '../model/plan/user-groups.ts';
import { mayBeNamed } from '../model/service/recognise-rows.ts';
import type { RemoteRecipients } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/memoize.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { nameSome } from '../model/values/words.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import { findingAt } from '../model/workspace/field-place.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { inParallel, unlessOpen } from './sending.ts';
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
  const list = memoize((identifier: string) => unlessOpen(api.listSchedules({ identifier }, call)));
  const recipientsOf = memoize((id: string) => unlessOpen(api.getRecipients(id, call)));
  const read = new Map<Address, readonly ReadGroup[]>();
  const open = new Set<MembershipCheck>();
  await inParallel(receiving, concurrency, async (check) => {
    const { resource, identifier, name, texts } = check;
    const listed = await list(identifier);
    if (listed === undefined) open.add(check);
    const groups = new Map<string, ReadGroup>();
    for (const row of listed ?? []) {
      if (row.destinationType !== 'email' || !mayBeNamed(row, identifier, name)) continue;
      const recipients = await recipientsOf(row.id);
      if (recipients === undefined) open.add(check);
      for (const group of declaredGroups(texts, recipients ?? {})) groups.set(group.text, group);
    }
    read.set(resource.address, [...groups.values()]);
  });
  const value = new Set([...read.values()].flatMap((groups) => groups.map(({ text }) => text)));
  const outside = membersAreInside(resources, (address) => read.get(address) ?? [], { config, days, rows });
  return { value, findings: [...outside, ...receiving.filter((check) => open.has(check)).map(notTold)] };
}

function notTold({ resource, texts }: MembershipCheck): Finding {
  return {
    code: 'not-read',
    message: `Omni does not show who is in ${nameSome(texts.map(quote))}, so it is not known whether somebody outside receives it.`,
    hint: 'See that the token may view the schedules of the dashboard, and run again.',
    ...findingAt(resource, pointerTo('userGroups')),
  };
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
