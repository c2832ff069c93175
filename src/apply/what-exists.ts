// What Omni lists (operations full), asked once a run and before anything is sent. It says whether the ids that are used are
// still those of what the state says (check-ids.ts), what must not be created twice (create-guard.ts), and what the journal
// keeps for the recovery of a lost POST.

import type { Plan } from '../model/plan/plan.ts';
import type { State } from '../model/plan/state.ts';
import { type ListedSchedule, mostSchedulesOnAPage, type Named } from '../model/service/remote.ts';
import { unlessRefused } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { Api, CallOptions } from '../omni/api.ts';

/** What a run must know. */
export interface ToList {
  /** All that is on these dashboards. */
  readonly dashboards: readonly string[];
  /** These schedules, wherever they are. */
  readonly ids: readonly Expected[];
}

interface Expected {
  readonly id: string;
  /** The dashboard on which it should be; undefined where that is not known. */
  readonly on: string | undefined;
}

/** Beyond this number of dashboards, the whole list takes fewer requests. */
const askedOneByOne = 5;

/** Undefined for the whole list. */
function dashboardsFor({ dashboards, ids }: ToList): readonly string[] | undefined {
  const known = [...dashboards, ...ids.map(({ on }) => on)].filter((on) => on !== undefined);
  const all = [...new Set(known)];
  return known.length < dashboards.length + ids.length || all.length > askedOneByOne ? undefined : all;
}

/** The requests that it takes; at least, where the whole list is read: nobody has counted what is not tracked. */
export function listRequests(wanted: ToList, state: State | undefined): number {
  const tracked = Object.values(state?.resources ?? {}).map(({ id }) => id);
  const known = new Set([...tracked, ...wanted.ids.map(({ id }) => id)]);
  return dashboardsFor(wanted)?.length ?? Math.max(1, Math.ceil(known.size / mostSchedulesOnAPage));
}

/** Those of the look at what is adopted: two for each schedule, and one for the filters of each dashboard. */
export function adoptionRequests({ operations, changes }: Pick<Plan, 'operations' | 'changes'>): number {
  const adopted = operations === 'full' ? changes.filter(({ action }) => action === 'adopt') : [];
  return 2 * adopted.length + new Set(adopted.map(({ after }) => after?.['identifier'])).size;
}

/**
 * The rows that a run must know, with others; none where there is nothing to know. An id that is on none of its dashboards may
 * be on any other, and the list of its dashboard may be refused: the whole list is read then. Throws what the service throws,
 * also a refusal of what must be known whole.
 */
export async function whatExists(
  wanted: ToList,
  { api: connect, call }: Pick<Service, 'api' | 'call'>,
): Promise<readonly ListedSchedule[]> {
  const dashboards = dashboardsFor(wanted);
  if (dashboards?.length === 0) return [];
  const api = await connect();
  const list = (identifier: string) => api.listSchedules({ identifier }, call);
  const lists = await Promise.all(
    (dashboards ?? []).map((on) => (wanted.dashboards.includes(on) ? list(on) : unlessRefused(list(on)))),
  );
  const listed = lists.flatMap((rows) => rows ?? []);
  const found = new Set(listed.map(({ id }) => id));
  const isWhole = dashboards !== undefined && !lists.includes(undefined) && wanted.ids.every(({ id }) => found.has(id));
  return isWhole ? listed : api.listSchedules({}, call);
}

/**
 * Whether a schedule is listed that is not found by its id: the token may not see it, or one answer is older than the other.
 * `identifier`: of its dashboard, as it is recorded. Throws what the service throws.
 */
export async function isListed(
  id: string,
  identifier: Named['identifier'],
  api: Pick<Api, 'listSchedules'>,
  call: CallOptions,
): Promise<boolean> {
  const there =
    typeof identifier === 'string' ? await unlessRefused(api.listSchedules({ identifier }, call)) : undefined;
  return (there ?? (await api.listSchedules({}, call))).some((row) => row.id === id);
}
