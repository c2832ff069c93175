// The orphans that a plan leaves as they are: those that it deletes are among its changes.

import type { Plan } from './plan.ts';
import type { Orphan } from './state.ts';

export function remainingOrphans({ orphans, changes }: Plan): readonly Orphan[] {
  const dealtWith = new Set(changes.flatMap(({ action, id }) => (action === 'delete' ? id : [])));
  return orphans.filter(({ id }) => !dealtWith.has(id));
}
