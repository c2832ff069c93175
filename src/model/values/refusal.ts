// Something that was not done, and why: an edit, a loop, or an import of a schedule.

import type { Address } from './address.ts';

export interface Refusal<About = Address, Reason extends string = string> {
  /** The things that were not done; empty if the message names them. */
  readonly about: readonly About[];
  /** Present if something is decided by it, or a document tells it. */
  readonly reason?: Reason;
  /** Whole sentences. */
  readonly message: string;
  /** The advice to the user. */
  readonly hint?: string | undefined;
  readonly place?: { readonly file: string; readonly line?: number };
}

export type PlacedRefusal = Refusal & Required<Pick<Refusal, 'place'>>;

/** A refusal with a reason out of a closed list. */
export type Reasoned<About, Reason extends string> = Refusal<About, Reason> & { readonly reason: Reason };
