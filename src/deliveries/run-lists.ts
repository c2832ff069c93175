// Reads Omni's lists, by kind, for the ends of the last runs.

import { identities } from '../model/fields/identity.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import { type Address, type Kind, kindAt, kindsInOrder } from '../model/values/address.ts';
import { pushAll } from '../model/values/collections.ts';
import { unlessRefused } from '../observe/sending.ts';
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

/** All rows of the lists that may show what the state tracks. */
type RunList = (api: Api, call: CallOptions, state: State | undefined) => Promise<Partial<RunsRead>>;

/** The list with the runs of each kind; undefined if Omni lists no runs. */
const runLists: Readonly<Record<Kind, RunList | undefined>> = {
  dashboard: undefined,
  schedule: async (api, call) => {
    const schedules = await api.listSchedules({}, call);
    return { schedules, rows: schedules.map((row) => ({ ...row, kind: 'schedule' })) };
  },
  routine: listOwners,
  // The state knows the last job, and `almanac ai status` asks for it.
  aiJob: undefined,
};

/** Reads the list of each member's routines. One that Omni refuses hides only the routines of that member. */
async function listOwners(api: Api, call: CallOptions, state: State | undefined): Promise<Partial<RunsRead>> {
  const tracked = Object.entries(state?.resources ?? {}).filter(([address]) => identities[kindAt(address)].isOwners);
  const rows: RunRow[] = [];
  const refused: Address[] = [];
  for (const owner of new Set(tracked.map(([, { madeBy }]) => madeBy))) {
    const theirs = tracked.filter(([, { madeBy }]) => madeBy === owner);
    const ownerName = ownerOf(theirs);
    const listed = await unlessRefused(api.listRoutines({ owner }, call));
    pushAll(
      rows,
      (listed ?? []).map((row) => ({ ...row, identifier: row.modelId, kind: 'routine' as const, ownerName })),
    );
    if (listed === undefined)
      pushAll(
        refused,
        theirs.map(([address]) => address),
      );
  }
  return { rows, refused };
}

/** The list names no owner: as it was declared, where it was. */
function ownerOf(same: readonly (readonly [Address, StateResource])[]): string | undefined {
  const [owner] = same.flatMap(([, { attributes }]) => attributes['owner'] ?? []);
  return typeof owner === 'string' ? owner : undefined;
}

export function listsRunsOf(kind: Kind): boolean {
  return runLists[kind] !== undefined;
}

/** The rows of all kinds; an id is in one of them. */
export async function listRuns(api: Api, call: CallOptions, state: State | undefined): Promise<RunsRead> {
  const lists = await Promise.all(kindsInOrder.map((kind) => runLists[kind]?.(api, call, state) ?? {}));
  const all: readonly Partial<RunsRead>[] = lists;
  return {
    rows: all.flatMap(({ rows = [] }) => rows),
    schedules: all.flatMap(({ schedules = [] }) => schedules),
    refused: all.flatMap(({ refused = [] }) => refused),
  };
}
