// Which of Omni's lists says how the last runs of a kind ended.

import type { ListedSchedule } from '../../../model/service/remote.ts';
import { type Kind, kindsInOrder } from '../../../model/values/address.ts';
import type { Api, CallOptions } from '../../../omni/api.ts';

/** All rows of the list. */
type RunList = (api: Api, call: CallOptions) => Promise<readonly ListedSchedule[]>;

/** Undefined where Omni lists no runs. */
const runLists: Readonly<Record<Kind, RunList | undefined>> = {
  dashboard: undefined,
  schedule: (api, call) => api.listSchedules({}, call),
  routine: undefined,
  // The state knows the last job, and `almanac ai status` asks for it.
  aiJob: undefined,
};

export function listsRunsOf(kind: Kind): boolean {
  return runLists[kind] !== undefined;
}

/** The rows of all kinds; an id is in one of them. */
export async function listRuns(api: Api, call: CallOptions): Promise<readonly ListedSchedule[]> {
  const lists = await Promise.all(kindsInOrder.map((kind) => runLists[kind]?.(api, call) ?? []));
  return lists.flat();
}
