// Everything that a schedule names must exist: the document, its dashboard, its filters and its queries.
// Case-sensitive.

import { Rejection } from '../pipeline/answer.ts';
import { findDocument, type Store } from '../store/store.ts';
import type { ScheduleBody } from './body.ts';

export function checkDashboard(body: ScheduleBody, store: Store): void {
  const document = findDocument(store, body.identifier);
  if (document === undefined) throw new Rejection(404, `Document with identifier "${body.identifier}" not found`);
  const { dashboard } = document;
  if (dashboard === null) throw new Rejection(400, 'Document does not have a dashboard');
  const known = Object.keys(dashboard.filters);
  const unknown = Object.keys(body.filterConfig ?? {}).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new Rejection(
      400,
      `Invalid filter keys found in schedule configuration: ${unknown.join(', ')}. ` +
        `Available dashboard filter keys are: ${known.join(', ')}.`,
    );
  }
  for (const key of [body.queryIdentifierMapKey, body.conditionQueryMapKey]) {
    if (key !== undefined && !dashboard.queryKeys.includes(key)) {
      throw new Rejection(400, `Couldn't find query presentation for key: ${key}`);
    }
  }
}
