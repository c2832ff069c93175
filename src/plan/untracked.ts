// The schedules of the service that nothing tracks. Neither the state, nor its orphans, nor an adopt entry names them, nor
// another state of the organization that this run knows. A schedule that an unresolved create may have made is left out, because
// the next apply looks for it; one of a probe is left out and counted.

import type { Loaded } from '../declare/load/load.ts';
import { actions } from '../model/plan/action.ts';
import type { NoState, UntrackedSchedule } from '../model/plan/drift-document.ts';
import {
  countsOf,
  type LeftToOthers,
  type Neighbours,
  ownerOfRow,
  type TrackedCount,
} from '../model/plan/neighbours.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { mayBeNamed } from '../model/service/recognise-rows.ts';
import { isProbe, type ListedSchedule } from '../model/service/remote.ts';
import { deliversDashboard } from '../model/values/address.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { hasErrors } from '../model/workspace/diagnostic.ts';
import type { Desired } from '../model/workspace/resource.ts';

export interface UntrackedSchedules {
  /** The untracked schedules, sorted by dashboard, name and id. */
  readonly schedules: readonly UntrackedSchedule[];
  /** The number of further schedules that nobody needs to declare. */
  readonly ignored: number;
  /** The number of schedules of a probe. */
  readonly probes: number;
  /** How many each neighbour tracks. */
  readonly trackedBy: readonly TrackedCount[];
  /** What a neighbour tracks that has no table of permissions: then that of this workspace judges it. */
  readonly unjudged: readonly { readonly row: ListedSchedule; readonly who: string }[];
}

export function findUntracked(...of: Parameters<typeof untrackedRows>): UntrackedSchedules {
  const { rows, ...leftOut } = untrackedRows(...of);
  const schedules = rows.map(({ id, name, identifier, dashboardName, ownerName, lastCompletedAt }) => ({
    id,
    name: name || undefined,
    identifier: identifier || undefined,
    dashboardName,
    owner: ownerName,
    lastRunAt: lastCompletedAt,
  }));
  return { schedules, ...leftOut };
}

interface UntrackedRows extends Omit<UntrackedSchedules, 'schedules'> {
  /** The listed schedules, sorted by dashboard, name and id. */
  readonly rows: readonly ListedSchedule[];
}

export function untrackedRows(
  listed: readonly ListedSchedule[],
  state: State | undefined,
  { adoptions }: Pick<Desired<unknown>, 'adoptions'>,
  left: LeftToOthers,
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
  const ownerOf = ownerOfRow(left);
  const owned = listed
    .filter((row) => !known.has(row.id) && !mayBeOurs(row))
    .map((row) => ({ row, owner: ownerOf(row) }));
  const trackers = owned.flatMap(({ owner }) => (typeof owner === 'object' ? owner : []));
  const unknown = owned.filter(({ owner }) => typeof owner !== 'object');
  const untracked = unknown.filter(({ row }) => !isProbe(row));
  const rows = untracked
    .flatMap(({ row, owner }) => (owner === undefined ? row : []))
    .sort((a, b) => byCodeUnit(a.identifier, b.identifier) || byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id));
  return {
    rows,
    ignored: untracked.length - rows.length,
    probes: unknown.length - untracked.length,
    trackedBy: countsOf(trackers),
    unjudged: owned.flatMap(({ row, owner }) =>
      typeof owner === 'object' && owner.isJudged === false ? { row, who: owner.who } : [],
    ),
  };
}

/**
 * Tells a state that was lost from one that is still to be made, by what Omni has of the declarations. `listed`: undefined
 * where the list of schedules was not read.
 */
export function withoutState(
  { desired, findings }: Pick<Loaded, 'desired' | 'findings'>,
  {
    listed,
    seesAll,
    neighbours,
  }: {
    readonly listed: readonly ListedSchedule[] | undefined;
    readonly seesAll: boolean;
    readonly neighbours: Neighbours;
  },
): NoState {
  const { resources, adoptions } = desired;
  const adopted = new Set(adoptions.map(({ to }) => to));
  // Nobody knows whether an adoption was applied, and a test delivery makes no schedule.
  const made = resources.flatMap(({ address, kind, attributes: { identifier, name, testNow } }) =>
    deliversDashboard(kind) && testNow !== true && !adopted.has(address) && typeof name === 'string'
      ? [{ address, identifier: String(identifier), name }]
      : [],
  );
  const { rows } = untrackedRows(listed ?? [], undefined, desired, { ignore: [], neighbours });
  const existing = made
    .filter(({ identifier, name }) => rows.some((row) => mayBeNamed(row, identifier, name)))
    .map(({ address }) => address);
  const noneExists = listed !== undefined && seesAll && made.length > 0 && existing.length === 0;
  return { neverApplied: !hasErrors(findings) && (resources.length === 0 || noneExists), existing };
}

/** True if a check must fail because of the missing state: something should have been compared. */
export function lacksState(
  { noState }: { readonly noState?: NoState | undefined },
  { desired, findings, config }: Pick<Loaded, 'desired' | 'findings' | 'config'>,
): boolean {
  const isDeclared = desired.resources.length > 0 || hasErrors(findings);
  return noState !== undefined && (isDeclared || config?.state.backend !== 'local');
}
