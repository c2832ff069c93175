// What a trigger delivers, and to whom, as it was applied.

import type { Address } from '../../model/values/address.ts';

/** A schedule that is to be delivered. */
export interface Target {
  readonly address: Address;
  readonly id: string;
  /** Of its dashboard. */
  readonly identifier: string;
  readonly name: string;
  readonly destinationType: string;
  /** As they were applied: people and channels, or the host or bucket. Those behind a secret are left out. */
  readonly to: readonly string[];
}
