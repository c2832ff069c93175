// The user groups of a schedule as a look has seen them. The id of a group counts: one that was renamed is still the one that
// was declared, and another one of the same name is another group. Members who join or leave change nothing here.

import { quote } from '../declare/formats/quote.ts';
import { namesIn } from '../model/fields/attributes.ts';
import type { ReadGroup } from '../model/plan/observation.ts';
import type { StateResource } from '../model/plan/state.ts';
import { isGroupId, isNamedBy, knownGroups, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { RemoteRecipients } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { domainOf, insideTest } from '../model/values/domains.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { withFields } from './looking.ts';
import type { FoundResource } from './observed.ts';

/** Of an answer; a group without an id is one that nobody can name. */
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
  /** Those whose id counts: all but the ones that only their name connects with a declaration. */
  readonly groups: readonly RecordedGroup[];
  /** All of them, as a declaration would name them. */
  readonly names: readonly string[];
  /** With their people. */
  readonly members: readonly ReadGroup[];
  readonly findings: readonly Finding[];
  /** It has some that are not declared, and nobody has read its groups before. */
  readonly isFirst: boolean;
}

/** Undefined where the answer says nothing of groups. */
export function observedGroups(
  address: Address,
  resource: Pick<StateResource, 'attributes' | 'groups' | 'unread'>,
  recipients: RemoteRecipients,
  internalDomains: readonly string[],
): SeenGroups | undefined {
  if (recipients.type !== 'email' || recipients.groups === undefined) return undefined;
  const found = groupsFound(recipients, internalDomains);
  const applied = namesIn(resource.attributes);
  const known = knownGroups(resource);
  const count = (wanted: string) => found.filter(({ name }) => name === wanted).length;
  const named = found.map((group): Named => {
    const before = known.groups.find(({ id }) => id.toLowerCase() === group.id.toLowerCase());
    const own = applied.filter((text) => isNamedBy(text, { ...group, text: before?.text ?? '' }));
    if (own.length > 0)
      return { texts: own, isDeclared: true, group: { ...group, text: before?.text ?? group.text }, before };
    const isTaken = applied.includes(group.text);
    const twin = known.groups.find(({ text }) => isTaken && text === group.text);
    // Of an adopted schedule nobody knows the id of a declared name yet: the access list of the dashboard says it.
    if (isTaken && twin === undefined && count(group.text) === 1) return { texts: [group.text], isDeclared: true };
    const text = isTaken || count(group.text) > 1 ? group.id : group.text;
    return { texts: [text], isDeclared: false, group: { ...group, text }, before: twin };
  });
  return {
    groups: named.flatMap(({ group }) => group ?? []),
    names: named.flatMap(({ texts }) => texts),
    members: recipients.groups.map(({ id, name, emails }) => {
      const index = found.findIndex((group) => group.id === id);
      return { text: named[index]?.texts[0] ?? name, emails };
    }),
    findings: found.flatMap((group, index) => nameFinding(address, group, named[index]?.before) ?? []),
    isFirst: !known.isWhole && named.some(({ isDeclared }) => !isDeclared),
  };
}

/** The same groups in another order are as they were applied. */
export function withGroups(resource: FoundResource, seen: SeenGroups | undefined, applied: JsonObject): FoundResource {
  if (seen === undefined) return resource;
  const { groups, names } = seen;
  const before = namesIn(applied);
  const isSame = before.length === names.length && before.every((text) => names.includes(text));
  const userGroups = isSame ? applied['userGroups'] : names.length === 0 ? undefined : [...names];
  return { ...withFields(resource, { userGroups }), groups };
}

interface Named {
  /** More than one where it is declared by its name and by its id. */
  readonly texts: readonly string[];
  readonly isDeclared: boolean;
  readonly group?: RecordedGroup;
  /** What the state has under its id or, if that is another group, under its name. */
  readonly before?: RecordedGroup | undefined;
}

function nameFinding(address: Address, group: RecordedGroup, before: RecordedGroup | undefined): Finding | undefined {
  if (before === undefined) return undefined;
  const [was, is] = [quote(before.text), quote(group.text)];
  const code = 'group-name';
  if (before.id.toLowerCase() !== group.id.toLowerCase())
    return {
      code,
      message: `In Omni, \`${address}\` goes to another user group called ${is}: its id is ${group.id}, and that of the applied one is ${before.id}.`,
      hint: 'An apply with this look removes it again. To send to it, declare its id.',
      address,
    };
  if (before.text === group.text || isGroupId(before.text)) return undefined;
  return {
    code,
    message: `The user group ${was} of \`${address}\` is called ${is} in Omni now. Its id counts, so it is still the one that is declared.`,
    hint: 'You can declare it by its new name.',
    address,
  };
}
