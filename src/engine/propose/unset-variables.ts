// The environment variables that declarations take secrets from and that are not set here.

import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import type { Environment } from '../load/load-config.ts';
import { secretsOf } from './fingerprint-secrets.ts';

export interface UnsetVariable {
  readonly name: string;
  /** The resources that need it. */
  readonly addresses: readonly Address[];
}

/** Those that are not set, or empty, by name. */
export function unsetVariables(desired: Desired, environment: Environment): readonly UnsetVariable[] {
  const needed = new Map<string, Set<Address>>();
  for (const resource of desired.resources) {
    const unknown = secretsOf({ ...desired, resources: [resource] }).filter(({ known }) => !known);
    for (const name of unknown.flatMap(({ variables }) => variables)) {
      if (!environment(name)) needed.set(name, (needed.get(name) ?? new Set()).add(resource.address));
    }
  }
  return [...needed]
    .map(([name, addresses]) => ({ name, addresses: [...addresses] }))
    .sort((a, b) => byCodeUnit(a.name, b.name));
}
