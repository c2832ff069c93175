// Secrets whose variables are not set here. One is needed only where a change sends it. A resource that sends nothing is not
// compared by its secrets where they are missing, and the apply says how many those are.

import type { Loaded } from '../declare/load/load.ts';
import type { Environment } from '../declare/load/load-config.ts';
import type { Address } from '../model/values/address.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { countOf } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { secretsOf } from '../plan/fingerprints.ts';
import type { Proposal } from '../plan/proposal.ts';
import { sendsDeclaration } from '../plan/requests.ts';
import { selectMatches } from '../plan/selection.ts';
import type { ApplyPorts } from './apply-request.ts';

/** Throws Failure missing-secret. Only with the secrets is it known whether a change of a saved plan that sends them is done. */
export function checkSecretsSent({ inputs, steps, ofSaved }: Proposal, { environment }: ApplyPorts): void {
  if (unsetVariables(inputs.loaded.desired, environment).length === 0) return;
  const sending = steps.filter(({ calls, change }) => change.blocked === undefined && sendsDeclaration(calls));
  const gone = ofSaved?.noLongerPlanned.filter(
    ({ requests, diff }) => requests > 0 && diff.some(({ sensitive }) => sensitive),
  );
  const changes = [...sending.map(({ change }) => change), ...(gone ?? [])];
  checkSecrets(
    inputs.loaded,
    environment,
    changes.map(({ address }) => address),
  );
}

/** Throws Failure missing-secret where a resource of `addresses` takes a secret from a variable that is not set. */
export function checkSecrets(loaded: Loaded, environment: Environment, addresses: readonly string[]): void {
  const wanted = new Set(addresses);
  const unset = amongThese(unsetVariables(loaded.desired, environment), wanted);
  if (unset.length === 0) return;
  const names = unset.map(({ name }) => name);
  const findings = loaded.findings
    .filter(({ code, address }) => code === 'missing-variable' && (address === undefined || wanted.has(address)))
    .map((finding): Finding => ({ ...finding, severity: 'error' }));
  const what = names.length === 1 ? 'An environment variable is' : 'Environment variables are';
  throw new Failure('missing-secret', `${what} not set, or empty: ${names.join(', ')}.`, {
    hint: `Set ${names.length === 1 ? 'it' : 'them'} where this runs. Nothing was sent.`,
    addresses: [...new Set(unset.flatMap((each) => each.addresses))],
    findings,
    source: loaded,
  });
}

/** Notes the secrets that were not compared, for a plan that does not send them. With --refresh-only, no declaration is compared. */
export function noteNotCompared(
  { inputs, selection: { targets, refresh } }: Proposal,
  { environment, reporter }: ApplyPorts,
): void {
  const allUnset = unsetVariables(inputs.loaded.desired, environment);
  if (refresh?.only || allUnset.length === 0) return;
  const about = selectMatches(inputs, targets);
  const unset = amongThese(allUnset, new Set(about.map(({ address }) => address)));
  if (unset.length === 0) return;
  const { size } = new Set(unset.flatMap(({ addresses }) => addresses));
  const names = unset.map(({ name }) => name).join(', ');
  const are = unset.length === 1 ? 'is' : 'are';
  const message = `The secrets of ${countOf(size, 'resource')} were not compared, because ${countOf(unset.length, 'secret')} ${are} not set: ${names}.`;
  reporter.emit({ type: 'note', message });
}

function amongThese(unset: readonly UnsetVariable[], these: ReadonlySet<string>): readonly UnsetVariable[] {
  return unset
    .map(({ name, addresses }) => ({ name, addresses: addresses.filter((address) => these.has(address)) }))
    .filter(({ addresses }) => addresses.length > 0);
}

/** An environment variable that declarations take secrets from. */
interface UnsetVariable {
  readonly name: string;
  /** The resources that need it. */
  readonly addresses: readonly Address[];
}

/** The variables that are not set, or empty, by name. */
export function unsetVariables(desired: Desired, environment: Environment): readonly UnsetVariable[] {
  const needed = new Map<string, Set<Address>>();
  for (const resource of desired.resources) {
    const unknown = secretsOf({ resources: [resource] }).filter(({ known }) => !known);
    for (const name of unknown.flatMap(({ variables }) => variables)) {
      if (!environment(name)) needed.set(name, (needed.get(name) ?? new Set()).add(resource.address));
    }
  }
  return [...needed]
    .map(([name, addresses]) => ({ name, addresses: [...addresses] }))
    .sort((a, b) => byCodeUnit(a.name, b.name));
}
