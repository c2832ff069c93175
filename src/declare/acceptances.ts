// Decisions of a team about warnings: `checks` in almanac.yaml sets their severity, and an entry of `accept` says why
// one about a resource may stay, and until when. A day is over when it is over in UTC. What follows from an acceptance that
// has ended, the command says that loads the declarations (`AcceptanceDays`). Here is also the finding about an entry that
// accepts nothing, that waives something in a default, or that ends soon; what is wrong in how an entry is written, rules say
// (rules/acceptance-days.ts).

import { deliveryOf } from '../model/fields/delivery.ts';
import type { Address } from '../model/values/address.ts';
import { endsSoon, isDay, isOver } from '../model/values/day.ts';
import { isJsonObject } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import {
  type Code,
  canBeWaived,
  codes,
  isAcceptable,
  isCheckable,
  isCode,
  isOff,
  isSought,
} from '../model/workspace/codes.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, type Origin, placeOf, severityOf } from '../model/workspace/diagnostic.ts';
import { findingAt, writtenOrigin } from '../model/workspace/field-place.ts';
import {
  type Audiences,
  type DeclaredObject,
  type Desired,
  isInherited,
  originOf,
  type Resource,
} from '../model/workspace/resource.ts';

export interface Acceptance {
  readonly reason: string;
  /** The last day; undefined if it has no end. */
  readonly until?: string;
}

/** The day by which an acceptance ends, and the effect of that. */
export interface AcceptanceDays {
  /** In UTC. */
  readonly today: string;
  /** With `counts`, the warning is back, as severe as `checks` makes it. With `warns`, it is a warning at most. */
  readonly ended: 'counts' | 'warns';
}

interface AcceptingResource {
  readonly attributes: DeclaredObject;
}

const none: ReadonlyMap<string, Acceptance> = new Map();

/** Keyed by declared code, which may be unknown. A wrongly written entry accepts nothing, and is an error. */
export function acceptancesOf({ attributes }: AcceptingResource): ReadonlyMap<string, Acceptance> {
  const { accept } = attributes;
  if (!isJsonObject(accept)) return none;
  return new Map(
    Object.entries(accept).flatMap(([code, entry]) => {
      const acceptance = acceptanceIn(entry);
      return acceptance === undefined ? [] : [[code, acceptance] as const];
    }),
  );
}

function acceptanceIn(entry: unknown): Acceptance | undefined {
  const { reason, until }: Readonly<Record<string, unknown>> = isJsonObject(entry) ? entry : { reason: entry };
  if (typeof reason !== 'string' || reason === '') return undefined;
  if (until === undefined) return { reason };
  return typeof until === 'string' && isDay(until) ? { reason, until } : undefined;
}

export function hasEnded({ until }: Acceptance, { today }: Pick<AcceptanceDays, 'today'>): boolean {
  return until !== undefined && isOver(until, today);
}

interface Decisions {
  readonly config?: Pick<Config, 'checks'>;
  readonly desired: Pick<Desired, 'resources'>;
  readonly days: AcceptanceDays;
}

/**
 * Each finding as the team wants it. Notes stay as they are, and so do errors, except those that `checks` may lower.
 * One that is off stays in the list: an apply still has to know what is missing. One that is off by default does not.
 */
export function judgeFindings(findings: readonly Finding[], { config, desired, days }: Decisions): readonly Finding[] {
  if (findings.length === 0) return findings;
  const checks = config?.checks ?? {};
  const accepted = new Map<Address, ReadonlyMap<string, Acceptance>>();
  for (const resource of desired.resources) {
    const acceptances = acceptancesOf(resource);
    if (acceptances.size > 0) accepted.set(resource.address, acceptances);
  }
  // A waiver may be that of an audience, so the check for recipients outside has read the waivers already.
  const acceptanceOf = ({ code, address = '', concerns = [] }: Finding) =>
    code === 'recipient-not-inside'
      ? undefined
      : [address, ...concerns].flatMap((at) => accepted.get(at)?.get(code) ?? [])[0];
  return findings
    .filter(({ code }) => isSought(code, checks))
    .map((finding) => judged(finding, checks, acceptanceOf(finding), days));
}

function judged(
  finding: Finding,
  checks: Config['checks'],
  acceptance: Acceptance | undefined,
  days: AcceptanceDays,
): Finding {
  const check = checks[finding.code];
  if (!isCheckable(finding.code) || finding.severity === 'error') return finding;
  if (check === 'off') return { ...finding, severity: check };
  if (finding.accepted !== undefined) return finding;
  if (finding.ended !== undefined) return ended(finding, finding.ended, check, days);
  const isAccepted = acceptance !== undefined && isAcceptable(finding.code) && !hasEnded(acceptance, days);
  // A permission that has ended is not a mistake of the files: deliveries to that receiver are left, and the rest goes
  // on.
  if (finding.lapsed !== undefined && !isAccepted)
    return { ...finding, severity: 'warning', lapsed: check === 'warning' ? undefined : finding.lapsed };
  if (acceptance === undefined || !isAcceptable(finding.code)) return withCheck(finding, check);
  const { reason, until = '' } = acceptance;
  if (isAccepted) return { ...finding, accepted: reason, severity: 'warning', lapsed: undefined };
  return ended(finding, until, check, days);
}

/** A day that passes stops no change that was reviewed. */
function ended(
  finding: Finding,
  until: string,
  check: Config['checks'][Finding['code']],
  days: AcceptanceDays,
): Finding {
  const back = { ...finding, message: `${finding.message} ${endedWords(until)}`, ended: until };
  return days.ended === 'counts' ? withCheck(back, check) : { ...back, severity: 'warning' };
}

/** Follows the message of a finding. */
function endedWords(until: string): string {
  return `The warning was accepted until ${until}, and that day is over.`;
}

function withCheck(finding: Finding, check: Config['checks'][Finding['code']]): Finding {
  return check === undefined || severityOf(finding) === 'note' ? finding : { ...finding, severity: check };
}

/**
 * A waiver about recipients or rows is somebody's decision about one resource or one audience: a default would waive it
 * for all later ones.
 */
export function waiversInDefaults(resources: readonly Resource[]): readonly Finding[] {
  return resources
    .filter((resource) => isInherited(resource, 'accept'))
    .flatMap((resource) => {
      const accepted = acceptancesOf(resource);
      return waived
        .filter(({ code }) => accepted.has(code))
        .map(
          ({ code, what, where }): Finding => ({
            code: 'waiver-in-defaults',
            message: `A default would let every resource that uses it ${what}, including resources that are added later.`,
            hint: `Write the entry in the resources${where} that it is about.`,
            concerns: [resource.address],
            place: placeOf(originOf(resource, 'accept'), 'key', code),
          }),
        );
    });
}

const waived = [
  { code: 'recipient-not-inside', what: 'deliver to any address outside', where: ', or in the audience,' },
  { code: 'rows-of-others', what: 'show anybody the rows of others', where: '' },
  { code: 'filters-joined', what: 'show anybody what joined filters let through', where: '' },
  { code: 'tile-unfiltered', what: 'show anybody tiles that no filter limits', where: '' },
  { code: 'stored-otherwise', what: 'show anybody what Omni stores in place of its filters', where: '' },
  { code: 'not-read', what: 'pass for seen although a look could not read it', where: '' },
] as const;

/**
 * An entry that accepts nothing would hide the next such warning, which nobody has reviewed. So it is a warning itself,
 * unless the files alone do not tell whether it is needed. Covers existing codes only. `found` are all findings about
 * the files, before any is accepted. `receiveOutside` are the addresses whose waiver covers something, although the
 * finding may be about another use of its place.
 */
export function acceptancesAreNeeded(
  resources: readonly Resource[],
  found: readonly Finding[],
  checks: Config['checks'],
  receiveOutside: ReadonlySet<string>,
): readonly Finding[] {
  const accepting = resources.filter((resource) => acceptancesOf(resource).size > 0);
  if (accepting.length === 0) return [];
  // Errors hide other findings, except for an unknown code.
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

/** Only Omni knows the members of user groups, and a look may find some outside. */
function isSentToGroups({ kind, attributes }: Resource): boolean {
  return deliveryOf(kind, attributes).to.some((receiver) => receiver.kind === 'group');
}

/** Others count as needed: they are not reported here, or come and go with the environment, Omni or the state. */
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
    message: `There is no ${severity} \`${code}\` about this resource, so the entry would hide the next warning, which nobody has looked at.`,
    hint: 'Remove the entry.',
  };
}

/** Readers of a report before that day can still fix the causes, or decide again. */
export function acceptancesEndSoon(
  resources: readonly Resource[],
  audiences: Audiences,
  checks: Config['checks'],
  days: AcceptanceDays,
): readonly Finding[] {
  const ending = (accepting: AcceptingResource, at: (pointer: string) => Pick<Finding, 'address' | 'place'>) =>
    [...acceptancesOf(accepting)].flatMap(([code, acceptance]): readonly Finding[] => {
      const words = endingWords(code, acceptance, checks, days);
      return words === undefined ? [] : [{ ...words, ...at(pointerTo('accept', code, 'until')) }];
    });
  return [
    ...[...audiences.values()].flatMap((audience) =>
      ending(audience, (pointer) => ({ place: placeOf(writtenOrigin(audience, pointer)) })),
    ),
    ...resources.flatMap((resource) => ending(resource, (pointer) => findingAt(resource, pointer))),
  ];
}

/** Undefined if it does not end soon, or if nothing reports its subject. */
function endingWords(
  code: string,
  acceptance: Acceptance,
  checks: Config['checks'],
  days: AcceptanceDays,
): Pick<Finding, 'code' | 'message' | 'hint'> | undefined {
  const { until } = acceptance;
  if (until === undefined || !endsSoon(until, days.today)) return undefined;
  if (!isCode(code) || isOff(code, checks)) return undefined;
  return {
    code: 'acceptance-ends',
    message: `\`${code}\` is accepted until ${until}. After that day, \`validate\` and \`plan\` report it again.`,
    hint: 'Fix the cause of the warning, or write a later day.',
  };
}
