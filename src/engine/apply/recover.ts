// What became of requests whose answers were lost, from what the service lists (operations full). After a lost POST: if
// exactly one untracked schedule on the dashboard has the same name and is new enough, adopt it; if none appears, even
// after a short wait, the request was not carried out and is planned again; if there are several, refuse. After a lost
// DELETE: ask whether the schedule still exists.

import type { State, Unresolved } from '../../model/plan/state.ts';
import { type ListedSchedule, mayBeNamed, type RemoteSchedule } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { isSealedSecret, Secret, secretKey } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { mayBeFound } from '../../plan/block.ts';
import { withPaused } from '../../plan/calls.ts';
import type { Api } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Basis } from '../propose/basis.ts';
import { retryWhileNew } from '../service/retry-while-new.ts';
import { textOfField } from '../service/text-of-field.ts';
import { resolveOpen } from '../state/repair-state.ts';
import type { ApplyPorts } from './apply-request.ts';

interface Recovery {
  readonly basis: Basis;
  readonly api: Api;
  readonly ports: ApplyPorts;
}

/** The service's clock and ours may differ, and a schedule exists a moment before it is listed. */
const clockDifferenceMs = 5 * 60_000;
const secondTryMs = 5000;

export function needsRecovery(state: State): boolean {
  return state.unresolved.some((open) => mayBeFound(open) || isDelete(open));
}

function isDelete({ address, action }: Unresolved): boolean {
  return kindOf(address) === 'schedule' && action === 'delete';
}

/**
 * The state with what could be found out. Throws Failure blocked where several schedules may be the one that was sent.
 */
export async function recover(state: State, basis: Basis, ports: ApplyPorts): Promise<State> {
  const recovery = { basis, api: await ports.service.api(), ports };
  let recovered = state;
  for (const { address } of state.unresolved.filter(isDelete))
    recovered = await settleOpenDelete(recovered, address, recovery);
  return settlePosts(recovered, recovery);
}

/**
 * Asks whether a schedule still exists that was to be deleted or replaced, or to be created again because it was
 * missing. If it does, an earlier update may have been open as well, so it is as uncertain as after a lost update.
 */
async function settleOpenDelete(state: State, address: Address, { api, ports }: Recovery): Promise<State> {
  const { clock, signal, service } = ports;
  const open = state.unresolved.find((entry) => entry.address === address);
  const { id, attributes = {}, createdAt } = state.resources[address] ?? {};
  if (open === undefined || id === undefined) return state;
  const others = state.unresolved.filter((entry) => entry !== open);
  try {
    const { paused } = await retryWhileNew({ clock, createdAt, signal }, () => api.getSchedule(id, service.call));
    const { replaced: _, ...entry } = open;
    const uncertain: Unresolved = { ...entry, action: 'update', attributes: withPaused(attributes, paused) };
    return { ...state, unresolved: [...others, uncertain] };
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    note(`${address} (${id}) is no longer in Omni.`, ports);
    const { [address]: _, ...resources } = state.resources;
    return { ...state, resources, unresolved: others };
  }
}

/** Requests with the same dashboard and name: the list cannot distinguish what they created. */
interface Sent {
  readonly identifier: string;
  readonly name: string;
  readonly opens: readonly Unresolved[];
}

async function settlePosts(state: State, recovery: Recovery): Promise<State> {
  const { clock, signal } = recovery.ports;
  const sent = await sentTogether(state, recovery);
  const found = new Map<Sent, readonly string[]>();
  const search = async (each: Sent) => found.set(each, await candidates(state, each, recovery));
  for (const each of sent) await search(each);
  const missing = sent.filter((each) => found.get(each)?.length === 0);
  if (missing.length > 0) {
    await clock.sleep(secondTryMs, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted; nothing was applied.');
  }
  for (const each of missing) await search(each);
  let settled = state;
  for (const [each, ids] of found) settled = await resolveLost(settled, each, ids, recovery);
  return settled;
}

async function sentTogether({ unresolved }: State, { basis }: Recovery): Promise<readonly Sent[]> {
  const groups = new Map<string, Sent>();
  for (const open of unresolved.filter(mayBeFound)) {
    const identifier = await sentText(open, 'identifier', basis);
    const name = await sentText(open, 'name', basis);
    const key = JSON.stringify([identifier, name]);
    groups.set(key, { identifier, name, opens: [...(groups.get(key)?.opens ?? []), open] });
  }
  return [...groups.values()];
}

async function resolveLost(state: State, { opens }: Sent, ids: readonly string[], recovery: Recovery): Promise<State> {
  const { clock } = recovery.ports;
  const [id, ...others] = ids;
  if (id !== undefined && (others.length > 0 || opens.length > 1)) throw ambiguous(opens, ids);
  let settled = state;
  for (const { address, since } of opens) {
    const became =
      id === undefined ? 'it was not made, so it is planned again' : `it was made, and is tracked as ${id}`;
    note(`${address}, sent at ${since}: ${became}.`, recovery.ports);
    if (id !== undefined) settled = resolveOpen(address, { by: 'id', id }, instant(clock))(settled);
    else if (settled.resources[address]?.id !== undefined) settled = await settleOpenDelete(settled, address, recovery);
    else settled = resolveOpen(address, { by: 'retry' }, instant(clock))(settled);
  }
  return settled;
}

async function candidates(state: State, sent: Sent, recovery: Recovery): Promise<readonly string[]> {
  const { identifier, name, opens } = sent;
  const { api, ports } = recovery;
  const listed = await api.listSchedules({ identifier: asDeclared(sent, recovery) }, ports.service.call);
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const mayBe = (row: ListedSchedule) => mayBeNamed(row, identifier, name) && !known.has(row.id);
  const earliest = Math.min(...opens.map(({ since }) => Date.parse(since))) - clockDifferenceMs;
  const ids: string[] = [];
  const older: string[] = [];
  const unclear: string[] = [];
  for (const row of listed.filter(mayBe)) {
    const found = await scheduleUnlessGone(row.id, recovery);
    if (found === undefined || (row.name === '' && found.name !== name)) continue;
    const isOld = Date.parse(found.createdAt) < earliest;
    (isOld ? older : row.identifier === '' ? unclear : ids).push(row.id);
  }
  // Only the list names the dashboard as declarations do.
  if (unclear.length > 0) throw ambiguous(opens, [...ids, ...unclear]);
  // If our clock is far ahead, the new one looks old. The create guard catches a create by its name, but not a replace.
  if (ids.length === 0 && older.length > 0 && opens.some(({ action }) => action === 'replace'))
    throw ambiguous(opens, older);
  return ids;
}

/** A declared secret is sent as a Secret, so that nothing shows it. */
function asDeclared({ identifier, opens }: Sent, { basis }: Recovery): string | Secret {
  const asked = opens.map(({ address }) => basis.declared(address)?.['identifier']);
  const isSame = (value: unknown): value is Secret => value instanceof Secret && value.reveal() === identifier;
  return asked.find(isSame) ?? identifier;
}

/** Undefined if it was deleted after it was listed. */
async function scheduleUnlessGone(id: string, { api, ports }: Recovery): Promise<RemoteSchedule | undefined> {
  try {
    return await api.getSchedule(id, ports.service.call);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** What was sent. A secret is taken from the declaration, as long as that still holds the same one. */
async function sentText(open: Unresolved, field: 'identifier' | 'name', { declared, keying }: Basis): Promise<string> {
  const sent = open.attributes?.[field] ?? open[field];
  if (typeof sent === 'string') return sent;
  const text = textOfField(declared(open.address), field);
  const isSent = async (meant: string, fingerprint: string | null) =>
    fingerprint !== null && fingerprint === (await keying.fingerprint(meant));
  if (text !== undefined && isSealedSecret(sent) && (await isSent(text, sent[secretKey]))) return text;
  throw new Failure(
    'blocked',
    `Almanac cannot look for what was sent for ${open.address}: its ${field} is not known.`,
    {
      hint: `Check in Omni, then: almanac state resolve ${open.address} --id ID, or --retry. Nothing was sent.`,
    },
  );
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
        'If it is not one of them: --retry. Nothing was sent.',
      ].join('\n'),
    },
  );
}

function note(message: string, { reporter }: ApplyPorts): void {
  reporter.emit({ type: 'note', message });
}

function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
