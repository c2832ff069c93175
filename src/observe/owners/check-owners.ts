// Checks who can own schedules. For a plan, before anything is sent: somebody has the address, whoever is to own a new
// schedule is an active member, and the token may look people up. For declarations: each owner is an active member.

import { fieldsOf } from '../../model/fields/fields.ts';
import { identities, ownerOf } from '../../model/fields/identity.ts';
import { idKey } from '../../model/fields/ids.ts';
import type { Change } from '../../model/plan/plan.ts';
import { isOrganizationKey, organizationKeyPrefix, type RemoteUser } from '../../model/service/remote.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { CallOptions } from '../../omni/api.ts';
import { isAddress, membersAmong, type People, peopleAmong, unlessPeopleRefused } from './owners.ts';

interface OwnedResource {
  readonly address: Address;
  readonly owner: string;
  readonly field: 'owner' | 'userId';
}

/** A change that creates or transfers a schedule: a step, or a delivery that creates nothing. */
interface OwnerChange {
  readonly calls: readonly string[];
  readonly change: Pick<Change, 'kind' | 'address' | 'reason'> & { readonly action?: Change['action'] };
  readonly after?: { readonly owner?: unknown; readonly userId?: unknown } | undefined;
}

interface OwnerPorts {
  api(): Promise<People>;
  readonly call: CallOptions;
}

/**
 * The refusals of owners, each of which names the resources that cannot have theirs. Sends one request for each address that is not
 * known yet; with a membership id, one for every hundred people. Throws Failure blocked where the token may give nothing an owner.
 */
export async function ownerRefusals(
  steps: readonly OwnerChange[],
  service: OwnerPorts & { token(): string },
): Promise<readonly Failure[]> {
  const adopted = steps.filter(isAdoptedForNobody);
  const isUnowned = adopted.length > 0 && isOrganizationKey(service.token());
  return [...(isUnowned ? [needsOwner(adopted)] : []), ...(await unfitOwners(steps, service))];
}

async function unfitOwners(
  steps: readonly OwnerChange[],
  service: OwnerPorts & { token(): string },
): Promise<readonly Failure[]> {
  const named = steps.flatMap(ownedBy);
  if (named.length === 0) return [];
  const declared = named.filter(({ field }) => field === 'owner');
  if (!isOrganizationKey(service.token())) {
    if (declared.length > 0) throw needsKey(declared);
    return [];
  }
  const askedResources = [...declared.filter(isLookedUp(steps)), ...named.filter(({ field }) => field === 'userId')];
  if (askedResources.length === 0) return [];
  const users = await usersFor(askedResources, service);
  if (users === undefined) return [];
  const faultOf = faultsAmong(users);
  const byOwner = groupBy(askedResources, ({ owner }) => idKey(owner));
  return [...byOwner].flatMap(([owner, theirs]) => {
    const fault = faultOf(owner);
    return fault === undefined ? [] : [unfit(fault, theirs)];
  });
}

/** Returns undefined if nothing depends on the answer and the service refuses to give it. */
async function usersFor(
  askedResources: readonly OwnedResource[],
  { api, call }: OwnerPorts,
): Promise<readonly RemoteUser[] | undefined> {
  const owners = askedResources.map(({ owner }) => owner);
  const people = peopleAmong(owners, await api(), call);
  return owners.some(isAddress) ? people : unlessPeopleRefused(people);
}

/** The resources whose owner a change sets. A `userId` counts if a schedule that was there is made again. */
function ownedBy({ change, calls, after }: OwnerChange): readonly OwnedResource[] {
  const { owner, userId } = after ?? {};
  const { address } = change;
  if (!hasOwner(change)) return [];
  if (typeof owner === 'string')
    return sends(calls, 'post') || sends(calls, 'transfer') ? [{ address, owner, field: 'owner' }] : [];
  const isMadeAgain = change.reason === 'missing' && sends(calls, 'post');
  return isMadeAgain && typeof userId === 'string' ? [{ address, owner: userId, field: 'userId' }] : [];
}

/** True for a resource that only its owner sees, if no owner is named. */
function isAdoptedForNobody({ change: { kind, action }, after }: OwnerChange): boolean {
  return action === 'adopt' && identities[kind].isOwners === true && ownerOf(after ?? {}) === undefined;
}

function needsOwner(steps: readonly OwnerChange[]): Failure {
  const addresses = steps.map(({ change }) => change.address);
  return new Failure(
    'blocked',
    `With an organization key, Almanac adopts only routines that declare their owner, because Omni shows a routine only to its owner: ${nameSome(addresses)}.`,
    { addresses, hint: 'Add `owner`: the address of the person who owns the routine in Omni.' },
  );
}

/** True if resources of the kind have an owner, by its fields. */
function hasOwner({ kind }: { readonly kind: Kind }): boolean {
  return Object.hasOwn(fieldsOf[kind], 'owner');
}

function sends(calls: OwnerChange['calls'], asked: 'post' | 'transfer'): boolean {
  return calls.includes(asked);
}

/** A transfer to a membership id needs no look: the service refuses it and changes nothing. */
function isLookedUp(steps: readonly OwnerChange[]): (owned: OwnedResource) => boolean {
  const created = new Set(steps.flatMap(({ change, calls }) => (sends(calls, 'post') ? change.address : [])));
  return ({ address, owner }) => isAddress(owner) || created.has(address);
}

function needsKey(owned: readonly OwnedResource[]): Failure {
  const addresses = owned.map(({ address }) => address);
  return new Failure(
    'blocked',
    `owner needs an organization key, which begins with ${organizationKeyPrefix}, and the token in use is of another kind: ${nameSome(addresses)}. Nothing was sent.`,
    { addresses, hint: 'Use an organization key, or remove owner.' },
  );
}

function unfit({ message, hint }: OwnerFault, owned: readonly OwnedResource[]): Failure {
  const isUserId = owned.some(({ field }) => field === 'userId');
  const addresses = owned.map(({ address }) => address);
  return new Failure('blocked', `${message} It is declared as the owner of ${nameSome(addresses)}.`, {
    addresses,
    hint: isUserId ? 'Change `userId`, or declare an owner.' : hint,
  });
}

/**
 * Checks that the declared owners are people of the organization: in the whole list, a hundred a request, because only
 * an address can be asked for alone. Sends nothing if no owner is declared, and keeps nothing: it is about people.
 */
export async function checkOwners(resources: readonly Resource[], service: OwnerPorts): Promise<readonly Finding[]> {
  const owned = resources.flatMap((resource) => {
    const { owner } = resource.attributes;
    return hasOwner(resource) && typeof owner === 'string' ? [{ resource, owner }] : [];
  });
  const [first] = owned;
  if (first === undefined) return [];
  const users = await unlessPeopleRefused((await service.api()).listUsers({}, service.call));
  if (users === undefined) return [{ ...notChecked, ...findingAt(first.resource, '/owner') }];
  const faultOf = faultsAmong(users);
  return owned.flatMap(({ resource, owner }) => {
    const fault = faultOf(owner);
    return fault === undefined ? [] : [{ ...fault, ...findingAt(resource, '/owner') }];
  });
}

type OwnerFault = Pick<Finding, 'code' | 'message' | 'hint'>;

const notChecked: OwnerFault = {
  code: 'not-read',
  message: 'The owners could not be checked: Omni does not tell this token the people of the organization.',
  hint: 'Use an organization key, or run again.',
};

/** Finds the reason why somebody can own nothing; undefined for an active member. */
function faultsAmong(users: readonly RemoteUser[]): (owner: string) => OwnerFault | undefined {
  const memberOf = membersAmong(users);
  return (owner) => {
    const member = memberOf(owner);
    if (member === undefined) return unknown(owner);
    return member.active ? undefined : inactive(owner);
  };
}

function unknown(owner: string): OwnerFault {
  return {
    code: 'owner-unknown',
    message: `Nobody in the organization ${isAddress(owner) ? 'has the address' : 'is'} ${owner}.`,
    hint: 'Write the address with which the person signs in to Omni, or their membership id.',
  };
}

function inactive(owner: string): OwnerFault {
  return {
    code: 'owner-inactive',
    message: `The account of ${owner} is deactivated, so nothing can be transferred to this account.`,
    hint: 'Declare another owner.',
  };
}
