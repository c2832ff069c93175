// Pairs untracked declarations with untracked schedules and routines of Omni. An import declares the rest. Asks Omni
// about ambiguous ones, and takes nothing that another environment of the workspace tracks.

import { parsedOnce } from '../../declare/load/load-again.ts';
import { type EnvironmentState, environmentWords } from '../../edit/in-environment.ts';
import { identities, ownerOf } from '../../model/fields/identity.ts';
import type { TrackedByOthers } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { isOrganizationKey } from '../../model/service/token-kinds.ts';
import { type Address, deliversDashboard } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { codeList, nameSome } from '../../model/values/words.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { detailsLeft, readDetails, requestsFor } from '../../observe/details/read-details.ts';
import { makeInputs, noOthers } from '../../plan/inputs.ts';
import { loadEverywhere } from '../base/every-environment.ts';
import { otherEnvironments, trackedByThese } from '../base/tracked-by-others.ts';
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
  /** Ids that are not to be declared: these, and those of other environments. */
  readonly settled: ReadonlySet<string>;
  /** How many of the found resources others track. */
  readonly elsewhere: number;
}

/** Throws Failure refused if it cannot be known which resources belong to another environment. */
export async function findPairs(search: ListedImport): Promise<Pairing> {
  const { loaded, state, run, service, options } = search;
  const free = untrackedIn(search);
  const isNothing = free.listed.length + free.found.length === 0;
  const ofOthers = isNothing ? nobody : await othersOf(search);
  const rows = free.listed.filter(({ id }) => !ofOthers.tracked.has(id));
  const found = free.found.filter(({ row }) => !ofOthers.tracked.has(row.id));
  const { matching } = await makeInputs(loaded, state, run);
  const isUntracked = new Set(
    matching.value.flatMap(({ address, prior, adopt }) => ((prior ?? adopt) === undefined ? address : [])),
  );
  const untracked = loaded.desired.resources.filter(({ address }) => isUntracked.has(address));
  const declared = untracked.filter(
    ({ kind, attributes }) => deliversDashboard(kind) && attributes['testNow'] !== true,
  );
  const owned = untracked.filter(({ kind }) => identities[kind].isOwners).map(unmatched);
  const groups = namesakesOf(declared.map(unmatched), rows);
  // An orphan counts as finished for `adopt`, until it is cleared.
  const orphans = new Set(state?.orphans.map(({ id }) => id));
  const isFree = ({ id }: { readonly id: string }) => !orphans.has(id);
  const isKey = isOrganizationKey(service.token());
  const routines = pairRoutines(
    owned,
    found.filter(({ row, owner }) => isFree(row) && (owner !== undefined || !isKey)),
  );
  if (ofOthers.unread.length > 0 && groups.length + routines.length > 0) throw cannotTell(ofOthers.unread);
  const pairs = await pairsIn(groups, isFree, search);
  if (!options.writeState) refuseElsewhere([...pairs, ...routines], ofOthers.environments);
  const settled = [...groups.flatMap((group) => group.rows), ...routines.map(({ row }) => row)];
  return {
    pairs,
    unpaired: unpairedIn(groups, pairs),
    routines,
    notLookedFor: notLookedFor(owned, routines, search),
    elsewhere: free.listed.length + free.found.length - rows.length - found.length,
    settled: new Set([...ofOthers.tracked.keys(), ...settled.map(({ id }) => id)]),
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

interface Others {
  readonly environments: readonly EnvironmentState[];
  readonly tracked: TrackedByOthers;
  /** Sentences about states of this organization that are not known. */
  readonly unread: readonly string[];
}

const nobody: Others = { environments: [], tracked: noOthers, unread: [] };

async function othersOf({ run, workspace, loaded, config }: ListedImport): Promise<Others> {
  const { env, state } = run.options;
  if (config.environments.length > 0 && state !== undefined)
    throw new Failure('usage', 'An import looks at the state of every environment, so --state cannot name one.');
  const statesElsewhere = await otherEnvironments(run, { workspace, loaded });
  const everywhere =
    statesElsewhere.length === 0 ? [] : await loadEverywhere(run, parsedOnce(workspace), { name: env });
  const environments = everywhere.flatMap((side) => {
    const other = statesElsewhere.find(({ name }) => name === side.name);
    return other === undefined ? [] : [{ ...side, state: other.state }];
  });
  const invalid = environments.filter((side) => hasErrors(side.loaded.findings));
  return {
    environments,
    tracked: trackedByThese(statesElsewhere, run, { workspace, loaded }),
    unread: [
      ...statesElsewhere.flatMap(({ unread }) => unread ?? []),
      ...invalid.map(({ name }) => `The declarations of ${environmentWords(name)} have errors.`),
    ],
  };
}

function cannotTell(why: readonly string[]): Failure {
  return new Failure('refused', `Almanac cannot tell which schedules belong to other environments. ${why.join(' ')}`, {
    hint: 'Make every state of this organization readable where the import runs, at the same backend and host as that of this run. Nothing was written.',
  });
}

/** An entry is for every environment: one that has not created its own schedule yet would take this one. */
function refuseElsewhere(pairs: readonly Pick<Pair, 'declared'>[], environments: readonly EnvironmentState[]): void {
  const paired = new Set<Address>(pairs.map(({ declared }) => declared.address));
  const taking = environments.flatMap(({ name, state, loaded }) => {
    const open = loaded.desired.resources.filter(
      ({ address }) => paired.has(address) && state?.resources[address] === undefined,
    );
    return name === undefined || open.length === 0 ? [] : [{ name, addresses: open.map(({ address }) => address) }];
  });
  if (taking.length === 0) return;
  const names = codeList(taking.map(({ name }) => name));
  const some = nameSome([...new Set(taking.flatMap(({ addresses }) => addresses))]);
  throw new Failure(
    'refused',
    `An \`adopt\` entry is for every environment, and ${names} would take over the same schedules: ${some}.`,
    { hint: `\`${command('import', '--write-state')}\` tracks them in this environment alone. Nothing was written.` },
  );
}
