// Turns what an import read into source files, one for each dashboard. Lists what cannot be declared. Pure, except that
// checking a declaration may read environment variables.

import { parseCron } from '../../cron/parse-cron.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { byCodeUnit, define, isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import type { ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import { byNature } from './choose-keys.ts';
import { type DeclaredOne, declareSchedules, faultOf, whyUnsupported } from './declare-schedule.ts';
import type { ImportedSchedule, ImportedVariable, SkippedSchedule } from './import-document.ts';
import type { PlannedImport } from './import-run.ts';
import { variablesOf } from './import-variables.ts';
import type { ImportedDashboard } from './plan-import.ts';

export interface Drafts {
  /** Only files that declare something. */
  readonly sources: readonly SourceDraft[];
  readonly imported: readonly ImportedSchedule[];
  /** The fields that the state records as unread, keyed by address. */
  readonly unread: ReadonlyMap<Address, readonly string[]>;
  /** The membership id of the owner whose list showed it, keyed by address. */
  readonly madeBy: ReadonlyMap<Address, string>;
  readonly variables: readonly ImportedVariable[];
  /** The secret values of those variables that Omni returned, keyed by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly skipped: readonly SkippedSchedule[];
  /** How many filters are left to their dashboards. */
  readonly following: number;
  /** How many declared filters may be those of the dashboard. */
  readonly shared: number;
  readonly notes: readonly string[];
}

export async function draftSources(importing: PlannedImport): Promise<Drafts> {
  const { plan } = importing;
  const names = new Map(plan.dashboards.map(({ identifier, name }) => [identifier, name]));
  const onDashboards = plan.schedules.filter(({ identifier }) => names.has(identifier));
  const dashboardName = (identifier: string) =>
    names.get(identifier) ?? plan.tracked.find((row) => row.identifier === identifier)?.dashboardName ?? '';
  const { declared, skipped } = await declareSchedules(onDashboards, dashboardName, importing);
  const taken = new Set(plan.takenDashboards);
  const parts: { schedules: readonly DeclaredOne[]; notes: readonly string[]; source: SourceDraft }[] = [];
  for (const dashboard of plan.dashboards) {
    const schedules = declared.filter(({ listed }) => listed.identifier === dashboard.identifier).sort(byNameAndTime);
    const { draft, notes } = await draftFilters(importing, dashboard, taken);
    parts.push({ schedules, notes, source: sourceOf(importing, dashboard, draft, schedules) });
  }
  const nowhere = plan.schedules.flatMap(({ id, name, identifier }) => {
    const reason = identifier === '' ? whyUnsupported({ identifier, destinationType: '', format: '' }) : undefined;
    return reason === undefined ? [] : [{ id, name, identifier, reason }];
  });
  const schedules = parts.flatMap((part) => part.schedules);
  const secrets = schedules.flatMap((each) => each.secrets);
  return {
    sources: parts.flatMap(({ source }) => (Object.values(source.resources).flat().length > 0 ? [source] : [])),
    imported: schedules.map(importedOf),
    unread: new Map(
      schedules.flatMap((each) => {
        const unread = [...each.guessed, ...each.shared, ...each.following];
        return unread.length === 0 ? [] : [[importedOf(each).address, unread]];
      }),
    ),
    madeBy: new Map(),
    variables: variablesOf(schedules.map((each) => ({ address: importedOf(each).address, secrets: each.secrets }))),
    values: new Map(
      secrets.flatMap(({ variable, secret: { value } }) => (value === undefined ? [] : [[variable, value]])),
    ),
    skipped: [...nowhere, ...[...skipped].sort((a, b) => byNature(a.name, b.name) || byCodeUnit(a.id, b.id))],
    following: schedules.reduce((sum, each) => sum + each.following.length, 0),
    shared: schedules.reduce((sum, each) => sum + each.shared.length, 0),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/** The order in which people sort: by name, then by the time of day. */
function byNameAndTime({ listed: a }: DeclaredOne, { listed: b }: DeclaredOne): number {
  return byNature(a.name, b.name) || firstMinute(a.schedule) - firstMinute(b.schedule) || byCodeUnit(a.id, b.id);
}

/** The minute of the day of the first run; -1 if the expression is not valid. */
function firstMinute(expression: string): number {
  const { cron } = parseCron(expression);
  return cron === undefined ? -1 : (cron.hours[0] ?? 0) * 60 + (cron.minutes[0] ?? 0);
}

function importedOf({ listed, draft }: DeclaredOne): ImportedSchedule {
  const { id, name, identifier } = listed;
  return { address: addressOf('schedule', draft.key), id, name, identifier };
}

async function draftFilters(
  importing: PlannedImport,
  { identifier, name }: ImportedDashboard,
  taken: Set<string>,
): Promise<{ readonly draft?: ResourceDraft; readonly notes: readonly string[] }> {
  const { plan, answers, targets } = importing;
  if (!plan.declareFilters.has(identifier)) return { notes: [] };
  const refusal = answers.get('refusal', identifier);
  if (refusal !== undefined) return { notes: [`The filters of ${name} (${identifier}) are not declared. ${refusal}`] };
  const remote = answers.get('filters', identifier);
  if (remote === undefined) throw new Error(`the filters of ${identifier} were not read`);
  const draft = declareDashboard(remote, identifier, takeName([keyFrom(name, 'dashboard')], taken));
  if (draft === undefined) return { notes: [] };
  const path = targets.fileOf.get(identifier) ?? '';
  const reason = await faultOf({ path, comments: [], resources: { dashboards: [draft] }, adoptions: [] }, importing);
  if (reason === undefined) return { draft, notes: [] };
  return { notes: [`The filters of ${name} (${identifier}) could not be declared. ${reason}`] };
}

function sourceOf(
  { targets: { fileOf }, schemaFor, options: { writeState } }: PlannedImport,
  { identifier, name, owner, url }: ImportedDashboard,
  dashboard: ResourceDraft | undefined,
  schedules: readonly DeclaredOne[],
): SourceDraft {
  const lists = new Set(schedules.map(({ unread }) => unread.join(', ')));
  const [common = ''] = lists.size === 1 ? lists : [];
  const path = fileOf.get(identifier) ?? '';
  const by = owner === undefined ? '' : ` of ${owner}`;
  return {
    path,
    schema: schemaFor(path),
    comments: [
      `The dashboard ${name} (${identifier})${by}, as almanac import read it.`,
      ...(url === undefined ? [] : [url]),
      ...(common === '' ? [] : [unreadWords(common)]),
      ...sharedWords(schedules),
    ],
    resources: {
      dashboards: dashboard === undefined ? [] : [dashboard],
      schedules: schedules.map(({ draft, unread }) =>
        common !== '' || unread.length === 0
          ? draft
          : { ...draft, comments: [...draft.comments, unreadWords(unread.join(', '))] },
      ),
    },
    adoptions: writeState ? [] : schedules.map(importedOf).map(({ address, id }) => ({ to: address, id })),
  };
}

function unreadWords(fields: string): string {
  return `Could not be read back and is not declared: ${fields}.`;
}

/** People may remove these filters before the first update sends them. */
function sharedWords(schedules: readonly DeclaredOne[]): readonly string[] {
  const ids = new Set(schedules.flatMap(({ shared }) => shared.map((pointer) => pointerSegments(pointer)[1] ?? '')));
  if (ids.size === 0) return [];
  const names = [...ids].sort(byNature).join(', ');
  return [`Filters that may be those of the dashboard: ${names}. The next update of a schedule makes them its own.`];
}

/**
 * Declares the filters of an existing dashboard: their values and their order. Labels of filters and controls, and
 * filters without a list of values, are not declared. Undefined if there is nothing to declare.
 */
function declareDashboard(remote: RemoteFilters, identifier: string, key: string): ResourceDraft | undefined {
  const filters: Record<string, Json> = {};
  for (const [id, filter] of Object.entries(remote.filters)) {
    const values = isJsonObject(filter) ? filter['values'] : undefined;
    if (Array.isArray(values)) define(filters, id, { values: escapeInterpolation(values) });
  }
  const { filterOrder } = remote;
  const fields = [
    ...(Object.keys(filters).length > 0 ? [{ name: 'filters', value: filters }] : []),
    ...(filterOrder.length > 0 ? [{ name: 'filterOrder', value: escapeInterpolation(filterOrder) }] : []),
  ];
  if (fields.length === 0) return undefined;
  return { key, comments: [], fields: [{ name: 'identifier', value: escapeInterpolation(identifier) }, ...fields] };
}
