// Limits how much the references and loops of a workspace may produce. A list of a thousand people in a loop of a
// thousand items is a million recipients, so a small file could fill the memory. All files share one limit.

import { Secret } from '../../model/values/secret.ts';
import { grouped } from '../../model/values/words.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import type { Declared } from '../../model/workspace/resource.ts';

const maxSize = 2_000_000;
/** A long text counts as several values, each of this length. */
const textOfOneValue = 100;
const small = 20;

export interface Expansion {
  /** Takes room for a value, and returns true if there was any. */
  take(value: Declared): boolean;
  /** The same for a text that is not put together yet. */
  takeText(length: number): boolean;
  /** The first call after the room has run out returns the error to report. */
  problem(): FindingWords | undefined;
}

export function startExpansion(limit = maxSize): Expansion {
  let remainingValues = limit;
  let isReported = false;
  const sizes = new WeakMap<object, number>();
  const sizeOf = (value: Declared): number => {
    if (typeof value === 'string') return sizeOfText(value.length);
    if (typeof value !== 'object' || value === null || value instanceof Secret) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    let size = 1;
    for (const part of Object.values(value as Readonly<Record<string, Declared>>)) size += sizeOf(part);
    // A small one is counted again as fast.
    if (size > small) sizes.set(value, size);
    return size;
  };
  const takeSize = (size: number): boolean => {
    remainingValues -= size;
    return remainingValues >= 0;
  };
  return {
    take: (value) => remainingValues >= 0 && takeSize(sizeOf(value)),
    takeText: (length) => remainingValues >= 0 && takeSize(sizeOfText(length)),
    problem: () => {
      if (remainingValues >= 0 || isReported) return undefined;
      isReported = true;
      return {
        code: 'alias-expansion',
        message: `With its references and loops resolved, the workspace has more than ${grouped(limit)} values. Values that were not resolved are not checked.`,
        hint: 'Use shorter lists, or fewer items, here.',
      };
    },
  };
}

function sizeOfText(length: number): number {
  return 1 + Math.floor(length / textOfOneValue);
}
