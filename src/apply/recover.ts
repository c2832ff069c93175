// What became of requests whose answers were lost, from what the service lists (operations full). After a lost POST, what
// counts are the schedules on its dashboard that nothing tracks and that were not there before it was sent. If there is
// exactly one, and it has the name, adopt it; if none appears, even after a wait, the request was not carried out and is
// planned again; otherwise refuse. No time is compared: clocks differ. After a lost DELETE: ask whether the schedule still
// exists. What was found out counts, even if another request is refused.

import type { Clock } from '../model/outside.ts';
import { type OpenChange, openChanges, type State } from '../model/plan/state.ts';
import { type Address, kindOf } from '../model/values/address.ts';
import { groupBy } from '../model/values/group-by.ts';
import { isSealedSecret, Secret, secretKey } from '../model/values/secret.ts';
import { Failure, together } from '../model/workspace/failure.ts';
import { textOfField } from '../model/workspace/resource.ts';
import { mayBeFound } from '../plan/block.ts';
import { withPaused } from '../plan/calls.ts';
import type { Api } from '../service/api.ts';
import { retryWhileNew, unlessGone } from '../service/sending.ts';
import { resolveOpen } from '../state/repair-state.ts';
import type { ApplyPorts } from './apply-request.ts';
import type { Basis } from './propose/basis.ts';

interface Recovered {
  /** With what could be found out. */
  readonly state: State;
  /** Why the rest could not be: Failure blocked, or what the service threw. */
  readonly refusal: unknown;
}

/** A schedule exists a moment before it is listed, so what is not there is looked for again and again. */
const pauseMs = 5000;
const longestMs = 30_000;

/** To one dashboard, or of one name. */
type Several = readonly [LostPost, ...LostPost[]];

export function needsRecovery(state: State): boolean {
  return openChanges(state).some((open) => mayBeFound(open) || isDelete(open));
}

function isDelete({ address, action }: OpenChange): boolean {
  return kindOf(address) === 'schedule' && action === 'delete';
}

export async function recover(state: State, basis: Basis, ports: ApplyPorts): Promise<Recovered> {
  const recovery = { basis, api: await ports.service.api(), ports };
  let settled = state;
  const refusals: Failure[] = [];
  try {
    for (const { address } of openChanges(state).filter(isDelete))
      settled = await settleOpenDelete(settled, address, recovery);
    const sent = await sentOf(settled, basis, refusals);
    for (const [together, seen] of await lookForAll(settled, byDashboard(sent), recovery)) {
      for (const same of byName(together)) {
        try {
          settled = await settlePost(settled, same, candidatesOf(same, together, seen), recovery);
        } catch (error) {
          refusals.push(blockedOrThrow(error));
        }
      }
    }
  } catch (error) {
    return { state: settled, refusal: error };
  }
  return { state: settled, refusal: together(refusals) };
}

const byDashboard = (sent: readonly LostPost[]) =>
  [...groupBy(sent, ({ identifier }) => identifier).values()] as Several[];
/** Nothing in the list tells apart what was sent to one dashboard under one name. */
const byName = (together: Several) => [...groupBy(together, ({ name }) => name).values()] as Several[];

function blockedOrThrow(error: unknown): Failure {
  if (error instanceof Failure && error.code === 'blocked') return error;
  throw error;
}

/** One that cannot be looked for does not hold up the others. */
async function sentOf(state: State, basis: Basis, refusals: Failure[]): Promise<readonly LostPost[]> {
  const sent: LostPost[] = [];
  for (const open of openChanges(state).filter(mayBeFound)) {
    try {
      sent.push(await sentFor(open, basis));
    } catch (error) {
      refusals.push(blockedOrThrow(error));
    }
  }
  return sent;
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
  const found = await unlessGone(retryWhileNew({ clock, createdAt, signal }, () => api.getSchedule(id, service.call)));
  if (found === undefined) {
    note(`${address} (${id}) is no longer in Omni.`, ports);
    const { [address]: _, ...resources } = state.resources;
    return { ...state, resources, unresolved: others };
  }
  const { replaced: _, existing: __, ...entry } = open;
  const uncertain: OpenChange = { ...entry, action: 'update', attributes: withPaused(attributes, found.paused) };
  return { ...state, unresolved: [...others, uncertain] };
}

/** Looks once on each dashboard, and again, for half a minute, on those that do not show all that was sent. */
async function lookForAll(
  state: State,
  dashboards: readonly Several[],
  recovery: Recovery,
): Promise<ReadonlyMap<Several, readonly Seen[]>> {
  const { clock, signal, reporter } = recovery.ports;
  const seen = new Map<Several, readonly Seen[]>();
  for (const together of dashboards) seen.set(together, await findSent(state, together, recovery));
  const isMissing = (together: Several) =>
    byName(together).some((same) => candidatesOf(same, together, seen.get(together) ?? []).length === 0);
  for (let waited = 0; waited < longestMs; waited += pauseMs) {
    const missing = dashboards.filter(isMissing);
    if (missing.length === 0) break;
    if (waited === 0) reporter.emit({ type: 'waiting', seconds: longestMs / 1000, why: mayLag });
    await clock.sleep(pauseMs, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted; nothing was applied.');
    for (const together of missing) seen.set(together, await findSent(state, together, recovery));
  }
  return seen;
}

const mayLag = 'Omni may not list yet what an earlier apply has created.';

/** Throws Failure blocked where it is not certain what was made. */
async function settlePost(
  state: State,
  same: Several,
  candidates: readonly Seen[],
  recovery: Recovery,
): Promise<State> {
  const [one, ...more] = candidates;
  const isCertain =
    same.length === 1 && more.length === 0 && isRecorded(same[0]) && one?.isThere && one.name === same[0].name;
  if (one !== undefined && !isCertain) throw ambiguous(same, candidates);
  let settled = state;
  for (const { address, since } of same.map(({ open }) => open)) {
    const became =
      one === undefined ? 'it was not made, so it is planned again' : `it was made, and is tracked as ${one.id}`;
    note(`${address}, sent at ${since}: ${became}.`, recovery.ports);
    const now = instant(recovery.ports.clock);
    if (one !== undefined) settled = resolveOpen(settled, address, { by: 'id', id: one.id }, now);
    else if (settled.resources[address]?.id !== undefined) settled = await settleOpenDelete(settled, address, recovery);
    else settled = resolveOpen(settled, address, { by: 'retry' }, now);
  }
  return settled;
}

function note(message: string, { reporter }: ApplyPorts): void {
  reporter.emit({ type: 'note', message });
}

function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/**
 * What the service shows of POSTs whose answers were lost: on their dashboard, the schedules that nothing tracks and that
 * were not there before. And what is said where that is not certain.
 */
interface Recovery {
  readonly basis: Basis;
  readonly api: Api;
  readonly ports: ApplyPorts;
}

/** A schedule's POST, with what was sent. */
interface LostPost {
  readonly open: OpenChange;
  readonly identifier: string;
  readonly name: string;
}

/** A schedule that a POST may have made. */
interface Seen {
  readonly id: string;
  /** Empty where it is not known. */
  readonly name: string;
  /** Whether the service says that it is on the dashboard. */
  readonly isThere: boolean;
}

/** Throws Failure blocked where the name or the dashboard is not known any more. */
async function sentFor(open: OpenChange, basis: Basis): Promise<LostPost> {
  return { open, identifier: await sentText(open, 'identifier', basis), name: await sentText(open, 'name', basis) };
}

/** What was sent. A secret is taken from the declaration, as long as that still holds the same one. */
async function sentText(open: OpenChange, field: 'identifier' | 'name', { declared, keying }: Basis): Promise<string> {
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

/** What one of those that were sent to one dashboard may have made. */
async function findSent(
  state: State,
  together: readonly [LostPost, ...LostPost[]],
  recovery: Recovery,
): Promise<readonly Seen[]> {
  const { api, ports } = recovery;
  const [{ identifier }] = together;
  const listed = await api.listSchedules({ identifier: asDeclared(together, recovery) }, ports.service.call);
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const free = listed.filter(
    (row) =>
      (row.identifier === identifier || row.identifier === '') &&
      !known.has(row.id) &&
      together.some((sent) => mayBe(sent, row)),
  );
  const isAdopting = together.some(isRecorded);
  const seen: Seen[] = [];
  for (const { id, name, identifier: on } of free) {
    // It may have gone away since it was listed.
    const found = isAdopting ? await unlessGone(api.getSchedule(id, ports.service.call)) : { name };
    if (found !== undefined) seen.push({ id, name: name === '' ? found.name : name, isThere: on !== '' });
  }
  return seen;
}

/** Whether it is known what was on the dashboard before. */
function isRecorded({ open }: LostPost): boolean {
  return open.existing !== undefined;
}

function mayBe({ open }: LostPost, { id }: Pick<Seen, 'id'>): boolean {
  return open.existing?.includes(id) !== true;
}

/** Of what was seen on the dashboard, what those of one name may have made: not what another has made by its name. */
function candidatesOf(
  same: readonly [LostPost, ...LostPost[]],
  together: readonly LostPost[],
  seen: readonly Seen[],
): readonly Seen[] {
  const [{ name }] = same;
  const isOfAnother = (each: Seen) =>
    each.name !== name && together.some((sent) => sent.name === each.name && mayBe(sent, each));
  return seen.filter((each) => same.some((sent) => mayBe(sent, each)) && !isOfAnother(each));
}

/** A declared secret is sent as a Secret, so that nothing shows it. */
function asDeclared(together: readonly [LostPost, ...LostPost[]], { basis }: Recovery): string | Secret {
  const [{ identifier }] = together;
  const asked = together.map(({ open }) => basis.declared(open.address)?.['identifier']);
  const isSame = (value: unknown): value is Secret => value instanceof Secret && value.reveal() === identifier;
  return asked.find(isSame) ?? identifier;
}

/** `same`: sent to one dashboard under one name. */
function ambiguous(same: readonly [LostPost, ...LostPost[]], candidates: readonly Seen[]): Failure {
  const [{ open, name }] = same;
  const addresses = same.map((sent) => sent.open.address);
  const answers = same.length === 1 ? 'its answer was' : 'their answers were';
  const lost = `An earlier apply sent ${addresses.join(' and ')} at ${open.since} and ${answers} lost.`;
  const isOne = candidates.length === 1;
  const there = `The dashboard ${open.identifier ?? ''} has ${isOne ? 'a schedule' : 'schedules'} that nothing tracks`;
  const ids = candidates.map((each) => idOf(each, name)).join(', ');
  const what = same.every(isRecorded)
    ? `${there} and that ${isOne ? 'was' : 'were'} not there before: ${ids}.`
    : `${there}: ${ids}. Nobody noted what was there before.`;
  return new Failure('blocked', `${lost} ${what}`, {
    hint: [
      same.length === 1 ? 'Find out which of them it is, then:' : 'Find out which is which, then for each:',
      ...addresses.map((address) => `  almanac state resolve ${address} --id ID`),
      'If it is not one of them: --retry. Nothing was sent.',
    ].join('\n'),
  });
}

/** Someone may have renamed what was sent. */
function idOf({ id, name, isThere }: Seen, sent: string): string {
  const differs = name === '' ? 'its name is not known' : name === sent ? undefined : `named "${name}"`;
  const notes = [differs, isThere ? undefined : 'Omni does not tell its dashboard'].filter(
    (each) => each !== undefined,
  );
  return notes.length === 0 ? id : `${id} (${notes.join('; ')})`;
}
