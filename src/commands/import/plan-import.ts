// Decides from the list of schedules what an import does: which schedules are new, on which dashboards, and which files
// it writes. Refuses before any details are read.

import { type Basis, makeBasis, withState } from '../../apply/propose/basis.ts';
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
import { type Desired, declaredAttributes, type SealedResource } from '../../model/workspace/resource.ts';
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

interface ImportPlanOptions extends Pick<ImportOptions, 'identifier' | 'dashboards' | 'force'> {
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly workspace: Pick<Workspace, 'exists'>;
  readonly listed: readonly ListedSchedule[];
  readonly place: FilePlace;
  readonly known: readonly KnownDashboard[];
  readonly environment: Environment;
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

function untracked({ listed, state }: Pick<ImportPlanOptions, 'listed' | 'state'>, adoptions: Desired['adoptions']) {
  const known = new Set([...Object.values(state?.resources ?? {}), ...adoptions].flatMap(({ id }) => id ?? []));
  return listed.filter(({ id }) => !known.has(id));
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
function dashboardsOf(options: Omit<ImportPlanOptions, 'workspace'>): readonly ImportedDashboard[] {
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

/** The files that declare something that the state tracks, or that an entry adopts. */
function filesThatTrack({ loaded, state }: ImportPlanOptions): ReadonlySet<string> {
  const adopted = new Set(loaded.desired.adoptions.map(({ to }) => to));
  const known = ({ address }: { readonly address: Address }) =>
    adopted.has(address) || Object.hasOwn(state?.resources ?? {}, address);
  return new Set(loaded.desired.resources.filter(known).map(({ origin }) => origin.file));
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
  /** By address: the fields that the service does not return, and the filters that may be the dashboard's. */
  readonly unread: ReadonlyMap<Address, readonly string[]>;
  readonly randomness: Randomness;
  readonly onNote: (message: string) => void;
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
  const { resources } = basis.desired;
  const next = foldJournal(state, { header, lines: linesOf(resources, options) }, store.name);
  if (next === undefined) throw new Error('an import left no state');
  await checkNothingToDo(withState(basis, next), options);
  await locked.commit(next, { release: true });
}

/** The journal lines that an apply would have written. */
function linesOf(
  resources: readonly SealedResource[],
  { imported, unread, clock }: TrackOptions,
): readonly (JournalIntent | JournalOutcome)[] {
  const at = new Date(clock.now()).toISOString();
  return resources
    .filter(({ address }) => imported.has(address))
    .flatMap((resource, seq) => {
      const { address, kind } = resource;
      // What exists has the recipients that are declared; the next apply replaces them where the environment has a sink.
      const attributes = declaredAttributes(resource);
      const action = kind === 'schedule' ? 'adopt' : 'create';
      return [
        { type: 'intent', seq, address, action, attributes, unread: unread.get(address), at },
        { type: 'outcome', seq, status: 'applied', id: imported.get(address), at },
      ] satisfies (JournalIntent | JournalOutcome)[];
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
