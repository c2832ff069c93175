// Gives schedules to a successor, one after the other. A transfer may be repeated, so nothing is journalled: after a run that
// broke off, the list of schedules says what is left. An answer that was lost is settled by reading that list once more.

import { Failure, statusOf } from '../../model/workspace/failure.ts';
import { giveTo, isSameId } from '../../observe/owners/owners.ts';
import { finishWhatIsSent } from '../../observe/sending.ts';
import type { Service } from '../../observe/service.ts';
import type { OwnedSchedule, Transferred } from './offboard-document.ts';

/** In the order of the schedules. `to` is a membership id. Throws only bugs. */
export async function transferOwned(
  schedules: readonly OwnedSchedule[],
  to: string,
  service: Pick<Service, 'api' | 'call'>,
  signal: AbortSignal,
): Promise<readonly Transferred[]> {
  const results: Transferred[] = [];
  let stop: string | undefined;
  for (const schedule of schedules) {
    if (signal.aborted) stop ??= 'The run was interrupted.';
    if (stop !== undefined) {
      results.push({ ...named(schedule), status: 'skipped', message: stop });
      continue;
    }
    const { ends, ...result } = await transferOne(schedule, to, service);
    results.push({ ...named(schedule), ...result });
    stop = ends;
  }
  return settled(results, to, service);
}

type Result = Omit<Transferred, 'address' | 'id' | 'name'>;

/** `ends`: why nothing more is sent. */
async function transferOne(
  { id, identifier }: OwnedSchedule,
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<Result & { readonly ends?: string }> {
  try {
    const connection = await api();
    await finishWhatIsSent({ call }, (options) => giveTo({ id, to, identifier }, connection, options));
    return { status: 'transferred' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    if (code === 'api-answer-lost') return { status: 'unknown' };
    if (code === 'interrupted' || code === 'state-lock-lost') return { status: 'skipped', message, ends: message };
    const result: Result = { status: 'failed', message, hint };
    const isForAll = statusOf(error) === 401 || code === 'api-unreachable' || code === 'api-rate-limited';
    return isForAll ? { ...result, ends: message } : result;
  }
}

async function settled(
  results: readonly Transferred[],
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<readonly Transferred[]> {
  if (results.every(({ status }) => status !== 'unknown')) return results;
  let owners: ReadonlyMap<string, string | undefined>;
  try {
    const listed = await (await api()).listSchedules({}, call);
    owners = new Map(listed.map(({ id, ownerId }) => [id, ownerId]));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return results.map((each) => (each.status === 'unknown' ? { ...each, message: lost, hint: again } : each));
  }
  return results.map((each): Transferred => {
    if (each.status !== 'unknown') return each;
    if (isSameId(owners.get(each.id) ?? '', to)) return { ...each, status: 'transferred' };
    return {
      ...each,
      status: 'failed',
      message: `${lost} The list of Omni, which may lag behind, does not show it.`,
      hint: again,
    };
  });
}

const lost = 'The answer was lost.';
const again = 'Run the command again: it asks Omni first who owns what.';

function named({ address, id, name }: OwnedSchedule): Pick<Transferred, 'address' | 'id' | 'name'> {
  return { address, id, name };
}
