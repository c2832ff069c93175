// Points where the sources disagree about the service, or where it is known to be awkward. Each can be configured.

export interface Quirks {
  /** How long a new schedule is not found and not listed, in milliseconds; 0 by default. */
  readonly eventualConsistencyMs?: number;
  /** Whether a PUT resets omitted fields to their defaults (`replace`, the default) or keeps them (`merge`). */
  readonly put?: 'replace' | 'merge';
  /** Whether a PUT with another destinationType is a 400, and with another dashboard a 404. */
  readonly fixedDestination?: boolean;
  /** The encoding of the signature of webhook events; `hex` by default. */
  readonly signatureEncoding?: 'hex' | 'base64';
}
