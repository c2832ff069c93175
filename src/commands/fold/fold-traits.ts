// What `almanac fold` asks of a kind: what declarations of a loop have in common, and what makes two of them different things.

import type { Kind } from '../../model/values/address.ts';

interface FoldTraits {
  /** Fields that decide what the others mean: the declarations of one loop have the same. */
  readonly alwaysEqual: readonly string[];
  /** Declarations that differ in all of these are unlike things; none where nothing says so. */
  readonly unlike: readonly string[];
}

export const foldTraits: Readonly<Record<Kind, FoldTraits>> = {
  dashboard: { alwaysEqual: [], unlike: [] },
  // What has another name, on another dashboard, at another time is another report.
  schedule: { alwaysEqual: ['format', 'destinationType'], unlike: ['name', 'identifier', 'schedule'] },
  routine: { alwaysEqual: [], unlike: ['name', 'modelId', 'schedule'] },
  aiJob: { alwaysEqual: [], unlike: [] },
};
