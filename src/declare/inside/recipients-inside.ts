// The check `recipient-not-inside`: whoever receives something by e-mail belongs to a domain of `safety.internalDomains`, or
// somebody has waived that, with `accept` on the resource, or on the audience for its own addresses. A place stays reported
// while one use of it has no waiver.

import { insideTest } from '../../model/values/domains.ts';
import { memoize } from '../../model/values/memoize.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding, FindingWords } from '../../model/workspace/diagnostic.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import { type Audiences, isInherited, type Resource } from '../../model/workspace/resource.ts';
import type { FileNamed } from '../../yaml/written/open-documents.ts';
import { type Acceptance, type AcceptanceDays, acceptancesOf, hasEnded } from '../acceptances.ts';
import { quote } from '../formats/quote.ts';
import { type AddressUse, isOutsideAddress, type ReceivingPlace, receivingPlaces } from './receiving-places.ts';

const code = 'recipient-not-inside';

interface Receiving {
  readonly resources: readonly Resource[];
  readonly audiences: Audiences;
  /** The audiences that something names which does not exist in this environment. */
  readonly usedElsewhere: ReadonlySet<string>;
  readonly fileNamed: FileNamed;
}

export interface InsideFindings {
  readonly findings: readonly Finding[];
  /** The resources and audiences (`audiences.NAME`) whose waiver has an address to be about. */
  readonly receiveOutside: ReadonlySet<string>;
}

const nothing: InsideFindings = { findings: [], receiveOutside: new Set() };

/** Whether the check is on, and has a list to compare with. Without a list it is an error of almanac.yaml. */
export function judgesRecipients({ checks, safety }: Pick<Config, 'checks' | 'safety'>): boolean {
  return (checks[code] === 'warning' || checks[code] === 'error') && safety.internalDomains.length > 0;
}

/** What is wrong with an address that receives something; undefined for one inside. */
export function outsideWords(
  internalDomains: readonly string[],
): (address: string, receives: string) => FindingWords | undefined {
  const isInside = insideTest(internalDomains);
  const isOutside = memoize((address: string) => isOutsideAddress(address, isInside), 10_000);
  return (address, receives) =>
    isOutside(address)
      ? {
          code,
          message: `The domain of ${quote(address)} is not one of \`safety.internalDomains\`, and ${receives}.`,
          hint: `Remove the address, list its domain, or write \`accept: { ${code}: { reason: …, until: … } }\` in the resource, or in the audience that names it.`,
        }
      : undefined;
}

/** Nothing where the check is off. */
export async function recipientsAreInside(
  { resources, audiences, usedElsewhere, fileNamed }: Receiving,
  config: Pick<Config, 'checks' | 'safety'>,
  days: AcceptanceDays,
): Promise<InsideFindings> {
  if (!judgesRecipients(config)) return nothing;
  const wordsOf = outsideWords(config.safety.internalDomains);
  const isElsewhere = (name: string) =>
    usedElsewhere.has(name) && !resources.some(({ origins }) => audiencesIn(origins).includes(name));
  const places = await receivingPlaces(
    { resources, audiences, isElsewhere, fileNamed },
    (address) => wordsOf(address, '') !== undefined,
  );
  const receiveOutside = new Set(places.flatMap(({ uses }) => uses.flatMap(namesOf)));
  const findings = places.flatMap((place) => findingsAt(place, wordsOf, days));
  return { findings, receiveOutside };
}

export function audienceAddress(name: string): string {
  return `audiences.${name}`;
}

function namesOf({ resource, audience }: AddressUse): readonly string[] {
  return [...(resource ? [resource.address] : []), ...(audience ? [audienceAddress(audience.name)] : [])];
}

/** The waivers that cover a use, the longest first. One in a default is an error, and waives nothing. */
function waiversOf({ resource, audience }: AddressUse): readonly Acceptance[] {
  const own = resource && !isInherited(resource, 'accept') ? acceptancesOf(resource).get(code) : undefined;
  const shared = audience && acceptancesOf(audience).get(code);
  const endOf = ({ until = '9999-12-31' }: Acceptance) => until;
  return [own, shared]
    .filter((waiver) => waiver !== undefined)
    .sort((a, b) => (endOf(a) < endOf(b) ? 1 : endOf(a) > endOf(b) ? -1 : 0));
}

/** One for each use without a waiver, or for all uses where each has one; reports show equal ones of a place once. */
function findingsAt(
  { address, place, uses }: ReceivingPlace,
  wordsOf: ReturnType<typeof outsideWords>,
  days: AcceptanceDays,
): readonly Finding[] {
  const judged = uses.map((use) => ({ use, waiver: waiversOf(use)[0] }));
  const open = judged.filter(({ waiver }) => waiver === undefined || hasEnded(waiver, days));
  const shown = open.length > 0 ? open : judged;
  const names = [
    ...new Set(shown.map(({ use }) => use.resource?.address ?? audienceAddress(use.audience?.name ?? ''))),
  ];
  const waiver = open.length > 0 ? 'no waiver covers' : 'a waiver covers';
  const receives = `${waiver} it in ${nameSome(names.map((name) => `\`${name}\``))}`;
  const words = wordsOf(address, receives);
  if (words === undefined) return [];
  const all = { ...words, place };
  if (open.length === 0) {
    const reasons = [...new Set(judged.map(({ waiver }) => waiver?.reason ?? ''))];
    return shown.map(({ use }) => ({ ...all, ...concerned(use), accepted: reasons.join('; ') }));
  }
  // Where a use has never had a waiver, no day that passed has brought the finding.
  const hasNone = open.some(({ waiver }) => waiver === undefined);
  const ended = hasNone
    ? undefined
    : open
        .map(({ waiver }) => waiver?.until ?? '')
        .sort()
        .at(-1);
  return open.map(({ use }) => ({ ...all, ...concerned(use), ...(ended === undefined ? {} : { ended }) }));
}

/** The place may be shared, so each use is one that the finding concerns. */
function concerned({ resource }: AddressUse): Pick<Finding, 'concerns'> {
  return resource === undefined ? {} : { concerns: resource.address };
}
