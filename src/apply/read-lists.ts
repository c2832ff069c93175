// Reads Omni's lists (operations full), once a run and before anything is sent. They show whether the ids that are used still
// belong to what the state says, what must not be created twice (judge-claims.ts), and what the journal keeps for the
// recovery of a lost POST.

import { listKeyOf, onWordsOf } from '../model/fields/identity.ts';
import type { ListedRows } from '../model/plan/observation.ts';
import type { IdentityOfRow } from '../model/service/recognise-rows.ts';
import { type ListedRow, mostListsOfDashboards } from '../model/service/remote.ts';
import { type Address, type Kind, kinds, kindsInOrder } from '../model/values/address.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { type KindList, observedKinds } from '../observe/observed-kinds.ts';
import { unlessOpen } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { Api, CallOptions } from '../omni/api.ts';

/** The rows of one kind that a run must know. */
export interface ToList {
  readonly kind: Kind;
  /** The lists that must be read whole; `addresses` are made there. */
  readonly whole: readonly (IdentityOfRow & { readonly addresses?: readonly Address[] })[];
  /** Resources to find, wherever they are. */
  readonly ids: readonly { readonly id: string; readonly named: IdentityOfRow }[];
}

/** Says how a kind is listed, for a search in its lists; throws for a kind without one. */
export function listOfKind(kind: Kind): KindList {
  const { list } = observedKinds[kind];
  if (list === undefined) throw new Error(`no list shows what exists of the kind ${kind}`);
  return list;
}

/** The lists to read, by key, each with an identity that it shows; undefined for the list that shows everything. */
function listsFor({ kind, whole, ids }: ToList): ReadonlyMap<string, IdentityOfRow> | undefined {
  const askedIdentities = [...whole, ...ids.map(({ named }) => named)];
  const known = askedIdentities.flatMap((named) => {
    const key = listKeyOf(kind, named);
    return key === undefined ? [] : [[key, named] as const];
  });
  const lists = new Map(known);
  if (listOfKind(kind).all === undefined) return lists;
  return known.length < askedIdentities.length || lists.size > mostListsOfDashboards ? undefined : lists;
}

/**
 * The rows that a run must know, among others; empty if there is nothing to know. `refused` takes the reason by the address of what
 * would be made on a list that is refused. Throws what the service throws otherwise.
 */
export async function readLists(
  wanted: readonly ToList[],
  { api: connect, call }: Pick<Service, 'api' | 'call'>,
  refused: Map<Address, Failure> = new Map(),
): Promise<ListedRows> {
  const listsToRead = wanted.filter((of) => listsFor(of)?.size !== 0);
  if (listsToRead.length === 0) return {};
  const api = await connect();
  return Object.fromEntries(
    await Promise.all(listsToRead.map(async (of) => [of.kind, await rowsFor(of, api, call, refused)])),
  );
}

export function joinedLists(some: ListedRows, others: ListedRows): ListedRows {
  const of = (kind: Kind) => [...(some[kind] ?? []), ...(others[kind] ?? [])];
  return Object.fromEntries(kindsInOrder.map((kind) => [kind, of(kind)]));
}

/**
 * An id that is in none of its lists may be in any other, and its list may be refused. Then the list that shows everything is
 * read, if there is one.
 */
async function rowsFor(
  wanted: ToList,
  api: Api,
  call: CallOptions,
  refused: Map<Address, Failure>,
): Promise<readonly ListedRow[]> {
  const { read, all } = listOfKind(wanted.kind);
  const listsByKey = listsFor(wanted);
  const whole = new Map(wanted.whole.map((named) => [listKeyOf(wanted.kind, named), named.addresses ?? []]));
  const lists = await Promise.all(
    [...(listsByKey ?? [])].map(([key, named]) => {
      return unlessOpen(read(named, api, call), (error) => {
        const addresses = whole.get(key) ?? [];
        for (const address of addresses) refused.set(address, unlisted(wanted.kind, named, addresses, error));
      });
    }),
  );
  const listed = lists.flatMap((rows) => rows ?? []);
  const found = new Set(listed.map(({ id }) => id));
  const isWhole = listsByKey !== undefined && !lists.includes(undefined) && wanted.ids.every(({ id }) => found.has(id));
  return isWhole || all === undefined ? listed : all(api, call);
}

/** The reason for making nothing where it cannot be seen what is there already. */
function unlisted(
  kind: Kind,
  { madeBy, identifier }: IdentityOfRow,
  addresses: readonly Address[],
  { message, hint }: Failure,
): Failure {
  const [of, ways] =
    madeBy === undefined
      ? [`the ${onWordsOf(kind)} ${String(identifier)}, where`, hint]
      : [`${madeBy}, for whom`, 'Declare another `owner`.'];
  const words = `Omni does not list the ${kinds[kind].words}s of ${of} Almanac would create ${nameSome(addresses)}. ${message}`;
  return new Failure('blocked', words, { addresses, hint: ways });
}

/**
 * True if a list shows a resource that its id does not find: the token may not see it, or one answer is older than the other.
 * `named` is its recorded identity. Throws what the service throws.
 */
export async function isListed(
  kind: Kind,
  id: string,
  named: IdentityOfRow,
  api: Api,
  call: CallOptions,
): Promise<boolean> {
  const { read, all } = listOfKind(kind);
  const asked = listKeyOf(kind, named) === undefined ? undefined : read(named, api, call);
  const there = all === undefined ? await asked : asked && (await unlessOpen(asked));
  const rows = there ?? (await all?.(api, call));
  if (rows === undefined) throw new Error(`no list is known that shows ${id}`);
  return rows.some((row) => row.id === id);
}
