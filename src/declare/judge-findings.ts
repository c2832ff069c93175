// What a team has decided about warnings: `checks` in almanac.yaml sets their severity, and `accept` of a resource names
// those that somebody has looked at, with the reason. Notes stay what they are, and so do errors, but for
// those that `checks` may lower.

import type { Address } from '../model/values/address.ts';
import { isAcceptable, isCheckable } from '../model/workspace/codes.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, severityOf } from '../model/workspace/diagnostic.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { type Acceptance, type AcceptanceDays, acceptancesOf, endedWords, hasEnded } from './acceptances.ts';

interface Decisions {
  readonly config?: Pick<Config, 'checks'>;
  readonly desired: Pick<Desired, 'resources'>;
  readonly days: AcceptanceDays;
}

/** Each finding as the team wants it. One that is off stays in the list: an apply still has to know what is missing. */
export function judgeFindings(findings: readonly Finding[], { config, desired, days }: Decisions): readonly Finding[] {
  if (findings.length === 0) return findings;
  const checks = config?.checks ?? {};
  const accepted = new Map<Address, ReadonlyMap<string, Acceptance>>();
  for (const resource of desired.resources) {
    const acceptances = acceptancesOf(resource);
    if (acceptances.size > 0) accepted.set(resource.address, acceptances);
  }
  // A waiver may be that of an audience, so whoever finds a recipient outside has looked at the waivers.
  const acceptanceOf = ({ code, address = '', concerns = [] }: Finding) =>
    code === 'recipient-not-inside'
      ? undefined
      : [address, ...concerns].flatMap((at) => accepted.get(at)?.get(code) ?? [])[0];
  return findings.map((finding) => judged(finding, checks, acceptanceOf(finding), days));
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
  if (acceptance === undefined || !isAcceptable(finding.code)) return withCheck(finding, check);
  const { reason, until = '' } = acceptance;
  if (!hasEnded(acceptance, days)) return { ...finding, accepted: reason, severity: 'warning' };
  return ended(finding, until, check, days);
}

/** A day that passes stops nothing that was reviewed. */
function ended(
  finding: Finding,
  until: string,
  check: Config['checks'][Finding['code']],
  days: AcceptanceDays,
): Finding {
  const back = { ...finding, message: `${finding.message} ${endedWords(until)}`, ended: until };
  return days.ended === 'counts' ? withCheck(back, check) : { ...back, severity: 'warning' };
}

function withCheck(finding: Finding, check: Config['checks'][Finding['code']]): Finding {
  return check === undefined || severityOf(finding) === 'note' ? finding : { ...finding, severity: check };
}
