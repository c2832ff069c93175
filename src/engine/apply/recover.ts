// What became of requests whose answers were lost, from what the service lists (operations full). After a lost POST: if
// exactly one untracked schedule on the dashboard has the same name and is new enough, adopt it; if none appears, even
// after a wait, the request was not carried out and is planned again; where it is not certain, refuse. After a lost
// DELETE: ask whether the schedule still exists. What was found out counts, even if another request is refused.

import { type OpenChange, openChanges, type State } from '../../model/plan/state.ts';
import type { RemoteSchedule } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { mayBeFound } from '../../plan/block.ts';
import { withPaused } from '../../plan/calls.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Basis } from '../propose/basis.ts';
import { retryWhileNew } from '../service/retry-while-new.ts';
import { serviceNow } from '../service/service-clock.ts';
import { resolveOpen } from '../state/repair-state.ts';
import { ambiguous, refusedTogether, renamedMeanwhile } from './ambiguous.ts';
import type { ApplyPorts } from './apply-request.ts';
import {
  earliestOf,
  findSent,
  type Recovery,
  type Seen,
  type Sent,
  scheduleUnlessGone,
  sentAt,
  sentTogether,
} from './find-sent.ts';

export interface Recovered {
  /** With what could be found out. */
  readonly state: State;
  /** Why the rest could not be: Failure blocked, or what the service threw. */
  readonly refusal: unknown;
}

/** A schedule exists a moment before it is listed: while a request is young, it is looked for again and again. */
const pauseMs = 5000;
const youngMs = 30_000;

export function needsRecovery(state: State): boolean {
  return openChanges(state).some((open) => mayBeFound(open) || isDelete(open));
}

function isDelete({ address, action }: OpenChange): boolean {
  return kindOf(address) === 'schedule' && action === 'delete';
}

/** `isAhead`: intents are announced ahead, so a request may be younger than its intent. */
export async function recover(state: State, basis: Basis, ports: ApplyPorts, isAhead: boolean): Promise<Recovered> {
  const recovery = { basis, api: await ports.service.api(), ports };
  let settled = state;
  const refusals: Failure[] = [];
  try {
    for (const { address } of openChanges(state).filter(isDelete))
      settled = await settleOpenDelete(settled, address, recovery);
    const sent = await sentOf(settled, basis, refusals);
    const names = new Set(sent.map(({ name }) => name));
    for (const [each, seen] of await lookForAll(settled, sent, recovery, isAhead ? youngMs : pauseMs)) {
      try {
        const others = seen.others.filter(({ name }) => !names.has(name));
        settled = await settlePost(settled, each, { ...seen, others }, recovery);
      } catch (error) {
        refusals.push(blockedOrThrow(error));
      }
    }
  } catch (error) {
    return { state: settled, refusal: error };
  }
  return { state: settled, refusal: refusals.length === 0 ? undefined : refusedTogether(refusals) };
}

function blockedOrThrow(error: unknown): Failure {
  if (error instanceof Failure && error.code === 'blocked') return error;
  throw error;
}

/** One that cannot be looked for does not hold up the others. */
async function sentOf(state: State, basis: Basis, refusals: Failure[]): Promise<readonly Sent[]> {
  const known: OpenChange[] = [];
  for (const open of openChanges(state)) {
    try {
      await sentTogether([open], basis);
      known.push(open);
    } catch (error) {
      refusals.push(blockedOrThrow(error));
    }
  }
  return sentTogether(known, basis);
}

/**
 * Asks whether a schedule still exists that was to be deleted or replaced, or to be created again because it was
 * missing. If it does, an earlier update may have been open as well, so it is as uncertain as after a lost update.
 */
async function settleOpenDelete(state: State, address: Address, { api, ports }: Recovery): Promise<State> {
  const { clock, signal, service } = ports;
  const open = openChanges(state).find((entry) => entry.address === address);
  const { id, attributes = {}, createdAt } = state.resources[address] ?? {};
  if (open === undefined || id === undefined) return state;
  const others = state.unresolved.filter((entry) => entry !== open);
  try {
    const { paused } = await retryWhileNew({ clock, createdAt, signal }, () => api.getSchedule(id, service.call));
    const { replaced: _, clockDifference: __, ...entry } = open;
    const uncertain: OpenChange = { ...entry, action: 'update', attributes: withPaused(attributes, paused) };
    return { ...state, unresolved: [...others, uncertain] };
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    note(`${address} (${id}) is no longer in Omni.`, ports);
    const { [address]: _, ...resources } = state.resources;
    return { ...state, resources, unresolved: others };
  }
}

/** Looks once for each, and again for those that are not there yet, until their requests are no longer young. */
async function lookForAll(
  state: State,
  sent: readonly Sent[],
  recovery: Recovery,
  pause: number,
): Promise<ReadonlyMap<Sent, Seen>> {
  const { clock, signal } = recovery.ports;
  const seen = new Map<Sent, Seen>();
  for (const each of sent) seen.set(each, await findSent(state, each, recovery));
  const isMissing = (each: Sent) => seen.get(each)?.ids.length === 0 && seen.get(each)?.unclear.length === 0;
  for (let waited = 0; waited < youngMs; waited += pause) {
    const missing = sent.filter((each) => isMissing(each) && (waited === 0 || isYoung(each, recovery)));
    if (missing.length === 0) break;
    await clock.sleep(pause, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted; nothing was applied.');
    for (const each of missing) seen.set(each, await findSent(state, each, recovery));
  }
  return seen;
}

/** By the service's clock. */
function isYoung({ opens }: Sent, { api, ports }: Recovery): boolean {
  const now = serviceNow(ports.clock, api);
  return opens.some((open) => now - sentAt(open, api) < youngMs);
}

/** Throws Failure blocked where it is not certain what was made. */
async function settlePost(state: State, sent: Sent, seen: Seen, recovery: Recovery): Promise<State> {
  const { opens } = sent;
  const [id, ...more] = seen.ids;
  if (seen.unclear.length > 0) throw ambiguous(opens, [...seen.ids, ...seen.unclear]);
  if (id !== undefined && (more.length > 0 || opens.length > 1)) throw ambiguous(opens, seen.ids);
  if (id === undefined) await refuseDoubtful(sent, seen, recovery);
  let settled = state;
  for (const { address, since } of opens) {
    note(`${address}, sent at ${since}: ${became(id, seen.older)}.`, recovery.ports);
    const now = instant(recovery.ports.clock);
    if (id !== undefined) settled = resolveOpen(address, { by: 'id', id }, now)(settled);
    else if (settled.resources[address]?.id !== undefined) settled = await settleOpenDelete(settled, address, recovery);
    else settled = resolveOpen(address, { by: 'retry' }, now)(settled);
  }
  return settled;
}

function became(id: string | undefined, older: readonly RemoteSchedule[]): string {
  if (id !== undefined) return `it was made, and is tracked as ${id}`;
  const before = older.map(({ id: other, createdAt }) => `${other}, created at ${createdAt}`).join('; ');
  const namesake = older.length === 0 ? '' : ` (of that name, Omni has only what is older: ${before})`;
  return `it was not made${namesake}, so it is planned again`;
}

/**
 * An older schedule of the name may be the one that was sent, if the clocks were not compared then. Nothing else guards
 * a replacement. And somebody may have renamed the one that was sent.
 */
async function refuseDoubtful({ opens }: Sent, { older, others }: Seen, recovery: Recovery): Promise<void> {
  const isCertain = opens.every(({ action, clockDifference }) => action !== 'replace' && clockDifference !== undefined);
  if (older.length > 0 && !isCertain) {
    throw ambiguous(
      opens,
      older.map(({ id }) => id),
    );
  }
  const earliest = Math.min(...opens.map((open) => earliestOf(open, recovery.api)));
  for (const row of others.slice(0, mostOthers)) {
    const found = await scheduleUnlessGone(row.id, recovery);
    const age = found === undefined ? -1 : Date.parse(found.createdAt) - earliest;
    if (age >= 0 && age <= renamedMs) throw renamedMeanwhile(opens, row);
  }
}

/** How long after a request a schedule of another name on the dashboard may be the one that was sent. */
const renamedMs = 15 * 60_000;

/** A dashboard with more schedules that nothing tracks is not looked through: each takes a request. */
const mostOthers = 20;

function note(message: string, { reporter }: ApplyPorts): void {
  reporter.emit({ type: 'note', message });
}

function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
