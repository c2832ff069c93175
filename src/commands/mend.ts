// `almanac state mv|rm|orphans|resolve|unlock|pull|push`: mends the state by hand. Nothing of it sends a request.

import { currentState } from '../engine/current-state.ts';
import {
  clearOrphan,
  dropResources,
  mendState,
  moveResource,
  pushState,
  type Resolution,
  resolveOpen,
} from '../engine/mend-state.ts';
import { Failure } from '../model/failure.ts';
import { parseState } from '../parse/parse-state.ts';
import { orphanLines } from '../render/orphan-text.ts';
import { renderJson } from '../render/plan-json.ts';
import { renderState } from '../render/render-state.ts';
import { safeText } from '../render/terminal-text.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { pageOf } from './page.ts';
import { openStateAlone } from './session.ts';
import type { World } from './world.ts';

export interface OrphansOptions extends GlobalOptions {
  readonly format: TextOrJson;
  readonly clear?: string;
}

export async function stateOrphans(world: World, options: OrphansOptions): Promise<number> {
  const { store } = await openStateAlone(world, options);
  if (options.clear !== undefined) {
    await mendState(store, 'state orphans', clearOrphan(options.clear));
    world.stdout.write(`The schedule ${safeText(options.clear)} is no longer listed as an orphan.\n`);
    return 0;
  }
  const orphans = currentState(await store.read(), store.name)?.orphans ?? [];
  if (options.format === 'json') world.stdout.write(renderJson(orphans));
  else
    world.stdout.write(
      orphans.length === 0
        ? 'No orphans.\n'
        : `${orphanLines(pageOf(world.stdout, world, options), orphans).join('\n')}\n`,
    );
  return 0;
}

export async function stateMove(world: World, options: GlobalOptions, from: string, to: string): Promise<number> {
  const { store } = await openStateAlone(world, options);
  await mendState(store, 'state mv', moveResource(from, to));
  world.stdout.write(`${safeText(from)} is now ${safeText(to)}.\n`);
  return 0;
}

export async function stateRemove(world: World, options: GlobalOptions, addresses: readonly string[]): Promise<number> {
  const { store } = await openStateAlone(world, options);
  const before = currentState(await store.read(), store.name);
  await mendState(store, 'state rm', dropResources(addresses));
  for (const address of addresses) {
    const id = before?.resources[address]?.id;
    const stays = id === undefined ? '' : `; it stays in Omni, with the id ${safeText(id)}`;
    world.stdout.write(`${safeText(address)} is no longer tracked${stays}.\n`);
  }
  return 0;
}

/** The state as a file would hold it, what a dead apply left folded in. */
export async function statePull(world: World, options: GlobalOptions): Promise<number> {
  const { store } = await openStateAlone(world, options);
  const state = currentState(await store.read(), store.name);
  if (state === undefined) throw new Failure('refused', `There is no state yet: ${store.name} does not exist.`);
  world.stdout.write(renderState(state));
  return 0;
}

export interface ResolveOptions extends GlobalOptions {
  readonly id?: string;
  readonly retry?: boolean;
  readonly done?: boolean;
}

export async function stateResolve(world: World, options: ResolveOptions, address: string): Promise<number> {
  const resolution = resolutionOf(options);
  const { store } = await openStateAlone(world, options);
  const now = new Date(world.clock.now()).toISOString();
  await mendState(store, 'state resolve', resolveOpen(address, resolution, now));
  const told =
    resolution.by === 'retry'
      ? 'will be planned again'
      : resolution.by === 'id'
        ? `is tracked as ${safeText(resolution.id)}`
        : 'is recorded as done';
  world.stdout.write(`${safeText(address)} ${told}.\n`);
  return 0;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function resolutionOf({ id, retry, done }: ResolveOptions): Resolution {
  const chosen = [id !== undefined, retry === true, done === true].filter(Boolean).length;
  if (chosen !== 1) {
    throw new Failure('usage', 'Say what a look in Omni has shown, with exactly one of --id ID, --done and --retry.', {
      hint: '--id ID: it is there, with that id. --done: it was done, and has no id. --retry: it was not done.',
    });
  }
  if (id === undefined) return { by: retry ? 'retry' : 'done' };
  if (!uuid.test(id)) throw new Failure('usage', `${id} is not an id; ids are UUIDs.`);
  return { by: 'id', id };
}

export interface UnlockOptions extends GlobalOptions {
  readonly autoApprove?: boolean;
}

export async function stateUnlock(world: World, options: UnlockOptions): Promise<number> {
  const { store } = await openStateAlone(world, options);
  if (!options.autoApprove) {
    if (world.ask === undefined)
      throw new Failure('usage', 'There is no terminal to ask on.', {
        hint: 'Use --auto-approve when nothing is running that holds the lock.',
      });
    const answer = await world.ask(
      `Break the lock of ${store.name}? An apply that still runs would no longer be protected. Only yes is accepted: `,
    );
    if (answer?.trim() !== 'yes') return 1;
  }
  const broken = await store.unlock();
  if (broken === undefined) world.stdout.write(`${safeText(store.name)} is not locked.\n`);
  else {
    const { holder } = broken;
    const whose =
      holder === undefined
        ? ''
        : `, held by ${safeText(holder.who)} on ${safeText(holder.host)} (process ${holder.pid}, ${safeText(holder.command)}) since ${safeText(holder.since)}`;
    world.stdout.write(`The lock of ${safeText(store.name)}${whose}, is broken.\n`);
  }
  return 0;
}

export interface PushOptions extends GlobalOptions {
  readonly force?: boolean;
}

export async function statePush(world: World, options: PushOptions, file: string): Promise<number> {
  const { store, workspace } = await openStateAlone(world, options);
  const pushed = parseState(await workspace.readOutside(file), file);
  await pushState(store, pushed, options.force === true);
  world.stdout.write(`${safeText(store.name)} is now ${safeText(file)}, serial ${pushed.serial}.\n`);
  return 0;
}
