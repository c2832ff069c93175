// What would have been sent is written down instead; only what goes to a webhook is sent as well.

import type { ScheduleBody } from '../schedule-rules/body.ts';
import type { Store } from '../store/store.ts';

export function recordDelivery(store: Store, body: ScheduleBody, ownerId: string | null): void {
  const { identifier, name, format, destinationType, url } = body;
  const at = new Date(store.now()).toISOString();
  const posting = destinationType === 'webhook' && url !== undefined ? { url, attempts: [], dueAt: at } : {};
  store.data.deliveries.push({ id: store.newId(), at, ownerId, identifier, name, format, destinationType, ...posting });
  store.save();
}
