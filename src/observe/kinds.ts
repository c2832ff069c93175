// What each kind is to a question to Omni: which lists show what exists of it, how one of its resources is looked at, and
// which of them are looked at together.

import { type ListedRow, mostSchedulesOnAPage, type Named } from '../model/service/remote.ts';
import type { Kind } from '../model/values/address.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import { lookAtDashboard } from './look-at-dashboard.ts';
import { lookAtSchedule } from './look-at-schedule.ts';
import type { Look } from './looking.ts';

/** How Omni lists what exists of a kind. All of it throws what the service throws. */
export interface KindList {
  /** The key of the list that shows a resource; undefined where that is not known. The header of a journal has the same key. */
  readonly keyOf: (named: Named) => string | undefined;
  /** Whether the list has the row, or may have it because the service does not tell. */
  readonly isIn: (row: ListedRow, key: string) => boolean;
  readonly read: (key: string, api: Api, call: CallOptions) => Promise<readonly ListedRow[]>;
  /** The one list that shows every resource; undefined for a kind that has none. */
  readonly all?: {
    readonly read: (api: Api, call: CallOptions) => Promise<readonly ListedRow[]>;
    readonly mostOnAPage: number;
  };
  /** Asks for a resource by its id. */
  readonly find: (
    id: string,
    named: Named,
    api: Api,
    call: CallOptions,
  ) => Promise<{ readonly name: string; readonly paused: boolean }>;
}

interface ObservedKind {
  /** Undefined where nothing stays that could be listed, adopted or found again. */
  readonly list?: KindList;
  /** Undefined for what cannot be looked at. */
  readonly look?: Look;
  /**
   * The dashboard whose filters are compared with those of the resource: in a deep look, all of one dashboard are looked at
   * between two questions for its filters.
   */
  readonly filteredBy?: (row: ListedRow | undefined, attributes: JsonObject) => string | undefined;
  /** Omni deletes it with the account of its owner. */
  readonly goesWithOwner: boolean;
}

/** A schedule is in the list of its dashboard. */
export const scheduleList: KindList = {
  keyOf: ({ identifier }) => textOf(identifier),
  isIn: ({ identifier }, key) => identifier === key || identifier === '',
  read: (identifier, api, call) => api.listSchedules({ identifier }, call),
  all: { read: (api, call) => api.listSchedules({}, call), mostOnAPage: mostSchedulesOnAPage },
  find: (id, _, api, call) => api.getSchedule(id, call),
};

export const observedKinds: Readonly<Record<Kind, ObservedKind>> = {
  dashboard: { look: lookAtDashboard, goesWithOwner: false },
  schedule: {
    list: scheduleList,
    look: lookAtSchedule,
    filteredBy: (row, { identifier }) => textOf(row?.identifier) ?? textOf(identifier),
    goesWithOwner: true,
  },
  aiJob: { goesWithOwner: false },
};

/** Undefined where it is sealed, empty or not known. */
export function textOf(value: Named['name']): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
