// The facts that a run relies on in Omni (operations full). They say what Omni's list must show of each resource that a request
// makes, adopts, changes, deletes or delivers. One walk over the steps collects them; judge-claims.ts compares them with the rows read.

import { identities, isInList, listKeyOf, namedOf, ownerOf, recordedName } from '../model/fields/identity.ts';
import { idKey } from '../model/fields/ids.ts';
import { actions } from '../model/plan/action.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { ListedRows } from '../model/plan/observation.ts';
import { openByAddress, sentNames } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import type { IdentityOfRow } from '../model/service/recognise-rows.ts';
import { type Address, type Kind, kindAt, kindOf, kindsInOrder } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import type { JsonObject } from '../model/values/json.ts';
import { ownerIdOf } from '../observe/owners/owners.ts';
import type { Service } from '../observe/service.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { maskedText } from '../state/fold-journal.ts';
import type { ToList } from './read-lists.ts';

interface OfClaim {
  readonly kind: Kind;
  /** The address that the state has for it. */
  readonly address: Address;
  /** The identity that the state has; the declared one if the resource is made or adopted. */
  readonly recorded: IdentityOfRow;
  /** Undefined for a delivery. */
  readonly step?: Step;
}

/** A claim that a resource, which is to be made, does not exist yet. */
export interface CreationClaim extends OfClaim {
  readonly use: 'make';
  readonly recorded: IdentityOfRow & { readonly identifier: string; readonly name: string };
  readonly step: Step;
  /** The key of the list that will show it. */
  readonly key: string;
}

/** A claim about the resource that a request names by its id. */
export interface IdClaim extends OfClaim {
  /** An `orphan` is the deletion of what a replacement has left behind. */
  readonly use: 'adopt' | 'change' | 'delete' | 'orphan' | 'deliver';
  readonly id: string;
  /** What the state records of it. */
  readonly applied?: JsonObject | undefined;
  /** The identity that the plan gives it. */
  readonly declared?: IdentityOfRow;
  /** The identities that earlier requests have sent, if it is not known whether they arrived. */
  readonly sent?: readonly IdentityOfRow[];
}

export type Claim = CreationClaim | IdClaim;

/** Returns the claims in the order of the changes; none with operations core, which has no lists to ask. */
export function claimsOf(
  { steps, document, inputs: { state } }: Pick<Proposal, 'steps' | 'document' | 'inputs'>,
  actingUsers: ActingUsers,
): readonly Claim[] {
  if (document.operations !== 'full') return [];
  return steps.flatMap((step) =>
    [made(step, actingUsers) ?? [], adopted(step, actingUsers) ?? [], used(step, state) ?? []].flat(),
  );
}

/** Returns undefined for a kind that no list shows, and for what is left. */
function made(step: Step, actingUsers: ActingUsers): CreationClaim | undefined {
  const { kind, address, action, requests, after, left } = step.change;
  const { listedBy } = identities[kind];
  if (listedBy === undefined || !actions[action].findable || requests === 0 || left !== undefined) return undefined;
  const recorded = {
    identifier: maskedText(after ?? {}, listedBy.on),
    name: maskedText(after ?? {}, listedBy.name),
    madeBy: actingUsers.get(address),
  };
  const key = listKeyOf(kind, recorded);
  return key === undefined ? undefined : { use: 'make', kind, address, step, recorded, key };
}

function adopted(step: Step, actingUsers: ActingUsers): IdClaim | undefined {
  const { kind, address, action, id, after } = step.change;
  if (id === undefined || action !== 'adopt') return undefined;
  // The declared attributes, because the step records what Omni has.
  const attributes = after ?? {};
  const recorded = recordedName(kind, { attributes, madeBy: actingUsers.get(address) });
  return { use: 'adopt', kind, address, id, step, recorded };
}

function used(step: Step, state: State | undefined): IdClaim | undefined {
  const { change, calls, after } = step;
  const { kind, id, reason, address: now, previousAddress: address = now } = change;
  if (id === undefined || identities[kind].listedBy === undefined) return undefined;
  if (!calls.some((send) => send !== 'post')) return undefined;
  const of = { kind, address, id, step };
  if (reason === 'replaced') {
    const orphan = state?.orphans.find((each) => each.id === id);
    return { ...of, use: 'orphan', recorded: orphan ?? {}, sent: orphan?.sentAs ?? [] };
  }
  const isDeleted = calls.includes('delete');
  const sent = sentNames(openByAddress(state).get(address));
  return {
    ...of,
    use: isDeleted ? 'delete' : 'change',
    recorded: recordedName(kind, state?.resources[address] ?? {}),
    applied: state?.resources[address]?.attributes,
    declared: namedOf(kind, after ?? {}),
    sent: sent.filter(({ name }) => name !== undefined),
  };
}

/** Returns the claims about resources that are to be delivered at once. */
export function deliveredClaims(addresses: readonly Address[], { resources }: State): readonly IdClaim[] {
  return addresses.flatMap((address): readonly IdClaim[] => {
    const resource = resources[address];
    const kind = kindAt(address);
    if (resource?.id === undefined) return [];
    const { id, attributes: applied } = resource;
    return [{ use: 'deliver', kind, address, id, recorded: recordedName(kind, resource), applied }];
  });
}

/** Returns the lists to read for the claims: whole where something is made, and otherwise only if no look has read them. */
export function neededRows(claims: readonly Claim[], listed: ListedRows): readonly ToList[] {
  return kindsInOrder.flatMap((kind) => {
    const ofKind = claims.filter((claim) => claim.kind === kind);
    const whole = [...groupBy(ofKind.flatMap(asMade), ({ key }) => key).values()].map((inList) => ({
      ...inList[0].recorded,
      addresses: inList.map(({ address }) => address),
    }));
    const ids =
      listed[kind] === undefined
        ? ofKind.flatMap((claim) => (claim.use === 'make' ? [] : [{ id: claim.id, named: claim.recorded }]))
        : [];
    return whole.length + ids.length === 0 ? [] : [{ kind, whole, ids }];
  });
}

/** The addresses of the resources that are made. */
export function madeIn(claims: readonly Claim[]): ReadonlySet<Address> {
  return new Set(claims.flatMap(asMade).map(({ address }) => address));
}

function asMade(claim: Claim): readonly CreationClaim[] {
  return claim.use === 'make' ? [claim] : [];
}

/** The ids that the journal keeps of the lists where something is made, including those in the state, as a list may lag behind. */
export function existingIn(
  claims: readonly Claim[],
  listed: ListedRows,
  state: State | undefined,
): NonNullable<JournalHeader['existing']> {
  const { resources = {} } = state ?? {};
  return Object.fromEntries(
    claims.flatMap(asMade).map(({ kind, key }) => {
      const listedRows = (listed[kind] ?? []).filter((row) => isInList(kind, row, key));
      const knownResources = Object.entries(resources).filter(
        ([address, resource]) => kindOf(address) === kind && listKeyOf(kind, recordedName(kind, resource)) === key,
      );
      const ids = [...listedRows.map(({ id }) => id), ...knownResources.flatMap(([, { id }]) => id ?? [])];
      return [key, [...new Set(ids)].sort()];
    }),
  );
}

/**
 * The membership ids for which requests act that make or adopt a resource that only its owner sees, by address. Where one is
 * missing, the member of the token acts, which is not known. Known before anything is sent, because the journal keeps them; later
 * requests take them from the state, and never from the declaration.
 */
export type ActingUsers = ReadonlyMap<Address, string>;

/** Sends one request for each address of a person. Throws what the service throws, and Failure api-rejected for an unknown address. */
export async function actingUsersOf(
  steps: readonly Step[],
  { api: connect, call }: Pick<Service, 'api' | 'call'>,
): Promise<ActingUsers> {
  const owned = steps.flatMap(({ change: { address, kind, action }, calls, after = {} }) => {
    const isNew = action === 'adopt' || calls.includes('post');
    const owner = ownerOf(after);
    return identities[kind].isOwners && isNew && owner !== undefined ? [{ address, owner }] : [];
  });
  const ids = new Map<string, string>();
  // Omni takes an id in capitals for the same one, and lists it in small letters.
  for (const owner of new Set(owned.map((each) => each.owner)))
    ids.set(owner, idKey(await ownerIdOf(owner, await connect(), call)));
  return new Map(owned.flatMap(({ address, owner }) => [[address, ids.get(owner) ?? owner]]));
}
