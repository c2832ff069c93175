// The filter values of a dashboard.

import { canView } from './documents.ts';
import { type Answer, Rejection } from './pipeline.ts';
import {
  aBoolean,
  aListOfStrings,
  anObject,
  type Call,
  checkFields,
  type Fields,
  readActingMember,
} from './requests.ts';
import { type Dashboard, type EmulatedObject, findDocumentByEitherId } from './store.ts';

/**
 * GET /v1/dashboards/{dashboardId}/filters: the filters and controls of the published dashboard, in their order.
 */
export function getFilters(call: Call): Answer {
  const member = readActingMember(call, { mustBeUuid: false });
  const id = call.params.dashboardId ?? '';
  const document = findDocumentByEitherId(call.store, id);
  if (!document?.dashboard) throw new Rejection(404, `Dashboard with identifier "${id}" not found`);
  if (member !== null && !canView(member, document)) throw new Rejection(403, 'User cannot view the dashboard');
  const { filters, controls, filterOrder } = document.dashboard;
  return { status: 200, body: { identifier: document.identifier, filters, controls, filterOrder } };
}

/**
 * PATCH /v1/dashboards/{dashboardId}/filters: merges each entry into the filter or control it names and publishes at
 * once. An open draft blocks the update unless the request clears it. Nothing changes unless the whole request is
 * valid.
 */
type Entries = Readonly<Record<string, EmulatedObject>>;

interface Update {
  readonly clearExistingDraft?: boolean;
  readonly filters?: Entries;
  readonly controls?: Entries;
  readonly filterOrder?: readonly string[];
}

const fields: Fields = {
  clearExistingDraft: { check: aBoolean },
  filters: { check: anObject },
  controls: { check: anObject },
  filterOrder: { check: aListOfStrings },
};

export function updateFilters(call: Call): Answer {
  readActingMember(call, { mustBeUuid: false });
  checkFields(call.body, fields);
  const update = call.body as Update;
  const identifier = call.params.dashboardId ?? '';
  const document = findDocumentByEitherId(call.store, identifier);
  const dashboard = document?.dashboard;
  if (!document || !dashboard) throw new Rejection(404, `Dashboard with identifier "${identifier}" not found`);
  checkUpdate(update, dashboard);
  if (dashboard.draft !== null && update.clearExistingDraft !== true) {
    throw new Rejection(409, 'draft already exists. Set clearExistingDraft to true to proceed.');
  }
  applyUpdate(update, dashboard);
  document.updatedAt = new Date(call.store.now()).toISOString();
  call.store.save();
  const { filters, controls, filterOrder } = dashboard;
  return { status: 200, body: { identifier: document.identifier, filters, controls, filterOrder } };
}

function checkUpdate({ filters = {}, controls = {}, filterOrder = [] }: Update, dashboard: Dashboard): void {
  if (Object.keys(filters).length + Object.keys(controls).length + filterOrder.length === 0) {
    throw new Rejection(400, 'At least one of filters, controls or filterOrder must be provided');
  }
  const filterIds = Object.keys(dashboard.filters);
  const controlIds = dashboard.controls.map((control) => control.id);
  refuseUnknownIds('filters', Object.keys(filters), filterIds);
  refuseUnknownIds('controls', Object.keys(controls), controlIds);
  refuseUnknownIds('filterOrder', filterOrder, [...filterIds, ...controlIds]);
  if (new Set(filterOrder).size < filterOrder.length) throw new Rejection(400, 'filterOrder: An ID stands in it twice');
  checkEntries('filters', filters);
  checkEntries('controls', controls);
}

function refuseUnknownIds(field: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  throw new Rejection(400, `${field}: Unknown IDs: ${unknown.join(', ')}. Valid IDs are: ${known.join(', ')}.`);
}

/** The service does not document every key of an entry, so only the form of `values` is checked. */
function checkEntries(field: string, entries: Entries): void {
  for (const [id, entry] of Object.entries(entries)) {
    const message = anObject(entry);
    if (message !== undefined) throw new Rejection(400, `${field}.${id}: ${message}`);
    const wrongValues = Object.hasOwn(entry, 'values') ? aListOfStrings(entry.values) : undefined;
    if (wrongValues !== undefined) throw new Rejection(400, `${field}.${id}.values: ${wrongValues}`);
  }
}

function applyUpdate({ filters = {}, controls = {}, filterOrder = [] }: Update, dashboard: Dashboard): void {
  dashboard.draft = null;
  for (const [id, entry] of Object.entries(filters)) {
    dashboard.filters[id] = { ...dashboard.filters[id], ...entry };
  }
  dashboard.controls = dashboard.controls.map((control) => ({ ...control, ...controls[control.id], id: control.id }));
  if (filterOrder.length > 0) dashboard.filterOrder = [...filterOrder];
}
