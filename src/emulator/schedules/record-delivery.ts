// Records a delivery instead of sending it; deliveries to webhooks are also sent.

import type { ScheduleBody } from '../schedule-rules/body.ts';
import type { Store } from '../store/store.ts';

export function recordDelivery(store: Store, body: ScheduleBody, ownerId: string | null): void {
  const { identifier, name, format, destinationType, url } = body;
  const at = new Date(store.now()).toISOString();
  const posting = destinationType === 'webhook' && url !== undefined ? { url, attempts: [], dueAt: at } : {};
  store.data.deliveries.push({ id: store.newId(), at, ownerId, identifier, name, format, destinationType, ...posting });
  store.save();
}
