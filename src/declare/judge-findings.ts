// What a team has decided about warnings: `checks` in almanac.yaml sets their severity, and `accept` of a resource names
// those that somebody has looked at, with the reason. Notes stay what they are, and so do errors, but for one that `checks`
// may lower.

import type { Address } from '../model/values/address.ts';
import { isJsonObject } from '../model/values/json.ts';
import { type Code, codes, isCheckable } from '../model/workspace/codes.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, severityOf } from '../model/workspace/diagnostic.ts';
import type { Desired, Resource } from '../model/workspace/resource.ts';

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
