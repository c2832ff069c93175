// The check `recipient-not-inside` for receivers that only Omni knows. They are the members of receiving user groups,
// and the receivers of an adopted schedule that its declaration does not name. The waiver of the resource covers them;
// an audience waives its own addresses only.

import { deliveryOf } from '../../model/fields/delivery.ts';
import { inGroup, mailed, type Receiver } from '../../model/fields/receiver.ts';
import type { ReadGroup } from '../../model/plan/observation.ts';
import type { Address } from '../../model/values/address.ts';
import { countOf, maxJudged, nameSome, quote } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { type Adoption, isInherited, type Resource } from '../../model/workspace/resource.ts';
import { type AcceptanceDays, acceptancesOf, hasEnded } from '../acceptances.ts';
import { placeOfGroup } from '../online/unknown-group.ts';
import { type JudgedRows, judgesAlone } from '../rows/rows-of-others.ts';
import { judgesRecipients, mayBeInside, outsideTest } from './recipients-inside.ts';

const code = 'recipient-not-inside';

interface MembersContext {
  readonly config: Pick<Config, 'checks' | 'safety'>;
  readonly days: AcceptanceDays;
  readonly rows?: JudgedRows | undefined;
}

/** Empty if the check is off, and for a group that the table of permissions alone judges. */
export function membersAreInside(
  resources: readonly Resource[],
  groupsOf: (address: Address) => readonly ReadGroup[],
  { config, days, rows }: MembersContext,
): readonly Finding[] {
  if (!judgesRecipients(config)) return [];
  const isOutside = outsideTest(config.safety.internalDomains);
  return resources.flatMap((resource) =>
    groupsOf(resource.address).flatMap(({ text, emails }): readonly Finding[] => {
      if (judgesAlone(inGroup(text, '', undefined), resource, rows)) return [];
      const outside = [...new Set(emails.filter(isOutside))].sort();
      return outside.length === 0 ? [] : [{ ...finding(resource, text, outside, rows), ...waived(resource, days) }];
    }),
  );
}

export interface AdoptedReceivers {
  readonly emails: readonly string[];
  readonly groups: readonly ReadGroup[];
}

/**
 * Empty if the check is off. Declared receivers are judged where they are written, and those in the table of
 * permissions are left to it.
 */
export function adoptedAreInside(
  resource: Resource,
  { emails, groups }: AdoptedReceivers,
  entry: Adoption,
  { config, days, rows }: MembersContext,
): readonly Finding[] {
  if (!judgesRecipients(config)) return [];
  const isOutside = outsideTest(config.safety.internalDomains);
  const named = namedBy(resource);
  const isJudged = (receiver: Receiver) =>
    !named.has(receiver.shown.toLowerCase()) && !judgesAlone(receiver, resource, rows);
  const outside = [
    ...emails.filter((email) => isJudged(mailed(email, '')) && isOutside(email)).map((email) => quote(email)),
    ...groups
      .filter(({ text }) => isJudged(inGroup(text, '', undefined)))
      .flatMap(({ text, emails: members }) =>
        members.filter(isOutside).map((email) => `${quote(email)} of the user group ${quote(text)}`),
      ),
  ];
  if (outside.length === 0) return [];
  const addresses = countOf(outside.length, 'address', 'addresses');
  return [
    {
      code,
      message: `What \`${resource.address}\` takes over goes to ${addresses} outside of \`safety.internalDomains\` that its declaration does not name: ${nameSome(outside, outside.length, maxJudged)}.`,
      hint: `Remove ${outside.length === 1 ? 'it' : 'them'} in Omni, or write \`accept: { ${code}: { reason: …, until: … } }\` in the resource: the plan after the adoption then removes the recipients that are not declared.`,
      address: resource.address,
      place: placeOf(entry.origin),
      ...waived(resource, days),
    },
  ];
}

function namedBy({ kind, attributes }: Resource): ReadonlySet<string> {
  return new Set(deliveryOf(kind, attributes).to.map(({ shown }) => shown.toLowerCase()));
}

function finding(resource: Resource, text: string, outside: readonly string[], rows: JudgedRows | undefined): Finding {
  const [members, domain] = outside.length === 1 ? ['a member', 'its domain'] : ['members', 'their domains'];
  const list = outside.every(mayBeInside(rows)) ? `, list ${domain},` : '';
  const names = outside.map((email) => quote(email));
  return {
    code,
    message: `The user group ${quote(text)}, which receives \`${resource.address}\`, has ${members} outside of \`safety.internalDomains\`: ${nameSome(names, names.length, maxJudged)}.`,
    hint: `Change the group in Omni${list} or write \`accept: { ${code}: { reason: …, until: … } }\` in the resource.`,
    seen: true,
    ...placeOfGroup(resource, text),
  };
}

/** A waiver in a default is an error, and waives nothing. */
function waived(resource: Resource, days: AcceptanceDays): Pick<Finding, 'accepted' | 'ended'> {
  const waiver = isInherited(resource, 'accept') ? undefined : acceptancesOf(resource).get(code);
  if (waiver === undefined) return {};
  return hasEnded(waiver, days) ? { ended: waiver.until ?? '' } : { accepted: waiver.reason };
}
