// Who answers for what changes, as `meta.owner` names them: the same people in every report.

import { ownerInMeta } from '../../model/fields/common-fields.ts';
import type { Change } from '../../model/plan/plan.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { code, someOf, type Words } from '../doc.ts';

type Owned = Pick<Change, 'before' | 'after'>;

/** Those of most changes first. Whoever takes something over, or removes it, does not hide whose it was. */
export function changeOwners(changes: readonly Owned[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { before, after } of changes) {
    const owners = new Set([ownerInMeta(after ?? {}), ownerInMeta(before ?? {})]);
    for (const owner of owners) if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b)).map(([owner]) => owner);
}

/** `owners @acme/finance, @acme/sales`; empty where nobody is named. As code: a mention would send everybody a message. */
export function ownerWords(changes: readonly Owned[]): Words {
  const owners = changeOwners(changes);
  return owners.length > 0 && [owners.length === 1 ? 'owner ' : 'owners ', someOf(owners.map(code))];
}
