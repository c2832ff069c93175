// Two schedules for each field, which differ in that field alone.

import type { JsonObject } from '../../../src/model/values/json.ts';
import { bucket, hook, mail, sftp, slack } from '../vocabulary.ts';

const tile = { queryIdentifierMapKey: 'Jmn2r3KV' };
const alert = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: 'Jmn2r3KV' };

/** Two schedules that differ in one field, by its name. */
export const twoOf: Readonly<Record<string, readonly [one: JsonObject, other: JsonObject]>> = {
  identifier: [mail(), mail({ identifier: '3f9c2b71' })],
  name: [mail(), mail({ name: 'Other' })],
  schedule: [mail(), mail({ schedule: '0 8 * * ? *' })],
  timezone: [mail(), mail({ timezone: 'UTC' })],
  format: [mail(), mail({ format: 'png' })],
  destinationType: [mail(), hook()],
  url: [hook(), hook({ url: 'https://hooks.example.com/other' })],
  recipients: [mail(), mail({ recipients: ['bo@example.com'] })],
  subject: [mail(), mail({ subject: 'Other' })],
  textBody: [mail(), mail({ textBody: 'Other' })],
  fanOut: [mail(), mail({ fanOut: true })],
  slackRecipientType: [
    slack({ recipients: 'U0123456789', slackRecipientType: 'users' }),
    slack({ recipients: 'U0123456789', slackRecipientType: 'channel' }),
  ],
  address: [sftp(), sftp({ address: 'other.example.com' })],
  port: [sftp(), sftp({ port: 2222 })],
  username: [sftp(), sftp({ username: 'other' })],
  path: [sftp(), sftp({ path: '/other' })],
  passwordUnencrypted: [sftp(), sftp({ passwordUnencrypted: 'other' })],
  bucketName: [bucket(), bucket({ bucketName: 'other' })],
  region: [bucket(), bucket({ region: 'us-east-1' })],
  roleArn: [bucket(), bucket({ roleArn: 'arn:aws:iam::999999999999:role/omni' })],
  keyPrefix: [bucket(), bucket({ keyPrefix: 'other/' })],
  filename: [bucket(), bucket({ filename: 'other' })],
  filterConfig: [mail(), mail({ filterConfig: { region: { type: 'string', kind: 'EQUALS', values: ['Asia'] } } })],
  timezoneOverride: [mail(), mail({ timezoneOverride: 'UTC' })],
  queryIdentifierMapKey: [mail(), mail(tile)],
  conditionType: [mail(alert), mail({ ...alert, conditionType: 'RESULTS_MISSING' })],
  conditionQueryMapKey: [mail(alert), mail({ ...alert, conditionQueryMapKey: '1' })],
  showContentLink: [mail(), mail({ showContentLink: false })],
  showFilters: [mail(), mail({ showFilters: false })],
  hideTitle: [mail(), mail({ hideTitle: true })],
  hideHiddenFields: [mail({ format: 'csv' }), mail({ format: 'csv', hideHiddenFields: true })],
  enableFormatting: [mail({ format: 'csv' }), mail({ format: 'csv', enableFormatting: true })],
  overrideRowLimit: [mail({ format: 'csv' }), mail({ format: 'csv', overrideRowLimit: true })],
  maxRowLimit: [mail({ format: 'csv' }), mail({ format: 'csv', maxRowLimit: 10 })],
  expandTablesToShowAllRows: [mail(), mail({ expandTablesToShowAllRows: true })],
  singleColumnLayout: [mail(), mail({ singleColumnLayout: true })],
  paperFormat: [mail(), mail({ paperFormat: 'a4' })],
  paperOrientation: [mail(), mail({ paperOrientation: 'landscape' })],
  killJobsOnFailure: [mail(), mail({ killJobsOnFailure: true })],
};
