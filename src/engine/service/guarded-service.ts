// The service for a run that holds the lock of the state: before each request, also one that only reads, the lock must
// surely outlast it.

import type { LockedStore } from '../../ports/state-store.ts';
import type { Service } from './service.ts';

/** `timeout`: the seconds that a request may take. */
export function guardedService(service: Service, locked: LockedStore, timeout: number): Service {
  const guard = { beforeRequest: () => locked.guard(timeout * 1000), maySend: () => locked.holds() };
  return { ...service, call: { ...service.call, ...guard } };
}
