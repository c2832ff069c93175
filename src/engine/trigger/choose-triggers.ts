// Which of the schedules that somebody asks for are delivered now, and which are left out, and why.

import { openChanges, type State, type StateResource } from '../../model/plan/state.ts';
import { type Address, kindOf, withInstances } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { placesOf, recipientsOf } from '../../plan/dangers/destinations.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';
import { selectApplied } from '../choose/select.ts';
import { plainText } from '../state/fold-journal.ts';
import { type Asked, leftOut } from './left-out.ts';
import { refuseMany, refuseOutsideSink, resolveHint } from './refusals.ts';
import type { Target } from './target.ts';
import type { Triggered, TriggerRequest } from './trigger-request.ts';

export interface Chosen {
  /** What was asked for, loops as their instances. */
  readonly all: readonly Target[];
  readonly targets: readonly Target[];
  readonly left: readonly Triggered[];
}

/** Throws Failure usage for what is not a schedule of the state, and refused for what may not be delivered at all. */
export async function chooseTriggers(request: TriggerRequest, state: State, asked: Asked): Promise<Chosen> {
  const { loaded, addresses, ifStale, max } = request;
  const known = Object.keys(state.resources);
  // As they are named; the instances of a loop stand in its place.
  const named = addresses.flatMap((name) => withInstances([name], known));
  const order = [...new Set([...named, ...selectedIn(request, state)])];
  const all = order.map((address) => targetOf(address, state));
  refuseOutsideSink(loaded, state, order);
  const blocked = all.flatMap(({ address }) => blockedBy(state, address));
  const isBlocked = new Set(blocked.map(({ address }) => address));
  const free = all.filter(({ address }) => !isBlocked.has(address));
  const rest = ifStale === undefined ? [] : await leftOut(free, ifStale, state, asked);
  const isLeft = new Set(rest.map(({ address }) => address));
  const targets = free.filter(({ address }) => !isLeft.has(address));
  refuseMany(targets.length, max);
  return { all, targets, left: [...blocked, ...rest] };
}

function selectedIn({ loaded, select }: TriggerRequest, state: State): readonly Address[] {
  if (select === undefined) return [];
  const selected = [...selectApplied(select, loaded, state)];
  const running = selected.filter((address) => state.resources[address]?.attributes['paused'] !== true);
  if (running.length > 0) return running;
  throw new Failure('usage', 'Everything that --select matches is paused, and Omni delivers nothing that is paused.', {
    hint: 'Resume one of them, or select others. Nothing was sent.',
    addresses: selected,
  });
}

function targetOf(address: Address, { resources }: State): Target {
  const resource: StateResource | undefined = Object.hasOwn(resources, address) ? resources[address] : undefined;
  if (kindOf(address) !== 'schedule' || resource?.id === undefined) throw notThere(address, resource, resources);
  const { id, attributes } = resource;
  const people = recipientsOf(attributes);
  return {
    address,
    id,
    identifier: plainText(attributes, 'identifier'),
    name: plainText(attributes, 'name'),
    destinationType: plainText(attributes, 'destinationType'),
    to: people.length > 0 ? people : placesOf('schedule', attributes).map(({ name }) => name),
  };
}

function notThere(address: Address, resource: StateResource | undefined, resources: State['resources']): Failure {
  const why =
    resource === undefined
      ? 'was not applied'
      : kindOf(address) === 'schedule'
        ? 'only ran once, so there is nothing to trigger'
        : 'is not a schedule';
  const schedules = Object.keys(resources).filter((each) => kindOf(each) === 'schedule');
  return new Failure('usage', `${address} ${why}.`, {
    hint: didYouMean(address, schedules) ?? '`almanac state list` shows what was applied. Nothing was sent.',
  });
}

function blockedBy(state: State, address: Address): readonly Triggered[] {
  if (openChanges(state).some((open) => open.address === address)) {
    return [
      {
        address,
        status: 'blocked',
        message: 'The outcome of its last change is not known, so nobody knows what it delivers, and to whom.',
        hint: 'almanac apply settles that.',
      },
    ];
  }
  const open = state.unresolved.find((entry) => entry.action === 'trigger' && entry.address === address);
  if (open === undefined) return [];
  return [
    {
      address,
      status: 'blocked',
      message: `It was triggered at ${open.since} and the answer was lost, so it may have been delivered.`,
      hint: `${resolveHint(address)}.`,
    },
  ];
}
