// The look at a routine: its row in the list of the member for whom it was made, which is whole, so every field of it is
// compared with the declaration. Omni says of everything that a former member had that it does not exist, so a routine
// counts as gone only while its owner is known to be there.

import { deliveryOf } from '../model/fields/delivery.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { ListedRoutine } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { memoize } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { nameSome } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import type { Look, LookContext, OwnerList, OwnerLists, SeenResource } from './look-context.ts';
import { asSet, type FoundResource, readable, rowFields } from './observed.ts';
import { isActiveMember, isAddress, ownerGoneWords, unlessPeopleRefused } from './owners/owners.ts';
import { leavesOpen, untilListed } from './sending.ts';

export const lookAtRoutine: Look = async (address, resource, looking) => {
  const { id, madeBy, createdAt } = resource;
  if (id === undefined) return {};
  const { ownerLists, clock, service } = looking;
  const age = { clock, createdAt, signal: service.call.signal };
  let list = await ownerLists.of(madeBy);
  const rowIn = (rows: OwnerList) => (rows instanceof Map ? rows.get(id) : undefined);
  const readAgain = async () => {
    if (list instanceof Map) list = await ownerLists.reread(madeBy);
    return rowIn(list);
  };
  // The list that others have read may be older than the wait for one of them.
  const row = rowIn(list) ?? (await untilListed(age, readAgain));
  if (row !== undefined) return foundAs(row, address, resource, looking);
  const why = await reasonNotGone(resource, list instanceof Failure ? list : undefined, looking);
  if (why === undefined) return { resource: { found: false } };
  const isAdopted = looking.adopted?.has(address) === true;
  return doubted(
    address,
    why,
    isAdopted ? adoptedHint : `If it is gone, \`${command('state rm', address)}\` stops tracking it.`,
  );
};

/** The reason why it is not known to be gone, as a sentence; undefined if it is. */
async function reasonNotGone(
  { madeBy, attributes }: StateResource,
  refusal: Failure | undefined,
  { ownerLists, state }: LookContext,
): Promise<string | undefined> {
  if (madeBy === undefined) {
    if (refusal !== undefined) return refusal.message;
    const shown = await ownerLists.of(undefined);
    const others = Object.values(state?.resources ?? {}).filter((each) => each.madeBy === undefined);
    const isSameMember = shown instanceof Map && others.some(({ id = '' }) => shown.has(id));
    if (isSameMember) return undefined;
    return 'It is not known for which member the routine was made, and this token shows none of these routines: the token may act for a different member.';
  }
  const owner = typeof attributes['owner'] === 'string' ? attributes['owner'] : madeBy;
  const isActive = await ownerLists.isActive(madeBy);
  if (isActive === false) return ownerGoneWords(owner);
  if (refusal !== undefined) return refusal.message;
  return isActive
    ? undefined
    : `The routine is not listed, and the token may not ask whether its owner (${owner}) is still a member.`;
}

const adoptedHint =
  'Add `owner`: the address of the person who owns it there, since Omni shows a routine only to its owner.';

/** It is taken to exist as it was applied, and nothing is sent about it. */
function doubted(address: Address, why: string, wayOn: string): SeenResource {
  const doubt = `Almanac cannot tell what became of \`${address}\`. ${why}`;
  const hint = `Look for the routine in Omni. ${wayOn}`;
  return {
    resource: { found: true, fields: new Set(), attributes: {}, doubt: `${doubt} ${hint}` },
    finding: { code: 'not-read', message: doubt, hint, address },
  };
}

async function foundAs(
  row: ListedRoutine,
  address: Address,
  { attributes }: StateResource,
  looking: LookContext,
): Promise<SeenResource> {
  const { secrets } = looking;
  const resource = observedRoutine(row, attributes, secrets.of(address));
  const off = offFinding(row, address);
  const { lost, shown } = await lostAddresses(row, attributes, looking);
  if (lost.length === 0) return { resource, finding: off };
  // Omni resolves an address that was sent to the member whom it then named.
  const { destination: _, ...otherAttributes } = resource.attributes;
  const fields = new Set([...resource.fields].filter((name) => name !== 'destination'));
  const finding = notAMember(address, lost, shown);
  return {
    resource: { ...resource, fields, attributes: otherAttributes },
    finding: [...(off === undefined ? [] : [off]), finding],
  };
}

/** `resolved`: addresses of the applied destination by those that Omni shows in their place; without one for nobody's. */
export function observedRoutine(row: ListedRoutine, applied: JsonObject, secret: ReadonlySet<string>): FoundResource {
  const { resource } = readable(
    'routine',
    {
      ...rowFields('routine', row),
      // Omni chooses the topic of a routine that names none.
      topicName: applied['topicName'] === undefined ? undefined : row.topicName,
      description: row.description === '' ? null : row.description,
      destination: destinationIn(row, applied['destination']),
    },
    applied,
    secret,
  );
  return { ...resource, updatedAt: row.updatedAt };
}

/** Keeps the applied value if only the order, or the case of an address, differs. */
function destinationIn({ destination: found }: ListedRoutine, applied: Json | undefined): Json | undefined {
  if (found === undefined) return undefined;
  const before = isJsonObject(applied) && applied['type'] === found.type ? applied : {};
  if (found.type !== 'email') return found as JsonObject;
  const sets = (['recipientEmails', 'userGroupIds'] as const).flatMap((name) => {
    const set = asSet(found[name] ?? [], before[name] ?? []);
    return before[name] === undefined && Array.isArray(set) && set.length === 0 ? [] : [[name, set] as const];
  });
  return { type: found.type, ...Object.fromEntries(sets) };
}

function offFinding({ paused, stopped }: ListedRoutine, address: Address): Finding | undefined {
  if (stopped !== undefined)
    return {
      code: 'stopped-by-service',
      message: `Omni has stopped \`${address}\`: ${stopped}. Nothing is delivered until the cause is fixed.`,
      hint: 'Fix the cause in Omni, and resume the routine there.',
      address,
    };
  if (!paused) return undefined;
  return {
    code: 'paused-by-owner',
    message: `\`${address}\` is paused by its owner in Omni, so nothing is delivered.`,
    hint: 'Its owner resumes it in Omni: no request of Almanac can.',
    address,
  };
}

interface ResolvedNames {
  readonly lost: readonly string[];
  /** The texts in their place. */
  readonly shown: readonly string[];
}

const asApplied: ResolvedNames = { lost: [], shown: [] };

/**
 * The applied addresses that Omni shows no more because nobody has them, where that alone is the difference: what it shows in
 * their place are members. Whoever removed or added a person in Omni has changed something, and is not meant.
 */
async function lostAddresses(
  { destination }: ListedRoutine,
  applied: JsonObject,
  { api, service: { call } }: LookContext,
): Promise<ResolvedNames> {
  if (destination?.type !== 'email' || destination.recipientEmails === undefined) return asApplied;
  const { to } = deliveryOf('routine', applied);
  const before = to.flatMap(({ kind, shown }) => (kind === 'email' && isAddress(shown) ? [shown] : []));
  const now = new Set(destination.recipientEmails.map((email) => email.toLowerCase()));
  const known = new Set(before.map((email) => email.toLowerCase()));
  const lost = before.filter((email) => !now.has(email.toLowerCase()));
  const shown = [...now].filter((email) => !known.has(email));
  if (lost.length === 0 || shown.length > lost.length) return asApplied;
  const isMember = async (email: string) =>
    (await unlessPeopleRefused(api.listUsers({ email }, call)))?.some(({ active }) => active);
  const isOutside = async (email: string) =>
    (await unlessPeopleRefused(api.listEmailOnlyUsers({ email }, call)))?.some(
      (one) => one.toLowerCase() === email.toLowerCase(),
    );
  for (const email of lost)
    if ((await isMember(email)) !== false || (await isOutside(email)) !== false) return asApplied;
  for (const email of shown) if ((await isMember(email)) !== true) return asApplied;
  return { lost, shown };
}

function notAMember(address: Address, lost: readonly string[], shown: readonly string[]): Finding {
  const [are, they] = lost.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const now = shown.length === 0 ? '' : `, and to ${nameSome(shown)}`;
  return {
    code: 'not-a-member',
    message: `${nameSome(lost)} ${are} no longer found as a member, so Omni delivers \`${address}\` without ${they}${now}.`,
    hint: 'Declare who receives the routine now.',
    address,
  };
}

export function ownerListsOf(api: Api, call: CallOptions): OwnerLists {
  const read = async (owner: string | undefined): Promise<OwnerList> => {
    try {
      return new Map((await api.listRoutines({ owner }, call)).map((row) => [row.id, row]));
    } catch (error) {
      if (leavesOpen(error)) return error;
      throw error;
    }
  };
  return {
    of: memoize(read),
    reread: read,
    isActive: (owner) => isActiveMember(owner, api, call),
  };
}
