// Everything that can refuse an apply before its first request.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { organizationKeyPrefix } from '../../model/values/organization-key.ts';
import { secondsFor } from '../../model/values/rate.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { guardPlan, type Standing } from '../../plan/guard.ts';
import type { Loaded } from '../load/load.ts';
import type { Environment } from '../load/load-config.ts';
import { secretsOf } from '../propose/fingerprint-secrets.ts';
import type { Tally } from './tally.ts';

export interface ApplyFlags {
  readonly allowOrphans: boolean;
  readonly force: boolean;
  /** Seconds; undefined: as long as it takes. */
  readonly maxDuration: number | undefined;
}

/** Throws Failure blocked with all refusals of the plan at once. */
export function checkGuards(document: PlanDocument, standing: Standing, config: Config, flags: ApplyFlags): void {
  const { maxDeletePercent, allowOrphans } = config.safety;
  const policy = { maxDeletePercent, force: flags.force, allowOrphans: flags.allowOrphans || allowOrphans };
  const refusals = guardPlan(document, policy, standing);
  const [first] = refusals;
  if (first === undefined) return;
  throw new Failure('blocked', refusals.map(({ message }) => message).join('\n'), {
    hint: [...new Set(refusals.map(({ hint }) => hint))].join('\n'),
  });
}

/**
 * Throws Failure missing-secret: what is declared can't be sent, or compared with what was. `targets` are the addresses
 * it is asked of; all where undefined.
 */
export function checkSecrets(loaded: Loaded, environment: Environment, targets: readonly string[] | undefined): void {
  const wanted = targets === undefined ? undefined : new Set(targets);
  const resources = loaded.desired.resources.filter(({ address }) => wanted?.has(address) ?? true);
  const missing = secretsOf({ ...loaded.desired, resources }).filter(({ known }) => !known);
  const names = [...new Set(missing.flatMap(({ variables }) => variables))].filter((name) => !environment(name)).sort();
  if (names.length === 0) return;
  const findings: Finding[] = loaded.findings
    .filter(
      ({ code, address }) => code === 'missing-variable' && (address === undefined || wanted?.has(address) !== false),
    )
    .map((finding) => ({ ...finding, severity: 'error' }));
  throw new Failure(
    'missing-secret',
    `${names.length === 1 ? 'An environment variable is' : 'Environment variables are'} not set, or empty: ${names.join(', ')}.`,
    {
      hint: 'Set it where this runs. Nothing was sent.',
      findings,
      source: loaded,
    },
  );
}

/** The tokens of this run. Throws Failure missing-token. */
export function tokensOf(config: Config, environment: Environment): readonly string[] {
  const { tokenEnv } = config.api;
  const names = tokenEnv === undefined ? ['OMNI_API_TOKEN', 'OMNI_API_KEY'] : [tokenEnv];
  const text = names.map(environment).find((value) => value !== undefined && value.trim() !== '');
  const tokens = (text ?? '')
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  if (tokens.length > 0) return tokens;
  throw new Failure(
    'missing-token',
    `No API token: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set.`,
    {
      hint: `Set ${names[0]} to an API key of your Omni organization. Nothing was sent.`,
    },
  );
}

/** The requests of a run, and the seconds that the rate limit makes those take that are still to be sent. */
export interface Expected {
  readonly requests: number;
  readonly seconds: number;
}

/** What it comes to with so many requests more than were sent. Throws Failure refused where that takes longer than it may. */
export function checkDuration(
  toCome: number,
  { sent, sentLately }: Tally,
  { rateLimit, tokens, maxDuration }: { rateLimit: number; tokens: number; maxDuration: number | undefined },
): Expected {
  const lately = sentLately();
  const seconds = secondsFor(lately + toCome, rateLimit, tokens);
  if (maxDuration === undefined || seconds <= maxDuration) return { requests: sent() + toCome, seconds };
  const after = lately === 0 ? '' : `, after ${lately} that were sent to look first,`;
  throw new Failure(
    'refused',
    `${toCome} requests${after} take at least ${seconds} seconds under the rate limit of ${rateLimit} a minute, and --max-duration allows ${maxDuration}.`,
    {
      hint: 'Allow more time, give more tokens (separated by commas), or apply in parts with --target. Nothing was changed.',
    },
  );
}

/** Other tokens than organization keys act for their owner alone. */
export function userIdNotes(document: PlanDocument, tokens: readonly string[]): readonly string[] {
  if (tokens.every((token) => token.startsWith(organizationKeyPrefix))) return [];
  const named = document.changes.filter(({ requests, after }) => requests > 0 && after?.['userId'] !== undefined);
  if (named.length === 0) return [];
  return [
    `userId needs an organization key, which begins with ${organizationKeyPrefix}; with another token the service answers 403 to ${named.map(({ address }) => address).join(', ')}.`,
  ];
}
