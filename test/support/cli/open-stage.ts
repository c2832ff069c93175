// Declarations that many tests start from, and a world without an almanac.yaml.

import { openWorld } from '../world.ts';

export const weekly = {
  identifier: '12db1a0a',
  name: 'Weekly sales',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Weekly sales',
};
export const hook = {
  identifier: '3f9c2b71',
  name: 'Stock feed',
  schedule: '30 6 * * ? *',
  timezone: 'UTC',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/stock',
};
export const sales = { identifier: '12db1a0a', filters: { region: { values: ['Europe'] } } };
export const declared = { schedules: { hook, weekly }, dashboards: { sales } };

/** Every day at 09:00. */
export const daily = { ...hook, schedule: '0 9 * * ? *', timezone: 'UTC' };

/** Without an almanac.yaml, so with operations core. */
export const openBare = (files: Parameters<typeof openWorld>[0] = declared) =>
  openWorld(files, { config: null, operations: 'core' });
