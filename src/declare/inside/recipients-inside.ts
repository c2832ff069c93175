// The check `recipient-not-inside`: recipients by e-mail belong to `safety.internalDomains`, or are waived. A waiver is
// `accept` on the resource, or on the audience for its own addresses. A place stays reported while one use of it has no
// waiver. Receivers that the table of permissions alone judges are not reported here.

import { deliveryOf, destinationOf, partAt, receiversAt } from '../../model/fields/delivery.ts';
import { mailed } from '../../model/fields/receiver.ts';
import { memoize } from '../../model/values/collections.ts';
import { addressKey, domainOf, freeMailDomains, insideTest } from '../../model/values/domains.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { nameSome, quote } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, type FindingWords, placeOf } from '../../model/workspace/diagnostic.ts';
import { findingAt, writtenOrigin } from '../../model/workspace/field-place.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import {
  type Audience,
  type Audiences,
  type DeclaredObject,
  type Desired,
  declaredAttributes,
  isInherited,
  type Resource,
} from '../../model/workspace/resource.ts';
import type { FileNamed } from '../../yaml/parsed-files.ts';
import { type Acceptance, type AcceptanceDays, acceptancesOf, hasEnded } from '../acceptances.ts';
import { nearest } from '../findings/suggest.ts';
import { needsLine } from '../rows/judge-rows.ts';
import type { JudgedRows, RowsFound } from '../rows/rows-of-others.ts';
import { emailFaults } from '../rules/recipients.ts';
import { type AddressUse, isOutsideAddress, type ReceivingPlace, receivingPlaces } from './receiving-places.ts';

const code = 'recipient-not-inside';

interface ReceivingResources {
  readonly resources: readonly Resource[];
  readonly audiences: Audiences;
  /** The audiences that a resource of another environment names. */
  readonly usedElsewhere: ReadonlySet<string>;
  readonly fileNamed: FileNamed;
}

export interface InsideFindings {
  readonly findings: readonly Finding[];
  /** The resources and audiences (`audiences.NAME`) whose waiver covers an address. */
  readonly receiveOutside: ReadonlySet<string>;
}

const nothing: InsideFindings = { findings: [], receiveOutside: new Set() };

/** True if the check is on, and has a list to compare with. Without a list it is an error of almanac.yaml. */
export function judgesRecipients({ checks, safety }: Pick<Config, 'checks' | 'safety'>): boolean {
  return (checks[code] === 'warning' || checks[code] === 'error') && safety.internalDomains.length > 0;
}

/** Tests if an address is outside; memoized, because the same ones come again and again. */
export function outsideTest(internalDomains: readonly string[]): (address: string) => boolean {
  const isInside = insideTest(internalDomains);
  return memoize((address: string) => isOutsideAddress(address, isInside), 10_000);
}

/** True if a domain may be proposed as internal: not one whose permissions the table has. */
export type MayBeInside = (address: string) => boolean;

export function mayBeInside(rows: JudgedRows | undefined): MayBeInside {
  return (address) => rows?.rules.permissions.namesDomain(domainOf(address)?.toLowerCase() ?? '') !== true;
}

function wayOut(address: string, isPossible: MayBeInside): string {
  const list = isPossible(address) ? ', list its domain,' : '';
  return `Remove the address${list} or write \`accept: { ${code}: { reason: …, until: … } }\` in the resource`;
}

/** The internal domain that was probably meant, as advice before any other. */
function nearInside(address: string, internalDomains: readonly string[]): string {
  const domain = domainOf(address)?.toLowerCase() ?? '';
  const near = domain === '' ? undefined : nearest(domain, internalDomains, 2);
  return near === undefined ? '' : `Did you mean ${quote(address.slice(0, -domain.length) + near)}? Otherwise: `;
}

export function outsideWords(
  address: string,
  receives: string,
  isPossible: MayBeInside = () => true,
  internalDomains: readonly string[] = [],
): FindingWords {
  return {
    code,
    message: `The domain of ${quote(address)} is not one of \`safety.internalDomains\`, and ${receives}.`,
    hint: `${nearInside(address, internalDomains)}${wayOut(address, isPossible)}, or in the audience that names it.`,
  };
}

function extraWords(address: string, receives: string, isPossible: MayBeInside): FindingWords {
  return {
    code,
    message: `\`extra\` names ${quote(address)}, whose domain is not one of \`safety.internalDomains\`. Almanac does not know what is sent to this address, and ${receives}.`,
    hint: `${wayOut(address, isPossible)}.`,
  };
}

/** Empty if the check is off. */
export async function recipientsAreInside(
  { resources, audiences, usedElsewhere, fileNamed }: ReceivingResources,
  config: Pick<Config, 'checks' | 'safety'>,
  days: AcceptanceDays,
  { rows, isUnreadable = false }: Partial<Pick<RowsFound, 'rows' | 'isUnreadable'>> = {},
): Promise<InsideFindings> {
  // The content of an unreadable table is not known, and its mistake is an error.
  if (!judgesRecipients(config) || isUnreadable) return nothing;
  const isElsewhere = (name: string) =>
    usedElsewhere.has(name) && !resources.some(({ origins }) => audiencesIn(origins).includes(name));
  const named = await receivingPlaces(
    { resources, audiences, isElsewhere, fileNamed },
    outsideTest(config.safety.internalDomains),
  );
  const places = rows === undefined ? named : withoutJudged(named, rows);
  const lists = new Set(places.map(({ uses }) => uses));
  const receiveOutside = new Set([...lists].flatMap((uses) => uses.flatMap(namesOf)));
  const judge = memoize((uses: readonly AddressUse[]) => judgeUses(uses, days));
  // An invalid address has its own error, and its domain says nothing. In `extra` nothing else judges it.
  const judged = places.filter(({ address, isExtra }) => isExtra || emailFaults(address).length === 0);
  const isPossible = mayBeInside(rows);
  const findings = judged.map(({ address, place, isExtra, uses }): Finding => {
    const { receives, ...severity } = judge(uses);
    const words = isExtra
      ? extraWords(address, receives, isPossible)
      : outsideWords(address, receives, isPossible, config.safety.internalDomains);
    return { ...words, place, ...severity };
  });
  return { findings, receiveOutside };
}

/**
 * Removes uses that the table of permissions judges alone, and unused addresses that the table names. Places with the
 * same users still have one list of them.
 */
function withoutJudged(places: readonly ReceivingPlace[], { rules, alone }: JudgedRows): readonly ReceivingPlace[] {
  const hasLine = memoize((address: string) => rules.permissions.allowedTo(mailed(address, '')) !== undefined);
  const isJudged = ({ resource }: AddressUse, isListed: boolean) =>
    resource === undefined
      ? isListed
      : alone.has(resource.address) && (isListed || needsLine(resource.kind, { kind: 'email' }));
  const open = memoize((isListed: boolean) =>
    memoize((uses: readonly AddressUse[]) => uses.filter((use) => !isJudged(use, isListed))),
  );
  return places.flatMap((place) => {
    const uses = open(hasLine(place.address))(place.uses);
    return uses.length === 0 ? [] : [{ ...place, uses }];
  });
}

function namesOf({ resource, audience }: AddressUse): readonly string[] {
  return [...(resource ? [resource.address] : []), ...(audience ? [audienceAddress(audience.name)] : [])];
}

export function audienceAddress(name: string): string {
  return `audiences.${name}`;
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

interface JudgedUses extends Pick<Finding, 'concerns' | 'accepted' | 'ended'> {
  /** The receiving resources: three of them, and the number of the others. */
  readonly receives: string;
}

/** Judges the uses of a place without a waiver, or all uses if each has one. */
function judgeUses(uses: readonly AddressUse[], days: AcceptanceDays): JudgedUses {
  const judged = uses.map((use) => ({ use, waiver: waiversOf(use)[0] }));
  const open = judged.filter(({ waiver }) => waiver === undefined || hasEnded(waiver, days));
  const shown = open.length > 0 ? open : judged;
  const names = [
    ...new Set(shown.map(({ use }) => use.resource?.address ?? audienceAddress(use.audience?.name ?? ''))),
  ];
  const waiver = open.length > 0 ? 'no waiver covers' : 'a waiver covers';
  const receives = `${waiver} it in ${nameSome(names.map((name) => `\`${name}\``))}`;
  // The place may be shared, so each resource that uses it is one that the finding concerns.
  const resources = [...new Set(shown.flatMap(({ use }) => use.resource?.address ?? []))];
  const concerns = resources.length === 0 ? undefined : resources;
  if (open.length === 0) {
    const reasons = [...new Set(judged.map(({ waiver }) => waiver?.reason ?? ''))];
    return { receives, concerns, accepted: reasons.join('; ') };
  }
  // If a use has never had a waiver, the finding was not caused by a day that passed.
  if (open.some(({ waiver }) => waiver === undefined)) return { receives, concerns };
  const ended = open
    .map(({ waiver }) => waiver?.until ?? '')
    .sort()
    .at(-1);
  return { receives, concerns, ended };
}

/** A waiver of an audience, which accepts nothing but addresses, is needed while one of them is outside. */
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
        message: 'Every address of this audience is inside, so the entry would hide the next address that is outside.',
        hint: 'Remove the entry.',
        place: placeOf(writtenOrigin(audience, pointerTo('accept', 'recipient-not-inside')), 'key'),
      },
    ];
  });
}

// Gives resources the waivers of the audiences through which they receive. Each waiver is added to the `accept` of the
// resource, with its addresses, so that the state remembers it and a plan can tell a new one.

/** The name of the entry; that of a code is one word. */
const entryOf = ({ name }: Audience) => `${code} of audiences.${name}`;

/** The addresses that an entry of `accept` waives: undefined for all, empty for an entry of another code. */
export function waivedBy(name: string, entry: unknown): readonly string[] | undefined {
  if (name === code) return undefined;
  const emails = name.startsWith(`${code} of audiences.`) && isJsonObject(entry) ? entry['emails'] : [];
  return Array.isArray(emails) ? emails.filter((email) => typeof email === 'string') : [];
}

export function withAudienceWaivers(
  desired: Desired,
  audiences: Audiences | undefined,
  internalDomains: readonly string[],
): Desired {
  const waiving = [...(audiences?.values() ?? [])].filter((audience) => acceptancesOf(audience).has(code));
  if (waiving.length === 0 || internalDomains.length === 0) return desired;
  const isInside = insideTest(internalDomains);
  const entries = new Map(
    waiving.map((audience) => {
      const { emails } = audience.attributes;
      const outside = (Array.isArray(emails) ? emails : []).filter(
        (email) => typeof email === 'string' && isOutsideAddress(email, isInside),
      );
      const entry = { ...acceptancesOf(audience).get(code), emails: outside } as unknown as DeclaredObject;
      return [audience.name, { name: entryOf(audience), entry }] as const;
    }),
  );
  const resources = desired.resources.map((resource) => {
    const used = namesUsed(resource).flatMap((name) => entries.get(name) ?? []);
    return used.length === 0 ? resource : withEntries(resource, used);
  });
  return { ...desired, resources };
}

/** The audiences through which people receive it; empty if a sink replaces them. */
function namesUsed(resource: Resource): readonly string[] {
  const { kind, origins, sink } = resource;
  const { email } = receiversAt(kind);
  if (origins === undefined || sink !== undefined || email === undefined || destinationOf(resource) !== 'email')
    return [];
  const [field = ''] = pointerSegments(email);
  return [...new Set(audiencesIn(origins, pointerTo(field)))];
}

function withEntries(
  resource: Resource,
  used: readonly { readonly name: string; readonly entry: DeclaredObject }[],
): Resource {
  const { accept } = resource.attributes;
  const own = isJsonObject(accept) ? accept : {};
  const shared = Object.fromEntries(used.map(({ name, entry }) => [name, entry]));
  return { ...resource, attributes: { ...resource.attributes, accept: { ...own, ...shared } } };
}

/**
 * E-mails that go to several companies outside at once: whether Omni hides the receivers from each other is not documented.
 * At a provider where anybody has a mailbox, each address counts as a company of its own.
 */
export function seenTogether(
  resources: readonly Resource[],
  { internalDomains }: Pick<Config['safety'], 'internalDomains'>,
): readonly Finding[] {
  if (internalDomains.length === 0) return [];
  const isOutside = outsideTest(internalDomains);
  const known = new WeakMap<object, readonly string[]>();
  const oneOfEach = (list: readonly unknown[]) => {
    const found = known.get(list) ?? onePerCompany(list.filter((each) => typeof each === 'string').filter(isOutside));
    known.set(list, found);
    return found;
  };
  return resources.flatMap((resource): readonly Finding[] => {
    const { kind } = resource;
    const attributes = declaredAttributes(resource);
    const { email } = receiversAt(kind);
    const list = email === undefined ? undefined : partAt(attributes, email);
    if (!Array.isArray(list) || list.length < 2 || email === undefined) return [];
    if (destinationOf({ kind, attributes }) !== 'email' || deliveryOf(kind, attributes).isFannedOut) return [];
    const companies = oneOfEach(list);
    if (companies.length < 2) return [];
    return [
      {
        code: 'seen-together',
        message: `${nameSome(companies.map(quote))} belong to ${companies.length} companies outside, and one e-mail goes to all of them. Omni does not document whether each of them sees the addresses of the others.`,
        hint: 'Declare a schedule for each company, such as with `forEach`. If they may know of each other, write `accept: { seen-together: REASON }`.',
        ...findingAt(resource, email),
      },
    ];
  });
}

/** The first address of each company. */
function onePerCompany(addresses: readonly string[]): readonly string[] {
  const byCompany = new Map<string, string>();
  for (const address of addresses.filter((each) => emailFaults(each).length === 0)) {
    const domain = domainOf(address) ?? '';
    const company = freeMailDomains.has(domain) ? addressKey(address) : domain;
    if (!byCompany.has(company)) byCompany.set(company, address);
  }
  const domains = [...byCompany.keys()];
  const isBelow = (domain: string) => domains.some((other) => domain.endsWith(`.${other}`));
  return [...byCompany].flatMap(([company, address]) => (isBelow(company) ? [] : address));
}
