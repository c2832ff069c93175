// Decides from the list of schedules what an import does. It says which schedules are new, on which dashboards, and
// which files they would have if there were none.

import { identities } from '../../model/fields/identity.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { filtersDashboard } from '../../model/values/address.ts';
import { dashboardUrl } from '../../model/values/urls.ts';
import type { KnownDashboard } from '../../observe/details/join-answers.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import { byNature } from './choose-keys.ts';
import { type FilePlace, nameFiles } from './files.ts';
import type { Pairing } from './find-pairs.ts';
import type { FoundRoutine } from './find-routines.ts';
import type { ListedImport } from './import-run.ts';
import { type UsedVariable, variablesInUse } from './import-variables.ts';

interface PlanInput extends ListedImport {
  readonly place: FilePlace;
  readonly pairing: Pairing;
  readonly known: readonly KnownDashboard[];
}

export interface ImportedDashboard extends KnownDashboard {
  /** The dashboard's page in Omni. */
  readonly url?: string | undefined;
}

export interface RoutinePlan {
  /** Routines that are not tracked yet. */
  readonly found: readonly FoundRoutine[];
  readonly tracked: number;
  readonly taken: ReadonlySet<string>;
  /** The reason why a routine is not declared, keyed by id: an untracked declaration may be the same one. */
  readonly maybeDeclared: ReadonlyMap<string, string>;
}

export interface ImportPlan {
  readonly schedules: readonly ListedSchedule[];
  /** How many are left out because only what is declared is looked for. */
  readonly undeclared: number;
  /** Schedules that have a key already. */
  readonly tracked: readonly ListedSchedule[];
  /** Each gets one file; in the order of the files. */
  readonly dashboards: readonly ImportedDashboard[];
  readonly declareFilters: ReadonlySet<string>;
  /** The wished file of each dashboard, keyed by identifier, even if that file exists already. */
  readonly files: ReadonlyMap<string, string>;
  /** Keys of schedules and of dashboards that are in use. */
  readonly taken: ReadonlySet<string>;
  readonly takenDashboards: ReadonlySet<string>;
  readonly usedVariables: readonly UsedVariable[];
  readonly routines: RoutinePlan;
}

/** True if anything may be written, so that the folders and owners of dashboards are needed. */
export function needsDashboards(input: Omit<PlanInput, 'known'>): boolean {
  if (input.options.declared) return false;
  return input.options.dashboards === true || untracked(input).length > 0;
}

type Sought = Pick<PlanInput, 'listed' | 'loaded' | 'state' | 'pairing'>;

function knownIds({ state, loaded }: Pick<Sought, 'state' | 'loaded'>): ReadonlySet<string> {
  const known = [...Object.values(state?.resources ?? {}), ...loaded.desired.adoptions];
  return new Set(known.flatMap(({ id }) => id ?? []));
}

function untracked({ listed, pairing, ...rest }: Sought): readonly ListedSchedule[] {
  const known = knownIds(rest);
  return listed.filter(({ id }) => !known.has(id) && !pairing.settled.has(id));
}

export function planImport(input: PlanInput): ImportPlan {
  const { loaded, state, listed, place, options, pairing } = input;
  const { resources, absent = [], adoptions, moves, removals } = loaded.desired;
  const candidates = dashboardsOf(input);
  const files = nameFiles(candidates, place);
  const inOrder = [...candidates].sort((a, b) =>
    byNature(files.get(a.identifier) ?? '', files.get(b.identifier) ?? ''),
  );
  const all = untracked(input);
  const schedules = options.declared ? [] : all;
  // --dashboards declares dashboards, and no other kind.
  const declared = new Set(
    resources.flatMap(({ kind, attributes }) => (filtersDashboard(kind) ? attributes['identifier'] : [])),
  );
  const declareFilters = new Set(
    options.dashboards && !options.declared
      ? inOrder.map(({ identifier }) => identifier).filter((id) => !declared.has(id))
      : [],
  );
  const dashboards = inOrder.filter(
    ({ identifier }) =>
      declareFilters.has(identifier) || schedules.some((schedule) => schedule.identifier === identifier),
  );
  const ids = knownIds(input);
  const allRoutines = input.found.filter(({ row }) => !ids.has(row.id) && !pairing.settled.has(row.id));
  const routines = options.declared ? [] : allRoutines;
  const addresses = new Set([
    ...Object.keys(state?.resources ?? {}),
    ...[...resources, ...absent].map(({ address }) => address),
    ...adoptions.map(({ to }) => to),
    ...moves.flatMap(({ from, to }) => [from, to]),
    ...removals.map(({ from }) => from),
  ]);
  const isNew = new Set(all.map(({ id }) => id));
  return {
    schedules,
    tracked: listed.filter(({ id }) => !isNew.has(id)),
    undeclared: options.declared ? all.length + allRoutines.length : 0,
    dashboards,
    declareFilters,
    files,
    taken: keysIn('schedules', addresses),
    takenDashboards: keysIn('dashboards', addresses),
    usedVariables: variablesInUse(resources, input.environment),
    routines: {
      found: routines,
      tracked: input.found.length - allRoutines.length - pairing.routines.length,
      taken: keysIn('routines', addresses),
      maybeDeclared: alikeIn(routines, input),
    },
  };
}

/** Routines without a sure pair may still be declared: a second declaration would create them twice. */
function alikeIn(
  routines: readonly FoundRoutine[],
  { loaded, state, pairing }: PlanInput,
): ReadonlyMap<string, string> {
  const { resources, adoptions } = loaded.desired;
  const paired = pairing.routines.map(({ declared }) => declared.address);
  const tracked = new Set([...Object.keys(state?.resources ?? {}), ...adoptions.map(({ to }) => to), ...paired]);
  const open = resources.filter(({ kind, address }) => identities[kind].isOwners && !tracked.has(address));
  return new Map(
    routines.flatMap(({ row: { id, name, modelId } }) => {
      const declared = open.find(({ attributes }) => attributes['name'] === name && attributes['modelId'] === modelId);
      if (declared === undefined) return [];
      const { address } = declared;
      return [
        [
          id,
          `${address} has its name and its model. If both are the same routine, write { to: ${address}, id: ${printString(id, inBrackets)} } below \`adopt\`.`,
        ],
      ];
    }),
  );
}

/** An instance of a loop uses the key of the loop. */
function keysIn(section: string, addresses: ReadonlySet<string>): ReadonlySet<string> {
  const parts = [...addresses].map((address) => address.split('.'));
  return new Set(parts.flatMap(([first, key]) => (first === section ? (key ?? []) : [])));
}

/** All dashboards that are listed or named by the user. */
function dashboardsOf({ listed, options, known, loaded }: PlanInput): readonly ImportedDashboard[] {
  const { identifier: named = [], dashboards } = options;
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
