// `offboard --apply`: gives a leaver's schedules to their successor. It works after a confirmation, under the lock of
// the state, so that no apply transfers the same schedules at the same time.

import { transferTo } from '../../apply/transfer-to.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import { isSameId } from '../../observe/owners/owners.ts';
import { finishWhatIsSent } from '../../observe/sending.ts';
import { guardedService, type Service } from '../../observe/service.ts';
import { readState } from '../../state/current-state.ts';
import { withLock } from '../../state/with-lock.ts';
import { requireConfirmed } from '../base/confirm.ts';
import { type LeavingRequest, type OffboardInput, type OmniAnswer, ownedIn } from './ask-omni.ts';
import type { OwnedSchedule, Transferred } from './offboard-document.ts';
import { renderToTransfer, renderTransferred } from './offboard-report.ts';
import type { OwnedHere } from './owned-schedules.ts';

/** The outcome of each transfer; empty if there is nothing to transfer. */
export async function transferNow(input: OffboardInput, answer: OmniAnswer): Promise<readonly Transferred[]> {
  const { run, options, session, config, service, reporter } = input;
  const { successor } = answer;
  const { to } = options;
  if (to === undefined || successor === undefined) throw new Error('a transfer without a successor');
  const store = await run.store(session, 'changes');
  const note = (message: string) => reporter.emit({ type: 'note', message });
  const { clock, signal } = run;
  const wait = { command: 'offboard', timeout: 0, clock, signal, onWait: note, onNote: note };
  return withLock(store, wait, async (locked) => {
    const { state } = await readState(store, locked);
    // Reading who receives what may have taken long.
    const listed = await (await service.api()).listSchedules({}, service.call);
    const owned = ownedIn(input, { ...answer, listed }, state).filter(({ instead }) => instead === undefined);
    if (owned.length === 0) return [];
    await confirm(input, owned, to);
    const guarded = guardedService(service, locked, config.api.timeout);
    return transferOwned(owned, successor.id, guarded, signal);
  });
}

async function confirm({ run, options, config, email }: OffboardInput, owned: readonly OwnedHere[], to: string) {
  const { quiet, autoApprove } = options;
  if (!quiet || !autoApprove) run.stderr.write(`\n${renderToTransfer(owned, email, to, run.page())}`);
  if (autoApprove) return;
  const question = `Transfer ${countOf(owned.length, 'schedule')} to ${to} at ${config.api.baseUrl ?? ''}?`;
  await requireConfirmed(run, `\n${question}`, { what: 'The transfer was', nothing: 'nothing was transferred' });
}

/**
 * Transfers one after the other, in the order of the schedules. A transfer may be repeated, so nothing is journalled:
 * after a run that broke off, the list of schedules tells what is left. A lost answer is settled by reading that list
 * once more. `to` is a membership id. Throws only bugs.
 */
async function transferOwned(
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

/** `ends` says why nothing more is sent. */
async function transferOne(
  { id, identifier }: OwnedSchedule,
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<Result & { readonly ends?: string }> {
  try {
    const connection = await api();
    await finishWhatIsSent({ call }, (options) => transferTo({ id, to, identifier }, connection, options));
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
    return results.map((each) => (each.status === 'unknown' ? { ...each, message: lost, hint: runAgainHint } : each));
  }
  return results.map((each): Transferred => {
    if (each.status !== 'unknown') return each;
    if (isSameId(owners.get(each.id) ?? '', to)) return { ...each, status: 'transferred' };
    return {
      ...each,
      status: 'failed',
      message: `${lost} The list of Omni, which may lag behind, does not show it.`,
      hint: runAgainHint,
    };
  });
}

const lost = 'The answer was lost.';
const runAgainHint = 'Run the command again: it asks Omni first who owns what.';

function named({ address, id, name }: OwnedSchedule): Pick<Transferred, 'address' | 'id' | 'name'> {
  return { address, id, name };
}

export function printTransfers({ run, options }: LeavingRequest, transfers: readonly Transferred[]): void {
  const words =
    transfers.length === 0
      ? 'There is nothing to transfer.\n'
      : renderTransferred(transfers, options.to ?? '', run.page());
  run.stdout.write(`\n${words}`);
}
