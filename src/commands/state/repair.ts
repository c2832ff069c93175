// The commands that repair the state: `almanac state resolve`, `mv`, `rm`, `orphans`, `push` and `unlock`.

import { uuid } from '../../model/fields/patterns.ts';
import { behindWords } from '../../model/plan/checkout-position.ts';
import { type Neighbours, noNeighbours, trackerOf, whyNotTaken } from '../../model/plan/neighbours.ts';
import { type State, trackedAt } from '../../model/plan/state.ts';
import { withInstances } from '../../model/values/address.ts';
import { type Allowed, allowing } from '../../model/values/allowances.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { heldWords, secondsWords } from '../../model/workspace/lock.ts';
import { orphanDoc } from '../../report/plan/open-report.ts';
import { printText } from '../../report/print-text.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { parseState } from '../../state/format/parse-state.ts';
import {
  clearOrphan,
  dropResources,
  moveResource,
  openAt,
  pushState,
  type Resolution,
  refuseUpdate,
  repairState,
  resolveOpen,
} from '../../state/repair-state.ts';
import type { HeldLock, StateStore } from '../../state/state-store.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { allowingNeighbours, readNeighbours } from '../base/neighbours.ts';
import type { Run } from '../base/run.ts';
import type {
  StateMoveOptions,
  StateOrphansOptions,
  StatePushOptions,
  StateRemoveOptions,
  StateResolveOptions,
  StateUnlockOptions,
} from './state-command.ts';

/**
 * Changes the state, which keeps the commits that it names. Throws Failure refused in a checkout that is behind: whoever repairs
 * the state there goes by files that are older than it.
 */
async function repair(
  run: Run,
  { allow }: { readonly allow?: Allowed | undefined },
  name: string,
  change: (state: State) => State,
): Promise<State> {
  const store = await run.storeAlone('changes');
  const { root } = await run.workspace();
  return repairState(store, name, async (state) => {
    const { checkout: commit } = state;
    const position = commit && !allow?.behind ? await (await run.openCheckout(root)).standing(commit) : undefined;
    if (commit === undefined || position?.relation !== 'behind') return change(state);
    throw new Failure('refused', `${behindWords({ commit })}.`, {
      hint: `Run \`git pull\`, and look again. To change the state all the same, use ${allowing('behind')}. Nothing was changed.`,
    });
  });
}

/** `almanac state resolve ADDRESS`: records the outcome of a change whose answer was lost. */
export async function stateResolve(run: Run, options: StateResolveOptions, address: string): Promise<number> {
  const resolution = resolutionOf(options);
  const { operations } = (await run.settings()).usable.api;
  if (resolution.by === 'id') await refuseOfNeighbour(run, resolution.id, options);
  const now = new Date(run.clock.now()).toISOString();
  let closed = '';
  await repair(run, options, 'state resolve', (state) => {
    const open = openAt(state, address, resolution);
    refuseUpdate(open, resolution, operations);
    const words = open.action === 'trigger' ? triggerWords(resolution) : wordsOf(resolution);
    closed = `The ${open.action} of ${address}, sent at ${open.since}, ${words}.`;
    return resolveOpen(state, open, resolution, now);
  });
  run.say(closed);
  return 0;
}

/** Throws Failure refused if a neighbour tracks the id, or may: whoever removes what two states track deletes it for both. */
async function refuseOfNeighbour(run: Run, id: string, { allow }: StateResolveOptions): Promise<void> {
  const neighbours = await neighboursAlone(run, allow);
  const tracker = trackerOf(id, neighbours);
  if (tracker !== undefined)
    throw new Failure('refused', `The id ${id} is tracked by ${tracker.who}, as ${tracker.address}.`, {
      hint: `Look for a different schedule with the same name. If it was made here, run \`${tracker.release}\` first.`,
    });
  const why = whyNotTaken({ unread: [...neighbours.unread, ...neighbours.unknown] });
  if (why === undefined) return;
  throw new Failure('refused', `It is not known whether a neighbour tracks the id ${id}. ${why}`, {
    hint: `If none does: ${allowingNeighbours(neighbours)}. Nothing was changed.`,
  });
}

/** The neighbours for a command that reads no declarations. Where almanac.yaml cannot be read, none of them is known. */
async function neighboursAlone(run: Run, allow?: Allowed): Promise<Neighbours> {
  const workspace = await run.workspace();
  const { config, file } = await run.settings();
  if (config !== undefined) return readNeighbours(run, { workspace, loaded: { config } }, allow);
  const who = file?.path ?? 'almanac.yaml';
  const isAllowed = allow?.['unread-neighbours']?.includes(who);
  const unread = [{ who, why: `${who} has errors, so the neighbours are not known.` }];
  return { ...noNeighbours, unread: isAllowed ? [] : unread };
}

function resolutionOf({ id, retry, done }: StateResolveOptions): Resolution {
  const chosen = [id !== undefined, retry === true, done === true].filter(Boolean).length;
  if (chosen !== 1) {
    throw new Failure('usage', 'Say what you found in Omni with exactly one of --id ID, --done and --retry.', {
      hint: '--id ID: the resource exists, with that id. --done: the change was made and has no id. --retry: it was not made.',
    });
  }
  if (id === undefined) return { by: retry ? 'retry' : 'done' };
  if (!new RegExp(uuid).test(id)) throw new Failure('usage', `${id} is not an id: ids are UUIDs.`);
  return { by: 'id', id: id.toLowerCase() };
}

function wordsOf(resolution: Resolution): string {
  switch (resolution.by) {
    case 'retry':
      return 'will be planned again';
    case 'id':
      return `is recorded as done, with the id ${resolution.id}`;
    case 'done':
      return 'is recorded as done';
  }
}

/** Either way the next trigger waits for nothing. */
function triggerWords({ by }: Resolution): string {
  return by === 'retry' ? 'was not delivered: it may be triggered again' : 'is recorded as delivered';
}

/** `almanac state mv FROM TO`: another address for a tracked resource. */
export async function stateMove(run: Run, options: StateMoveOptions, from: string, to: string): Promise<number> {
  await repair(run, options, 'state mv', (state) => moveResource(state, from, to));
  run.say(`${from} is now ${to}.`);
  return 0;
}

/** `almanac state rm ADDRESS...`: stops tracking resources; those in Omni stay. */
export async function stateRemove(
  run: Run,
  options: StateRemoveOptions,
  addresses: readonly string[],
): Promise<number> {
  let before: State | undefined;
  await repair(run, options, 'state rm', (state) => {
    before = state;
    return dropResources(state, addresses);
  });
  for (const address of withInstances(addresses, Object.keys(before?.resources ?? {}))) {
    const id = trackedAt(before, address)?.id;
    const stays = id === undefined ? '' : `; it stays in Omni, with the id ${id}`;
    run.say(`${address} is no longer tracked${stays}.`);
  }
  return 0;
}

/**
 * `almanac state orphans`: lists the schedules that keep running but are no longer tracked, and removes one from the
 * list.
 */
export async function stateOrphans(run: Run, options: StateOrphansOptions): Promise<number> {
  if (options.clear !== undefined) return clear(run, options, options.clear);
  const state = await run.readState(await run.storeAlone());
  const neighbours = state === undefined || state.orphans.length === 0 ? noNeighbours : await neighboursAlone(run);
  const orphans = (state?.orphans ?? []).map((orphan) => {
    const tracker = trackerOf(orphan.id, neighbours);
    return tracker === undefined ? orphan : { ...orphan, trackedBy: tracker.who };
  });
  run.print(options.format, { formatVersion: 1, orphans }, (page) =>
    orphans.length === 0 ? 'No orphans.\n' : printText(orphanDoc(orphans, { showsAll: true }), page),
  );
  return 0;
}

async function clear(run: Run, options: StateOrphansOptions, id: string): Promise<number> {
  const { orphans } = await repair(run, options, 'state orphans', (state) => clearOrphan(state, id));
  const cleared = `The schedule ${safeText(id)} is no longer listed as an orphan.\n`;
  run.print(options.format, { formatVersion: 1, orphans }, () => cleared);
  return 0;
}

/** `almanac state push FILE`: replaces the state with a later one. */
export async function statePush(run: Run, options: StatePushOptions, file: string): Promise<number> {
  const store = await run.storeAlone('changes');
  const workspace = await run.workspace();
  const text = await workspace.readOutside(file);
  const pushed = parseState(text, file, `Name a file that \`${command('state pull')}\` printed. Nothing was changed.`);
  await pushState(store, pushed, options.force === true);
  run.say(`${store.name} is now ${file}, serial ${pushed.serial}.`);
  return 0;
}

const withoutTerminal = 'If no run is using the lock, break it with --auto-approve.';

/** `almanac state unlock`: breaks a lock that a run left behind, after a confirmation. */
export async function stateUnlock(run: Run, options: StateUnlockOptions): Promise<number> {
  const store = await run.storeAlone('changes');
  const { name } = store;
  const heldLock = await store.lockHolder();
  if (heldLock !== undefined && !options.autoApprove) {
    const lock = `${name}${heldWords(heldLock.holder)}`;
    if (run.asker() === undefined) throw noTerminal(`the lock of ${lock} was left`, withoutTerminal);
    const question = `Break the lock of ${lock}? ${leaseWords(heldLock)}${consequence(store)}`;
    if (!(await isConfirmed(run, question))) return 1;
  }
  const broken = await store.unlock();
  run.say(
    broken === undefined
      ? `${name} is not locked.`
      : `The lock of ${name}${heldWords(broken.holder)}${broken.holder ? ',' : ''} is broken.`,
  );
  return 0;
}

/** A lease ends by itself, so breaking the lock only saves the wait. */
function leaseWords({ isDead, expiresIn }: HeldLock): string {
  if (expiresIn === undefined) return '';
  if (isDead || expiresIn <= 0) return 'Its lease is over, so the next run takes it over by itself. ';
  return `If its run gives no sign, its lease is over in ${secondsWords(expiresIn)} and the next run takes it over by itself. `;
}

/** A run that lost the lock of a shared place can write nothing more there, but what it sent may still take effect. */
function consequence({ shared }: StateStore): string {
  if (shared === undefined) return 'An apply that is still running would no longer be protected.';
  return 'An apply that is still running writes nothing more and sends nothing more once it notices; what it sent last may be carried out twice.';
}
