// What would have been sent is written down instead.

import type { ScheduleBody } from '../schedule-rules/body.ts';
import type { Store } from '../store.ts';

export function recordDelivery(store: Store, body: ScheduleBody, ownerId: string | null): void {
  const { identifier, name, format, destinationType } = body;
  const at = new Date(store.now()).toISOString();
  store.data.deliveries.push({ id: store.newId(), at, ownerId, identifier, name, format, destinationType });
  store.save();
}
