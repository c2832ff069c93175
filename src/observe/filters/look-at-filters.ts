// The filters in a look at schedules: what is to be compared of each, and when their dashboards are asked for their own
// filters. In a deep look a dashboard is read before its schedules, and once more after them if something differs. A
// look at the list asks none.

import type { StateResource } from '../../model/plan/state.ts';
import type { RemoteSchedule } from '../../model/service/remote.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { concernsOneResource } from '../sending.ts';
import { type FilterLook, type FilterReading, isDoubtful, judgeFilters, type SeenFilters } from './compare-filters.ts';

const filterField = 'filterConfig';

/**
 * What is to be compared of a schedule that was read; undefined where the answer holds no filters, or an import left them unread.
 * `dividing`: the ids of filters that say whose the rows are. They are compared even if the dashboard's may be in effect.
 */
export function filterLook(
  { filterConfig: answer }: Pick<RemoteSchedule, 'filterConfig'>,
  { attributes: { filterConfig: applied }, unread = [] }: Pick<StateResource, 'attributes' | 'unread'>,
  declared: readonly Json[],
  dividing: readonly string[] = [],
): FilterLook | undefined {
  if (answer === undefined || unread.includes(filterField)) return undefined;
  const neverSent = unread.map(pointerSegments).flatMap(([field, id]) => (field === filterField && id ? [id] : []));
  return {
    applied: isJsonObject(applied) ? applied : undefined,
    known: declared.filter(isJsonObject),
    left: new Set(neverSent.filter((id) => !dividing.includes(id))),
    answer,
  };
}

/** Asks for the filters of a dashboard; `again`: as they are now. */
export type AskFilters = (again?: true) => Promise<FilterReading>;

export const askNothing: AskFilters = async () => 'not-asked';

/** What a refusal leaves open is not compared. Throws where the service cannot be asked at all. */
export function askDashboard(identifier: string | undefined, api: Api, call: CallOptions): AskFilters {
  return async (again) => {
    // Nobody knows which dashboard it is.
    if (identifier === undefined) return 'refused';
    try {
      return await api.getFilters(identifier, { ...call, again });
    } catch (error) {
      if (isRefusal(error)) return 'refused';
      throw error;
    }
  };
}

/**
 * Filters that cannot be compared are left open, and nothing is planned for them. So an error of the service counts as well,
 * and an answer that nobody can read: the look goes on, and says of how many schedules it did not compare the filters.
 */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || concernsOneResource(status);
  return (
    error instanceof Failure && (error.cause as { readonly code?: unknown } | undefined)?.code === 'ANSWER_UNREADABLE'
  );
}

interface SeenOnDashboard {
  readonly seen: ReadonlyMap<string, SeenFilters>;
  /** Ids. */
  readonly spellings: readonly string[];
}

/** `readSchedules` reads those of the dashboard that `ask` asks for; its looks are by address. */
export async function lookAtFilters(
  ask: AskFilters,
  readSchedules: () => Promise<ReadonlyMap<string, FilterLook>>,
): Promise<SeenOnDashboard> {
  const before = await ask();
  const looks = await readSchedules();
  const isAgain = [...looks.values()].some((look) => isDoubtful(look, before));
  const after = isAgain ? await ask(true) : 'not-asked';
  const { seen, spellings } = judgeFilters([...looks.values()], before, after);
  return {
    seen: new Map([...looks.keys()].flatMap((key, index) => (seen[index] ? [[key, seen[index]]] : []))),
    spellings,
  };
}
