// Which of the schedules that somebody asks for are delivered now, and which are refused or left out, and why. What is left
// out because it completed lately is told with as few requests as possible.

import { didYouMean } from '../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import { hasFailed, type TriggeredSchedule } from '../../model/deliveries.ts';
import type { Clock } from '../../model/outside.ts';
import { openChanges, type State, type StateResource } from '../../model/plan/state.ts';
import { type ListedSchedule, mostSchedulesOnAPage } from '../../model/service/remote.ts';
import { type Address, kindOf, withInstances } from '../../model/values/address.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { placesOf, recipientsOf } from '../../plan/dangers/destinations.ts';
import type { Api, CallOptions } from '../../service/api.ts';
import { serviceNow } from '../../service/service.ts';
import { plainText } from '../../state/fold-journal.ts';
import { refuseUnlessThroughSink } from '../../state/through-sink.ts';
import { selectApplied } from '../choose/select.ts';

export interface TriggerRequest {
  readonly loaded: Loaded;
  /** Of schedules, or of loops: these mean all their instances. */
  readonly addresses: readonly Address[];
  /** Tags, owners and patterns of addresses. What is paused is left out, because Omni refuses to deliver it. */
  readonly select?: readonly string[] | undefined;
  /** Milliseconds: leaves out what completed since. */
  readonly ifStale?: number | undefined;
  /** The most deliveries of one run. */
  readonly max: number;
}

/** Of a schedule that is known by its address. */
export type Triggered = Omit<TriggeredSchedule, 'id' | 'name'>;

/** A schedule that is to be delivered. */
export interface Target {
  readonly address: Address;
  readonly id: string;
  /** Of its dashboard. */
  readonly identifier: string;
  readonly name: string;
  readonly destinationType: string;
  /** As they were applied: people and channels, or the host or bucket. Those behind a secret are left out. */
  readonly to: readonly string[];
}

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

export interface Asked {
  readonly api: Api;
  readonly call: CallOptions;
  readonly clock: Clock;
}

/**
 * What completed lately, by the clock of the service, and what could not be told. A run that failed does not count as
 * completed. `ifStale` in milliseconds.
 */
export async function leftOut(
  targets: readonly Target[],
  ifStale: number,
  state: State,
  asked: Asked,
): Promise<readonly Triggered[]> {
  if (targets.length === 0) return [];
  const rows = await rowsOf(targets, state, asked);
  const { api, clock } = asked;
  const since = serviceNow(clock, api) - ifStale;
  return targets.flatMap(({ address, id }): readonly Triggered[] => {
    const { lastCompletedAt, lastStatus, runsUntold } = rows.get(id) ?? {};
    const at = Date.parse(lastCompletedAt ?? '');
    if (runsUntold || (lastCompletedAt !== undefined && Number.isNaN(at)))
      return [{ address, status: 'skipped', message: 'Omni does not say in a readable form when it last completed.' }];
    const isFresh = at >= since && !hasFailed(lastStatus);
    return isFresh ? [{ address, status: 'fresh', message: `It completed at ${lastCompletedAt}.` }] : [];
  });
}

/** By id. Asks for the dashboards alone where that takes fewer requests than the list of all schedules certainly does. */
async function rowsOf(
  targets: readonly Target[],
  state: State,
  { api, call }: Asked,
): Promise<ReadonlyMap<string, ListedSchedule>> {
  const dashboards = new Set(targets.map(({ identifier }) => identifier));
  const tracked = Object.keys(state.resources).filter((address) => kindOf(address) === 'schedule').length;
  const byId = (rows: readonly ListedSchedule[]) => new Map(rows.map((row) => [row.id, row]));
  if (!dashboards.has('') && dashboards.size <= Math.ceil(tracked / mostSchedulesOnAPage)) {
    const listed: ListedSchedule[] = [];
    for (const identifier of dashboards) listed.push(...(await api.listSchedules({ identifier }, call)));
    const rows = byId(listed);
    if (targets.every(({ id }) => rows.has(id))) return rows;
    // Somebody moved one to another dashboard, or deleted it.
  }
  return byId(await api.listSchedules({}, call));
}

/** Throws Failure usage with operations core, which has no such request. */
export function usableConfig(loaded: Loaded): Config {
  const { config, findings } = loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors; nothing was sent.', findings, loaded);
  if (config.api.operations === 'full') return config;
  throw new Failure('usage', 'With operations core, a schedule that exists cannot be triggered.', {
    hint: 'Set `api: { operations: full }` in almanac.yaml; `almanac test ADDRESS` delivers what is declared with operations core as well. Nothing was sent.',
  });
}

/**
 * In an environment with sinks only what was applied through them may be delivered. Throws Failure refused, and
 * invalid-workspace where the declarations cannot say what that is.
 */
export function refuseOutsideSink(loaded: Loaded, state: State, addresses: readonly string[]): void {
  const deliver = loaded.config?.deliver;
  if (deliver === undefined) return;
  if (hasErrors(loaded.findings))
    throw invalidWorkspace('The declarations have errors; nothing was sent.', loaded.findings, loaded);
  const declared = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  for (const address of addresses) {
    const resource = declared.get(address);
    if (resource === undefined) {
      throw new Failure(
        'refused',
        `${address} is not declared in ${deliver.environment} any more, so nobody knows whether it delivers to the sink.`,
        { hint: `Run \`almanac apply --env ${deliver.environment}\` first. Nothing was sent.`, addresses: [address] },
      );
    }
    refuseUnlessThroughSink(resource, state, deliver);
  }
}

/** Throws Failure refused. */
export function refuseMany(count: number, max: number): void {
  if (count <= max) return;
  throw new Failure('refused', `${count} schedules would be delivered, and --max is ${max}.`, {
    hint: `Name fewer, or allow them: --max ${count}. Nothing was sent.`,
  });
}

/** Without the full stop. */
export function resolveHint(address: Address): string {
  return `Ask a recipient, or look at the deliveries in Omni. Then \`almanac state resolve ${address} --done\`, or \`--retry\` if it was not delivered`;
}
