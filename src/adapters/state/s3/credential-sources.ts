// What the places that hand out credentials have in common.

import { Failure } from '../../../model/workspace/failure.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Environment } from '../host.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Epoch milliseconds; undefined for keys that do not expire. */
  readonly expiresAt?: number;
}

/** The environment of the process, and what else a source needs. */
export interface SourceContext {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly region: string;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined if this source is not set up; throws Failure if it is and gives nothing. */
export type CredentialSource = (context: SourceContext) => Promise<Credentials | undefined>;

/** `what` is a whole sentence, without anything secret. */
export function noCredentials(what: string, hint: string): Failure {
  return new Failure('state-unreadable', what, { hint });
}

/** The JSON of a container's endpoint, and of a `credential_process`, which has a Version as well. */
export interface CredentialDocument {
  readonly AccessKeyId: string;
  readonly SecretAccessKey: string;
  readonly Token?: string;
  readonly SessionToken?: string;
  readonly Expiration?: string;
}

export function credentialsOf(document: CredentialDocument): Credentials {
  const token = document.Token || document.SessionToken;
  const expiresAt = document.Expiration === undefined ? Number.NaN : Date.parse(document.Expiration);
  return {
    accessKeyId: document.AccessKeyId,
    secretAccessKey: document.SecretAccessKey,
    sessionToken: token || undefined,
    expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt,
  };
}
