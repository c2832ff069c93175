// What a run relies on in Omni (operations full): of each resource that a request makes, adopts, changes, deletes or delivers, what
// Omni's list must show. One walk over the steps says it; judge-claims.ts holds it against the rows that were read.

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
import { ownerIdOf } from '../observe/owners/owners.ts';
import type { Service } from '../observe/service.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { maskedText } from '../state/fold-journal.ts';
import type { ToList } from './read-lists.ts';

interface OfClaim {
  readonly kind: Kind;
  /** As the state has it. */
  readonly address: Address;
  /** As the state has it; of what is made or adopted, as it is declared. */
  readonly recorded: IdentityOfRow;
  /** Undefined for a delivery. */
  readonly step?: Step;
}

/** Something is made, which must not be there already. */
export interface CreationClaim extends OfClaim {
  readonly use: 'make';
  readonly recorded: IdentityOfRow & { readonly identifier: string; readonly name: string };
  readonly step: Step;
  /** Of the list that will show it. */
  readonly key: string;
}

/** A request names a resource by its id. */
export interface IdClaim extends OfClaim {
  /** `orphan`: the deletion of what a replacement has left. */
  readonly use: 'adopt' | 'change' | 'delete' | 'orphan' | 'deliver';
  readonly id: string;
  /** As the plan leaves it. */
  readonly declared?: IdentityOfRow;
  /** As requests have sent it of which nobody knows whether they arrived. */
  readonly sent?: readonly IdentityOfRow[];
}

export type Claim = CreationClaim | IdClaim;

/** In the order of the changes; nothing with operations core, where nobody can ask. */
export function claimsOf(
  { steps, document, inputs: { state } }: Pick<Proposal, 'steps' | 'document' | 'inputs'>,
  actingUsers: ActingUsers,
): readonly Claim[] {
  if (document.operations !== 'full') return [];
  return steps.flatMap((step) =>
    [made(step, actingUsers) ?? [], adopted(step, actingUsers) ?? [], used(step, state) ?? []].flat(),
  );
}

/** Of a kind that a list shows. */
function made(step: Step, actingUsers: ActingUsers): CreationClaim | undefined {
  const { kind, address, action, requests, after } = step.change;
  const { listedBy } = identities[kind];
  if (listedBy === undefined || !actions[action].findable || requests === 0) return undefined;
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
  // As it is declared: what the step records is what Omni has.
  const attributes = after ?? {};
  const recorded = recordedName(kind, { attributes, madeBy: actingUsers.get(address) });
  return { use: 'adopt', kind, address, id, step, recorded, declared: namedOf(kind, attributes) ?? {} };
}

function used(step: Step, state: State | undefined): IdClaim | undefined {
  const { change, calls, after } = step;
  const { kind, id, reason, address: now, previousAddress: address = now } = change;
  if (id === undefined || identities[kind].listedBy === undefined) return undefined;
  if (!calls.some(({ send }) => send !== 'post')) return undefined;
  const of = { kind, address, id, step };
  if (reason === 'replaced') {
    const orphan = state?.orphans.find((each) => each.id === id);
    return { ...of, use: 'orphan', recorded: orphan ?? {}, sent: orphan?.sentAs ?? [] };
  }
  const isDeleted = calls.some(({ send }) => send === 'delete');
  const sent = sentNames(openByAddress(state).get(address));
  return {
    ...of,
    use: isDeleted ? 'delete' : 'change',
    recorded: recordedName(kind, state?.resources[address] ?? {}),
    declared: namedOf(kind, after ?? {}),
    sent: sent.filter(({ name }) => name !== undefined),
  };
}

/** What is to be delivered at once. */
export function deliveredClaims(addresses: readonly Address[], { resources }: State): readonly IdClaim[] {
  return addresses.flatMap((address): readonly IdClaim[] => {
    const resource = resources[address];
    const kind = kindAt(address);
    if (resource?.id === undefined) return [];
    return [{ use: 'deliver', kind, address, id: resource.id, recorded: recordedName(kind, resource) }];
  });
}

/** The lists that must be read for the claims, nothing where a look has read them; whole where something is made. */
export function neededRows(claims: readonly Claim[], listed: ListedRows): readonly ToList[] {
  return kindsInOrder.flatMap((kind) => {
    const ofKind = claims.filter((claim) => claim.kind === kind);
    const whole = [...groupBy(ofKind.flatMap(asMade), ({ key }) => key).values()].map((inList) => ({
      ...inList[0]?.recorded,
      addresses: inList.map(({ address }) => address),
    }));
    const ids =
      listed[kind] === undefined
        ? ofKind.flatMap((claim) => (claim.use === 'make' ? [] : [{ id: claim.id, named: claim.recorded }]))
        : [];
    return whole.length + ids.length === 0 ? [] : [{ kind, whole, ids }];
  });
}

/** What is made, by address. */
export function madeIn(claims: readonly Claim[]): ReadonlySet<Address> {
  return new Set(claims.flatMap(asMade).map(({ address }) => address));
}

function asMade(claim: Claim): readonly CreationClaim[] {
  return claim.use === 'make' ? [claim] : [];
}

/** What the journal keeps of the lists where something is made. What the state knows is there as well: its list may lag behind. */
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
 * For which member a request acts that makes or adopts something that only its owner sees: membership ids, by address. One that is
 * missing is not known: the token has its own member. Known before anything is sent, because the journal keeps it; later requests
 * take it from the state, and never from the declaration.
 */
export type ActingUsers = ReadonlyMap<Address, string>;

/** Sends one request for each address of a person. Throws what the service throws, and Failure api-rejected for nobody's address. */
export async function actingUsersOf(
  steps: readonly Step[],
  { api: connect, call }: Pick<Service, 'api' | 'call'>,
): Promise<ActingUsers> {
  const owned = steps.flatMap(({ change: { address, kind, action }, calls, after = {} }) => {
    const isNew = action === 'adopt' || calls.some(({ send }) => send === 'post');
    const owner = ownerOf(after);
    return identities[kind].isOwners && isNew && owner !== undefined ? [{ address, owner }] : [];
  });
  const ids = new Map<string, string>();
  // Omni takes an id in capitals for the same one, and lists it in small letters.
  for (const owner of new Set(owned.map((each) => each.owner)))
    ids.set(owner, idKey(await ownerIdOf(owner, await connect(), call)));
  return new Map(owned.flatMap(({ address, owner }) => [[address, ids.get(owner) ?? owner]]));
}
