// Changes to the state by hand, each under the lock and with what a dead apply left folded in first.

import { type Address, kindOf } from '../model/address.ts';
import { Failure } from '../model/failure.ts';
import type { State, Unresolved } from '../model/state.ts';
import type { StateStore } from '../ports/state-store.ts';
import { currentState } from './current-state.ts';
import { orphaned } from './fold-journal.ts';

/** Writes what `change` makes of the state; the serial rises by one. Throws Failure refused where there is none. */
export async function mendState(store: StateStore, command: string, change: (state: State) => State): Promise<State> {
  const locked = await store.lock(command);
  try {
    const state = currentState(await locked.read(), store.name);
    if (state === undefined) throw new Failure('refused', `There is no state yet: ${store.name} does not exist.`);
    const mended = { ...change(state), serial: state.serial + 1 };
    await locked.commit(mended);
    return mended;
  } finally {
    await locked.release();
  }
}

/** The orphan was removed in Omni, or shall stay: it is no longer listed. */
export function clearOrphan(id: string): (state: State) => State {
  return (state) => {
    if (!state.orphans.some((orphan) => orphan.id === id)) {
      throw new Failure('refused', `No orphan has the id ${id}.`, { hint: '`almanac state orphans` lists them.' });
    }
    return { ...state, orphans: state.orphans.filter((orphan) => orphan.id !== id) };
  };
}

/** What a look at the service has shown about a change whose outcome was lost. */
export type Resolution =
  /** It was done; the service's id of what came of it. */
  | { readonly by: 'id'; readonly id: string }
  /** It was done, and nothing with an id came of it. */
  | { readonly by: 'done' }
  /** It was not done: plan it again. */
  | { readonly by: 'retry' };

/** `now` as ISO 8601. */
export function resolveOpen(address: Address, resolution: Resolution, now: string): (state: State) => State {
  return (state) => {
    const open = state.unresolved.find((entry) => entry.address === address);
    if (open === undefined) {
      throw new Failure('refused', `Nothing is unresolved about ${address}.`, {
        hint: 'almanac plan shows what is; state list shows what is tracked.',
      });
    }
    const closed = { ...state, unresolved: state.unresolved.filter((entry) => entry !== open) };
    return resolution.by === 'retry' ? closed : withResource(closed, open, resolution, now);
  };
}

function withResource(state: State, open: Unresolved, resolution: Resolution, now: string): State {
  const { address, action, attributes = {} } = open;
  const recurs = kindOf(address) === 'schedule' && action !== 'run';
  if (recurs && resolution.by !== 'id') {
    throw new Failure('refused', `${address} recurs, so Almanac must know its id to keep track of it.`, {
      hint: `almanac state resolve ${address} --id ID, with the id from the address bar of the delivery in Omni.`,
    });
  }
  const id = resolution.by === 'id' ? { id: resolution.id } : {};
  checkUnused(state, id.id);
  const orphans =
    action === 'replace' ? [...state.orphans, ...orphaned(address, state.resources[address], now)] : state.orphans;
  const resource = { ...id, attributes, createdAt: open.since, updatedAt: now };
  return { ...state, orphans, resources: { ...state.resources, [address]: resource } };
}

function checkUnused(state: State, id: string | undefined): void {
  if (id === undefined) return;
  const tracked = Object.entries(state.resources).find(([, resource]) => resource.id === id)?.[0];
  if (tracked !== undefined) throw new Failure('refused', `The id ${id} is tracked already, as ${tracked}.`);
}

/** Gives a tracked resource another address. */
export function moveResource(from: Address, to: Address): (state: State) => State {
  return (state) => {
    const resource = state.resources[from];
    if (resource === undefined) throw notTracked(from);
    if (state.resources[to] !== undefined)
      throw new Failure('refused', `${to} is tracked already.`, { hint: `almanac state show ${to}` });
    if (kindOf(to) === undefined || kindOf(to) !== kindOf(from)) {
      throw new Failure('usage', `${to} is not an address of the same section as ${from}.`, {
        hint: 'An address is a section and a key, such as schedules.weekly-sales.',
      });
    }
    const { [from]: _, ...others } = state.resources;
    return { ...state, resources: { ...others, [to]: resource } };
  };
}

/** Stops tracking resources; what exists in Omni stays. */
export function dropResources(addresses: readonly Address[]): (state: State) => State {
  return (state) => {
    const missing = addresses.find((address) => state.resources[address] === undefined);
    if (missing !== undefined) throw notTracked(missing);
    const kept = Object.entries(state.resources).filter(([address]) => !addresses.includes(address));
    return { ...state, resources: Object.fromEntries(kept) };
  };
}

function notTracked(address: Address): Failure {
  return new Failure('refused', `The state holds no ${address}.`, {
    hint: '`almanac state list` shows what it holds.',
  });
}

/** Puts a state in place of the present one. Refuses another lineage and a serial that is not higher, unless forced. */
export async function pushState(store: StateStore, pushed: State, force: boolean): Promise<void> {
  const locked = await store.lock('state push');
  try {
    const { state } = await locked.read();
    if (!force && state !== undefined) checkSuccession(state, pushed, store.name);
    await locked.commit(pushed);
  } finally {
    await locked.release();
  }
}

function checkSuccession(state: State, pushed: State, name: string): void {
  const hint = 'Compare the two; --force puts it in place all the same.';
  if (state.lineage !== pushed.lineage)
    throw new Failure(
      'state-conflict',
      `It is not a later version of ${name}: its lineage is ${pushed.lineage}, not ${state.lineage}.`,
      { hint },
    );
  if (pushed.serial <= state.serial)
    throw new Failure('state-conflict', `Its serial is ${pushed.serial}, and ${name} has ${state.serial} already.`, {
      hint,
    });
}
