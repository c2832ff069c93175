// What every report says beside a change: why it cannot be applied, what it leaves behind, why it is planned, and who
// answers for it.

import { ownerInMeta } from '../../model/fields/common-fields.ts';
import { shapeAt } from '../../model/fields/fields.ts';
import { type Change, leavesOrphan, type Reason, reasons } from '../../model/plan/plan.ts';
import { byCodeUnit, canonicalJson } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { keptWords } from '../../plan/kept.ts';
import { code, type Doc, someOf, type Words } from '../doc.ts';
import { kindsInReports } from '../kinds-in-reports.ts';
import { commonOf, type Entry } from './folds/entry.ts';
import { isOfSink } from './folds/fold-changes.ts';

/** What to know before agreeing: why it cannot be applied, what it leaves behind, what it does not touch. */
export function noticesOf({ changes }: Entry, operations: Operations): Doc {
  const [first] = changes;
  const { blocked, lookedFor, kept = [] } = first;
  const owner = commonOf(changes, ({ ownedBy }) => ownedBy);
  const each = changes.length === 1 ? '' : 'For each: ';
  const note = (text: string | undefined) => text !== undefined && { notice: 'note' as const, of: each + text };
  return [
    blocked !== undefined &&
      (lookedFor ? { notice: 'warning', of: `Open: ${blocked}` } : { notice: 'error', of: `Blocked: ${blocked}` }),
    leavesOrphan(first, operations) ? { notice: 'warning', of: each + orphanWords(changes) } : note(leftWords(first)),
    ...kept.map((value) => note(keptWords(value))),
    owner !== undefined && note(`it belongs to ${owner} now`),
  ];
}

function orphanWords(changes: Entry['changes']): string {
  const [{ action, reason }] = changes;
  const id = commonOf(changes, (change) => change.id);
  const why = reason === 'cannot-update' ? 'Operations core cannot update a schedule, so a new one is created. ' : '';
  const old = action === 'replace' ? 'The old one' : 'It';
  return `${why}${old} keeps running${id === undefined ? '' : ` as ${id}`} and becomes an orphan.`;
}

function leftWords(change: Change): string | undefined {
  const { action, reason, kind } = change;
  if (action === 'replace') return 'the new one is created before the old one is deleted';
  if (action === 'forget' && reason === 'missing') return 'it is gone, so it is no longer tracked';
  return kindsInReports[kind].left(change);
}

/** `412 recipients are replaced` by a sink; undefined for other changes. */
export function replacedWords(changes: Entry['changes']): string | undefined {
  if (!isOfSink(changes[0])) return undefined;
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

// The action says as much, or a notice explains it at more length.
const obviousReasons: ReadonlySet<Reason> = new Set([
  'not-in-state',
  'changed',
  'cannot-update',
  'adopt-entry',
  'moved-entry',
  'new-content',
]);

/** `it is no longer declared`; undefined if the action says as much. */
export function reasonWords({ reason }: Change): string | undefined {
  return obviousReasons.has(reason) ? undefined : reasons[reason];
}

/** Who answers for what changes, as `meta.owner` names them: the same people in every report. */
type OwnedChange = Pick<Change, 'before' | 'after'>;

/** Those of most changes first. Whoever takes something over, or removes it, does not hide whose it was. */
export function changeOwners(changes: readonly OwnedChange[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { before, after } of changes) {
    const owners = new Set([ownerInMeta(after ?? {}), ownerInMeta(before ?? {})]);
    for (const owner of owners) if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b)).map(([owner]) => owner);
}

/** `owners @acme/finance, @acme/sales`; empty where nobody is named. As code: a mention would send everybody a message. */
export function ownerWords(changes: readonly OwnedChange[]): Words {
  const owners = changeOwners(changes);
  return owners.length > 0 && [owners.length === 1 ? 'owner ' : 'owners ', someOf(owners.map(code))];
}
