// The ways to ask Omni about each kind. They are its lists, how one resource is looked at, and which of them are looked
// at together.

import type { StateResource } from '../model/plan/state.ts';
import type { IdentityOfRow } from '../model/service/recognise-rows.ts';
import type { ListedRow } from '../model/service/remote.ts';
import type { Address, Kind } from '../model/values/address.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import { lookAtSchedule } from './look-at-schedule.ts';
import { type Look, type LookContext, type SeenResource, unobserved } from './look-context.ts';
import { observedFilters } from './observed.ts';
import { lookAtRoutine } from './routine.ts';

/** The list of a kind in Omni. All of it throws what the service throws. */
export interface KindList {
  /** `named` is one resource that the list shows. */
  readonly read: (named: IdentityOfRow, api: Api, call: CallOptions) => Promise<readonly ListedRow[]>;
  /** The one list that shows every resource; undefined for a kind that has none. */
  readonly all?: (api: Api, call: CallOptions) => Promise<readonly ListedRow[]>;
  /** Asks for a resource by its id; undefined where the rows of the list are whole. */
  readonly find?: (
    id: string,
    api: Api,
    call: CallOptions,
  ) => Promise<{ readonly name: string; readonly paused: boolean }>;
}

interface ObservedKind {
  /** The list; undefined if nothing stays that could be listed, adopted or found again. */
  readonly list?: KindList;
  /** The look; undefined for a kind that cannot be looked at. */
  readonly look?: Look;
  /**
   * The dashboard whose filters are compared with those of the resource: in a deep look, all of one dashboard are looked at
   * between two questions for its filters.
   */
  readonly filteredBy?: (row: ListedRow | undefined, attributes: JsonObject) => string | undefined;
  /** Omni deletes it with the account of its owner. */
  readonly goesWithOwner: boolean;
}

const scheduleList: KindList = {
  read: ({ identifier }, api, call) => api.listSchedules({ identifier: namedText(identifier) }, call),
  all: (api, call) => api.listSchedules({}, call),
  find: (id, api, call) => api.getSchedule(id, call),
};

const routineList: KindList = {
  read: async ({ madeBy }, api, call) =>
    (await api.listRoutines({ owner: madeBy }, call)).map((row) => ({
      ...row,
      identifier: row.modelId,
      destinationType: row.destination?.type ?? '',
      madeBy,
      routine: row,
    })),
};

export const observedKinds: Readonly<Record<Kind, ObservedKind>> = {
  dashboard: { look: lookAtDashboard, goesWithOwner: false },
  schedule: {
    list: scheduleList,
    look: lookAtSchedule,
    filteredBy: (row, { identifier }) => namedText(row?.identifier) ?? namedText(identifier),
    goesWithOwner: true,
  },
  routine: { list: routineList, look: lookAtRoutine, goesWithOwner: false },
  aiJob: { goesWithOwner: false },
};

/** Returns undefined if the value is sealed, empty or not known. */
export function namedText(value: IdentityOfRow['name']): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export async function lookAtDashboard(
  address: Address,
  { attributes }: StateResource,
  { api, service, secrets, rereadDashboards }: LookContext,
): Promise<SeenResource> {
  const { identifier } = attributes;
  // A fingerprint names no dashboard.
  if (typeof identifier !== 'string') return {};
  try {
    const filters = await api.getFilters(identifier, { ...service.call, rereadDashboards });
    return { resource: observedFilters(filters, attributes, secrets.of(address)) };
  } catch (error) {
    return { finding: unobserved(address, `what became of \`${address}\``, error) };
  }
}
