// Which changes leave a schedule running untracked: operations core can neither update nor delete. A schedule that a
// `removed` entry releases is let go on purpose.

import type { Operations } from '../workspace/config.ts';
import type { Change } from './plan.ts';

export function leavesOrphan({ action, kind, id, reason }: Change, operations: Operations): boolean {
  if (operations !== 'core' || kind !== 'schedule' || id === undefined) return false;
  return action === 'replace' || (action === 'forget' && reason !== 'removed');
}
