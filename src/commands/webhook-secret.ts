// The secret that webhooks are checked with: from the environment, by the name of its variable.

import { Failure } from '../model/failure.ts';
import type { World } from './world.ts';

/** Undefined where the variable is not set, or empty. */
export function webhookSecret({ environment }: World, name: string): string | undefined {
  return environment(name) || undefined;
}

export function missingSecret(name: string, hint: string): Failure {
  return new Failure('missing-secret', `The environment variable ${name} is not set, or empty.`, { hint });
}
