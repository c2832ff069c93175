// What every report says beside a change: why it cannot be applied, what it leaves behind, why it is planned, and who
// answers for it.

import { ownerInMeta } from '../../model/fields/common-fields.ts';
import { type Change, leavesOrphan, type Reason, reasons } from '../../model/plan/plan.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { keptWords } from '../../plan/kept.ts';
import { code, someOf, type Words } from '../doc.ts';
import { kindsInReports } from '../kinds.ts';
import type { FoldedChanges } from './folds/fold-changes.ts';
import { replacedWords } from './folds/sink-updates.ts';

/**
 * What to know about a change before agreeing to it: why it cannot be applied, what it leaves behind, what it does not
 * touch. The same words in every report.
 */
export interface ChangeNotice {
  readonly role: 'error' | 'warning' | 'note';
  readonly text: string;
}

function changeNotices(change: Change, operations: Operations): readonly ChangeNotice[] {
  const left = leftBehind(change, operations);
  return [
    ...blockedNotice(change),
    ...(left === undefined ? [] : [left]),
    ...keptNotices(change),
    ...ownedNotice([change]),
  ];
}

function keptNotices({ kept = [] }: Change): readonly ChangeNotice[] {
  return kept.flatMap((value) => {
    const text = keptWords(value);
    return text === undefined ? [] : [{ role: 'note', text }];
  });
}

/** The same of equal changes, none of which is blocked. */
export function foldedNotices(
  { first, changes }: Pick<FoldedChanges, 'first' | 'changes'>,
  operations: Operations,
): readonly ChangeNotice[] {
  if (changes.length === 1) return changeNotices(first, operations);
  const replaced = replacedWords(changes);
  if (replaced !== undefined) return [{ role: 'note', text: replaced }];
  if (leavesOrphan(first, operations)) {
    const why = first.reason === 'cannot-update' ? `${cannotUpdate}, so new ones are created. ` : '';
    const old = first.action === 'replace' ? 'The old ones' : 'They';
    return [
      { role: 'warning', text: `${why}${old} keep running and become orphans.` },
      ...keptNotices(first).map(forEach),
    ];
  }
  const { ownedBy: _, ...rest } = first;
  return [...changeNotices(rest, operations).map(forEach), ...ownedNotice(changes)];
}

function forEach({ role, text }: ChangeNotice): ChangeNotice {
  return { role, text: `for each: ${text}` };
}

/** From whom it is taken, if that is one person. */
function ownedNotice(changes: readonly Change[]): readonly ChangeNotice[] {
  const names = new Set(changes.map(({ ownedBy }) => ownedBy));
  const [name] = names;
  if (name === undefined || names.size > 1) return [];
  return [{ role: 'note', text: `${changes.length === 1 ? 'it belongs' : 'they belong'} to ${name} now` }];
}

const cannotUpdate = 'Operations core cannot update a schedule';

function blockedNotice({ blocked, lookedFor }: Change): readonly ChangeNotice[] {
  if (blocked === undefined) return [];
  return [lookedFor ? { role: 'warning', text: `Open: ${blocked}` } : { role: 'error', text: `Blocked: ${blocked}` }];
}

function leftBehind(change: Change, operations: Operations): ChangeNotice | undefined {
  const { action, reason, kind, id = '' } = change;
  const note = (text: string) => ({ role: 'note', text }) as const;
  if (leavesOrphan(change, operations)) {
    const why = reason === 'cannot-update' ? `${cannotUpdate}, so a new one is created. ` : '';
    const old = action === 'replace' ? 'The old one' : 'It';
    return { role: 'warning', text: `${why}${old} keeps running as ${id} and becomes an orphan.` };
  }
  if (action === 'replace') return note('the new one is created before the old one is deleted');
  if (action === 'forget' && reason === 'missing') return note('it is gone, so it is no longer tracked');
  const left = kindsInReports[kind].left(change);
  return left === undefined ? undefined : note(left);
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
