// Whether a recipient has a domain, and it is none of ours: what `--external` keeps. It is no judgement of risk: a bucket has no
// domain, and yet a plan counts it as outside (src/plan/dangers/world.ts).

import { domainOf, insideTest } from '../model/values/domains.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Recipient } from './recipients-document.ts';

/** Throws Failure usage: without a list, everybody would be outside. */
export function outsideDomainTest(
  internalDomains: readonly string[],
): (receiver: Pick<Recipient, 'kind' | 'recipient'>) => boolean {
  if (internalDomains.length === 0)
    throw new Failure('usage', '--external needs to know who belongs to you: no domain is listed as internal.', {
      hint: 'List your domains in almanac.yaml: `safety: { internalDomains: [example.com] }`.',
    });
  const isInside = insideTest(internalDomains);
  return ({ kind, recipient }) => {
    // A Slack workspace, a bucket and a user group have no domain.
    if (kind === 'slack' || kind === 's3' || kind === 'group') return false;
    return !isInside(kind === 'email' ? (domainOf(recipient) ?? recipient) : recipient);
  };
}
