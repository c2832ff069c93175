// The fields of a schedule, checked one by one: type, values, and whether every schedule needs the field.

import {
  aBoolean,
  aHost,
  aListOfStrings,
  aNonEmptyString,
  anHttpUrl,
  anInteger,
  anObject,
  aString,
  checkFields,
  type Fields,
  oneOf,
} from '../pipeline/fields.ts';
import type { EmulatedObject } from '../store/store.ts';
import { isAwsCron } from './aws-cron.ts';
import { isTimeZone } from './time-zone.ts';

const formats = ['csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'] as const;
const destinationTypes = ['webhook', 'email', 'sftp', 'slack', 's3'] as const;

export type Format = (typeof formats)[number];
export type DestinationType = (typeof destinationTypes)[number];

export interface ScheduleBody {
  readonly identifier: string;
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly format: Format;
  readonly destinationType: DestinationType;
  readonly timezoneOverride?: string | null;
  readonly filterConfig?: EmulatedObject;
  readonly conditionType?: string;
  readonly conditionQueryMapKey?: string;
  readonly queryIdentifierMapKey?: string;
  readonly killJobsOnFailure?: boolean;
  readonly testNow?: boolean;
  readonly hideTitle?: boolean;
  readonly hideHiddenFields?: boolean;
  readonly enableFormatting?: boolean;
  readonly overrideRowLimit?: boolean;
  readonly maxRowLimit?: number;
  readonly showContentLink?: boolean;
  readonly showFilters?: boolean;
  readonly expandTablesToShowAllRows?: boolean;
  readonly paperFormat?: string;
  readonly paperOrientation?: string;
  readonly singleColumnLayout?: boolean;
  readonly url?: string;
  readonly recipients?: string | readonly string[];
  readonly subject?: string;
  readonly textBody?: string;
  readonly fanOut?: boolean;
  readonly slackRecipientType?: 'channel' | 'users';
  readonly address?: string;
  readonly port?: number;
  readonly username?: string;
  readonly path?: string;
  readonly passwordUnencrypted?: string;
  readonly bucketName?: string;
  readonly region?: string;
  readonly roleArn?: string;
  readonly keyPrefix?: string;
  readonly filename?: string;
}

const fields: Fields = {
  identifier: { check: aNonEmptyString, required: true },
  name: { check: aNonEmptyString, required: true },
  schedule: { check: aCronExpression, required: true },
  timezone: { check: aTimeZone, required: true },
  format: { check: oneOf(formats), required: true },
  destinationType: { check: oneOf(destinationTypes), required: true },
  timezoneOverride: { check: (value) => (value === null ? undefined : aTimeZone(value)) },
  filterConfig: { check: anObject },
  conditionType: { check: oneOf(['RESULTS_PRESENT', 'RESULTS_CHANGED', 'RESULTS_MISSING', 'RESULTS_UNCHANGED']) },
  conditionQueryMapKey: { check: aNonEmptyString },
  queryIdentifierMapKey: { check: aNonEmptyString },
  killJobsOnFailure: { check: aBoolean },
  testNow: { check: aBoolean },
  hideTitle: { check: aBoolean },
  hideHiddenFields: { check: aBoolean },
  enableFormatting: { check: aBoolean },
  overrideRowLimit: { check: aBoolean },
  maxRowLimit: { check: anInteger(1) },
  showContentLink: { check: aBoolean },
  showFilters: { check: aBoolean },
  expandTablesToShowAllRows: { check: aBoolean },
  paperFormat: { check: oneOf(['a3', 'a4', 'letter', 'legal', 'fit_page', 'tabloid']) },
  paperOrientation: { check: oneOf(['portrait', 'landscape']) },
  singleColumnLayout: { check: aBoolean },
  url: { check: anHttpUrl },
  recipients: { check: aStringOrStrings },
  subject: { check: aNonEmptyString },
  textBody: { check: aString },
  fanOut: { check: aBoolean },
  slackRecipientType: { check: oneOf(['channel', 'users']) },
  address: { check: aHost },
  port: { check: anInteger(1, 65_535) },
  username: { check: aNonEmptyString },
  path: { check: aNonEmptyString },
  passwordUnencrypted: { check: aString },
  bucketName: { check: aString },
  region: { check: aString },
  roleArn: { check: aString },
  keyPrefix: { check: aString },
  filename: { check: aString },
};

export function readScheduleBody(body: unknown): ScheduleBody {
  checkFields(body, fields);
  return body as ScheduleBody;
}

function aCronExpression(value: unknown): string | undefined {
  return aString(value) ?? (isAwsCron(value as string) ? undefined : 'Schedule is an invalid cron expression');
}

function aTimeZone(value: unknown): string | undefined {
  return aString(value) ?? (isTimeZone(value as string) ? undefined : 'Time zone must be IANA valid.');
}

function aStringOrStrings(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : aListOfStrings(value);
}
