// The secret that verifies webhooks: read from the environment, by the name of its variable.

import { Failure } from '../../model/workspace/failure.ts';
import type { Run } from '../base/run.ts';

/** Undefined where the variable is not set, or empty. */
export function webhookSecret({ environment }: Run, name: string): string | undefined {
  return environment(name) || undefined;
}

/** A name that does not look like one may be the secret itself, so it is not printed. */
export function missingSecret(name: string, hint: string): Failure {
  if (/^[A-Z_][A-Z0-9_]*$/.test(name)) {
    return new Failure('missing-secret', `The environment variable ${name} is not set or is empty.`, { hint });
  }
  return new Failure('missing-secret', 'The environment variable that --secret-env names is not set or is empty.', {
    hint: `--secret-env takes the name of the variable, not the secret itself. ${hint}`,
  });
}
