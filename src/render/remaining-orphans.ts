// The orphans that a plan leaves as they are: what it deletes stands among its changes.

import type { Plan } from '../model/plan.ts';
import type { Orphan } from '../model/state.ts';

export function remainingOrphans({ orphans, changes }: Plan): readonly Orphan[] {
  const deleted = new Set(changes.flatMap(({ action, id }) => (action === 'delete' ? id : [])));
  return orphans.filter(({ id }) => !deleted.has(id));
}
