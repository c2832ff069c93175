// Where new identities come from.

export interface Randomness {
  uuid(): string;
  /** That many random bytes as base64. */
  bytes(count: number): string;
}
