// Decides from the list of schedules what an import does: which schedules are new, on which dashboards, and which files
// it writes. Refuses before any details are read.

import { observeAdopted } from '../../apply/observe-adopted.ts';
import { type Basis, makeBasis, rebased, withState } from '../../apply/propose/basis.ts';
import { type PlanPorts, propose } from '../../apply/propose/propose.ts';
import type { Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { Randomness } from '../../model/outside.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { Address } from '../../model/values/address.ts';
import { dashboardUrl } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type Desired, declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { currentState, withLock } from '../../state/current-state.ts';
import { foldJournal } from '../../state/fold-journal.ts';
import { journalHeader } from '../../state/journal-header.ts';
import type { LockedStore, StateStore } from '../../state/state-store.ts';
import type { UsedVariable } from '../base/details/name-variables.ts';
import type { KnownDashboard } from '../base/details/read-details.ts';
import { byNature } from './choose-keys.ts';
import type { ImportOptions } from './command.ts';
import { variablesInUse } from './draft-sources.ts';
import { type FilePlace, nameBeside, nameFiles } from './files.ts';
import type { Pairing } from './find-pairs.ts';
import type { Pair } from './pair-declared.ts';

interface ImportPlanOptions extends Pick<ImportOptions, 'identifier' | 'dashboards' | 'force'> {
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly workspace: Pick<Workspace, 'exists'>;
  readonly listed: readonly ListedSchedule[];
  readonly place: FilePlace;
  readonly known: readonly KnownDashboard[];
  readonly environment: Environment;
  readonly pairing: Pick<Pairing, 'settled' | 'files'>;
}

export interface ImportedDashboard extends KnownDashboard {
  /** Its page in Omni. */
  readonly url?: string | undefined;
}

export interface ImportPlan {
  readonly schedules: readonly ListedSchedule[];
  /** Schedules that have a key already. */
  readonly tracked: readonly ListedSchedule[];
  /** Each gets one file; in the order of the files. */
  readonly dashboards: readonly ImportedDashboard[];
  readonly declareFilters: ReadonlySet<string>;
  readonly fileOf: ReadonlyMap<string, string>;
  /** Keys of schedules and of dashboards that are in use outside the written files. */
  readonly taken: ReadonlySet<string>;
  readonly takenDashboards: ReadonlySet<string>;
  readonly usedVariables: readonly UsedVariable[];
}

/** Whether anything may be written, so that the folders and owners of dashboards are needed. */
export function needsDashboards(options: Omit<ImportPlanOptions, 'known'>): boolean {
  const { loaded, dashboards, force } = options;
  // Entries in files that are overwritten no longer count.
  return dashboards === true || untracked(options, force ? [] : loaded.desired.adoptions).length > 0;
}

function untracked(
  { listed, state, pairing }: Pick<ImportPlanOptions, 'listed' | 'state' | 'pairing'>,
  adoptions: Desired['adoptions'],
) {
  const known = new Set([...Object.values(state?.resources ?? {}), ...adoptions].flatMap(({ id }) => id ?? []));
  return listed.filter(({ id }) => !known.has(id) && !pairing.settled.has(id));
}

/** The files that exist and that an import of everything would write. */
export function filesInTheWay(options: Omit<ImportPlanOptions, 'pairing'>): ReadonlySet<string> {
  const paths = nameFiles(dashboardsOf(options), options.place).values();
  return new Set([...paths].filter((path) => options.workspace.exists(path)));
}

/** Throws Failure refused if a file exists already. */
export function planImport(options: ImportPlanOptions): ImportPlan {
  const { loaded, state, workspace, listed, place, force } = options;
  const candidates = dashboardsOf(options);
  // A file that declares what is tracked is somebody's by now: what is new on its dashboard gets a file beside it.
  const tracking = force ? new Set<string>() : filesThatTrack(options);
  const fileOf = nameBeside(nameFiles(candidates, place), tracking, place.extension);
  const inOrder = [...candidates].sort((a, b) =>
    byNature(fileOf.get(a.identifier) ?? '', fileOf.get(b.identifier) ?? ''),
  );
  const present = new Set([...fileOf.values()].filter((path) => workspace.exists(path)));
  // Declarations in files that are overwritten no longer count.
  const kept = declaredOutside(loaded, force ? present : new Set());
  const schedules = untracked(options, kept.adoptions);
  const declared = new Set(
    kept.resources.flatMap(({ kind, attributes }) => (kind === 'dashboard' ? attributes['identifier'] : [])),
  );
  const declareFilters = new Set(
    options.dashboards ? inOrder.map(({ identifier }) => identifier).filter((id) => !declared.has(id)) : [],
  );
  const dashboards = inOrder.filter(
    ({ identifier }) =>
      declareFilters.has(identifier) || schedules.some((schedule) => schedule.identifier === identifier),
  );
  checkTargets(
    dashboards.map(({ identifier }) => fileOf.get(identifier) ?? ''),
    present,
    options,
  );
  const addresses = new Set([
    ...Object.keys(state?.resources ?? {}),
    ...[...kept.resources, ...kept.absent].map(({ address }) => address),
    ...kept.adoptions.map(({ to }) => to),
    ...kept.moves.flatMap(({ from, to }) => [from, to]),
    ...kept.removals.map(({ from }) => from),
  ]);
  const isNew = new Set(schedules.map(({ id }) => id));
  return {
    schedules,
    tracked: listed.filter(({ id }) => !isNew.has(id)),
    dashboards,
    declareFilters,
    fileOf,
    taken: keysIn('schedules', addresses),
    takenDashboards: keysIn('dashboards', addresses),
    usedVariables: variablesInUse(kept.resources, options.environment),
  };
}

/** Of an instance of a loop, the key of the loop. */
function keysIn(section: string, addresses: ReadonlySet<string>): ReadonlySet<string> {
  const parts = [...addresses].map((address) => address.split('.'));
  return new Set(parts.flatMap(([first, key]) => (first === section ? (key ?? []) : [])));
}

/** All dashboards that are listed or named by the user. */
function dashboardsOf(options: Omit<ImportPlanOptions, 'workspace' | 'pairing'>): readonly ImportedDashboard[] {
  const { listed, identifier: named = [], dashboards, known, loaded } = options;
  const facts = new Map(known.map((dashboard) => [dashboard.identifier, dashboard]));
  const names = new Map(dashboards ? named.map((id) => [id, facts.get(id)?.name ?? id]) : []);
  for (const { identifier, dashboardName } of listed)
    names.set(identifier, dashboardName ?? facts.get(identifier)?.name ?? identifier);
  names.delete('');
  const baseUrl = loaded.config?.api.baseUrl ?? null;
  return [...names].map(([identifier, name]) => ({
    ...facts.get(identifier),
    identifier,
    name,
    url: dashboardUrl(baseUrl, identifier),
  }));
}

/** The files that declare something that the state tracks, that an entry adopts, or that exists untracked. */
function filesThatTrack({ loaded, state, pairing }: ImportPlanOptions): ReadonlySet<string> {
  const adopted = new Set(loaded.desired.adoptions.map(({ to }) => to));
  const known = ({ address }: { readonly address: Address }) =>
    adopted.has(address) || Object.hasOwn(state?.resources ?? {}, address);
  return new Set([...pairing.files, ...loaded.desired.resources.filter(known).map(({ origin }) => origin.file)]);
}

/** Everything that is declared outside `files`. */
function declaredOutside({ desired }: Loaded, files: ReadonlySet<string>) {
  const stays = ({ origin }: { readonly origin: { readonly file: string } }) => !files.has(origin.file);
  return {
    resources: desired.resources.filter(stays),
    adoptions: desired.adoptions.filter(stays),
    moves: desired.moves.filter(stays),
    removals: desired.removals.filter(stays),
    absent: desired.absent?.filter(stays) ?? [],
  };
}

/** Throws Failure refused. */
export function refuseExisting(there: readonly string[]): void {
  if (there.length === 0) return;
  const are = there.length === 1 ? 'is' : 'are';
  throw new Failure('refused', `${there.join(', ')} ${are} there already, and an import overwrites nothing.`, {
    hint: 'Write to another folder of the workspace with --out, or replace the files with --force.',
  });
}

function checkTargets(
  targets: readonly string[],
  present: ReadonlySet<string>,
  { loaded, state, force }: ImportPlanOptions,
): void {
  const there = targets.filter((path) => present.has(path));
  if (!force) refuseExisting(there);
  if (there.length === 0) return;
  const are = there.length === 1 ? 'is' : 'are';
  const lost = loaded.desired.resources.filter(
    ({ address, origin }) => there.includes(origin.file) && Object.hasOwn(state?.resources ?? {}, address),
  );
  if (lost.length === 0) return;
  throw new Failure(
    'refused',
    `${there.join(', ')} ${are} there already. Replacing them would remove resources that the state tracks: ${lost.map(({ address }) => address).join(', ')}.`,
    { hint: 'The next plan would delete them. Write to another folder of the workspace with --out.' },
  );
}

/**
 * --write-state: records the imported resources in the state as if they had been adopted, under the lock, so that the
 * next plan is empty. Checks that it will be empty before it writes the state.
 */
interface TrackOptions extends PlanPorts {
  readonly environment: Environment;
  /** The workspace, including the files that were written. */
  readonly loaded: Loaded;
  readonly store: StateStore;
  /** The state at the start of the import. */
  readonly before: State | undefined;
  /** Ids by address; a dashboard has none. */
  readonly imported: ReadonlyMap<Address, string | undefined>;
  readonly pairs: readonly Pair[];
  /** By address: the fields that the service does not return, and the filters that may be the dashboard's. */
  readonly unread: ReadonlyMap<Address, readonly string[]>;
  readonly randomness: Randomness;
  readonly onNote: (message: string) => void;
}

/** What the state is to record of something that exists. */
interface Recorded extends Pick<JournalIntent, 'address' | 'action' | 'attributes' | 'unread'> {
  readonly id: string | undefined;
}

/** Throws Failure state-locked, or state-conflict if the state changed since the import started. */
export async function trackImported(options: TrackOptions): Promise<void> {
  const { store, clock, onNote } = options;
  const wait = { command: 'import', timeout: 0, clock, onNote, onWait: onNote };
  await withLock(store, wait, (locked) => trackLocked(options, locked));
}

async function trackLocked(options: TrackOptions, locked: LockedStore): Promise<void> {
  const { store, before, loaded, randomness } = options;
  const state = currentState(await locked.read(), store.name);
  if (state?.lineage !== before?.lineage || state?.serial !== before?.serial) throw changedMeanwhile(store.name);
  const basis = await makeBasis(loaded, state, randomness);
  const header = journalHeader(basis, basis.config.api.baseUrl ?? '', options);
  const lines = linesOf([...recordedImports(basis, options), ...(await recordedPairs(basis, options))], options);
  const next = foldJournal(state, { header, lines }, store.name);
  if (next === undefined) throw new Error('an import left no state');
  await checkNothingToDo(withState(basis, next), options);
  await locked.commit(next, { release: true });
}

/** The journal lines that an apply would have written. */
function linesOf(all: readonly Recorded[], { clock }: TrackOptions): readonly (JournalIntent | JournalOutcome)[] {
  const at = new Date(clock.now()).toISOString();
  return all.flatMap(
    ({ id, ...rest }, seq) =>
      [
        { type: 'intent', seq, ...rest, at },
        { type: 'outcome', seq, status: 'applied', id, at },
      ] satisfies (JournalIntent | JournalOutcome)[],
  );
}

function recordedImports({ desired }: Basis, { imported, unread }: TrackOptions): readonly Recorded[] {
  return desired.resources
    .filter(({ address }) => imported.has(address))
    .map((resource) => ({
      address: resource.address,
      action: resource.kind === 'schedule' ? 'adopt' : 'create',
      // What exists has the recipients that are declared; the next apply replaces them where the environment has a sink.
      attributes: declaredAttributes(resource),
      unread: unread.get(resource.address),
      id: imported.get(resource.address),
    }));
}

/** What is declared already is adopted as by an apply: with what Omni has, and with what cannot be read back. */
async function recordedPairs(basis: Basis, options: TrackOptions): Promise<readonly Recorded[]> {
  const { pairs, onNote } = options;
  if (pairs.length === 0) return [];
  const ids = new Map(pairs.map(({ declared, row }) => [declared.address, row.id]));
  const { loaded } = basis;
  const { resources, adoptions } = loaded.desired;
  const entries = resources.flatMap(({ address: to, origin }) => {
    const id = ids.get(to);
    return id === undefined ? [] : [{ to, id, origin }];
  });
  // What exists was sent through the sink already: the state does not mark it so, and the next apply sends it once more.
  const unsunk = (each: Resource) => (ids.has(each.address) ? { ...each, sink: undefined } : each);
  const desired = { ...loaded.desired, resources: resources.map(unsunk), adoptions: [...adoptions, ...entries] };
  const adopting = await rebased(basis, { ...loaded, desired });
  const proposal = await propose({ targets: [...ids.keys()], allowEmpty: true }, adopting, options);
  const rows = pairs.map(({ row }) => row);
  const reporter = { emit: ({ message }: { readonly message: string }) => onNote(message) };
  const { steps } = await observeAdopted(proposal, rows, { ...options, reporter });
  return steps.map(({ change: { address, id, action }, after, unread }) => {
    if (action !== 'adopt') throw new Error(`${address} is not adopted but ${action}`);
    return { address, action, attributes: after, unread: unread && [...unread], id };
  });
}

async function checkNothingToDo(basis: Basis, options: TrackOptions): Promise<void> {
  const { imported } = options;
  const { document } = await propose({ allowEmpty: true }, basis, options);
  const changed = document.changes
    .filter(({ address, reason }) => imported.has(address) && reason !== 'sink')
    .map(({ address }) => address);
  if (changed.length > 0) throw new Error(`what was imported would be changed: ${changed.join(', ')}`);
}

function changedMeanwhile(name: string): Failure {
  return new Failure('state-conflict', `${name} was changed while the import was reading.`, {
    hint: 'The files are written, the state is not. Continue with --resume --force.',
  });
}
