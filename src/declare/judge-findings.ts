// What a team has decided about warnings: `checks` in almanac.yaml sets their severity, and `accept` of a resource names
// those that somebody has looked at, with the reason. Notes stay what they are, and so do errors, but for one that `checks`
// may lower.

import type { Address } from '../model/values/address.ts';
import { isJsonObject } from '../model/values/json.ts';
import { type Code, codes, isCheckable, isCode, warningCodes } from '../model/workspace/codes.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, type Origin, placeOf, severityOf } from '../model/workspace/diagnostic.ts';
import { type Desired, isInherited, originOf, type Resource } from '../model/workspace/resource.ts';
import { didYouMean } from './findings/suggest.ts';

interface Decisions {
  readonly config?: Pick<Config, 'checks'>;
  readonly desired: Pick<Desired, 'resources'>;
}

/** The reasons by code, as declared; a code may be unknown. */
export function acceptancesOf({ attributes }: Pick<Resource, 'attributes'>): ReadonlyMap<string, string> {
  const { accept } = attributes;
  if (!isJsonObject(accept)) return none;
  const reasons = Object.entries(accept).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Map(reasons.filter(([, reason]) => reason !== ''));
}

const none: ReadonlyMap<string, string> = new Map();

/** Each finding as the team wants it. One that is off stays in the list: an apply still has to know what is missing. */
export function judgeFindings(findings: readonly Finding[], { config, desired }: Decisions): readonly Finding[] {
  if (findings.length === 0) return findings;
  const checks = config?.checks ?? {};
  const reasons = new Map<Address, ReadonlyMap<string, string>>();
  for (const resource of desired.resources) {
    const accepted = acceptancesOf(resource);
    if (accepted.size > 0) reasons.set(resource.address, accepted);
  }
  const reasonFor = ({ code, address, concerns }: Finding) =>
    reasons.get(address ?? '')?.get(code) ?? reasons.get(concerns ?? '')?.get(code);
  return findings.map((finding) => judged(finding, checks[finding.code], reasonFor(finding)));
}

function judged(finding: Finding, check: Config['checks'][Code], accepted: string | undefined): Finding {
  if (!isCheckable(finding.code) || finding.severity === 'error') return finding;
  if (check === 'off') return { ...finding, severity: check };
  if (accepted !== undefined && codes[finding.code].severity === 'warning') return { ...finding, accepted };
  return check === undefined || severityOf(finding) === 'note' ? finding : { ...finding, severity: check };
}

// An entry of `accept` that accepts nothing would hide the next such warning, which nobody has looked at. So it is a
// warning itself, unless the files alone do not tell whether it is needed.

/** `found`: every finding about the files, before anything is accepted. */
export function acceptancesAreNeeded(
  resources: readonly Resource[],
  found: readonly Finding[],
  checks: Config['checks'],
): readonly Finding[] {
  const accepting = resources.filter((resource) => acceptancesOf(resource).size > 0);
  if (accepting.length === 0) return [];
  const errors = found.filter((finding) => severityOf(finding) === 'error');
  // What an error hides is not known.
  if (errors.some(({ address, concerns }) => address === undefined && concerns === undefined)) return [];
  const faulty = new Set(errors.flatMap(({ address, concerns }) => [address, concerns]));
  const warned = new Set(found.flatMap(({ code, address, concerns }) => [`${address} ${code}`, `${concerns} ${code}`]));
  const isNeeded = ({ address }: Resource, code: string) =>
    faulty.has(address) || warned.has(`${address} ${code}`) || !isKnownFromFiles(code, checks);
  // The resources that share the entry: those of a default.
  const entries = new Map<string, { readonly finding: Finding; needed: boolean }>();
  for (const resource of accepting) {
    const origin = originOf(resource, 'accept');
    for (const code of acceptancesOf(resource).keys()) {
      const key = JSON.stringify([origin, code]);
      const entry = entries.get(key) ?? { finding: nothingAccepted(resource, origin, code), needed: false };
      entry.needed ||= isNeeded(resource, code);
      entries.set(key, entry);
    }
  }
  return [...entries.values()].filter(({ needed }) => !needed).map(({ finding }) => finding);
}

/** Others count as needed: nothing reports them here, or they come and go with the environment, Omni or the state. */
function isKnownFromFiles(code: string, checks: Config['checks']): boolean {
  if (!isCode(code)) return true;
  return code !== 'accepted-nothing' && checks[code] !== 'off' && codes[code].dependsOn === undefined;
}

function nothingAccepted(resource: Resource, origin: Origin, code: string): Finding {
  return {
    code: 'accepted-nothing',
    ...wordsAbout(code),
    ...(isInherited(resource, 'accept') ? { concerns: resource.address } : { address: resource.address }),
    place: placeOf(origin, 'key', code),
  };
}

function wordsAbout(code: string): Pick<Finding, 'message' | 'hint'> {
  if (!isCode(code))
    return {
      message: `There is no warning \`${code}\`, so the entry accepts nothing.`,
      hint: didYouMean(code, warningCodes) ?? 'Write the code of a warning, which is in brackets behind `warning`.',
    };
  const { severity } = codes[code];
  if (severity !== 'warning')
    return {
      message: `\`${code}\` is ${severity === 'error' ? 'an error' : 'a note'}, and only a warning can be accepted.`,
      hint: 'Remove the entry.',
    };
  return {
    message: `There is no warning \`${code}\` about this resource, so the entry would hide the next one, which nobody has looked at.`,
    hint: 'Remove the entry.',
  };
}
