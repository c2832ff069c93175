// What was not done, and why: an edit that does not hold, a loop that is not made, a schedule that cannot be declared or read.

import type { Address } from './address.ts';

export interface Refusal<About = Address, Reason extends string = string> {
  /** What was not done; empty where the message says it. */
  readonly about: readonly About[];
  /** Where something is decided by it, or a document tells it. */
  readonly reason?: Reason;
  /** Whole sentences. */
  readonly message: string;
  /** What to do. */
  readonly hint?: string | undefined;
  readonly place?: { readonly file: string; readonly line?: number };
}

export type PlacedRefusal = Refusal & Required<Pick<Refusal, 'place'>>;

/** With a reason out of a closed list. */
export type Reasoned<About, Reason extends string> = Refusal<About, Reason> & { readonly reason: Reason };
