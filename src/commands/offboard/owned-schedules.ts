// Finds somebody's schedules and routines, and those that can be transferred at once. A declared owner is desired
// state, so a plan transfers such a schedule. Resources that another environment manages are left to it.

import type { ownerOfRow } from '../../model/plan/neighbours.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { isSameId } from '../../observe/owners/owners.ts';
import type { OwnedSchedule } from './offboard-document.ts';
import { insteadOfTransfer, isThem, type Person } from './person-texts.ts';

export interface OwnedHere extends OwnedSchedule {
  /** A sentence about another way to transfer it; undefined if `--apply` does. */
  readonly instead?: string;
}

export interface OwnedThere {
  /** Undefined without --env. */
  readonly name: string | undefined;
  readonly state: State | undefined;
  readonly resources: readonly Pick<Resource, 'address' | 'attributes'>[];
  /** The new addresses, keyed by those in the state. */
  readonly moved: ReadonlyMap<Address, Address>;
}

export interface OwnedRow extends Pick<ListedSchedule, 'id' | 'name' | 'identifier' | 'ownerId' | 'ownerName'> {
  readonly kind: Kind;
  /** Made for a few minutes by a probe, which deletes it. */
  readonly isOfProbe?: boolean;
}

interface OwnedInput {
  readonly listed: readonly OwnedRow[];
  readonly email: string;
  readonly memberId: string | undefined;
  readonly thisEnvironment: OwnedThere;
  readonly elsewhere: readonly OwnedThere[];
  /** Tells whose a schedule is that no state of this workspace holds. */
  readonly ownerOf: ReturnType<typeof ownerOfRow>;
}

/** Managed ones first, by address; the others by name and id. */
export function ownedSchedules({
  listed,
  email,
  memberId,
  thisEnvironment,
  elsewhere,
  ownerOf,
}: OwnedInput): readonly OwnedHere[] {
  if (memberId === undefined) return [];
  const person = { email, memberId };
  const ours = managedIn(thisEnvironment, person);
  const managedElsewhere = new Map(
    elsewhere.flatMap((each) => [...managedIn(each, person)].map(([id, at]) => [id, { ...at, each }])),
  );
  const owned = listed.filter(
    ({ id, ownerId, isOfProbe = false }) =>
      ownerId !== undefined && isSameId(ownerId, memberId) && (!isOfProbe || ours.has(id) || managedElsewhere.has(id)),
  );
  return owned
    .map((row): OwnedHere => {
      const managed = ours.get(row.id) ?? managedElsewhere.get(row.id);
      const owner = managed === undefined ? ownerOf(row) : undefined;
      const ofOthers =
        owner === 'ignored'
          ? ignored
          : owner === undefined
            ? insteadOf(managedElsewhere.get(row.id)?.each)
            : `${owner.who} tracks it, as ${owner.address}. Run this command there as well.`;
      const noTransfer = insteadOfTransfer[row.kind];
      const ofKind = managed === undefined ? noTransfer?.untracked(email) : noTransfer?.tracked;
      const instead = ofKind ?? (ours.has(row.id) ? ours.get(row.id)?.instead : ofOthers);
      return {
        address: managed?.address,
        id: row.id,
        name: row.name || undefined,
        identifier: row.identifier || undefined,
        managed: managed !== undefined,
        trackedBy: typeof owner === 'object' ? owner.who : undefined,
        ignored: owner === 'ignored' ? true : undefined,
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

interface ManagedSchedule {
  readonly address: Address;
  readonly instead?: string;
}

function managedIn({ state, resources, moved }: OwnedThere, person: Person): ReadonlyMap<string, ManagedSchedule> {
  const declared = new Map(resources.map((resource) => [resource.address, resource.attributes]));
  const entries = Object.entries(state?.resources ?? {}).flatMap(([recorded, { id, attributes }]) => {
    if (id === undefined) return [];
    const address = moved.get(recorded) ?? recorded;
    const instead = whyPlanned(declared.get(address)?.['owner'], attributes['owner'], person);
    return [[id, { address, instead }] as const];
  });
  return new Map(entries);
}

/** The next plan compares with a recorded owner, so it must stay true. */
function whyPlanned(declared: unknown, recorded: unknown, person: Person): string | undefined {
  if (isThem(declared, person))
    return `The file names them as its owner. --to with --write edits that, and ${command('apply')} transfers it.`;
  if (declared !== undefined) return `The file names another owner. ${command('apply', '--refresh')} transfers it.`;
  if (recorded !== undefined)
    return `The file named an owner until the last apply. Run ${command('apply')}, then this command again.`;
  return undefined;
}

const ignored =
  '`ignore` of almanac.yaml names this schedule. Transfer it in Omni, or change `ignore`: a schedule is deleted with the account of its owner.';

function insteadOf(environment: OwnedThere | undefined): string | undefined {
  if (environment === undefined) return undefined;
  return environment.name === undefined
    ? 'Another environment manages it. Run this command without --env as well.'
    : `The environment ${environment.name} manages it. Run this command with --env ${environment.name} as well.`;
}
