// GET /v1/dashboards/{dashboardId}/filters: the filters and controls of the published dashboard, in their order.

import { canView } from '../documents/can-view.ts';
import { readActingMember } from '../pipeline/acting-member.ts';
import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { findDocumentByEitherId } from '../store/store.ts';

export function getFilters(call: Call): Answer {
  const member = readActingMember(call, { mustBeUuid: false });
  const id = call.params.dashboardId ?? '';
  const document = findDocumentByEitherId(call.store, id);
  if (!document?.dashboard) throw new Rejection(404, `Dashboard with identifier "${id}" not found`);
  if (member !== null && !canView(member, document)) throw new Rejection(403, 'User cannot view the dashboard');
  const { filters, controls, filterOrder } = document.dashboard;
  return { status: 200, body: { identifier: document.identifier, filters, controls, filterOrder } };
}
