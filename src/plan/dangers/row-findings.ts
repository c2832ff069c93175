// What a plan changes about the rows of one schedule, as the dangers of rows say it.

import type { Delivery } from '../../model/fields/delivery.ts';
import type { Gravity } from '../../model/plan/danger.ts';
import type { Address } from '../../model/values/address.ts';
import { canonicalJson, type Json } from '../../model/values/json.ts';
import { inBackticks } from '../../model/values/words.ts';
import type { Shift } from '../filter-shifts.ts';
import type { Step } from '../plan.ts';
import type { World } from './world.ts';

/** Something about the rows of one schedule. */
export interface RowFinding {
  readonly address: Address;
  /** `customer is removed`. */
  readonly subject: string;
  /** Said behind the addresses, as far as it is the same for all of a subject. */
  readonly said: readonly string[];
  /** Undefined for what is no danger. */
  readonly gravity: Gravity | undefined;
  /** What one and several such schedules are, where the subject does not say it. */
  readonly are?: readonly [one: string, several: string];
}

/** `isNamed`: almanac.yaml says which domains are inside. */
export function rowsGravity(isLess: boolean, isOutside: boolean, isNamed: boolean): Gravity | undefined {
  if (isLess) return isOutside ? 'grave' : 'caution';
  return isOutside && isNamed ? 'caution' : undefined;
}

/** What is gone from Omni is made again: before is what was applied. */
export function shownBefore(
  { change: { address, previousAddress, reason }, delivered }: Step,
  { appliedAt }: World,
): Delivery | undefined {
  return delivered().before ?? (reason === 'missing' ? appliedAt(previousAddress ?? address) : undefined);
}

export function wordsOf({ label, what, before, after }: Shift): Pick<RowFinding, 'subject' | 'said'> {
  return { subject: `${label} ${what}`, said: [...valueWords('was', before), ...valueWords('now', after)] };
}

/** A longer value is only in the differences. */
const longestValue = 100;

function valueWords(word: string, value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : jsonOf(value);
  return text.length > longestValue ? [] : [`${word} ${inBackticks(text)}`];
}

/** A list as reports write one. */
function jsonOf(value: Json): string {
  return Array.isArray(value) ? `[${value.map(jsonOf).join(', ')}]` : canonicalJson(value);
}
