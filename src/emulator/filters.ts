// The filter values of a dashboard.

import { type Answer, Rejection } from './answers.ts';
import {
  aBoolean,
  aListOfStrings,
  aMapOf,
  anObjectOf,
  aString,
  type Check,
  checkFields,
  type RecordOf,
  readQuery,
} from './checks.ts';
import { canView } from './documents.ts';
import { type OperationInput, readActingMember } from './requests.ts';
import {
  type Dashboard,
  deriveUuid,
  type EmulatedDocument,
  type EmulatedObject,
  findDocumentByEitherId,
} from './store.ts';

/**
 * GET /v1/dashboards/{dashboardId}/filters: the filters and controls of the published dashboard, in their order.
 */
export function getFilters(call: OperationInput): Answer {
  const member = readActingMember(call, aString);
  const { document, dashboard } = findDashboard(call);
  if (member !== null && !canView(member, document, call.store.data))
    throw new Rejection(403, 'User cannot view the dashboard');
  return answerOf(document.identifier, dashboard);
}

/** GET /v1/documents/{documentId}/drafts: the unpublished draft of the dashboard, if there is one. None of them is archived. */
export function listDrafts({ store, query, id }: OperationInput): Answer {
  readQuery(query, { include: aString });
  const document = findDocumentByEitherId(store, id);
  if (document === undefined) throw new Rejection(404, `Document with identifier "${id}" not found`);
  const { draft = null } = document.dashboard ?? {};
  if (draft === null) return { status: 200, body: [] };
  const member = store.data.members.find((known) => known.id === draft.memberId);
  const actor = { id: draft.memberId, name: member?.name ?? 'Unknown' };
  const body = [
    {
      branch: null,
      createdAt: draft.createdAt,
      createdBy: actor,
      draftOutOfDate: draft.createdAt < document.updatedAt,
      identifier: `${document.identifier}-draft`,
      lastEditedBy: actor,
      publishedIdentifier: document.identifier,
      status: 'active',
      updatedAt: draft.createdAt,
      workbookModelId: deriveUuid('workbook', document.identifier),
    },
  ];
  return { status: 200, body };
}

export function findDashboard({ store, id }: OperationInput): { document: EmulatedDocument; dashboard: Dashboard } {
  const document = findDocumentByEitherId(store, id);
  if (!document?.dashboard) throw new Rejection(404, `Dashboard with identifier "${id}" not found`);
  return { document, dashboard: document.dashboard };
}

function answerOf(identifier: string, { filters, controls, filterOrder }: Dashboard): Answer {
  return { status: 200, body: { identifier, filters, controls, filterOrder } };
}

/** The service does not document every key of an entry. */
const entries = aMapOf(anObjectOf({ values: { check: aListOfStrings } }) as Check<EmulatedObject>);

const fields = {
  clearExistingDraft: { check: aBoolean },
  filters: { check: entries },
  controls: { check: entries },
  filterOrder: { check: aListOfStrings },
} as const;

type Update = RecordOf<typeof fields>;

/**
 * PATCH /v1/dashboards/{dashboardId}/filters: merges each entry into the filter or control it names and publishes at
 * once. An open draft blocks the update unless the request clears it. Nothing changes unless the whole request is
 * valid.
 */
export function updateFilters(call: OperationInput): Answer {
  readActingMember(call, aString);
  const update = checkFields(call.body, fields);
  const { document, dashboard } = findDashboard(call);
  checkUpdate(update, dashboard);
  if (dashboard.draft !== null && update.clearExistingDraft !== true) {
    throw new Rejection(409, 'draft already exists. Set clearExistingDraft to true to proceed.');
  }
  applyUpdate(update, dashboard);
  document.updatedAt = call.store.time();
  call.store.save();
  return answerOf(document.identifier, dashboard);
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
}

function refuseUnknownIds(field: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  throw new Rejection(400, `${field}: Unknown IDs: ${unknown.join(', ')}. Valid IDs are: ${known.join(', ')}.`);
}

function applyUpdate({ filters = {}, controls = {}, filterOrder = [] }: Update, dashboard: Dashboard): void {
  dashboard.draft = null;
  for (const [id, entry] of Object.entries(filters)) {
    dashboard.filters[id] = { ...dashboard.filters[id], ...entry };
  }
  dashboard.controls = dashboard.controls.map((control) => ({ ...control, ...controls[control.id], id: control.id }));
  if (filterOrder.length > 0) dashboard.filterOrder = [...filterOrder];
}
