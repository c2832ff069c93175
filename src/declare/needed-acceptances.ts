// An entry of `accept` that accepts nothing would hide the next such warning, which nobody has looked at. So it is a
// warning itself, unless the files alone do not tell whether it is needed.

import { deliveryOf } from '../model/fields/delivery.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { type Code, canBeWaived, codes, isAcceptable, isCode, isOff } from '../model/workspace/codes.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, type Origin, placeOf, severityOf } from '../model/workspace/diagnostic.ts';
import { writtenOrigin } from '../model/workspace/field-place.ts';
import { type Audiences, isInherited, originOf, type Resource } from '../model/workspace/resource.ts';
import { acceptancesOf } from './acceptances.ts';
import { audienceAddress, judgesRecipients } from './inside/recipients-inside.ts';

/**
 * Of codes that exist. `found`: every finding about the files, before anything is accepted. `receiveOutside`: whose waiver of an address is about
 * one, although another use of its place may be what is reported.
 */
export function acceptancesAreNeeded(
  resources: readonly Resource[],
  found: readonly Finding[],
  checks: Config['checks'],
  receiveOutside: ReadonlySet<string>,
): readonly Finding[] {
  const accepting = resources.filter((resource) => acceptancesOf(resource).size > 0);
  if (accepting.length === 0) return [];
  // What an error hides is not known, but for a code that does not exist.
  const errors = found.filter(
    (finding) => severityOf(finding) === 'error' && finding.code !== 'accepted-nothing' && !canBeWaived(finding.code),
  );
  if (errors.some(({ address, concerns }) => address === undefined && concerns === undefined)) return [];
  const about = ({ address = '', concerns = [] }: Finding) => [address, ...concerns];
  const faulty = new Set(errors.flatMap(about));
  const warned = new Set(found.flatMap((finding) => about(finding).map((at) => `${at} ${finding.code}`)));
  const isNeeded = (resource: Resource, code: Code) =>
    faulty.has(resource.address) ||
    warned.has(`${resource.address} ${code}`) ||
    (code === 'recipient-not-inside' && (receiveOutside.has(resource.address) || isSentToGroups(resource))) ||
    !isKnownFromFiles(code, checks);
  // The resources that share the entry: those of a default.
  const entries = new Map<string, { readonly finding: Finding; needed: boolean }>();
  for (const resource of accepting) {
    const origin = originOf(resource, 'accept');
    for (const code of [...acceptancesOf(resource).keys()].filter(isCode)) {
      const key = JSON.stringify([origin, code]);
      const entry = entries.get(key) ?? { finding: nothingAccepted(resource, origin, code), needed: false };
      entry.needed ||= isNeeded(resource, code);
      entries.set(key, entry);
    }
  }
  return [...entries.values()].filter(({ needed }) => !needed).map(({ finding }) => finding);
}

/** Who the members of user groups are only Omni knows, and a look may find some outside. */
function isSentToGroups({ kind, attributes }: Resource): boolean {
  return deliveryOf(kind, attributes).to.some((receiver) => receiver.kind === 'group');
}

/** Of audiences, which accept nothing but addresses. */
export function audienceWaiversAreNeeded(
  audiences: Audiences,
  receiveOutside: ReadonlySet<string>,
  config: Pick<Config, 'checks' | 'safety'>,
): readonly Finding[] {
  if (!judgesRecipients(config)) return [];
  return [...audiences.values()].flatMap((audience): readonly Finding[] => {
    if (receiveOutside.has(audienceAddress(audience.name)) || !acceptancesOf(audience).has('recipient-not-inside'))
      return [];
    return [
      {
        code: 'accepted-nothing',
        message: 'Every address of this audience is inside, so the entry would hide the next one that is not.',
        hint: 'Remove the entry.',
        place: placeOf(writtenOrigin(audience, pointerTo('accept', 'recipient-not-inside')), 'key'),
      },
    ];
  });
}

/** Others count as needed: nothing reports them here, or they come and go with the environment, Omni or the state. */
function isKnownFromFiles(code: Code, checks: Config['checks']): boolean {
  return code !== 'accepted-nothing' && !isOff(code, checks) && codes[code].dependsOn === undefined;
}

function nothingAccepted(resource: Resource, origin: Origin, code: Code): Finding {
  return {
    code: 'accepted-nothing',
    ...wordsAbout(code),
    ...(isInherited(resource, 'accept') ? { concerns: [resource.address] } : { address: resource.address }),
    place: placeOf(origin, 'key', code),
  };
}

function wordsAbout(code: Code): Pick<Finding, 'message' | 'hint'> {
  const { severity } = codes[code];
  if (!isAcceptable(code))
    return {
      message: `\`${code}\` is ${severity === 'error' ? 'an error' : 'a note'}, and only a warning can be accepted.`,
      hint: 'Remove the entry.',
    };
  return {
    message: `There is no ${severity} \`${code}\` about this resource, so the entry would hide the next one, which nobody has looked at.`,
    hint: 'Remove the entry.',
  };
}
