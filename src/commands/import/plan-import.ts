// Decides from the list of schedules what an import does: which schedules are new, on which dashboards, and which files
// it writes. Refuses before any details are read.

import type { Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { identities } from '../../model/fields/identity.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { Address } from '../../model/values/address.ts';
import { dashboardUrl } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import type { KnownDashboard } from '../base/details/join-answers.ts';
import type { UsedVariable } from '../base/details/name-variables.ts';
import { byNature } from './choose-keys.ts';
import type { ImportOptions } from './command.ts';
import { type FilePlace, nameBeside, nameFiles, nameRoutines } from './files.ts';
import type { Pairing } from './find-pairs.ts';
import type { FoundRoutine } from './find-routines.ts';
import { variablesInUse } from './import-variables.ts';

interface ImportPlanOptions extends Pick<ImportOptions, 'identifier' | 'dashboards' | 'force'> {
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly workspace: Pick<Workspace, 'exists'>;
  readonly listed: readonly ListedSchedule[];
  readonly place: FilePlace;
  readonly known: readonly KnownDashboard[];
  readonly environment: Environment;
  readonly pairing: Pick<Pairing, 'settled' | 'files'>;
  readonly routines: readonly FoundRoutine[];
}

export interface ImportedDashboard extends KnownDashboard {
  /** Its page in Omni. */
  readonly url?: string | undefined;
}

/** What becomes of the routines that were found. */
export interface RoutinePlan {
  /** Not tracked yet. */
  readonly found: readonly FoundRoutine[];
  /** How many are. */
  readonly tracked: number;
  /** The file that declares them. */
  readonly path: string;
  /** Keys that are in use. */
  readonly taken: ReadonlySet<string>;
  /** By id: why it is not declared, because a declaration that nothing tracks may be it. */
  readonly alike: ReadonlyMap<string, string>;
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
  readonly routines: RoutinePlan;
}

/** Whether anything may be written, so that the folders and owners of dashboards are needed. */
export function needsDashboards(options: Omit<ImportPlanOptions, 'known' | 'routines'>): boolean {
  const { loaded, dashboards, force } = options;
  // Entries in files that are overwritten no longer count.
  return dashboards === true || untracked(options, force ? [] : loaded.desired.adoptions).length > 0;
}

type Sought = Pick<ImportPlanOptions, 'listed' | 'state' | 'pairing'>;

/** The ids that something has already. */
function knownIds(state: State | undefined, adoptions: Desired['adoptions']): ReadonlySet<string> {
  return new Set([...Object.values(state?.resources ?? {}), ...adoptions].flatMap(({ id }) => id ?? []));
}

function untracked({ listed, state, pairing }: Sought, adoptions: Desired['adoptions']) {
  const known = knownIds(state, adoptions);
  return listed.filter(({ id }) => !known.has(id) && !pairing.settled.has(id));
}

/** The files that exist and that an import of everything would write. */
export function filesInTheWay(options: Omit<ImportPlanOptions, 'pairing' | 'routines'>): ReadonlySet<string> {
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
  const routineFile = nameRoutines(place, new Set([...tracking, ...fileOf.values()]));
  const present = new Set([...fileOf.values(), routineFile].filter((path) => workspace.exists(path)));
  // Declarations in files that are overwritten no longer count.
  const kept = declaredOutside(loaded, force ? present : new Set());
  const schedules = untracked(options, kept.adoptions);
  // --dashboards declares dashboards, and no other kind.
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
  const ids = knownIds(state, kept.adoptions);
  const routines = options.routines.filter(({ row }) => !ids.has(row.id));
  checkTargets(
    [
      ...dashboards.map(({ identifier }) => fileOf.get(identifier) ?? ''),
      ...(routines.length > 0 ? [routineFile] : []),
    ],
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
    routines: {
      found: routines,
      tracked: options.routines.length - routines.length,
      path: routineFile,
      taken: keysIn('routines', addresses),
      alike: alikeIn(routines, kept, state),
    },
  };
}

/** A lost state leaves declarations that exist in Omni: a second one of the same would create it twice. */
function alikeIn(
  routines: readonly FoundRoutine[],
  { resources, adoptions }: Pick<Desired, 'resources' | 'adoptions'>,
  state: State | undefined,
): ReadonlyMap<string, string> {
  const tracked = new Set([...Object.keys(state?.resources ?? {}), ...adoptions.map(({ to }) => to)]);
  const open = resources.filter(({ kind, address }) => identities[kind].isOwners && !tracked.has(address));
  return new Map(
    routines.flatMap(({ row: { id, name, modelId } }) => {
      const declared = open.find(({ attributes }) => attributes['name'] === name && attributes['modelId'] === modelId);
      if (declared === undefined) return [];
      const { address } = declared;
      return [
        [
          id,
          `${address} has its name and its model. If it is the same, write { to: ${address}, id: ${id} } below \`adopt\`.`,
        ],
      ];
    }),
  );
}

/** Of an instance of a loop, the key of the loop. */
function keysIn(section: string, addresses: ReadonlySet<string>): ReadonlySet<string> {
  const parts = [...addresses].map((address) => address.split('.'));
  return new Set(parts.flatMap(([first, key]) => (first === section ? (key ?? []) : [])));
}

/** All dashboards that are listed or named by the user. */
function dashboardsOf(
  options: Omit<ImportPlanOptions, 'workspace' | 'pairing' | 'routines'>,
): readonly ImportedDashboard[] {
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
