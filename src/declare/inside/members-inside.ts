// The check `recipient-not-inside` for the members of user groups that Omni was asked for: one finding for each schedule and
// group. The waiver of the schedule covers them; an audience waives its own addresses only.

import type { ReadGroup } from '../../model/plan/observation.ts';
import type { Address } from '../../model/values/address.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { isInherited, type Resource } from '../../model/workspace/resource.ts';
import { type AcceptanceDays, acceptancesOf, hasEnded } from '../acceptances.ts';
import { quote } from '../formats/quote.ts';
import { placeOfGroup } from '../online/unknown-group.ts';
import { judgesRecipients, outsideTest } from './recipients-inside.ts';

const code = 'recipient-not-inside';

/** Nothing where the check is off. */
export function membersAreInside(
  resources: readonly Resource[],
  groupsOf: (address: Address) => readonly ReadGroup[],
  config: Pick<Config, 'checks' | 'safety'>,
  days: AcceptanceDays,
): readonly Finding[] {
  if (!judgesRecipients(config)) return [];
  const isOutside = outsideTest(config.safety.internalDomains);
  return resources.flatMap((resource) =>
    groupsOf(resource.address).flatMap(({ text, emails }): readonly Finding[] => {
      const outside = [...new Set(emails.filter(isOutside))].sort();
      return outside.length === 0 ? [] : [{ ...finding(resource, text, outside), ...waived(resource, days) }];
    }),
  );
}

function finding(resource: Resource, text: string, outside: readonly string[]): Finding {
  const [members, domain] = outside.length === 1 ? ['a member', 'its domain'] : ['members', 'their domains'];
  return {
    code,
    message: `The user group ${quote(text)}, which receives \`${resource.address}\`, has ${members} outside of \`safety.internalDomains\`: ${nameSome(outside.map((email) => quote(email)))}.`,
    hint: `Change the group in Omni, list ${domain}, or write \`accept: { ${code}: { reason: …, until: … } }\` in the resource.`,
    ...placeOfGroup(resource, text),
  };
}

/** One in a default is an error, and waives nothing. */
function waived(resource: Resource, days: AcceptanceDays): Pick<Finding, 'accepted' | 'ended'> {
  const waiver = isInherited(resource, 'accept') ? undefined : acceptancesOf(resource).get(code);
  if (waiver === undefined) return {};
  return hasEnded(waiver, days) ? { ended: waiver.until ?? '' } : { accepted: waiver.reason };
}
