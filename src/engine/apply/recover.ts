// What became of requests whose answers were lost, found out from what the service says there is (operations full). Of a
// POST: a schedule of that dashboard with exactly that name which nothing tracks, and which is no older than the intent,
// is the one that was made. It is taken over; where there is none, also not a few seconds later, it was not made and is
// planned again; where there are several, nothing is guessed. Of a DELETE: whether the schedule is still there.

import type { State, Unresolved } from '../../model/plan/state.ts';
import { type ListedSchedule, mayBeNamed, type RemoteSchedule } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { isSealedSecret, Secret } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { mayBeFound } from '../../plan/block.ts';
import { withPaused } from '../../plan/calls.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import { isSealed } from '../propose/fingerprint-secrets.ts';
import { retryWhileNew } from '../service/retry-while-new.ts';
import { textOfField } from '../service/text-of-field.ts';
import { resolveOpen } from '../state/mend-state.ts';

export interface RecoverOptions {
  readonly api: Api;
  readonly clock: Clock;
  /** The declaration of an address, with its secrets. */
  readonly declared: (address: string) => DeclaredObject | undefined;
  readonly signal: AbortSignal | undefined;
  /** Told of each that is settled. */
  readonly note: (message: string) => void;
}

/** The service's clock and ours may differ, and a schedule is made a moment before it is listed. */
const clockDifferenceMs = 5 * 60_000;
const lookAgainMs = 5000;

export function needsRecovery(state: State): boolean {
  return state.unresolved.some((open) => mayBeFound(open) || isDelete(open));
}

function isDelete({ address, action }: Unresolved): boolean {
  return kindOf(address) === 'schedule' && action === 'delete';
}

/** The state with what could be found out. Throws Failure blocked where it can't be told which schedule it is. */
export async function recover(state: State, options: RecoverOptions): Promise<State> {
  let recovered = state;
  for (const { address } of state.unresolved.filter(isDelete))
    recovered = await settleOpenDelete(recovered, address, options);
  return settlePosts(recovered, options);
}

/**
 * Whether a schedule is still there that was to be deleted or replaced, or was missing and to be created anew. If so, an earlier update of it may have been
 * open as well, so it is as uncertain as after one.
 */
async function settleOpenDelete(state: State, address: Address, options: RecoverOptions): Promise<State> {
  const { api, clock, signal, note } = options;
  const open = state.unresolved.find((entry) => entry.address === address);
  const { id, attributes = {}, createdAt } = state.resources[address] ?? {};
  if (open === undefined || id === undefined) return state;
  const others = state.unresolved.filter((entry) => entry !== open);
  try {
    const { paused } = await retryWhileNew({ clock, createdAt, signal }, () => api.getSchedule(id, callOf(options)));
    const { replaced: _, ...entry } = open;
    const uncertain: Unresolved = { ...entry, action: 'update', attributes: withPaused(attributes, paused) };
    return { ...state, unresolved: [...others, uncertain] };
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    note(`${address} (${id}) is no longer in Omni.`);
    const { [address]: _, ...resources } = state.resources;
    return { ...state, resources, unresolved: others };
  }
}

/** What was sent under one name to one dashboard: from outside they can't be told apart. */
interface Sent {
  readonly identifier: string;
  readonly name: string;
  readonly opens: readonly Unresolved[];
}

async function settlePosts(state: State, options: RecoverOptions): Promise<State> {
  const { clock, signal } = options;
  const sent = await sentTogether(state, options);
  const look = async (each: Sent) => [each, await candidates(state, each, options)] as const;
  const found = new Map<Sent, readonly string[]>();
  for (const each of sent) found.set(...(await look(each)));
  const missing = sent.filter((each) => found.get(each)?.length === 0);
  if (missing.length > 0) {
    await clock.sleep(lookAgainMs, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted; nothing was applied.');
  }
  for (const each of missing) found.set(...(await look(each)));
  let settled = state;
  for (const [each, ids] of found) settled = await settle(settled, each, ids, options);
  return settled;
}

async function sentTogether({ unresolved, salt }: State, { declared }: RecoverOptions): Promise<readonly Sent[]> {
  const groups = new Map<string, Sent>();
  for (const open of unresolved.filter(mayBeFound)) {
    const identifier = await sentText(open, 'identifier', declared(open.address), salt);
    const name = await sentText(open, 'name', declared(open.address), salt);
    const key = JSON.stringify([identifier, name]);
    groups.set(key, { identifier, name, opens: [...(groups.get(key)?.opens ?? []), open] });
  }
  return [...groups.values()];
}

async function settle(state: State, { opens }: Sent, ids: readonly string[], options: RecoverOptions): Promise<State> {
  const { clock, note } = options;
  const [id, ...others] = ids;
  if (id !== undefined && (others.length > 0 || opens.length > 1)) throw ambiguous(opens, ids);
  let settled = state;
  for (const { address, since } of opens) {
    const became =
      id === undefined ? 'it was not made, so it is planned again' : `it was made, and is tracked as ${id}`;
    note(`${address}, sent at ${since}: ${became}.`);
    if (id !== undefined) settled = resolveOpen(address, { by: 'id', id }, instant(clock))(settled);
    else if (settled.resources[address]?.id !== undefined) settled = await settleOpenDelete(settled, address, options);
    else settled = resolveOpen(address, { by: 'retry' }, instant(clock))(settled);
  }
  return settled;
}

async function candidates(state: State, sent: Sent, options: RecoverOptions): Promise<readonly string[]> {
  const { identifier, name, opens } = sent;
  const listed = await options.api.listSchedules({ identifier: asDeclared(sent, options) }, callOf(options));
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const mayBe = (row: ListedSchedule) => mayBeNamed(row, identifier, name) && !known.has(row.id);
  const earliest = Math.min(...opens.map(({ since }) => Date.parse(since))) - clockDifferenceMs;
  const ids: string[] = [];
  const older: string[] = [];
  const untold: string[] = [];
  for (const row of listed.filter(mayBe)) {
    const found = await scheduleUnlessGone(row.id, options);
    if (found === undefined || (row.name === '' && found.name !== name)) continue;
    const isOld = Date.parse(found.createdAt) < earliest;
    (isOld ? older : row.identifier === '' ? untold : ids).push(row.id);
  }
  // No answer tells the dashboard as declarations do, except the list.
  if (untold.length > 0) throw ambiguous(opens, [...ids, ...untold]);
  // By a clock that is far ahead the new one looks old. A create is refused later for the name; a replace is not.
  if (ids.length === 0 && older.length > 0 && opens.some(({ action }) => action === 'replace'))
    throw ambiguous(opens, older);
  return ids;
}

/** A secret that is declared goes out as one, so that nothing shows it. */
function asDeclared({ identifier, opens }: Sent, { declared }: RecoverOptions): string | Secret {
  const asked = opens.map(({ address }) => declared(address)?.['identifier']);
  const isSame = (value: unknown): value is Secret => value instanceof Secret && value.reveal() === identifier;
  return asked.find(isSame) ?? identifier;
}

/** Undefined for one that went away since it was listed. */
async function scheduleUnlessGone(id: string, options: RecoverOptions): Promise<RemoteSchedule | undefined> {
  try {
    return await options.api.getSchedule(id, callOf(options));
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** What was sent. A secret is looked up in the declaration; where that is gone, or holds another, it can't be told. */
async function sentText(
  open: Unresolved,
  field: 'identifier' | 'name',
  declared: DeclaredObject | undefined,
  salt: string,
): Promise<string> {
  const sent = open.attributes?.[field] ?? open[field];
  if (typeof sent === 'string') return sent;
  const text = textOfField(declared, field);
  if (text !== undefined && isSealedSecret(sent) && (await isSealed(text, sent, salt))) return text;
  throw new Failure('blocked', `What was sent for ${open.address} can not be looked up: its ${field} is not known.`, {
    hint: `Look in Omni, then: almanac state resolve ${open.address} --id ID, or --retry. Nothing was sent.`,
  });
}

function ambiguous(opens: readonly Unresolved[], ids: readonly string[]): Failure {
  const [{ address, name = address, since }] = opens as readonly [Unresolved];
  const addresses = opens.map((open) => open.address).join(' and ');
  const answers = opens.length === 1 ? 'its answer was' : 'their answers were';
  const there = ids.length === 1 ? 'a schedule' : 'several schedules';
  return new Failure(
    'blocked',
    `An earlier apply sent ${addresses} at ${since} and ${answers} lost. Omni has ${there} named "${name}" that nothing tracks: ${ids.join(', ')}.`,
    {
      hint: [
        opens.length === 1 ? 'Find out which of them it is, then:' : 'Find out which is which, then for each:',
        ...opens.map((open) => `  almanac state resolve ${open.address} --id ID`),
        'Where it is none of them: --retry. Nothing was sent.',
      ].join('\n'),
    },
  );
}

function callOf({ signal }: RecoverOptions): CallOptions {
  return signal === undefined ? {} : { signal };
}

function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
