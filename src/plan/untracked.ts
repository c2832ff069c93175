// Which schedules of the service nothing tracks: neither the state, nor its orphans, nor an adopt entry names them. A
// schedule that an unresolved create may have made is left out, because the next apply looks for it; and so is one of a probe,
// which deletes it.

import { actions } from '../model/plan/action.ts';
import type { UntrackedSchedule } from '../model/plan/drift-document.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { isProbe } from '../model/service/probe-schedules.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { wildcard } from '../model/values/wildcard.ts';
import type { IgnoreEntry } from '../model/workspace/config.ts';
import type { Desired } from '../model/workspace/resource.ts';

export interface Untracked {
  /** Sorted by dashboard, name and id. */
  readonly schedules: readonly UntrackedSchedule[];
  /** How many more there are that nobody needs to declare. */
  readonly ignored: number;
}

export function findUntracked(...of: Parameters<typeof untrackedRows>): Untracked {
  const { rows, ignored } = untrackedRows(...of);
  const schedules = rows.map(({ id, name, identifier, dashboardName, ownerName, lastCompletedAt }) => ({
    id,
    name: name || undefined,
    identifier: identifier || undefined,
    dashboardName,
    owner: ownerName,
    lastRunAt: lastCompletedAt,
  }));
  return { schedules, ignored };
}

export interface UntrackedRows {
  /** Sorted by dashboard, name and id. */
  readonly rows: readonly ListedSchedule[];
  readonly ignored: number;
}

export function untrackedRows(
  listed: readonly ListedSchedule[],
  state: State | undefined,
  { adoptions }: Pick<Desired<unknown>, 'adoptions'>,
  ignore: readonly IgnoreEntry[],
): UntrackedRows {
  const { resources = {}, orphans = [] } = state ?? {};
  const unresolved = openChanges(state);
  const known = new Set([
    ...Object.values(resources).map(({ id }) => id),
    ...[...orphans, ...adoptions].map(({ id }) => id),
    ...unresolved.map(({ replaced }) => replaced),
  ]);
  const mayBeOurs = ({ identifier, name }: ListedSchedule) =>
    unresolved.some((open) => actions[open.action].findable && open.name === name && open.identifier === identifier);
  const untracked = listed.filter((row) => !known.has(row.id) && !mayBeOurs(row) && !isProbe(row));
  const isIgnored = ignoring(ignore);
  const rows = untracked
    .filter((row) => !isIgnored(row))
    .sort((a, b) => byCodeUnit(a.identifier, b.identifier) || byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id));
  return { rows, ignored: untracked.length - rows.length };
}

/** Whether every pattern of an entry matches. What the service does not report matches only `*`. */
export function ignoring(
  ignore: readonly IgnoreEntry[],
): (row: Pick<ListedSchedule, 'identifier' | 'name' | 'ownerName'>) => boolean {
  const entries = ignore.map(({ identifier, name, owner }) => ({
    identifier: wildcard(identifier ?? '*'),
    name: wildcard(name ?? '*'),
    owner: wildcard(owner ?? '*'),
  }));
  return ({ identifier, name, ownerName = '' }) =>
    entries.some((entry) => entry.identifier(identifier) && entry.name(name) && entry.owner(ownerName));
}
