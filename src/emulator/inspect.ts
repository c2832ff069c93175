// GET /inspect, next to the API and without a token: the deliveries, and the webhook events with every attempt.
// Contains no token and no signing secret.

import type { Answer } from './pipeline/answer.ts';
import type { Delivery, JobEvent, Store } from './store/store.ts';

export const inspectPath = '/inspect';

export interface Inspection {
  readonly deliveries: readonly Delivery[];
  readonly events: readonly JobEvent[];
}

export function inspect({ data }: Store): Inspection {
  return structuredClone({ deliveries: data.deliveries, events: data.events ?? [] });
}

export function answerInspection(method: string, store: Store): Answer {
  if (method === 'GET') return { status: 200, body: inspect(store) };
  return { status: 405, headers: { Allow: 'GET' }, body: { detail: 'Invalid request method', status: 405 } };
}
