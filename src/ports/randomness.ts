// The source of new ids and salts.

export interface Randomness {
  uuid(): string;
  /** That many random bytes as base64. */
  bytes(count: number): string;
}
