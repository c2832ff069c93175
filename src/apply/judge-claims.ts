// Judges what a run relies on in Omni, before anything is sent. Many ids that are not as the state has them stop the whole run, as
// the state may be another's; a single one leaves its change.
//
// An id is checked before it is used: whoever may write the state could have given a declared schedule the id of another one. What
// Omni lists under the id must have the dashboard and the name that the state has, or that an open change has sent. With an
// explicit refresh, its update is planned as drift instead, so that a review shows it. What is made must not be there
// already: a lost state must not lead to a second copy of everything.

import { identities, isInList, onWordsOf } from '../model/fields/identity.ts';
import {
  countsOf,
  type Neighbours,
  noNeighbours,
  type TrackedCount,
  trackedByWords,
  trackerOf,
} from '../model/plan/neighbours.ts';
import type { ListedRows } from '../model/plan/observation.ts';
import { type IdentityOfRow, isAnother, isElsewhere, mayBeNamed, plainName } from '../model/service/recognise-rows.ts';
import type { ListedRow } from '../model/service/remote.ts';
import { type Address, type Kind, kinds, kindsInOrder } from '../model/values/address.ts';
import { allowing } from '../model/values/allowances.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { equalJson } from '../model/values/json.ts';
import { nameSome, shortText } from '../model/values/words.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { readable, rowFields } from '../observe/observed.ts';
import { namedText } from '../observe/observed-kinds.ts';
import { elsewhereWords } from '../plan/block.ts';
import { ignoreChangesOf } from '../plan/kept.ts';
import { plannedAs } from '../plan/planned-as.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { Claim, CreationClaim, IdClaim } from './claims.ts';
import type { LeftSteps } from './leave.ts';

type NamedRow = Pick<ListedRow, 'identifier' | 'name'>;

export type RowsById = ReadonlyMap<string, ListedRow>;

/** `listed` holds the rows of all that is expected. */
export function rowsIn(listed: ListedRows): RowsById {
  return new Map(kindsInOrder.flatMap((kind) => (listed[kind] ?? []).map((row) => [row.id, row] as const)));
}

interface ClaimsOnRows {
  readonly claims: readonly Claim[];
  readonly rows: RowsById;
  /** True in a reviewed apply. The digest of an update holds what a look found; that of a deletion does not. */
  readonly isReviewed: boolean;
}

/**
 * Checks that the ids belong to the intended resources, and returns the reasons for leaving the steps of those that do not. Throws
 * Failure blocked where two or more, and more than `safety.maxDeletePercent` of those that were looked at, do not.
 */
export function judgeClaims(proposal: Proposal, { claims, rows, isReviewed }: ClaimsOnRows): LeftSteps {
  const { observation, selection, inputs } = proposal;
  const isSeen = ({ address, use }: IdClaim) =>
    selection.refresh !== undefined &&
    observation?.observed.get(address)?.found === true &&
    !(isReviewed && use === 'delete');
  const ofIds = claims.flatMap((claim) => (claim.use === 'make' ? [] : [isReviewed ? asReviewed(claim) : claim]));
  const drifted = new Set(proposal.document.drift.map(({ address }) => address));
  const others = othersAmong(ofIds, rows, { isSeen, isChanged: ({ address }) => drifted.has(address) });
  const looked = ofIds.filter(({ use, id }) => use !== 'adopt' && rows.has(id));
  const isMany = 100 * others.length > inputs.config.safety.maxDeletePercent * looked.length;
  if (others.length > 1 && isMany) refuseAll(refusalsOf(others).map(nothingSent));
  return new Map(
    others.flatMap((other) => (other.step === undefined ? [] : [[other.step, refusalOf([other])] as const])),
  );
}

function nothingSent(refusal: Failure): Failure {
  return refusal.with({ hint: `${refusal.hint} Nothing was sent.` });
}

/**
 * A review shows that a change is open and not what it sent. So in a reviewed apply, what was sent answers for an id only on
 * a dashboard that is recorded or declared.
 */
function asReviewed(used: IdClaim): IdClaim {
  const dashboards = [used.recorded, used.declared].map((each) => each?.identifier);
  const isNear = ({ identifier }: IdentityOfRow) => identifier !== undefined && dashboards.includes(identifier);
  return { ...used, sent: used.sent?.filter(isNear) };
}

/** Refusals of ids that are to be delivered, for a run that delivers all or nothing. */
export function idRefusals(claims: readonly IdClaim[], rows: RowsById): readonly Failure[] {
  return refusalsOf(othersAmong(claims, rows, { isSeen: () => false, isChanged: () => false })).map(nothingSent);
}

/** What a look knows of a resource. */
interface Looks {
  /** True if the plan shows how the resource differs. */
  readonly isSeen: (claim: IdClaim) => boolean;
  /** True if others changed more of it than what `ignoreChanges` leaves to them. */
  readonly isChanged: (claim: IdClaim) => boolean;
}

/** The claims whose ids Omni does not list as the state has them. */
function othersAmong(claims: readonly IdClaim[], rows: RowsById, looks: Looks): readonly Other[] {
  return claims.flatMap((claim): readonly Other[] => {
    const row = claim.use === 'adopt' ? undefined : rows.get(claim.id);
    if (row === undefined) return [];
    const why = whyOther(claim, row, looks);
    return why === undefined ? [] : [{ ...claim, row, why }];
  });
}

/** One refusal for each way out. */
function refusalsOf(others: readonly Other[]): readonly Failure[] {
  return [...groupBy(others, ({ why }) => why).values()].map(refusalOf);
}

interface Other extends IdClaim {
  readonly row: NamedRow;
  readonly why: keyof typeof waysOut;
}

function whyOther(claim: IdClaim, row: ListedRow, { isSeen, isChanged }: Looks): Other['why'] | undefined {
  const { use, sent = [] } = claim;
  const own = answering(claim);
  const isNamedByOthers = isNameIgnored(claim, row) && !isChanged(claim);
  const known = [isNamedByOthers ? { ...own, name: row.name } : own, ...sent];
  const isUnlike = (named: IdentityOfRow) =>
    namedText(named.name) === undefined || isAway(row, named) || isAnother(row, named);
  if (!known.every(isUnlike)) return undefined;
  if (use === 'orphan') return 'orphan';
  if (use !== 'change' && known.every((named) => isAway(row, named))) return 'elsewhere';
  return isSeen(claim) ? undefined : 'changed';
}

/** True for what is called as others like it: all else that the list shows, such as its dashboard and its kind of destination, is as applied. */
function isNameIgnored({ kind, use, step, applied = {} }: IdClaim, row: ListedRow): boolean {
  const ignored = ignoreChangesOf(step?.after ?? applied);
  if (!ignored.includes('name') || (use !== 'change' && use !== 'deliver')) return false;
  // A look compares all that the list shows where that is all there is.
  if (!plannedAs[kind].hasDetails) return true;
  const { attributes, fields } = readable(kind, rowFields(kind, { ...row }), applied, new Set()).resource;
  const isLeft = (name: string) => name === 'paused' || ignored.includes(name);
  return [...fields].every((name) => isLeft(name) || equalJson(attributes[name], applied[name]));
}

/** A dashboard or name that the state lacks or has sealed is compared as declared, or else not at all. */
function answering({ recorded, declared = {} }: IdClaim): IdentityOfRow {
  return {
    identifier: namedText(recorded.identifier) ?? declared.identifier,
    name: namedText(recorded.name) ?? declared.name,
  };
}

function isAway(row: NamedRow, named: IdentityOfRow): boolean {
  return namedText(named.identifier) === undefined || isElsewhere(row, named);
}

const waysOut = {
  changed: (refusedClaims: readonly Other[]) =>
    `If somebody renamed or moved this in Omni, \`${command('apply', '--refresh-only', '--target', ...refusedClaims.map(({ address }) => address))}\` takes what Omni has into the state, and the next plan shows what an apply then changes. Otherwise somebody edited the state: restore an earlier state.`,
  elsewhere: (refusedClaims: readonly Other[]) => elsewhereWords(refusedClaims.map(({ address }) => address)),
  orphan: (refusedClaims: readonly Other[]) =>
    `Almanac deletes only what Omni lists as the state has it. Check the orphan in Omni, and remove it from the list: ${refusedClaims.map(({ id }) => `\`${command('state orphans', '--clear', id)}\``).join(', ')}.`,
};

function refusalOf(refusedClaims: readonly [Other, ...Other[]]): Failure {
  const ids = refusedClaims.length === 1 ? 'an id' : `${refusedClaims.length} ids`;
  const lines = refusedClaims.map(
    ({ kind, address, id, recorded, row }) =>
      `${address} (${id}): the state has ${inWords(kind, recorded)}, Omni lists ${inWords(kind, row)}.`,
  );
  const message = [`The state and Omni disagree about ${ids}.`, ...lines].join('\n');
  const addresses = refusedClaims.map(({ address }) => address);
  return new Failure('blocked', message, { addresses, hint: waysOut[refusedClaims[0].why](refusedClaims) });
}

/** `"Weekly sales" on the dashboard 12db1a0a` */
function inWords(kind: Kind, { identifier, name }: IdentityOfRow): string {
  const on = onWordsOf(kind);
  const title = namedText(name);
  const quoted = title === undefined ? 'a name that is not known' : JSON.stringify(shortText(title));
  const known = namedText(identifier);
  return `${quoted} on ${known === undefined ? `a ${on} that is not known` : `the ${on} ${known}`}`;
}

/** What exists already: the reasons to refuse everything, as the state may be lost, and those to leave what somebody made again. */
interface Duplicates {
  readonly whole: readonly Failure[];
  readonly left: LeftSteps;
}

export const nothingTwice: Duplicates = { whole: [], left: new Map() };

/** Finds what exists already, with the command that tells which is which. `listed` is whole where something is made. */
export function duplicatesOf(
  { document: { changes }, inputs }: Proposal,
  claims: readonly Claim[],
  listed: ListedRows,
  neighbours: Neighbours = noNeighbours,
): Duplicates {
  // A replacement of the same name is not a second one, unless it is for another owner, who may have one.
  const created = claims.flatMap((claim) =>
    claim.use === 'make' && (claim.step.change.action === 'create' || identities[claim.kind].isOwners) ? [claim] : [],
  );
  // A missing resource would be created again, so it must not exist after all.
  const missing = new Set(
    changes.flatMap(({ address, previousAddress = address, reason }) => (reason === 'missing' ? previousAddress : [])),
  );
  const tracked = Object.entries(inputs.state?.resources ?? {});
  const keptIds = tracked.flatMap(([address, { id }]) => (missing.has(address) ? [] : id));
  // A resource that this apply deletes or adopts is not free for another.
  const used = changes.flatMap(({ action, id = [] }) => (action === 'delete' || action === 'adopt' ? id : []));
  const known = new Set([...keptIds, ...used]);
  const faultsOf = (made: readonly CreationClaim[]) =>
    [...groupBy(made, ({ kind }) => kind)].flatMap(([kind, wanted]) => {
      const untracked = (listed[kind] ?? []).filter(({ id }) => !known.has(id));
      return duplicatesIn(kind, wanted, untracked, { ...inputs, neighbours });
    });
  const isAgain = ({ step }: CreationClaim) => step.change.reason === 'missing';
  const left = created.filter(isAgain).flatMap((made) => faultsOf([made]).map((why) => [made.step, why] as const));
  return { whole: faultsOf(created.filter((made) => !isAgain(made))).map(nothingSent), left: new Map(left) };
}

function duplicatesIn(
  kind: Kind,
  wanted: readonly CreationClaim[],
  untracked: readonly ListedRow[],
  { state, neighbours }: Pick<Proposal['inputs'], 'state' | 'neighbours'>,
): readonly Failure[] {
  const { resources = {}, orphans = [] } = state ?? {};
  const isNear = (row: ListedRow, { key }: CreationClaim) => isInList(kind, row, key);
  const free = groupBy(untracked, ({ identifier, name }) => JSON.stringify([identifier, plainName(name)]));
  const duplicates = wanted.flatMap((made) => {
    const { identifier, name } = made.recorded;
    const alike = free.get(JSON.stringify([identifier, plainName(name)])) ?? [];
    const there = alike.filter((row) => isNear(row, made));
    return there.length === 0 ? [] : [{ address: made.step.change.address, there }];
  });
  if (duplicates.length > 0) {
    const ids = new Set(duplicates.flatMap(({ there }) => there.map(({ id }) => id)));
    const notFoundLately = Object.values(resources).flatMap(({ id }) => (id !== undefined && ids.has(id) ? id : []));
    const orphanIds = orphans.flatMap(({ id }) => (ids.has(id) ? id : []));
    const addresses = duplicates.map(({ address }) => address);
    const trackers = [...ids].flatMap((id) => trackerOf(id, neighbours) ?? []);
    const known = { notFoundLately, orphans: orphanIds, trackedBy: countsOf(trackers) };
    return [existing(kind, addresses, known, trackers.length < ids.size)];
  }
  const mayBe = (row: ListedRow, made: CreationClaim) =>
    isNear(row, made) && mayBeNamed(row, made.recorded.identifier, made.recorded.name);
  const unclear = untracked.filter((row) => wanted.some((made) => mayBe(row, made)));
  if (unclear.length === 0) return [];
  const doubted = wanted.filter((made) => unclear.some((row) => mayBe(row, made)));
  return [
    unclearRows(
      kind,
      unclear,
      doubted.map(({ step }) => step.change.address),
    ),
  ];
}

/** Existing resources that the state knows: `notFoundLately` were not found a moment ago, and `orphans` are left behind. */
interface KnownIds {
  readonly notFoundLately: readonly string[];
  readonly orphans: readonly string[];
  readonly trackedBy: readonly TrackedCount[];
}

function existing(
  kind: Kind,
  addresses: readonly string[],
  { notFoundLately, orphans, trackedBy }: KnownIds,
  mayBeLost: boolean,
): Failure {
  const isOne = addresses.length === 1;
  const { words } = kinds[kind];
  const message = `${isOne ? `A ${words}` : `${addresses.length} ${words}s`} that would be created ${isOne ? 'has' : 'have'} the name of one on the same ${onWordsOf(kind)} that Almanac does not track: ${nameSome(addresses)}.`;
  const [it, is] = isOne ? ['it', 'it is'] : ['them', 'they are'];
  const found = `If somebody made ${it} in Omni, or the state was lost: \`${command('import', '--write-state', '--declared')}\` finds ${it}, so that ${is} tracked, and nothing exists twice.`;
  const other = `If this is the first apply of another environment of the same organization, these are that environment's reports: rerun with ${allowing('duplicates')}, which creates your own.`;
  return new Failure('blocked', message, {
    addresses,
    hint: [
      ...trackedByWords(trackedBy).map((words) => `${words}.`),
      ...(mayBeLost ? [found] : []),
      other,
      ...notFoundLately.map((id) => `Omni lists ${id} again, which it did not find a moment ago: rerun for that one.`),
      ...orphans.map(
        (id) =>
          `${id} is an orphan. Remove it from the list of orphans first: \`${command('state orphans', '--clear', id)}\`.`,
      ),
    ].join('\n'),
  });
}

/** Almanac does not guess what the list leaves open. */
function unclearRows(kind: Kind, rows: readonly ListedRow[], addresses: readonly Address[]): Failure {
  const ids = [...new Set(rows.map(({ id }) => id))].join(', ');
  const message = `Omni lists ${kinds[kind].words}s without their name or their ${onWordsOf(kind)}: ${ids}. They may be the ones that would be created.`;
  return new Failure('blocked', message, {
    addresses,
    hint: `Check them in Omni. If they are unrelated, rerun with ${allowing('duplicates')}.`,
  });
}
