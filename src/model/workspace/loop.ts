// A declaration that stands for many resources: one for each item of a map (`forEach`) or each row of a CSV file
// (`forEachRow`).

import type { Address, Kind } from '../values/address.ts';
import type { Origin } from './source-file.ts';

export interface Loop {
  readonly kind: Kind;
  /** `schedules.regional-sales`. */
  readonly address: Address;
  /** The declaration. */
  readonly origin: Origin;
  /** The line of its key, from 1. */
  readonly line: number;
  /** The keys of its items, in the order of the file, which has no meaning. */
  readonly keys: readonly string[];
  /** The only environments in which it exists; undefined for all. */
  readonly in?: readonly string[];
}

/** What makes one instance of a loop. */
export interface Item {
  readonly key: string;
  /** The entry of the map, or the row: the pointer into a CSV file is the number of the row and the name of the column. */
  readonly origin: Origin;
  readonly loop: Loop;
}
