// Decides from the list of schedules what an import does: which schedules are new, on which dashboards, and which files
// it writes. Refuses before any details are read.

import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { byCodeUnit, byLetters } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Loaded } from '../load/load.ts';
import { type NamedDashboard, nameFiles } from './out-files.ts';

export interface ImportPlanOptions {
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly workspace: Pick<Workspace, 'exists'>;
  readonly listed: readonly ListedSchedule[];
  readonly identifiers: readonly string[];
  /** Declare the filters of dashboards as well. */
  readonly dashboards: boolean;
  readonly place: { readonly folder: string; readonly extension: string };
  readonly force: boolean;
}

export interface ImportPlan {
  readonly schedules: readonly ListedSchedule[];
  readonly tracked: number;
  /** Each gets one file. */
  readonly dashboards: readonly NamedDashboard[];
  readonly declareFilters: ReadonlySet<string>;
  readonly fileOf: ReadonlyMap<string, string>;
  /** Addresses that are in use outside the written files. */
  readonly taken: ReadonlySet<string>;
}

/** Throws Failure refused if a file exists already. */
export function planImport(options: ImportPlanOptions): ImportPlan {
  const { loaded, state, workspace, listed, place, force } = options;
  const inState = new Set(Object.values(state?.resources ?? {}).flatMap(({ id }) => id ?? []));
  const candidates = dashboardsOf(options);
  const fileOf = nameFiles(candidates, place);
  const present = new Set([...fileOf.values()].filter((path) => workspace.exists(path)));
  // Declarations in files that are overwritten no longer count.
  const kept = declaredOutside(loaded, force ? present : new Set());
  const adopted = new Set(kept.adoptions.map(({ id }) => id));
  const schedules = listed.filter(({ id }) => !inState.has(id) && !adopted.has(id));
  const declared = new Set(
    kept.resources.flatMap(({ kind, attributes }) => (kind === 'dashboard' ? attributes['identifier'] : [])),
  );
  const declareFilters = new Set(
    options.dashboards ? candidates.map(({ identifier }) => identifier).filter((id) => !declared.has(id)) : [],
  );
  const dashboards = candidates.filter(
    ({ identifier }) =>
      declareFilters.has(identifier) || schedules.some((schedule) => schedule.identifier === identifier),
  );
  checkTargets(
    dashboards.map(({ identifier }) => fileOf.get(identifier) ?? ''),
    present,
    options,
  );
  const taken = new Set([
    ...Object.keys(state?.resources ?? {}),
    ...kept.resources.map(({ address }) => address),
    ...kept.adoptions.map(({ to }) => to),
    ...kept.moves.flatMap(({ from, to }) => [from, to]),
    ...kept.removals.map(({ from }) => from),
  ]);
  return { schedules, tracked: listed.length - schedules.length, dashboards, declareFilters, fileOf, taken };
}

/** All dashboards that are listed or named by the user, sorted by name. */
function dashboardsOf({ listed, identifiers, dashboards }: ImportPlanOptions): readonly NamedDashboard[] {
  const names = new Map(dashboards ? identifiers.map((identifier) => [identifier, identifier]) : []);
  for (const { identifier, dashboardName } of listed) names.set(identifier, dashboardName ?? identifier);
  names.delete('');
  return [...names]
    .map(([identifier, name]) => ({ identifier, name }))
    .sort((a, b) => byLetters(a.name, b.name) || byCodeUnit(a.identifier, b.identifier));
}

/** Everything that is declared outside `files`. */
function declaredOutside({ desired }: Loaded, files: ReadonlySet<string>) {
  const stays = ({ origin }: { readonly origin: { readonly file: string } }) => !files.has(origin.file);
  return {
    resources: desired.resources.filter(stays),
    adoptions: desired.adoptions.filter(stays),
    moves: desired.moves.filter(stays),
    removals: desired.removals.filter(stays),
  };
}

function checkTargets(
  targets: readonly string[],
  present: ReadonlySet<string>,
  { loaded, state, force }: ImportPlanOptions,
): void {
  const there = targets.filter((path) => present.has(path));
  if (there.length === 0) return;
  const are = there.length === 1 ? 'is' : 'are';
  if (!force) {
    throw new Failure('refused', `${there.join(', ')} ${are} there already, and an import overwrites nothing.`, {
      hint: 'Write to another folder of the workspace with --out, or replace the files with --force.',
    });
  }
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
