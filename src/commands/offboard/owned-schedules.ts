// The schedules that belong to somebody, and which of them can be transferred at once: a declared owner is desired state, so
// such a schedule is transferred by the plan, and what another environment manages is for that environment.

import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { giveTo, isSameId } from '../../service/owners/owners.ts';
import { finishWhatIsSent } from '../../service/sending.ts';
import type { Service } from '../../service/service.ts';
import type { OwnedSchedule, Transferred } from './document.ts';
import { isThem, type Leaving } from './person-texts.ts';

export interface OwnedHere extends OwnedSchedule {
  /** A whole sentence: what transfers it instead; undefined where `--apply` does. */
  readonly instead?: string;
}

export interface Environment {
  /** Undefined without --env. */
  readonly name: string | undefined;
  readonly state: State | undefined;
  readonly resources: readonly Pick<Resource, 'address' | 'attributes'>[];
  /** The new addresses by those in the state. */
  readonly moved: ReadonlyMap<Address, Address>;
}

interface OwnedInput {
  readonly listed: readonly ListedSchedule[];
  readonly email: string;
  readonly memberId: string | undefined;
  readonly here: Environment;
  /** The others of the same organization. */
  readonly elsewhere: readonly Environment[];
  /** Whether somebody said that Almanac leaves it alone. */
  readonly isIgnored: (row: ListedSchedule) => boolean;
}

/** Managed ones first, by address; the others by name and id. */
export function ownedSchedules({
  listed,
  email,
  memberId,
  here,
  elsewhere,
  isIgnored,
}: OwnedInput): readonly OwnedHere[] {
  if (memberId === undefined) return [];
  const person = { email, memberId };
  const ours = managedIn(here, person);
  const others = new Map(
    elsewhere.flatMap((each) => [...managedIn(each, person)].map(([id, at]) => [id, { ...at, each }])),
  );
  const owned = listed.filter(({ ownerId }) => ownerId !== undefined && isSameId(ownerId, memberId));
  return owned
    .map((row): OwnedHere => {
      const managed = ours.get(row.id) ?? others.get(row.id);
      const ofOthers = managed === undefined && isIgnored(row) ? ignored : insteadOf(others.get(row.id)?.each);
      const instead = ours.has(row.id) ? ours.get(row.id)?.instead : ofOthers;
      return {
        address: managed?.address,
        id: row.id,
        name: row.name || undefined,
        identifier: row.identifier || undefined,
        managed: managed !== undefined,
        instead,
      };
    })
    .sort(
      (a, b) =>
        Number(b.managed) - Number(a.managed) ||
        byCodeUnit(a.address ?? '', b.address ?? '') ||
        byCodeUnit(a.name ?? '', b.name ?? '') ||
        byCodeUnit(a.id, b.id),
    );
}

interface Managed {
  readonly address: Address;
  readonly instead?: string;
}

type Person = Pick<Leaving, 'email' | 'memberId'>;

function managedIn({ state, resources, moved }: Environment, person: Person): ReadonlyMap<string, Managed> {
  const declared = new Map(resources.map((resource) => [resource.address, resource.attributes]));
  const entries = Object.entries(state?.resources ?? {}).flatMap(([recorded, { id, attributes }]) => {
    if (id === undefined || kindOf(recorded) !== 'schedule') return [];
    const address = moved.get(recorded) ?? recorded;
    const instead = whyPlanned(declared.get(address)?.['owner'], attributes['owner'], person);
    return [[id, { address, instead }] as const];
  });
  return new Map(entries);
}

/** A recorded owner is what the next plan compares with, so it must stay true. */
function whyPlanned(declared: unknown, recorded: unknown, person: Person): string | undefined {
  if (isThem(declared, person))
    return 'The file names them as its owner. --to with --write edits that, and almanac apply transfers it.';
  if (declared !== undefined) return 'The file names another owner. almanac apply --refresh transfers it.';
  if (recorded !== undefined)
    return 'The file named an owner until the last apply. Run almanac apply, then this command again.';
  return undefined;
}

const ignored =
  '`ignore` of almanac.yaml leaves it alone. Transfer it in Omni, or change `ignore`: it is deleted with the account.';

function insteadOf(environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  return environment.name === undefined
    ? 'Another environment manages it. Run this command without --env as well.'
    : `The environment ${environment.name} manages it. Run this command with --env ${environment.name} as well.`;
}

// Gives schedules to a successor, one after the other. A transfer may be repeated, so nothing is journalled: after a run that
// broke off, the list of schedules says what is left. An answer that was lost is settled by reading that list once more.

/** In the order of the schedules. `to` is a membership id. Throws only bugs. */
export async function transferOwned(
  schedules: readonly OwnedSchedule[],
  to: string,
  service: Pick<Service, 'api' | 'call'>,
  signal: AbortSignal,
): Promise<readonly Transferred[]> {
  const results: Transferred[] = [];
  let stop: string | undefined;
  for (const schedule of schedules) {
    if (signal.aborted) stop ??= 'The run was interrupted.';
    if (stop !== undefined) {
      results.push({ ...named(schedule), status: 'skipped', message: stop });
      continue;
    }
    const { ends, ...result } = await transferOne(schedule, to, service);
    results.push({ ...named(schedule), ...result });
    stop = ends;
  }
  return settled(results, to, service);
}

type Result = Omit<Transferred, 'address' | 'id' | 'name'>;

/** `ends`: why nothing more is sent. */
async function transferOne(
  { id, identifier }: OwnedSchedule,
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<Result & { readonly ends?: string }> {
  try {
    const connection = await api();
    await finishWhatIsSent({ call }, (options) => giveTo({ id, to, identifier }, connection, options));
    return { status: 'transferred' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    if (code === 'api-answer-lost') return { status: 'unknown' };
    if (code === 'interrupted' || code === 'state-lock-lost') return { status: 'skipped', message, ends: message };
    const result: Result = { status: 'failed', message, hint };
    const isForAll = statusOf(error) === 401 || code === 'api-unreachable' || code === 'api-rate-limited';
    return isForAll ? { ...result, ends: message } : result;
  }
}

async function settled(
  results: readonly Transferred[],
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<readonly Transferred[]> {
  if (results.every(({ status }) => status !== 'unknown')) return results;
  let owners: ReadonlyMap<string, string | undefined>;
  try {
    const listed = await (await api()).listSchedules({}, call);
    owners = new Map(listed.map(({ id, ownerId }) => [id, ownerId]));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return results.map((each) => (each.status === 'unknown' ? { ...each, message: lost, hint: again } : each));
  }
  return results.map((each): Transferred => {
    if (each.status !== 'unknown') return each;
    if (isSameId(owners.get(each.id) ?? '', to)) return { ...each, status: 'transferred' };
    return {
      ...each,
      status: 'failed',
      message: `${lost} The list of Omni, which may lag behind, does not show it.`,
      hint: again,
    };
  });
}

const lost = 'The answer was lost.';
const again = 'Run the command again: it asks Omni first who owns what.';

function named({ address, id, name }: OwnedSchedule): Pick<Transferred, 'address' | 'id' | 'name'> {
  return { address, id, name };
}
