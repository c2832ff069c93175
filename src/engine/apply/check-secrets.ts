// A secret is needed only where a change sends it. A resource that sends nothing is not compared by its secrets where
// they are missing, and an apply says how many those are.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { sendsDeclaration } from '../../plan/calls.ts';
import type { Step } from '../../plan/plan.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { Loaded } from '../load/load.ts';
import type { Environment } from '../load/load-config.ts';
import type { Basis } from '../propose/basis.ts';
import { unsetVariables } from '../propose/fingerprint-secrets.ts';
import { type Selection, selectMatches } from '../propose/selection.ts';
import type { ApplyPorts, ApplyRequest } from './apply-request.ts';

/** Throws Failure missing-secret where a resource of `addresses` takes a secret from a variable that is not set. */
export function checkSecrets(loaded: Loaded, environment: Environment, addresses: readonly string[]): void {
  const wanted = new Set(addresses);
  const names = unsetFor(loaded, environment, wanted).map(({ name }) => name);
  if (names.length === 0) return;
  const findings = loaded.findings
    .filter(({ code, address }) => code === 'missing-variable' && (address === undefined || wanted.has(address)))
    .map((finding): Finding => ({ ...finding, severity: 'error' }));
  const what = names.length === 1 ? 'An environment variable is' : 'Environment variables are';
  throw new Failure('missing-secret', `${what} not set, or empty: ${names.join(', ')}.`, {
    hint: `Set ${names.length === 1 ? 'it' : 'them'} where this runs. Nothing was sent.`,
    findings,
    source: loaded,
  });
}

/** Throws Failure missing-secret. What a saved plan says that it sends is needed, too. */
export function checkSecretsSent(
  { loaded, saved }: ApplyRequest,
  steps: readonly Step[],
  { environment }: ApplyPorts,
): void {
  const sending = steps.filter(
    ({ calls, change }) => change.blocked === undefined && sendsDeclaration(calls.map(({ send }) => send)),
  );
  const said = saved?.changes.filter(({ requests, diff }) => requests > 0 && diff.some(({ sensitive }) => sensitive));
  const changes = [...sending.map(({ change }) => change), ...(said ?? [])];
  checkSecrets(
    loaded,
    environment,
    changes.map(({ address }) => address),
  );
}

/** For a plan that does not send them. With --refresh-only, no declaration is compared. */
export function noteNotCompared(
  loaded: Loaded,
  { targets, refresh }: Selection,
  basis: Basis,
  { environment, reporter }: ApplyPorts,
): void {
  if (refresh?.only) return;
  const about = selectMatches(basis, targets);
  const unset = unsetFor(loaded, environment, new Set(about.map(({ address }) => address)));
  if (unset.length === 0) return;
  const { size } = new Set(unset.flatMap(({ addresses }) => addresses));
  const names = unset.map(({ name }) => name).join(', ');
  const are = unset.length === 1 ? 'is' : 'are';
  const message = `The secrets of ${countOf(size, 'resource')} were not compared, because ${countOf(unset.length, 'secret')} ${are} not set: ${names}.`;
  reporter.emit({ type: 'note', message });
}

function unsetFor({ desired }: Loaded, environment: Environment, addresses: ReadonlySet<string>) {
  const resources = desired.resources.filter(({ address }) => addresses.has(address));
  return unsetVariables({ ...desired, resources }, environment);
}
