// The user groups of a schedule as a look has seen them. The id of a group counts: one that was renamed is still the one that
// was declared, and another one of the same name is another group. Members who join or leave change nothing here.

import { groupIdIn, isGroupId } from '../model/fields/ids.ts';
import type { ReadGroup } from '../model/plan/observation.ts';
import type { StateResource } from '../model/plan/state.ts';
import { type GroupsInOmni, groupNamed, groupNow, type RecordedGroup, takenWords } from '../model/plan/user-groups.ts';
import type { Principal, RemoteRecipients } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { domainOf, insideTest } from '../model/values/domains.ts';
import type { JsonObject } from '../model/values/json.ts';
import { quote } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { userGroupsIn } from '../model/workspace/resource.ts';
import { type FoundResource, withFields } from './observed.ts';

/** The groups of an answer; a group without an id is one that nobody can name. */
export function groupsFound(
  { groups = [] }: Pick<RemoteRecipients, 'groups'>,
  internalDomains: readonly string[],
): readonly RecordedGroup[] {
  const isInside = insideTest(internalDomains);
  const isOutside = (email: string) => internalDomains.length > 0 && !isInside(domainOf(email) ?? email);
  return groups.flatMap(({ id, name, emails }) => {
    const outside = emails.some(isOutside) || undefined;
    return id === undefined ? [] : [{ text: name, id, name, people: emails.length, outside }];
  });
}

export interface SeenGroups {
  /** The groups whose ids count: all but those that only a name connects with what was applied. */
  readonly groups: readonly RecordedGroup[];
  /** All groups that it has, as a declaration would name them. */
  readonly names: readonly string[];
  /** The groups with their people. */
  readonly members: readonly ReadGroup[];
  readonly findings: readonly Finding[];
}

/** One schedule and its groups, as far as a look knows them. */
export interface LookedAtGroups {
  readonly address: Address;
  readonly resource: Pick<StateResource, 'attributes' | 'groups'>;
  readonly foundGroups: readonly RecordedGroup[];
  readonly recipients: RemoteRecipients;
  /** The groups with access to its dashboard, where they were asked for. */
  readonly access: readonly Principal[] | undefined;
  /** An adoption records the group that it has under a declared name. */
  readonly isAdopted: boolean;
}

/**
 * True if a group that was applied, or is `declared`, is not on the schedule, or has another name there: the access
 * list of its dashboard says what became of it, and whether another one has the name.
 */
export function needsAccess(
  { attributes, groups = [] }: LookedAtGroups['resource'],
  declared: readonly string[],
  found: readonly RecordedGroup[],
): boolean {
  return [...userGroupsIn(attributes), ...declared].some((text) => {
    const known = groupNamed(text, groups);
    if (known === undefined) return groupNamed(text, found) === undefined;
    const { called } = groupNow(known, { groups: found });
    return called === undefined || (!isGroupId(known.text) && called !== known.text);
  });
}

/** Returns undefined if the answer says nothing about groups. */
export function observedGroups({
  address,
  resource,
  foundGroups,
  recipients,
  access,
  isAdopted,
}: LookedAtGroups): SeenGroups | undefined {
  if (recipients.type !== 'email' || recipients.groups === undefined) return undefined;
  const applied = userGroupsIn(resource.attributes);
  const { groups: known = [] } = resource;
  const count = (wanted: string) => foundGroups.filter(({ name }) => name === wanted).length;
  const named = foundGroups.map((found): NamedGroup => {
    const { id, text: name } = found;
    const before = known.find((each) => each.id === id);
    const own = applied.filter((text) => (groupNamed(text, known)?.id ?? groupIdIn(text)) === id);
    const [first] = own;
    if (first !== undefined)
      return { found, texts: own, isDeclared: true, group: { ...found, text: before?.text ?? first }, before };
    const isTaken = applied.includes(name);
    const twin = known.find(({ text }) => isTaken && text === name);
    // Where the state has no id of an applied name, the access list of the dashboard tells it.
    if (isTaken && twin === undefined && count(name) === 1)
      return { found, texts: [name], isDeclared: true, group: isAdopted ? found : undefined };
    const text = isTaken || isGroupId(name) || count(name) > 1 ? id : name;
    return { found, texts: [text], isDeclared: false, group: { ...found, text }, twin };
  });
  // A group without an id is known by its name alone: nobody can remove it, but its presence is reported.
  const withoutId = recipients.groups.flatMap(({ id, name }) => (id === undefined ? [name] : []));
  const shown = { groups: foundGroups, access };
  return {
    groups: named.flatMap(({ group }) => group ?? []),
    names: [...new Set([...named.flatMap(({ texts }) => texts), ...withoutId])],
    members: recipients.groups.map(({ id, name, emails }) => ({
      text: named.find(({ found }) => found.id === id)?.texts[0] ?? name,
      emails,
    })),
    findings: [
      ...named.flatMap(({ found, before, twin }) =>
        twin === undefined ? ((before && nowFinding(address, before, shown)) ?? []) : twinFinding(address, found, twin),
      ),
      ...known
        .filter(({ id }) => !foundGroups.some((group) => group.id === id))
        .flatMap((group) => nowFinding(address, group, shown) ?? []),
      ...named.flatMap(({ found, isDeclared }) =>
        isDeclared && access !== undefined ? (accessFinding(address, found, access) ?? []) : [],
      ),
    ],
  };
}

/** The same groups in another order are as they were applied. */
export function withGroups(
  resource: FoundResource,
  seenGroups: SeenGroups | undefined,
  applied: JsonObject,
): FoundResource {
  if (seenGroups === undefined) return resource;
  const { groups, names } = seenGroups;
  const before = userGroupsIn(applied);
  const isSame = before.length === names.length && before.every((text) => names.includes(text));
  const userGroups = isSame ? applied['userGroups'] : names.length === 0 ? undefined : [...names];
  return { ...withFields(resource, { userGroups }), groups };
}

interface NamedGroup {
  readonly found: RecordedGroup;
  /** More than one where it is declared by its name and by its id. */
  readonly texts: readonly string[];
  readonly isDeclared: boolean;
  readonly group?: RecordedGroup | undefined;
  /** The group that the state has under its id. */
  readonly before?: RecordedGroup | undefined;
  /** Another group that the state has under its name. */
  readonly twin?: RecordedGroup | undefined;
}

const code = 'group-name';

function twinFinding(address: Address, { id, name, text }: RecordedGroup, before: RecordedGroup): Finding {
  return {
    code,
    message: `In Omni, \`${address}\` goes to a different user group called ${quote(name ?? text)}: its id is ${id}, and the applied group has the id ${before.id}.`,
    hint: 'An apply with this look removes this group again. To send to it, declare its id.',
    address,
  };
}

/** About a recorded group that has another name, or whose name another one has; the latter is as grave as drift. */
export function nowFinding(address: Address, group: RecordedGroup, shown: GroupsInOmni): Finding | undefined {
  const { id, text } = group;
  const { called, others } = groupNow(group, shown);
  const [other] = others;
  if (called === undefined && other === undefined) return undefined;
  if (called === undefined)
    return {
      code,
      message: `The user group ${quote(text)} of \`${address}\` is gone from Omni, and a different group has its name: the id of that group is ${other}, and the applied group had ${id}.`,
      hint: 'An apply with this look sends to the different group. To send to neither group, remove the name from the declaration.',
      address,
    };
  if (other !== undefined)
    return { code, severity: 'error', ...takenWords(text, { id, name: called }, other, address), address, seen: true };
  if (called === text || isGroupId(text)) return undefined;
  return {
    code,
    message: `The user group ${quote(text)} of \`${address}\` is now called ${quote(called)} in Omni. The id of a group counts, so it is still the declared group.`,
    hint: 'You can declare the group by its new name.',
    address,
  };
}

/** About a group that may still be on the schedule; the access list also has groups with access by a folder. */
export function accessFinding(
  address: Address,
  { id, text }: RecordedGroup,
  access: readonly Principal[],
): Finding | undefined {
  if (access.some((group) => group.id === id)) return undefined;
  return {
    code: 'unknown-group',
    severity: 'warning',
    message: `The user group ${quote(text)} of \`${address}\` is not on the access list of its dashboard.`,
    hint: 'Give it access in Omni, or remove it from the declaration.',
    address,
    seen: true,
  };
}
