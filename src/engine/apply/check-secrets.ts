// Secrets must be known before anything is sent or compared with what was sent.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Loaded } from '../load/load.ts';
import type { Environment } from '../load/load-config.ts';
import { unsetVariables } from '../propose/unset-variables.ts';

/** Throws Failure missing-secret. `addresses` are those of the resources that are asked about; all where undefined. */
export function checkSecrets(loaded: Loaded, environment: Environment, addresses: readonly string[] | undefined): void {
  const wanted = addresses && new Set(addresses);
  const isWanted = (address: string | undefined) => address === undefined || (wanted?.has(address) ?? true);
  const resources = loaded.desired.resources.filter(({ address }) => isWanted(address));
  const names = unsetVariables({ ...loaded.desired, resources }, environment).map(({ name }) => name);
  if (names.length === 0) return;
  const findings = loaded.findings
    .filter(({ code, address }) => code === 'missing-variable' && isWanted(address))
    .map((finding): Finding => ({ ...finding, severity: 'error' }));
  const what = names.length === 1 ? 'An environment variable is' : 'Environment variables are';
  throw new Failure('missing-secret', `${what} not set, or empty: ${names.join(', ')}.`, {
    hint: `Set ${names.length === 1 ? 'it' : 'them'} where this runs. Nothing was sent.`,
    findings,
    source: loaded,
  });
}
