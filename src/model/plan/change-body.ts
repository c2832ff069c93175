// What a change shows of its resource: the fields that come, go, stay or change. Decided here once for every report;
// renderers only lay it out.

import type { JsonObject } from '../values/json.ts';
import type { Change, FieldDiff } from './plan.ts';

export type ChangeBody =
  /** The whole declaration: as it comes (`+`), as it goes (`-`), or as it is. */
  | { readonly shows: 'declaration'; readonly sign: '+' | '-' | ' '; readonly attributes: JsonObject }
  /** The fields that differ; the others are counted. */
  | { readonly shows: 'difference'; readonly diff: readonly FieldDiff[] }
  /** Only the fields that people know the resource by; the others are counted. */
  | { readonly shows: 'names'; readonly attributes: JsonObject };

const namingFields: readonly string[] = ['identifier', 'name'];

export function bodyOf({ action, before, after, diff }: Change): ChangeBody {
  switch (action) {
    case 'create':
      return { shows: 'declaration', sign: '+', attributes: after ?? {} };
    case 'adopt':
    case 'run':
      return { shows: 'declaration', sign: ' ', attributes: after ?? {} };
    case 'delete':
      return { shows: 'declaration', sign: '-', attributes: before ?? {} };
    case 'update':
    case 'replace':
      return { shows: 'difference', diff };
    case 'forget':
    case 'move': {
      const named = Object.entries(before ?? {}).filter(([name]) => namingFields.includes(name));
      return { shows: 'names', attributes: Object.fromEntries(named) };
    }
  }
}
