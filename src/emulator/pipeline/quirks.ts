// Where the sources disagree on what the service does, or it is known to be awkward: each can be had either way.

export interface Quirks {
  /** For so long after its creation a schedule is not found, and the list leaves it out; 0 if not given. */
  readonly eventualConsistencyMs?: number;
  /** What a PUT does to the fields that it leaves out: back to their defaults (`replace`, if not given), or kept. */
  readonly put?: 'replace' | 'merge';
  /** A PUT that names another destinationType is a 400, one that names another dashboard a 404. */
  readonly fixedDestination?: boolean;
  /** How the digest of a webhook event's signature is written; `hex` if not given. */
  readonly signatureEncoding?: 'hex' | 'base64';
}
