// The user groups of a schedule as a look has seen them. The id of a group counts: one that was renamed is still the one that
// was declared, and another one of the same name is another group. Members who join or leave change nothing here.

import { quote } from '../declare/formats/quote.ts';
import { userGroupsIn } from '../model/fields/attributes.ts';
import { groupIdIn, isGroupId } from '../model/fields/ids.ts';
import type { ReadGroup } from '../model/plan/observation.ts';
import type { StateResource } from '../model/plan/state.ts';
import { groupNamed, type RecordedGroup, takenWords, takerOf } from '../model/plan/user-groups.ts';
import type { Principal, RemoteRecipients } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { domainOf, insideTest } from '../model/values/domains.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
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
  /** The groups whose ids count, even if they are gone: all but those that only a name connects with what was applied. */
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
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return [...userGroupsIn(attributes), ...declared].some((text) => {
    const known = groupNamed(text, groups);
    if (known === undefined) return groupNamed(text, found) === undefined;
    return !names.has(known.id) || (!isGroupId(known.text) && names.get(known.id) !== known.text);
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
  const named = foundGroups.map((group): NamedGroup => {
    const before = known.find(({ id }) => id === group.id);
    const own = applied.filter((text) => (groupNamed(text, known) ?? withId(text))?.id === group.id);
    const [first] = own;
    if (first !== undefined) {
      const taken = own.flatMap((text) => takerOf(text, group, access) ?? [])[0];
      return { texts: own, isDeclared: true, group: { ...group, text: before?.text ?? first }, before, taken };
    }
    const isTaken = applied.includes(group.text);
    const twin = known.find(({ text }) => isTaken && text === group.text);
    // Where the state has no id of an applied name, the access list of the dashboard tells it.
    if (isTaken && twin === undefined && count(group.text) === 1)
      return { texts: [group.text], isDeclared: true, group: isAdopted ? group : undefined };
    const isUnclear = isTaken || isGroupId(group.text) || count(group.text) > 1;
    const text = isUnclear ? group.id : group.text;
    return { texts: [text], isDeclared: false, group: { ...group, text }, before: twin };
  });
  // A group without an id is known by its name alone: nobody can remove it, but its presence is reported.
  const withoutId = recipients.groups.flatMap(({ id, name }) => (id === undefined ? [name] : []));
  const gone = access === undefined ? [] : known.flatMap((group) => goneIn(group, foundGroups, access));
  return {
    groups: [...named.flatMap(({ group }) => group ?? []), ...gone],
    names: [...new Set([...named.flatMap(({ texts }) => texts), ...withoutId])],
    members: recipients.groups.map(({ id, name, emails }) => {
      const index = foundGroups.findIndex((group) => group.id === id);
      return { text: named[index]?.texts[0] ?? name, emails };
    }),
    findings: [
      ...foundGroups.flatMap((group, index) => {
        const { before, taken, texts = [] } = named[index] ?? {};
        const text = texts.find((each) => !isGroupId(each));
        return taken !== undefined && text !== undefined
          ? [takenFinding(address, text, group, taken)]
          : (nameFinding(address, group, before) ?? []);
      }),
      ...known.flatMap((group) => awayFinding(address, group, foundGroups, access) ?? []),
      ...foundGroups.flatMap((group, index) =>
        named[index]?.isDeclared === true && access !== undefined ? (accessFinding(address, group, access) ?? []) : [],
      ),
    ],
  };
}

function withId(text: string): Pick<RecordedGroup, 'id'> | undefined {
  const id = groupIdIn(text);
  return id === undefined ? undefined : { id };
}

/** Returns a group only if it surely is gone: one that the list lacks may still have access by its folder. */
function goneIn(
  group: RecordedGroup,
  found: readonly RecordedGroup[],
  access: readonly Principal[],
): readonly RecordedGroup[] {
  const isThere = [...found, ...access].some(({ id }) => id === group.id);
  const isMadeAgain = access.some(({ name }) => name === group.text);
  return !isThere && (group.gone || isMadeAgain) ? [goneGroup(group)] : [];
}

/** The group as the state keeps it when only its name is left. */
export function goneGroup({ text, id, name }: RecordedGroup): RecordedGroup {
  return { text, id, name, gone: true };
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
  /** More than one where it is declared by its name and by its id. */
  readonly texts: readonly string[];
  readonly isDeclared: boolean;
  readonly group?: RecordedGroup | undefined;
  /** The group that the state has under its id or, if that is another group, under its name. */
  readonly before?: RecordedGroup | undefined;
  /** The id of a different group that has its declared name now. */
  readonly taken?: string | undefined;
}

const code = 'group-name';

/** Graver than the note of a renamed group: it is as grave as drift. */
function takenFinding(address: Address, text: string, group: RecordedGroup, taken: string): Finding {
  return { code, severity: 'error', ...takenWords(text, group, taken, address), address, seen: true };
}

function nameFinding(address: Address, group: RecordedGroup, before: RecordedGroup | undefined): Finding | undefined {
  if (before === undefined) return undefined;
  const [was, is] = [quote(before.text), quote(group.name ?? group.text)];
  if (before.id !== group.id)
    return {
      code,
      message: `In Omni, \`${address}\` goes to a different user group called ${is}: its id is ${group.id}, and the applied group has the id ${before.id}.`,
      hint: 'An apply with this look removes this group again. To send to it, declare its id.',
      address,
    };
  if (was === is || isGroupId(before.text)) return undefined;
  return {
    code,
    message: `The user group ${was} of \`${address}\` is now called ${is} in Omni. The id of a group counts, so it is still the declared group.`,
    hint: 'You can declare the group by its new name.',
    address,
  };
}

/** About a group that may still be on the schedule; the access list also has groups with access by a folder. */
export function accessFinding(
  address: Address,
  { id, text, gone }: RecordedGroup,
  access: readonly Principal[],
): Finding | undefined {
  if (gone || access.some((group) => group.id === id)) return undefined;
  return {
    code: 'unknown-group',
    severity: 'warning',
    message: `The user group ${quote(text)} of \`${address}\` is not on the access list of its dashboard.`,
    hint: 'Give it access in Omni, or remove it from the declaration.',
    address,
    seen: true,
  };
}

/** About a group that is no longer on the schedule, from the access list. */
export function awayFinding(
  address: Address,
  group: RecordedGroup,
  found: readonly RecordedGroup[],
  access: readonly Principal[] = [],
): Finding | undefined {
  if (group.gone || found.some(({ id }) => id === group.id)) return undefined;
  const now = access.find(({ id }) => id === group.id);
  const taken = now && takerOf(group.text, group, access);
  if (taken !== undefined) return takenFinding(address, group.text, { ...group, name: now?.name }, taken);
  if (now !== undefined) return nameFinding(address, { ...group, name: now.name }, group);
  const other = access.find(({ name }) => name === group.text);
  return (
    other && {
      code,
      message: `The user group ${quote(group.text)} of \`${address}\` is gone from Omni, and a different group has its name: the id of that group is ${other.id}, and the applied group had ${group.id}.`,
      hint: 'An apply with this look sends to the different group. To send to neither group, remove the name from the declaration.',
      address,
    }
  );
}
