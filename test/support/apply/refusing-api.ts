// What fakes of the service begin with: an Api that fails whatever it is asked, of which a fake replaces the operations
// that its tests need, and what the adapter does before a request goes out.

import { Failure } from '../../../src/model/workspace/failure.ts';
import type { Api, CallOptions } from '../../../src/service/api.ts';

const refuse = () => Promise.reject(new Error('no test needs it'));

export const refusingApi: Api = {
  updateFilters: refuse,
  createSchedule: refuse,
  createAiJob: refuse,
  listDocuments: refuse,
  updateSchedule: refuse,
  deleteSchedule: refuse,
  pauseSchedule: refuse,
  resumeSchedule: refuse,
  triggerSchedule: refuse,
  transferOwnership: refuse,
  listUsers: refuse,
  listEmailOnlyUsers: refuse,
  listSchedules: refuse,
  getSchedule: refuse,
  getRecipients: refuse,
  getFilters: refuse,
  listQueries: refuse,
  getAiJob: refuse,
  getAiJobResult: refuse,
  cancelAiJob: refuse,
  clockDifference: () => undefined,
  close: async () => undefined,
};

export async function goOut({ beforeRequest, signal, onRequest, maySend }: CallOptions = {}): Promise<void> {
  await beforeRequest?.();
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before the request was sent.');
  onRequest?.('POST');
  if (maySend?.() === false) throw new Failure('state-lock-lost', 'The lock was lost, so it was not sent.');
}
