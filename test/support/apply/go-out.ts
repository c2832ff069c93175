// What the adapter does before a request goes out, for fakes of the service.

import { Failure } from '../../../src/model/workspace/failure.ts';
import type { CallOptions } from '../../../src/service/api.ts';

export async function goOut({ beforeRequest, signal, onRequest, maySend }: CallOptions = {}): Promise<void> {
  await beforeRequest?.();
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before the request was sent.');
  onRequest?.('POST');
  if (maySend?.() === false) throw new Failure('state-lock-lost', 'The lock was lost, so it was not sent.');
}
