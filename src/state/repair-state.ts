// Changes the state by hand, each time under the lock. The journal of a dead apply is folded in first.

import { address as addressPattern } from '../model/fields/patterns.ts';
import { mayBeFound, type OpenChange, openBefore, openChanges } from '../model/plan/open-change.ts';
import { type Orphan, type State, type StateResource, trackedAt, type Unresolved } from '../model/plan/state.ts';
import { mergeGroups } from '../model/plan/user-groups.ts';
import {
  type Address,
  behindDot,
  groupOf,
  itemOf,
  kindAt,
  kindOf,
  kinds,
  withInstances,
} from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { codeList } from '../model/values/words.ts';
import type { Operations } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { readState, requireState } from './current-state.ts';
import { foldJournal, orphansLeftBy, retimedAt, toReadBack } from './fold-journal.ts';
import type { StateStore } from './state-store.ts';

/**
 * Writes the state that `change` returns; the serial rises by one. Throws Failure refused if there is no state yet.
 */
export async function repairState(
  store: StateStore,
  command: string,
  change: (state: State) => State | Promise<State>,
): Promise<State> {
  const locked = await store.lock(command);
  try {
    const { stored, state: folded } = await readState(store, locked);
    // The repaired state may no longer hold what the journal says. A log ends the journal in the same entry.
    if (stored.journal !== undefined && store.shared === undefined) await locked.commit(folded);
    const state = requireState(folded, store.name);
    const repaired = { ...(await change(state)), serial: state.serial + 1 };
    await locked.commit(repaired, { release: true });
    return repaired;
  } finally {
    await locked.release();
  }
}

/** Removes an orphan from the list, because it was removed in Omni or is meant to stay. */
export function clearOrphan(state: State, id: string): State {
  if (!state.orphans.some((orphan) => orphan.id === id)) {
    throw new Failure('refused', `No orphan has the id ${id}.`, {
      hint: `\`${command('state orphans')}\` lists them.`,
    });
  }
  return { ...state, orphans: state.orphans.filter((orphan) => orphan.id !== id) };
}

/** The answer that a person found in the service about a change whose outcome was lost. */
export type Resolution =
  /** It was done; the service's id of what came of it. */
  | { readonly by: 'id'; readonly id: string }
  /** It was done, and nothing with an id came of it. */
  | { readonly by: 'done' }
  /** It was not done: plan it again. */
  | { readonly by: 'retry' };

/** One of the open requests of a state, and what became of it. */
export interface ResolvedRequest {
  readonly open: Unresolved;
  readonly resolution: Resolution;
}

/** `open` is one of its open requests, `now` ISO 8601. Throws Failure refused. */
export function resolveOpen(state: State, open: Unresolved, resolution: Resolution, now: string): State {
  return resolveAll(state, [{ open, resolution }], now);
}

/** Resolves many at once, in time that grows with their number. */
export function resolveAll(state: State, resolved: readonly ResolvedRequest[], now: string): State {
  if (resolved.length === 0) return state;
  const closed = new Map(resolved.map(({ open, resolution }) => [open, resolution]));
  const draft = draftOf(state);
  for (const { open, resolution } of resolved) {
    if (!isChange(open)) checkNoId(open, resolution.by === 'id' ? resolution.id : undefined);
    else if (resolution.by === 'retry') dropMissing(draft, open);
    else keepResource(draft, open, resolution, now);
  }
  return {
    ...state,
    resources: Object.fromEntries(draft.resources),
    orphans: [...draft.orphans.values()],
    unresolved: state.unresolved.flatMap((entry) => {
      const isNotDone = closed.get(entry)?.by === 'retry' && draft.resources.has(entry.address);
      return closed.has(entry) ? (isNotDone ? openBefore(entry) : []) : entry;
    }),
  };
}

/** The tracked resources of a state, while it changes. */
interface Draft {
  readonly resources: Map<Address, StateResource>;
  /** The orphans by id. */
  readonly orphans: Map<string, Orphan>;
  /** The addresses of ids. */
  readonly tracked: Map<string, Address>;
}

function draftOf({ resources, orphans }: State): Draft {
  const entries = Object.entries(resources);
  return {
    resources: new Map(entries),
    orphans: new Map(orphans.map((orphan) => [orphan.id, orphan])),
    tracked: new Map(entries.flatMap(([address, { id }]) => (id === undefined ? [] : [[id, address] as const]))),
  };
}

/** The open request that a person resolves. Throws Failure refused where there is none, or where either of two may be meant. */
export function openAt(state: State, address: Address, { by }: Resolution): Unresolved {
  const open = state.unresolved.filter((entry) => entry.address === address);
  const change = open.find(isChange);
  const trigger = open.find((entry) => !isChange(entry));
  const only = trigger === undefined ? change : change === undefined ? trigger : undefined;
  if (only !== undefined) return only;
  if (change === undefined || trigger === undefined) {
    throw new Failure('refused', `Nothing is unresolved about ${address}.`, {
      hint: `\`${command('plan')}\` lists unresolved changes; \`${command('state list')}\` lists tracked resources.`,
    });
  }
  if (by === 'id') return change;
  const needsId = mayBeFound(change);
  if (by === 'done' && needsId) return trigger;
  throw new Failure(
    'refused',
    `--${by} may mean the ${change.action} of ${address}, sent at ${change.since}, or its trigger, sent at ${trigger.since}: both are unresolved.`,
    {
      hint: needsId
        ? `Record the trigger first, with --done: whether it was delivered or not, the next trigger waits no longer.`
        : `\`${command('apply')}\` with operations full settles the ${change.action}. After that, this command means the trigger.`,
    },
  );
}

/** Throws Failure refused for an update that an apply looks at: a person cannot tell how far it was carried out. */
export function refuseUpdate({ address, action, since }: Unresolved, { by }: Resolution, operations: Operations): void {
  if (action !== 'update' || by !== 'retry' || operations !== 'full') return;
  throw new Failure('refused', `An apply settles the update of ${address}, sent at ${since}.`, {
    hint: `\`${command('apply')}\` looks at what Omni has of it, and sends the rest. Nothing was changed.`,
  });
}

function isChange(open: Unresolved): open is OpenChange {
  return open.action !== 'trigger';
}

/** Stops tracking a resource that was recreated because it was missing; otherwise nothing would be planned. */
function dropMissing({ resources }: Draft, { address, action }: OpenChange): void {
  if (action === 'create' && resources.get(address)?.id !== undefined) resources.delete(address);
}

function keepResource(draft: Draft, open: OpenChange, resolution: Resolution, now: string): void {
  const { resources, orphans, tracked } = draft;
  const { address, action, attributes = {}, replaced, madeBy, entityId } = open;
  const prior = resources.get(address);
  const id = resolution.by === 'id' ? resolution.id : undefined;
  checkResolution(open, id);
  checkUnused(draft, id);
  if (action === 'delete') {
    resources.delete(address);
    return;
  }
  if (action === 'update') {
    // No id of a group is forgotten: nobody has read which of them it has now.
    const groups = open.groups === undefined ? prior?.groups : mergeGroups(prior?.groups ?? [], open.groups);
    resources.set(address, {
      ...prior,
      attributes,
      groups,
      notReadBack: toReadBack(open) ?? prior?.notReadBack,
      createdAt: prior?.createdAt ?? open.since,
      retimedAt: retimedAt(open, prior, now),
      updatedAt: now,
    });
    return;
  }
  const leftOrphans = action === 'replace' ? orphansLeftBy(address, prior, now, open, replaced) : [];
  for (const orphan of leftOrphans) orphans.set(orphan.id, orphan);
  const notReadBack = toReadBack(open);
  resources.set(address, { id, attributes, madeBy, entityId, notReadBack, createdAt: open.since, updatedAt: now });
  if (id !== undefined) tracked.set(id, address);
}

/** Throws Failure refused if an id is needed and missing, or given for a change that has none. */
function checkResolution(open: OpenChange, id: string | undefined): void {
  const { address, action } = open;
  const recurs = mayBeFound({ address, action });
  if (recurs && id === undefined) {
    throw new Failure('refused', `${address} recurs, so Almanac must know its id to keep track of it.`, {
      hint: `${command('state resolve', address, '--id', 'ID')}, with the id from the address bar of the delivery in Omni.`,
    });
  }
  if (!recurs && kinds[kindAt(address)].life !== 'once') checkNoId(open, id);
}

/** Throws Failure refused. */
function checkNoId({ address, action }: Unresolved, id: string | undefined): void {
  if (id === undefined) return;
  throw new Failure('refused', `What was sent for ${address} (${action}) creates nothing with an id of its own.`, {
    hint: `${command('state resolve', address, '--done')}, or --retry if it was not done.`,
  });
}

function checkUnused({ tracked, orphans }: Draft, id: string | undefined): void {
  if (id === undefined) return;
  const address = tracked.get(id);
  if (address !== undefined) throw new Failure('refused', `The id ${id} is tracked already, as ${address}.`);
  const orphan = orphans.get(id);
  if (orphan === undefined) return;
  throw new Failure(
    'refused',
    `The id ${id} is that of an orphan, which was ${orphan.address} until ${orphan.since}.`,
    {
      hint: 'The orphan is older than the schedule that was sent last: look for a different schedule with the same name.',
    },
  );
}

const isAddress = new RegExp(addressPattern);

/** Gives a tracked resource another address, or all instances of a loop that of another loop. */
export function moveResource(state: State, from: Address, to: Address): State {
  if (trackedAt(state, from) !== undefined || itemOf(to) !== undefined) return moveSingle(state, from, to);
  const instances = Object.keys(state.resources).filter((address) => groupOf(address) === from);
  if (instances.length === 0) return moveSingle(state, from, to);
  const open = openChanges(state).find(({ address }) => groupOf(address) === from);
  if (open !== undefined) throw notKnown(open);
  return instances.reduce((moved, address) => moveSingle(moved, address, `${to}.${itemOf(address)}`), state);
}

function moveSingle(state: State, from: Address, to: Address): State {
  const resource = trackedAt(state, from);
  if (resource === undefined) throw notTracked(state, from);
  if (trackedAt(state, to) !== undefined)
    throw new Failure('refused', `${to} is tracked already.`, { hint: command('state show', to) });
  if (!isAddress.test(to) || kindOf(to) !== kindOf(from)) {
    throw new Failure('usage', `${to} is not an address of the same section as ${from}.`, {
      hint: 'An address is a section and a key, such as schedules.weekly-sales: letters, digits, _ and -, at most 64, a letter first. An instance of a loop has the key of its item behind it, such as schedules.weekly-sales.emea.',
    });
  }
  const open = openChanges(state).find(({ address }) => address === from || address === to);
  if (open !== undefined) throw notKnown(open);
  const resources = { ...without(state, from).resources, [to]: resource };
  const unresolved = state.unresolved.map((entry) => (entry.address === from ? { ...entry, address: to } : entry));
  return { ...state, resources, unresolved };
}

function notKnown(open: OpenChange): Failure {
  const { address, action } = open;
  const otherWay =
    action === 'update'
      ? `\`${command('apply')}\` with operations full, which settles it`
      : '--retry if it was not done';
  return new Failure('refused', `The outcome of an earlier change of ${address} is not known yet.`, {
    hint: `Resolve it first: ${command('state resolve', address, ...(mayBeFound(open) ? ['--id', 'ID'] : ['--done']))}, or ${otherWay}.`,
  });
}

function without(state: State, address: Address): State {
  const { [address]: _, ...resources } = state.resources;
  return { ...state, resources };
}

/** Stops tracking resources, of a loop all instances; what exists in Omni stays. */
export function dropResources(state: State, addresses: readonly Address[]): State {
  const named = withInstances(addresses, Object.keys(state.resources));
  const missing = named.find((address) => trackedAt(state, address) === undefined);
  if (missing !== undefined) throw notTracked(state, missing);
  const dropped = new Set(named);
  const keptResources = Object.entries(state.resources).filter(([address]) => !dropped.has(address));
  // No trigger may stay open at an address that has no resource.
  const unresolved = state.unresolved.filter((open) => isChange(open) || !dropped.has(open.address));
  return { ...state, resources: Object.fromEntries(keptResources), unresolved };
}

function notTracked({ resources }: State, address: Address): Failure {
  const tracked = Object.keys(resources).flatMap((each) => [groupOf(each), each]);
  const withKey = [...new Set(tracked)].filter((each) => behindDot(each) === address);
  return new Failure('refused', `The state holds no ${address}.`, {
    hint:
      withKey.length === 0
        ? `\`${command('state list')}\` lists what it tracks.`
        : `Commands that change the state take whole addresses: ${codeList(withKey, 'or')}.`,
  });
}

/**
 * Replaces the present state. Refuses another lineage, and a serial that is not higher, unless forced. A journal is folded
 * into the pushed state if it continues that; otherwise the pushed state must hold it already, even if forced.
 */
export async function pushState(store: StateStore, pushed: State, force: boolean): Promise<void> {
  if (force && store.shared !== undefined) throw neverForced(store.name);
  const locked = await store.lock('state push');
  try {
    const stored = await locked.read();
    const next = foldJournal(pushed, stored.journal, store.name, true) ?? pushed;
    if (!force && stored.state !== undefined) checkSuccession(stored.state, next, store);
    await locked.commit(next, { release: true });
  } finally {
    await locked.release();
  }
}

function checkSuccession(state: State, pushed: State, { name, shared }: StateStore): void {
  const forced = 'Compare the two states; --force replaces the present one all the same.';
  if (state.lineage !== pushed.lineage)
    throw new Failure(
      'state-conflict',
      `The pushed state is not a later version of ${name}: its lineage is ${pushed.lineage}, not ${state.lineage}.`,
      {
        hint:
          shared === undefined
            ? forced
            : 'A shared place keeps one state for life. Give the pushed state a place of its own.',
      },
    );
  if (pushed.serial <= state.serial)
    throw new Failure(
      'state-conflict',
      `The pushed state has serial ${pushed.serial}, and ${name} has ${state.serial} already.`,
      {
        hint:
          shared === undefined
            ? forced
            : `Compare the two states. If the pushed one is right, write \`"serial": ${state.serial + 1}\` into its file and push it again: the history keeps the other states.`,
      },
    );
}

function neverForced(name: string): Failure {
  return new Failure('usage', `--force replaces a file; what is in ${name} is never replaced.`, {
    hint: 'Push without --force a state of the same lineage and with a higher serial. It becomes the newest state, and the history keeps the earlier ones.',
  });
}
