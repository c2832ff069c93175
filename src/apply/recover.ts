// Finds out from Omni's lists what became of requests with lost answers. After a lost POST, it looks for the
// schedules on its dashboard that nothing tracks and that were not there before. If there is exactly one, and it has
// the name, adopt it; if none appears, even after a wait, and the dashboard is certainly that of the request, the
// request was not carried out and is planned again; otherwise refuse. A dashboard is known by its entityId, whatever it
// is called now. No time is compared: clocks differ. After a lost DELETE: ask whether the schedule still exists. What
// was found out counts, even if another request is refused. With operations core, plan/open-changes.ts refuses.
//
// An example: schedules.a and schedules.b, both named "Weekly" and on the dashboard 1a2b, and schedules.c, "Daily", on
// the same one, lost their answers. The three are one ListGroup, a and b a NameGroup, c another. The list shows two
// untracked rows, "Daily" and one "Weekly". "Daily" is the only candidate of the only one of its name: c tracks it.
// "Weekly" is a candidate of both a and b, and nothing tells which made it: refused, with a command for each.

import { identities, isInList, listKeyOf, onWordsOf, recordedName } from '../model/fields/identity.ts';
import { type LeftToOthers, noNeighbours, trackerOf, whyNotRecovered } from '../model/plan/neighbours.ts';
import { mayBeFound, type OpenChange, openBefore, openChanges } from '../model/plan/open-change.ts';
import type { State, Unresolved } from '../model/plan/state.ts';
import { type Address, type Kind, kindAt, kinds } from '../model/values/address.ts';
import { groupBy, once, pushAll } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { Failure } from '../model/workspace/failure.ts';
import { requireOwner } from '../observe/owners/owners.ts';
import { retryWhileNew, unlessGone, unlessOpen, untilListed } from '../observe/sending.ts';
import type { Api } from '../omni/api.ts';
import { type ResolvedRequest, resolveAll } from '../state/repair-state.ts';
import type { ApplyPorts } from './apply-request.ts';
import { isListed, listOfKind } from './read-lists.ts';

interface RecoveredState {
  /** The state with the findings. */
  readonly state: State;
  /** The reasons why the rest is not known. */
  readonly refusals: readonly Failure[];
  /** What the service threw, which ends the run; undefined if it answered. */
  readonly error?: unknown;
}

interface Recovery {
  readonly api: Api;
  readonly ports: ApplyPorts;
  /** Ids in entries of `adopt`: a person has said whose they are. */
  readonly adopted: ReadonlySet<string>;
  readonly left: LeftToOthers;
  /** The requests that stay open; they do not hold up the others. */
  readonly refusals: Failure[];
}

/** A POST, with what was sent. */
interface LostPost {
  readonly open: OpenChange;
  readonly kind: Kind;
  /** The key of the list that shows what it made. */
  readonly key: string;
  readonly identifier: string;
  /** The present identifier of its dashboard, found by its entityId; the sent one without an entityId, and for a model. Undefined if unknown. */
  readonly dashboardNow: string | undefined;
  readonly name: string;
  readonly madeBy: string | undefined;
  /** The ids in the list before it was sent, one set for all that share them. Undefined if they were not recorded. */
  readonly existing: ReadonlySet<string> | undefined;
}

interface DeleteOutcome {
  readonly open: OpenChange;
  readonly isGone: boolean;
}

/** Requests whose results one list shows, and that were sent to one dashboard. */
type ListGroup = readonly [LostPost, ...LostPost[]];
/** Requests with one name and dashboard: nothing in the list tells them apart. */
type NameGroup = readonly [LostPost, ...LostPost[]];

/** A row of the list that one of the lost POSTs may have made. */
interface UntrackedRow {
  readonly id: string;
  /** Empty if it is not known. */
  readonly name: string;
  /** True if the service says that it is on the dashboard. */
  readonly isThere: boolean;
  readonly ownerName: string | undefined;
}

/** A schedule exists a moment before it is listed, so a missing one is looked for again and again. */
const pauseMs = 5000;
const maxRecoveryMs = 30_000;
const mayLag = 'Omni may not list yet what an earlier apply has created.';

export function needsRecovery(state: State): boolean {
  return openChanges(state).some((open) => mayBeFound(open) || isDelete(open));
}

function isDelete({ address, action }: OpenChange): boolean {
  return identities[kindAt(address)].listedBy !== undefined && action === 'delete';
}

/** `adopted` holds ids in entries of `adopt`; `left` says what belongs to neighbours, or to nobody. */
export async function recover(
  state: State,
  ports: ApplyPorts,
  adopted: ReadonlySet<string> = new Set(),
  left: LeftToOthers = { ignore: [], neighbours: noNeighbours },
): Promise<RecoveredState> {
  const refusals: Failure[] = [];
  const recovery = { api: await ports.service.api(), ports, adopted, left, refusals };
  let settled = state;
  const settleDeletes = async (deletes: readonly OpenChange[]) => {
    const found: DeleteOutcome[] = [];
    try {
      for (const open of deletes) pushAll(found, await settleDelete(settled, open, recovery));
    } finally {
      settled = withSettled(settled, found);
    }
  };
  try {
    await settleDeletes(openChanges(state).filter(isDelete));
    const setOf = sharedSets();
    const sent = openChanges(settled)
      .filter(mayBeFound)
      .flatMap((open) => lostPost(open, setOf, refusals));
    const posts = await onPresentNames(sent, recovery);
    const looks = await lookForAll(settled, byList(posts), recovery);
    const found = [...looks].flatMap(([posted, look]) =>
      byName(posted).map((alike) => [alike, look.candidatesOf(alike)] as const),
    );
    const taken = new Set(found.flatMap(([, candidates]) => candidates.map(({ id }) => id)));
    const whyOpen = makeWhyOpen(settled, taken, recovery);
    const resolved: ResolvedRequest[] = [];
    const missing: OpenChange[] = [];
    for (const [nameGroup, candidates] of found) {
      const [made] = candidates;
      const [{ dashboardNow: identifier = nameGroup[0].identifier, open }] = nameGroup;
      const held = made && whyNotRecovered({ ...made, identifier, entityId: open.entityId }, left);
      if (held !== undefined || !isCertain(nameGroup, candidates)) {
        refusals.push(ambiguous(nameGroup, candidates, held));
        continue;
      }
      const why = made === undefined ? await whyOpen(nameGroup[0]) : undefined;
      if (why !== undefined) {
        refusals.push(stillOpen(nameGroup, why));
        continue;
      }
      for (const { open } of nameGroup) {
        noteOutcome(open, made, recovery);
        if (made !== undefined) resolved.push({ open, resolution: { by: 'id', id: made.id } });
        else if (settled.resources[open.address]?.id !== undefined) missing.push(open);
        else resolved.push({ open, resolution: { by: 'retry' } });
      }
    }
    settled = resolveAll(settled, resolved, new Date(ports.clock.now()).toISOString());
    await settleDeletes(missing);
  } catch (error) {
    return { state: settled, refusals, error };
  }
  return { state: settled, refusals };
}

const byList = (posts: readonly LostPost[]) =>
  [...groupBy(posts, ({ kind, key, identifier }) => JSON.stringify([kind, key, identifier])).values()] as ListGroup[];
const byName = (posted: ListGroup) => [...groupBy(posted, ({ name }) => name).values()] as NameGroup[];

/** A journal notes once what was there, and each of its open changes has a copy of it. */
function sharedSets(): (ids: readonly string[]) => ReadonlySet<string> {
  const known: { readonly ids: readonly string[]; readonly set: ReadonlySet<string> }[] = [];
  return (ids) => {
    const same = known.find((each) => each.ids.length === ids.length && ids.every((id, at) => each.ids[at] === id));
    if (same !== undefined) return same.set;
    const set = new Set(ids);
    known.push({ ids, set });
    return set;
  };
}

function lostPost(open: OpenChange, setOf: ReturnType<typeof sharedSets>, refusals: Failure[]): readonly LostPost[] {
  const { address, madeBy } = open;
  const kind = kindAt(address);
  const { identifier = open.identifier, name = open.name } = recordedName(kind, open);
  const key = listKeyOf(kind, { identifier, name, madeBy });
  if (typeof identifier === 'string' && typeof name === 'string' && key !== undefined)
    return [
      {
        open,
        kind,
        key,
        identifier,
        dashboardNow: identifier,
        name,
        madeBy,
        existing: open.existing && setOf(open.existing),
      },
    ];
  const unknown = typeof identifier === 'string' ? 'name' : identities[kind].listedBy?.on;
  refusals.push(notLookedFor(address, `its ${unknown} is not known.`));
  return [];
}

/** Gives the requests the present identifiers of their dashboards, found by entityId. */
async function onPresentNames(posts: readonly LostPost[], { api, ports }: Recovery): Promise<readonly LostPost[]> {
  const entityIds = new Set(posts.flatMap(({ open }) => open.entityId ?? []));
  const names = new Map<string, string | undefined>();
  for (const id of entityIds) names.set(id, (await unlessOpen(api.getFilters(id, ports.service.call)))?.identifier);
  return posts.map((post) => {
    const { entityId } = post.open;
    const dashboardNow = entityId === undefined ? post.dashboardNow : names.get(entityId);
    const key = dashboardNow === undefined ? undefined : listKeyOf(post.kind, { ...post, identifier: dashboardNow });
    return { ...post, dashboardNow, key: key ?? post.key };
  });
}

/**
 * Says why a request stays open although its list shows nothing that it may have made; undefined if nothing was made. Without an
 * entityId, its dashboard must still be there, and no list may show an untracked schedule of that name. `taken` holds the ids that
 * belong to others, or may.
 */
function makeWhyOpen(
  state: State,
  taken: ReadonlySet<string>,
  { api, ports, adopted, left }: Recovery,
): (post: LostPost) => Promise<string | undefined> {
  const { call } = ports.service;
  const known = knownIds(state, left);
  const all = once(async () => (await listOfKind('schedule').all?.(api, call)) ?? []);
  const isThere = new Map<string, Promise<boolean>>();
  const dashboardExists = async (identifier: string) =>
    (await unlessOpen(api.getFilters(identifier, call))) !== undefined;
  return async ({ open, kind, identifier, dashboardNow, name, existing }) => {
    const isSame = open.entityId !== undefined && dashboardNow === identifier;
    if (identities[kind].listedBy?.onWords !== 'dashboard' || isSame) return undefined;
    const sameNameRows = (await all()).filter(
      (row) => row.name === name && !known.has(row.id) && existing?.has(row.id) !== true,
    );
    if (sameNameRows.some(({ id }) => adopted.has(id))) return undefined;
    const [one] = sameNameRows.filter(({ id }) => !taken.has(id));
    if (one !== undefined)
      return `the dashboard ${one.identifier} has a schedule of that name that nothing tracks: ${one.id}`;
    if (open.entityId !== undefined)
      return dashboardNow === undefined ? notThere : `its dashboard is called ${dashboardNow} now`;
    if (!isThere.has(identifier)) isThere.set(identifier, dashboardExists(identifier));
    return (await isThere.get(identifier)) ? undefined : notThere;
  };
}

const notThere = 'Omni does not show its dashboard under that identifier';

function stillOpen(nameGroup: NameGroup, why: string): Failure {
  const [{ identifier }] = nameGroup;
  const hint = (address: Address) => [
    `If the schedule was created: \`${command('state resolve', address, '--id', 'ID')}\`, or \`${command('import')}\` of the id.`,
    `If not: \`${command('state resolve', address, '--retry')}\`.`,
  ];
  const addresses = nameGroup.map(({ open }) => open.address);
  return new Failure(
    'blocked',
    `${lostWords(nameGroup)} Nothing that this apply may have created is listed on the dashboard ${identifier}, but ${why}.`,
    { addresses, hint: addresses.flatMap(hint).join('\n') },
  );
}

/** `why` is a clause. */
function notLookedFor(address: Address, why: string): Failure {
  return new Failure('blocked', `Almanac cannot look for what was sent for ${address}: ${why}`, {
    addresses: [address],
    hint: `Check in Omni, then: ${command('state resolve', address, '--id', 'ID')}, or --retry.`,
  });
}

/** Returns undefined if the service refuses the answer; `refusedBy` makes the refusals. */
function orRefused<T>(
  answer: Promise<T>,
  { refusals }: Recovery,
  refusedBy: (error: Failure) => readonly Failure[],
): Promise<T | undefined> {
  return unlessOpen(answer, (error) => pushAll(refusals, refusedBy(error)));
}

/**
 * Asks whether a schedule still exists that was to be deleted or replaced, or to be created again because it was
 * missing. If it does, what was open before that is open again.
 */
async function settleDelete(state: State, open: OpenChange, recovery: Recovery): Promise<readonly DeleteOutcome[]> {
  const { address } = open;
  const { id } = state.resources[address] ?? {};
  if (id === undefined) return [];
  const isThere = await orRefused(lookUp(state, address, id, recovery), recovery, ({ message }) => [
    new Failure('blocked', `Almanac cannot tell whether ${address} (${id}) was deleted: ${message}`, {
      addresses: [address],
      hint: `Check in Omni, then: ${command('state resolve', address, '--done')}, or --retry.`,
    }),
  ]);
  if (isThere === undefined) return [];
  if (!isThere) note(`${address} (${id}) is gone from Omni.`, recovery.ports);
  return [{ open, isGone: !isThere }];
}

/** Settles many at once, in time that grows with their number. */
function withSettled(state: State, settled: readonly DeleteOutcome[]): State {
  if (settled.length === 0) return state;
  const closed = new Set<Unresolved>(settled.map(({ open }) => open));
  const gone = new Set(settled.flatMap(({ open, isGone }) => (isGone ? open.address : [])));
  const uncertain = settled.flatMap(({ open, isGone }) => (isGone ? [] : openBefore(open)));
  return {
    ...state,
    resources: Object.fromEntries(Object.entries(state.resources).filter(([address]) => !gone.has(address))),
    unresolved: [...state.unresolved.filter((entry) => !closed.has(entry)), ...uncertain],
  };
}

/** True if its id or its list shows it. */
async function lookUp(
  { resources }: State,
  address: Address,
  id: string,
  { api, ports: { clock, signal, service } }: Recovery,
): Promise<boolean> {
  const { attributes = {}, createdAt, madeBy } = resources[address] ?? {};
  const kind = kindAt(address);
  const named = recordedName(kind, { attributes, madeBy });
  const age = { clock, createdAt, signal };
  const { find } = listOfKind(kind);
  const found = find && (await unlessGone(retryWhileNew(age, () => find(id, api, service.call))));
  if (found !== undefined) return true;
  const isThere = await untilListed(age, async () => (await isListed(kind, id, named, api, service.call)) || undefined);
  if (!isThere && madeBy !== undefined) await requireOwner(madeBy, api, service.call);
  return isThere === true;
}

/**
 * Looks once in each list, and again, for half a minute, in those that do not show all that was sent. Lists that may not be
 * read are left out.
 */
async function lookForAll(
  state: State,
  groups: readonly ListGroup[],
  recovery: Recovery,
): Promise<ReadonlyMap<ListGroup, Look>> {
  const { clock, signal, reporter } = recovery.ports;
  const looks = new Map<ListGroup, Look>();
  const look = async (at: readonly ListGroup[]) => {
    for (const posted of at) {
      const rows = await orRefused(findRows(state, posted, recovery), recovery, ({ message }) =>
        posted.map(({ open: { address } }) => notLookedFor(address, message)),
      );
      if (rows === undefined) looks.delete(posted);
      else looks.set(posted, lookOf(posted, rows));
    }
  };
  const isMissing = (posted: ListGroup) =>
    byName(posted).some((nameGroup) => looks.get(posted)?.candidatesOf(nameGroup).length === 0);
  await look(groups);
  for (let waited = 0; waited < maxRecoveryMs; waited += pauseMs) {
    const missing = [...looks.keys()].filter(isMissing);
    if (missing.length === 0) break;
    if (waited === 0) reporter.emit({ type: 'waiting', seconds: maxRecoveryMs / 1000, why: mayLag });
    await clock.sleep(pauseMs, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted; nothing was applied.');
    await look(missing);
  }
  return looks;
}

/** The rows that the requests of one list may have made. */
async function findRows(
  state: State,
  posted: ListGroup,
  { api, ports, adopted, left }: Recovery,
): Promise<readonly UntrackedRow[]> {
  const { call } = ports.service;
  const [{ kind, key, identifier: sentTo, dashboardNow = sentTo, name, madeBy }] = posted;
  const { read, find } = listOfKind(kind);
  const named = { identifier: dashboardNow, name, madeBy };
  const known = knownIds(state, left);
  const before = new Set(posted.map(({ existing }) => existing));
  const isNew = ({ id }: { readonly id: string }) => [...before].some((existing) => existing?.has(id) !== true);
  const free = (await read(named, api, call)).filter(
    (row) =>
      isInList(kind, row, key) &&
      (row.identifier === dashboardNow || row.identifier === '') &&
      !known.has(row.id) &&
      !adopted.has(row.id) &&
      isNew(row),
  );
  const isAdopting = posted.some(isRecorded);
  const rows: UntrackedRow[] = [];
  for (const { id, name, identifier, ownerName } of free.map((row) => ({ ownerName: undefined, ...row }))) {
    // It may have gone away since it was listed.
    const found = isAdopting && find ? await unlessGone(find(id, api, call)) : { name };
    if (found !== undefined) rows.push({ id, name: name || found.name, isThere: identifier !== '', ownerName });
  }
  return rows;
}

function knownIds({ resources, orphans }: State, { neighbours }: LeftToOthers): { has(id: string): boolean } {
  const own = new Set([...Object.values(resources), ...orphans].map(({ id }) => id));
  return { has: (id: string) => own.has(id) || trackerOf(id, neighbours) !== undefined };
}

/** True if the previous content of the list is known. */
function isRecorded({ existing }: LostPost): boolean {
  return existing !== undefined;
}

function mayHaveMade({ existing }: LostPost, { id }: Pick<UntrackedRow, 'id'>): boolean {
  return existing?.has(id) !== true;
}

interface Look {
  /** The rows on the dashboard that requests of one name may have made, without those that another made under its own name. */
  candidatesOf(alike: NameGroup): readonly UntrackedRow[];
}

function lookOf(posted: ListGroup, rows: readonly UntrackedRow[]): Look {
  const posts = groupBy(posted, ({ name }) => name);
  const isNamed = (row: UntrackedRow) => (posts.get(row.name) ?? []).some((post) => mayHaveMade(post, row));
  const numbered = rows.map((row, at) => ({ row, at }));
  const named = groupBy(numbered, ({ row }) => row.name);
  const otherRows = numbered.filter(({ row }) => !isNamed(row));
  return {
    candidatesOf: (nameGroup) => {
      const [{ name }] = nameGroup;
      const own = named.get(name) ?? [];
      const near = [...own, ...otherRows.filter(({ row }) => row.name !== name)].sort((a, b) => a.at - b.at);
      return near.flatMap(({ row }) => (nameGroup.some((post) => mayHaveMade(post, row)) ? row : []));
    },
  };
}

/** True if it is certain what was made: nothing, or one schedule by one request. */
function isCertain(nameGroup: NameGroup, [one, ...more]: readonly UntrackedRow[]): boolean {
  if (one === undefined) return true;
  const [post, ...others] = nameGroup;
  const isOne = others.length + more.length === 0 && one.name === post.name;
  return isOne && isRecorded(post) && post.dashboardNow !== undefined && one.isThere;
}

/** `made` is the schedule that the request made; undefined if nothing was made. */
function noteOutcome(
  { address, since }: OpenChange,
  made: UntrackedRow | undefined,
  { adopted, ports }: Recovery,
): void {
  if (made !== undefined) {
    note(`${address}, sent at ${since}: it was created, and is tracked as ${made.id}.`, ports);
    return;
  }
  const nothing =
    adopted.size === 0
      ? 'it was not created, so it is planned again'
      : 'only what an entry of `adopt` names may come from it';
  // It may have been announced and never sent.
  note(`${address}, which was to be sent at ${since}: ${nothing}.`, ports);
}

function note(message: string, { reporter }: ApplyPorts): void {
  reporter.emit({ type: 'note', message });
}

function ambiguous(nameGroup: NameGroup, candidates: readonly UntrackedRow[], why = ''): Failure {
  const [{ open, kind, name }] = nameGroup;
  const { words } = kinds[kind];
  const on = onWordsOf(kind);
  const addresses = nameGroup.map((post) => post.open.address);
  const isOne = candidates.length === 1;
  const foundWords = `The ${on} ${open.identifier ?? ''} has ${isOne ? `a ${words}` : `${words}s`} that nothing tracks`;
  const ids = candidates.map((each) => idOf(each, name, on)).join(', ');
  const what = nameGroup.every(isRecorded)
    ? `${foundWords} and that ${isOne ? 'was' : 'were'} not there before: ${ids}.`
    : `${foundWords}: ${ids}. It is not recorded what was there before.`;
  return new Failure('blocked', `${lostWords(nameGroup)} ${what} ${why}`.trim(), {
    addresses,
    hint: [
      nameGroup.length === 1
        ? 'Find out which of these the apply created, then:'
        : 'Find out which of these belongs to which address, then for each:',
      ...addresses.map((address) => `  ${command('state resolve', address, '--id', 'ID')}`),
      'If the apply created none of these: --retry.',
    ].join('\n'),
  });
}

function lostWords(nameGroup: NameGroup): string {
  const [{ open }] = nameGroup;
  const answers = nameGroup.length === 1 ? 'its answer was' : 'their answers were';
  return `An earlier apply sent ${nameGroup.map((post) => post.open.address).join(' and ')} at ${open.since} and ${answers} lost.`;
}

/** Someone may have renamed what was sent. */
function idOf({ id, name, isThere }: UntrackedRow, sentName: string, on: string): string {
  const notes: string[] = [];
  if (name === '') notes.push('its name is not known');
  else if (name !== sentName) notes.push(`named "${name}"`);
  if (!isThere) notes.push(`Omni does not say on which ${on}`);
  return notes.length === 0 ? id : `${id} (${notes.join('; ')})`;
}
