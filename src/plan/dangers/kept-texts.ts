// Names and texts that `ignoreChanges` keeps in a report that gets other receivers or shows other rows: they may be those of
// somebody else.

import type { DangerItem, FoundDanger } from '../../model/plan/danger.ts';
import type { Change, KeptValue } from '../../model/plan/plan.ts';
import { canonicalJson, type JsonObject } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import { keptWords } from '../kept.ts';
import { plannedAs } from '../kinds.ts';
import { placesOf, recipientsOf } from './destinations.ts';
import { groupNamesOf } from './group-words.ts';
import { filtersOf } from './other-rows.ts';

/** What people read who receive the report. */
const read: readonly string[] = ['name', 'subject', 'textBody'];

export function keptTexts(changes: readonly Change[]): FoundDanger {
  const items = changes.filter(reachesOthers).flatMap(({ address, kept = [] }) =>
    kept.flatMap((value): readonly DangerItem[] => {
      const words = read.includes(value.field) ? keptWords(value) : undefined;
      return words === undefined ? [] : [{ subject: address, detail: shortened(words, value) }];
    }),
  );
  const reports = countOf(new Set(items.map(({ subject }) => subject)).size, 'report keeps', 'reports keep');
  return {
    code: 'kept-text',
    title: `${reports} a name or a text that is not declared, with other receivers or rows than before`,
    items,
  };
}

/** A longer one is only in the change. */
const longest = 240;

function shortened(words: string, { field }: KeptValue): string {
  return words.length <= longest ? words : `${field} is kept`;
}

/** Whether it is there before and after, and delivers to others or shows other rows. */
function reachesOthers({ kind, before, after }: Change): boolean {
  if (before === null || after === null) return false;
  const reached = (attributes: JsonObject) =>
    canonicalJson([
      [...recipientsOf(kind, attributes)].sort(),
      [...groupNamesOf(kind, attributes)].sort(),
      placesOf(kind, attributes)
        .map(({ kind: place, name }) => `${place} ${name}`)
        .sort(),
      plannedAs[kind].rows.map((field) => attributes[field] ?? null),
      Object.fromEntries(filtersOf(attributes)),
    ]);
  return reached(before) !== reached(after);
}
