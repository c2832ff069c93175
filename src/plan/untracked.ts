// Which schedules of the service nothing tracks: neither the state, nor its orphans, nor an adopt entry names them. A
// schedule that an unresolved create may have made is left out, because the next apply looks for it.

import { actions } from '../model/plan/action.ts';
import type { UntrackedSchedule } from '../model/plan/drift-document.ts';
import type { State } from '../model/plan/state.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import { byCodeUnit } from '../model/values/json.ts';
import type { Desired } from '../model/workspace/resource.ts';

/** Sorted by dashboard, name and id. */
export function findUntracked(
  listed: readonly ListedSchedule[],
  state: State | undefined,
  { adoptions }: Pick<Desired<unknown>, 'adoptions'>,
): readonly UntrackedSchedule[] {
  const { resources = {}, orphans = [], unresolved = [] } = state ?? {};
  const known = new Set([
    ...Object.values(resources).map(({ id }) => id),
    ...[...orphans, ...adoptions].map(({ id }) => id),
    ...unresolved.map(({ replaced }) => replaced),
  ]);
  const mayBeOurs = ({ identifier, name }: ListedSchedule) =>
    unresolved.some((open) => actions[open.action].findable && open.name === name && open.identifier === identifier);
  return listed
    .filter((row) => !known.has(row.id) && !mayBeOurs(row))
    .sort((a, b) => byCodeUnit(a.identifier, b.identifier) || byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id))
    .map(({ id, name, identifier, dashboardName, ownerName, lastCompletedAt }) => ({
      id,
      ...(name === '' ? {} : { name }),
      ...(identifier === '' ? {} : { identifier }),
      ...(dashboardName === undefined ? {} : { dashboardName }),
      ...(ownerName === undefined ? {} : { owner: ownerName }),
      ...(lastCompletedAt === undefined ? {} : { lastRunAt: lastCompletedAt }),
    }));
}
