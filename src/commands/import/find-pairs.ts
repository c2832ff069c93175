// Pairs untracked declarations with untracked schedules and routines of Omni. An import declares the rest. Asks Omni
// about ambiguous ones, and takes nothing that a neighbour tracks or that `ignore` leaves to others.

import { identities, ownerOf } from '../../model/fields/identity.ts';
import {
  countsOf,
  type Neighbours,
  noNeighbours,
  openElsewhere,
  ownerOfRow,
  type TrackedCount,
  trackerOf,
  whyNotTaken,
} from '../../model/plan/neighbours.ts';
import { isOrganizationKey, type ListedSchedule } from '../../model/service/remote.ts';
import { type Address, deliversDashboard } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { detailsLeft, readDetails, requestsFor } from '../../observe/details/read-details.ts';
import { makeInputs } from '../../plan/inputs.ts';
import { allowingNeighbours, readNeighbours } from '../base/neighbours.ts';
import type { ListedImport } from './import-run.ts';
import {
  isOwnedBy,
  type Namesakes,
  namesakesOf,
  type Pair,
  pairByDetails,
  pairByRows,
  pairRoutines,
  type RoutinePair,
  type UnmatchedDeclaration,
  unmatched,
} from './pair-declared.ts';

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Declarations and schedules that share a dashboard and a name without being pairs, with both environments. */
  readonly unpaired: readonly Namesakes[];
  readonly routines: readonly RoutinePair[];
  /** Declared untracked routines of members whose routines were not requested. */
  readonly notLookedFor: readonly Address[];
  /** Ids that are not to be declared: these, those of neighbours, and what `ignore` matches. */
  readonly settled: ReadonlySet<string>;
  /** How many of the found resources each neighbour tracks. */
  readonly trackedBy: readonly TrackedCount[];
  /** How many of them `ignore` leaves to others. */
  readonly ignored: number;
}

/** Throws Failure refused if it cannot be known which resources a neighbour tracks. */
export async function findPairs(search: ListedImport): Promise<Pairing> {
  const { loaded, state, run, service } = search;
  const free = untrackedIn(search);
  const isNothing = free.listed.length + free.found.length === 0;
  const neighbours = isNothing ? noNeighbours : await neighboursOf(search);
  const whoseRow = ownerOfRow({ ignore: search.config.ignore, neighbours });
  const withOwners = free.listed.map((row) => ({ row, owner: whoseRow(row) }));
  // A schedule that is asked for by its own URL is taken whatever `ignore` says.
  const isOurs = ({ row, owner }: (typeof withOwners)[number]) =>
    owner === undefined || (owner === 'ignored' && search.pages.ids.includes(row.id));
  const rows = withOwners.filter(isOurs).map(({ row }) => row);
  const ofOthers = withOwners.filter((each) => !isOurs(each));
  const routineTracker = ({ row: { id, modelId, name } }: (typeof free.found)[number]) =>
    trackerOf(id, neighbours) ?? openElsewhere({ identifier: modelId, name }, neighbours);
  const routinesThere = free.found.filter((each) => routineTracker(each) !== undefined);
  const trackers = [...ofOthers.map(({ owner }) => owner), ...routinesThere.map(routineTracker)];
  const trackedBy = countsOf(trackers.filter((owner) => typeof owner === 'object'));
  const found = free.found.filter((each) => routineTracker(each) === undefined);
  const { matching } = await makeInputs(loaded, state, run);
  const isUntracked = new Set(
    matching.value.flatMap(({ address, prior, adopt }) => ((prior ?? adopt) === undefined ? address : [])),
  );
  const untracked = loaded.desired.resources.filter(({ address }) => isUntracked.has(address));
  const declared = untracked.filter(
    ({ kind, attributes }) => deliversDashboard(kind) && attributes['testNow'] !== true,
  );
  const owned = untracked.filter(({ kind }) => identities[kind].isOwners).map(unmatched);
  const left = new Set(ofOthers.map(({ row }) => row));
  const named = namesakesOf(
    { declared: declared.map(unmatched), rows },
    {
      declared: loaded.desired.resources.filter(({ kind }) => deliversDashboard(kind)).map(unmatched),
      rows: search.listed.filter((row) => !left.has(row)),
    },
  );
  // Other schedules of the name may be on the dashboard, which were not asked for.
  const groups = search.pages.ids.length === 0 ? named : named.map((group) => ({ ...group, isAlone: false }));
  // An orphan counts as finished for `adopt`, until it is cleared.
  const orphans = new Set(state?.orphans.map(({ id }) => id));
  const isFree = ({ id }: { readonly id: string }) => !orphans.has(id);
  const isKey = isOrganizationKey(service.token());
  const routines = pairRoutines(
    owned,
    found.filter(({ row, owner }) => isFree(row) && (owner !== undefined || !isKey)),
  );
  const pairs = await pairsIn(groups, isFree, search);
  const settled = [...groups.flatMap((group) => group.rows), ...routines.map(({ row }) => row)];
  return {
    pairs,
    unpaired: unpairedIn(groups, pairs),
    routines,
    notLookedFor: notLookedFor(owned, routines, search),
    trackedBy,
    ignored: ofOthers.filter(({ owner }) => owner === 'ignored').length,
    settled: new Set([
      ...ofOthers.map(({ row }) => row.id),
      ...routinesThere.map(({ row }) => row.id),
      ...settled.map(({ id }) => id),
    ]),
  };
}

function untrackedIn({ listed, found, state, loaded }: ListedImport): Pick<ListedImport, 'listed' | 'found'> {
  const known = [...Object.values(state?.resources ?? {}), ...loaded.desired.adoptions];
  const ids = new Set(known.flatMap(({ id }) => id ?? []));
  return { listed: listed.filter(({ id }) => !ids.has(id)), found: found.filter(({ row }) => !ids.has(row.id)) };
}

/** An import of some dashboards looks for no routines, and reports none. */
function notLookedFor(
  owned: readonly UnmatchedDeclaration[],
  pairs: readonly RoutinePair[],
  { options, owners }: ListedImport,
): readonly Address[] {
  if (options.identifier !== undefined) return [];
  if (owners === 'all') return [];
  const paired = new Set(pairs.map(({ declared }) => declared.address));
  const ofOthers = owned.filter((each) => ownerOf(each.fields) !== undefined);
  const left = ofOthers.filter((each) => !paired.has(each.address) && !owners.some((one) => isOwnedBy(each, one)));
  return left.map(({ address }) => address);
}

async function pairsIn(
  groups: readonly Namesakes[],
  isFree: (row: ListedSchedule) => boolean,
  search: ListedImport,
): Promise<readonly Pair[]> {
  const { answers } = search;
  const { pairs, ambiguous } = pairByRows(groups, isFree);
  const schedules = [...new Set(ambiguous.map(({ row }) => row))];
  const dashboards = [...new Set(schedules.map(({ identifier }) => identifier))];
  const left = detailsLeft({ schedules, answers: ['schedule', 'recipients'], dashboards }, answers);
  if (requestsFor(left, answers) > 0) await readDetails(left, search);
  const byDetails = pairByDetails(ambiguous, ({ id, identifier }) => {
    const [schedule, recipients] = [answers.get('schedule', id), answers.get('recipients', id)];
    if (schedule === undefined || recipients === undefined) return undefined;
    return { schedule, recipients, filters: answers.get('filters', identifier) };
  });
  return [...pairs, ...byDetails];
}

function unpairedIn(groups: readonly Namesakes[], pairs: readonly Pair[]): readonly Namesakes[] {
  const addresses = new Set(pairs.map(({ declared }) => declared.address));
  const ids = new Set(pairs.map(({ row }) => row.id));
  return groups
    .map((group) => ({
      ...group,
      declared: group.declared.filter(({ address }) => !addresses.has(address)),
      rows: group.rows.filter(({ id }) => !ids.has(id)),
    }))
    .filter(({ declared, rows }) => declared.length + rows.length > 0);
}

/** Throws Failure refused where a neighbour's state that may track some of it is not known. */
async function neighboursOf(search: ListedImport): Promise<Neighbours> {
  const { run, workspace, loaded, config, options } = search;
  if (config.environments.length > 0 && run.options.state !== undefined)
    throw new Failure('usage', 'An import looks at the state of every environment, so --state cannot name one.');
  const neighbours = await readNeighbours(run, { workspace, loaded }, options.allow);
  const why = whyNotTaken(neighbours);
  if (why === undefined) return neighbours;
  throw new Failure('refused', `Almanac cannot tell which schedules a neighbour tracks. ${why}`, {
    hint: `Make it readable where the import runs. If nothing of it is in what you import: ${allowingNeighbours(neighbours)}. Nothing was written.`,
  });
}
