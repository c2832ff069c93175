// Reads Omni's lists, by kind, for the ends of the last runs.

import { identities } from '../model/fields/identity.ts';
import type { State } from '../model/plan/state.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import { type Address, type Kind, kindAt } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { unlessOpen } from '../observe/sending.ts';
import type { Api, CallOptions } from '../omni/api.ts';

/** A listed schedule or routine that runs by itself, and its last run. */
export interface RunRow
  extends Pick<
    ListedSchedule,
    | 'id'
    | 'identifier'
    | 'name'
    | 'schedule'
    | 'timezone'
    | 'paused'
    | 'stopped'
    | 'lastCompletedAt'
    | 'lastStatus'
    | 'ownerName'
    | 'runsUntold'
  > {
  readonly kind: Kind;
}

interface RunsRead {
  readonly rows: readonly RunRow[];
  /** The list of schedules alone, as it was read. */
  readonly schedules: readonly ListedSchedule[];
  /** Addresses whose list Omni refused. */
  readonly refused: readonly Address[];
}

/** Omni lists no runs of the other kinds. The state knows the last AI job, and `almanac ai status` asks for it. */
export function listsRunsOf(kind: Kind): boolean {
  return identities[kind].listedBy !== undefined;
}

/**
 * The rows of all kinds; an id is in one of them. A list of a member's routines that Omni refuses hides only those, and it names no
 * owner: as it was declared, where it was.
 */
export async function listRuns(api: Api, call: CallOptions, state: State | undefined): Promise<RunsRead> {
  const owned = Object.entries(state?.resources ?? {}).filter(([address]) => identities[kindAt(address)].isOwners);
  const ofOwners = [...groupBy(owned, ([, { madeBy }]) => madeBy)].map(async ([owner, theirs]) => {
    const listed = await unlessOpen(api.listRoutines({ owner }, call));
    const [ownerName] = theirs.flatMap(([, { attributes }]) => attributes['owner'] ?? []);
    const named = { kind: 'routine' as const, ownerName: typeof ownerName === 'string' ? ownerName : undefined };
    return {
      rows: (listed ?? []).map((row) => ({ ...row, identifier: row.modelId, ...named })),
      refused: listed === undefined ? theirs.map(([address]) => address) : [],
    };
  });
  const [schedules, ...lists] = await Promise.all([api.listSchedules({}, call), ...ofOwners]);
  return {
    schedules,
    rows: [...schedules.map((row) => ({ ...row, kind: 'schedule' as const })), ...lists.flatMap(({ rows }) => rows)],
    refused: lists.flatMap(({ refused }) => refused),
  };
}
