// An Api that fails whatever it is asked. A fake replaces the operations that its tests need.

import type { Api } from '../../../src/service/api.ts';

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
  listAccess: refuse,
  getAiJob: refuse,
  getAiJobResult: refuse,
  cancelAiJob: refuse,
  clockDifference: () => undefined,
  close: async () => undefined,
};
