// What `almanac who --format json` prints: everybody who receives something, with what they receive and why.

import type { Address } from '../values/address.ts';
import type { Via } from '../workspace/composed/resolved.ts';

export const whoFormatVersion = 1;

/** How a recipient is reached; what it is called by is an address, an id, a host or a bucket. */
export const recipientKinds = ['email', 'slack', 'webhook', 'sftp', 's3'] as const;
export type RecipientKind = (typeof recipientKinds)[number];

export interface WhoDocument {
  readonly formatVersion: typeof whoFormatVersion;
  /** Sorted. */
  readonly recipients: readonly Recipient[];
  /** With --online: how many schedules are missing, because they were left for later or their recipients cannot be read. */
  readonly notRead?: number;
}

/** What an address is to the organization. */
export const memberships = ['member', 'email-only', 'deactivated', 'unknown'] as const;
export type Membership = (typeof memberships)[number];

export interface Recipient {
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  readonly kind: RecipientKind;
  /** Of an e-mail address, where the service was asked. */
  readonly membership?: Membership;
  /** By address, and then those that Almanac does not manage, by name and id. */
  readonly deliveries: readonly Delivery[];
}

export interface Delivery {
  /** Undefined where Almanac does not manage it. */
  readonly address?: Address;
  /** Where the state or the service knows it. */
  readonly id?: string;
  readonly name?: string;
  readonly identifier?: string;
  readonly format?: string;
  readonly schedule?: string;
  readonly timezone?: string;
  readonly paused: boolean;
  readonly managed: boolean;
  /** The environment whose sink receives it instead. */
  readonly sink?: string;
  readonly via: DeliveryVia;
  /** Undefined where Almanac does not manage it. */
  readonly file?: string;
  readonly line?: number;
}

/** Why somebody receives something. */
export interface DeliveryVia {
  readonly kind: Via['kind'] | 'row' | 'group';
  /** Of an audience, a variable or a user group; of an item or a row its key. */
  readonly name?: string;
}
