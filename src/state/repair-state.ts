// Changes to the state by hand, each under the lock. What a dead apply left in its journal is folded in first.

import { address as addressPattern } from '../model/fields/patterns.ts';
import { mayBeFound, type OpenChange, openChanges } from '../model/plan/open-change.ts';
import { type State, trackedAt, type Unresolved } from '../model/plan/state.ts';
import { mergeGroups } from '../model/plan/user-groups.ts';
import { type Address, groupOf, itemOf, kindAt, kindOf, kinds, withInstances } from '../model/values/address.ts';
import { Failure } from '../model/workspace/failure.ts';
import { currentState, requireState } from './current-state.ts';
import { foldJournal, orphaned } from './fold-journal.ts';
import type { StateStore } from './state-store.ts';

/**
 * Writes what `change` makes of the state; the serial rises by one. Throws Failure refused where there is no state yet.
 */
export async function repairState(store: StateStore, command: string, change: (state: State) => State): Promise<State> {
  const locked = await store.lock(command);
  try {
    const stored = await locked.read();
    const folded = currentState(stored, store.name);
    // What is repaired may no longer hold what the journal says. A log ends the journal in the same entry.
    if (stored.journal !== undefined && store.shared === undefined) await locked.commit(folded);
    const state = requireState(folded, store.name);
    const repaired = { ...change(state), serial: state.serial + 1 };
    await locked.commit(repaired, { release: true });
    return repaired;
  } finally {
    await locked.release();
  }
}

/** Removes an orphan from the list, because it was removed in Omni or is meant to stay. */
export function clearOrphan(state: State, id: string): State {
  if (!state.orphans.some((orphan) => orphan.id === id)) {
    throw new Failure('refused', `No orphan has the id ${id}.`, { hint: '`almanac state orphans` lists them.' });
  }
  return { ...state, orphans: state.orphans.filter((orphan) => orphan.id !== id) };
}

/** What a person found in the service about a change whose outcome was lost. */
export type Resolution =
  /** It was done; the service's id of what came of it. */
  | { readonly by: 'id'; readonly id: string }
  /** It was done, and nothing with an id came of it. */
  | { readonly by: 'done' }
  /** It was not done: plan it again. */
  | { readonly by: 'retry' };

/** `open` is one of its open requests, `now` ISO 8601. Throws Failure refused. */
export function resolveOpen(state: State, open: Unresolved, resolution: Resolution, now: string): State {
  const closed = { ...state, unresolved: state.unresolved.filter((entry) => entry !== open) };
  if (!isChange(open)) {
    checkNoId(open, resolution.by === 'id' ? resolution.id : undefined);
    return closed;
  }
  return resolution.by === 'retry' ? withoutMissing(closed, open) : withResource(closed, open, resolution, now);
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
      hint: 'almanac plan shows what is; state list shows what is tracked.',
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
        ? `Record the trigger first, with --done: in either case the next one waits no longer.`
        : `\`almanac apply\` with operations full settles the ${change.action}. After that, this command means the trigger.`,
    },
  );
}

function isChange(open: Unresolved): open is OpenChange {
  return open.action !== 'trigger';
}

/** Stops tracking a resource that was recreated because it was missing; otherwise nothing would be planned. */
function withoutMissing(state: State, { address, action }: Unresolved): State {
  return action === 'create' && trackedAt(state, address)?.id !== undefined ? without(state, address) : state;
}

function withResource(state: State, open: OpenChange, resolution: Resolution, now: string): State {
  const { address, action, attributes = {}, replaced, madeBy } = open;
  const prior = trackedAt(state, address);
  const id = resolution.by === 'id' ? resolution.id : undefined;
  checkResolution(open, id);
  checkUnused(state, id);
  if (action === 'delete') return without(state, address);
  if (action === 'update') {
    // No id of a group is forgotten: nobody has read which of them it has now.
    const groups = open.groups === undefined ? prior?.groups : mergeGroups(prior?.groups ?? [], open.groups);
    const resource = { ...prior, attributes, groups, createdAt: prior?.createdAt ?? open.since, updatedAt: now };
    return { ...state, resources: { ...state.resources, [address]: resource } };
  }
  const left = action === 'replace' ? orphaned(address, prior, now, open, replaced) : [];
  const orphans = [...state.orphans, ...left];
  const resource = { id, attributes, madeBy, createdAt: open.since, updatedAt: now };
  return { ...state, orphans, resources: { ...state.resources, [address]: resource } };
}

/** Throws Failure refused where an id is needed and missing, or given for what has none. */
function checkResolution(open: OpenChange, id: string | undefined): void {
  const { address, action } = open;
  const recurs = mayBeFound({ address, action });
  if (recurs && id === undefined) {
    throw new Failure('refused', `${address} recurs, so Almanac must know its id to keep track of it.`, {
      hint: `almanac state resolve ${address} --id ID, with the id from the address bar of the delivery in Omni.`,
    });
  }
  if (!recurs && kinds[kindAt(address)].life !== 'once') checkNoId(open, id);
}

/** Throws Failure refused. */
function checkNoId({ address, action }: Unresolved, id: string | undefined): void {
  if (id === undefined) return;
  throw new Failure('refused', `What was sent for ${address} (${action}) creates nothing with an id of its own.`, {
    hint: `almanac state resolve ${address} --done, or --retry if it was not done.`,
  });
}

function checkUnused(state: State, id: string | undefined): void {
  if (id === undefined) return;
  const tracked = Object.entries(state.resources).find(([, resource]) => resource.id === id)?.[0];
  if (tracked !== undefined) throw new Failure('refused', `The id ${id} is tracked already, as ${tracked}.`);
  const orphan = state.orphans.find((each) => each.id === id);
  if (orphan === undefined) return;
  throw new Failure(
    'refused',
    `The id ${id} is that of an orphan, which was ${orphan.address} until ${orphan.since}.`,
    {
      hint: 'It is older than the schedule that was sent last: look for another with the same name.',
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
  if (resource === undefined) throw notTracked(from);
  if (trackedAt(state, to) !== undefined)
    throw new Failure('refused', `${to} is tracked already.`, { hint: `almanac state show ${to}` });
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
  const { address } = open;
  return new Failure('refused', `The outcome of an earlier change of ${address} is not known yet.`, {
    hint: `Resolve it first: almanac state resolve ${address} ${mayBeFound(open) ? '--id ID' : '--done'}, or --retry if it was not done.`,
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
  if (missing !== undefined) throw notTracked(missing);
  const dropped = new Set(named);
  const kept = Object.entries(state.resources).filter(([address]) => !dropped.has(address));
  // Nothing is triggered any more at an address that nothing has.
  const unresolved = state.unresolved.filter((open) => isChange(open) || !dropped.has(open.address));
  return { ...state, resources: Object.fromEntries(kept), unresolved };
}

function notTracked(address: Address): Failure {
  return new Failure('refused', `The state holds no ${address}.`, {
    hint: '`almanac state list` shows what it holds.',
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
  const forced = 'Compare the two; --force puts it in place all the same.';
  if (state.lineage !== pushed.lineage)
    throw new Failure(
      'state-conflict',
      `It is not a later version of ${name}: its lineage is ${pushed.lineage}, not ${state.lineage}.`,
      {
        hint:
          shared === undefined ? forced : 'A shared place keeps one state for life. Give this one a place of its own.',
      },
    );
  if (pushed.serial <= state.serial)
    throw new Failure('state-conflict', `Its serial is ${pushed.serial}, and ${name} has ${state.serial} already.`, {
      hint:
        shared === undefined
          ? forced
          : `Compare the two. If it is the right one, write \`"serial": ${state.serial + 1}\` into it and push it again: the history keeps the others.`,
    });
}

function neverForced(name: string): Failure {
  return new Failure('usage', `--force replaces a file; what is in ${name} is never replaced.`, {
    hint: 'Push without --force a state of the same lineage and with a higher serial. It becomes the newest one, and the history keeps the others.',
  });
}
