// The variables of secrets that are not set here.

import type { Environment } from '../declare/load/load-config.ts';
import type { Address } from '../model/values/address.ts';
import { byCodeUnit } from '../model/values/json.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { secretsOf } from '../plan/fingerprints.ts';

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
