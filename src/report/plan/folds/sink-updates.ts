// Updates that replace who receives by the sink of the environment. Whom each of them loses differs, and is no news: many
// are one entry that says what they get and how many are replaced.

import { destinationOf, sinkFields } from '../../../model/fields/delivery.ts';
import { shapeAt } from '../../../model/fields/fields.ts';
import type { Change, FieldDiff } from '../../../model/plan/plan.ts';
import { canonicalJson } from '../../../model/values/json.ts';
import { pointerSegments } from '../../../model/values/pointer.ts';
import { countOf } from '../../../model/values/words.ts';

/** Undefined for what changes anything else as well. All with one key get the same sink. */
export function sinkKeyOf({ action, reason, kind, diff, after, previousAddress, kept }: Change): string | undefined {
  if (
    reason !== 'sink' ||
    kept !== undefined ||
    !diff.every(({ path }) => sinkFields.includes(pointerSegments(path)[0] ?? ''))
  )
    return undefined;
  return canonicalJson([
    action,
    reason,
    kind,
    previousAddress !== undefined,
    diff.length === 0,
    after === null ? null : (destinationOf({ kind, attributes: after }) ?? null),
  ]);
}

/** What all of them get. */
export function receivedOf(diff: readonly FieldDiff[]): readonly FieldDiff[] {
  return diff.flatMap((entry): readonly FieldDiff[] => {
    const { path, before, after, sensitive } = entry;
    if (Array.isArray(before) && Array.isArray(after)) return [{ ...entry, before: [] }];
    return after === undefined ? [] : [{ path, op: 'add', after, sensitive }];
  });
}

/** `412 recipients are replaced`; undefined where nobody is. */
export function replacedWords(changes: readonly Change[]): string | undefined {
  if (changes[0] === undefined || sinkKeyOf(changes[0]) === undefined) return undefined;
  const replaced = new Set(
    changes.flatMap(({ address, kind, diff }) =>
      diff
        // A choice, such as that of channels, names nobody.
        .filter(({ op, path }) => op !== 'add' && shapeAt(kind, path)?.type !== 'choice')
        .map(({ before, sensitive }) => canonicalJson(sensitive ? [address] : (before ?? null))),
    ),
  );
  if (replaced.size === 0) return 'What they deliver to was never sent to Omni';
  return `${countOf(replaced.size, 'recipient')} ${replaced.size === 1 ? 'is' : 'are'} replaced`;
}
