// The fields of a schedule's body, and every rule about them. The rules hold between fields, and between a schedule and
// the organization, as the service is documented to have them.

import { Rejection } from './answers.ts';
import {
  aBoolean,
  aListOfStrings,
  aNonEmptyString,
  anInteger,
  aString,
  type Check,
  checkFields,
  type Field,
  needed,
  oneOf,
  orNull,
  type RecordOf,
  refuse,
} from './checks.ts';
import type { Quirks } from './faults.ts';
import {
  aBucket,
  aCron,
  aFileName,
  aKeyPrefix,
  anArn,
  anHttpUrl,
  anSftpAddress,
  aTimeZone,
  isEmailAddress,
} from './formats.ts';
import type { OperationInput } from './requests.ts';
import {
  anEmulatedObject,
  type Dashboard,
  type EmulatedObject,
  findDocument,
  type Store,
  type StoredSchedule,
  tileKeys,
} from './store.ts';

const formats = ['csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'] as const;
const destinationTypes = ['webhook', 'email', 'sftp', 'slack', 's3'] as const;

type Format = (typeof formats)[number];
type DestinationType = (typeof destinationTypes)[number];

const aStringOrStrings: Check<string | string[]> = (value, at) =>
  typeof value === 'string' ? undefined : aListOfStrings(value, at);

const print: readonly Format[] = ['pdf', 'png'];
const rows: readonly Format[] = ['csv', 'json', 'xlsx'];

/**
 * `required` applies to every schedule. `formats` are the only output formats with this option, and `default` is the
 * service's value for an absent one. `neededFor` and `allowedFor` are the only destinations with this field. A field
 * where it does not belong is refused whatever its value.
 */
interface ScheduleField<T = unknown> extends Field<T> {
  readonly formats?: readonly Format[];
  readonly default?: boolean;
  /** Refused with a message that names no field. */
  readonly isPrint?: true;
  readonly neededFor?: readonly DestinationType[];
  readonly allowedFor?: readonly DestinationType[];
}

const fields = {
  identifier: needed(aNonEmptyString),
  name: needed(aNonEmptyString),
  schedule: needed(aCron),
  timezone: needed(aTimeZone),
  format: needed(oneOf(...formats)),
  destinationType: needed(oneOf(...destinationTypes)),
  timezoneOverride: { check: orNull(aTimeZone) },
  filterConfig: { check: anEmulatedObject },
  conditionType: { check: oneOf('RESULTS_PRESENT', 'RESULTS_CHANGED', 'RESULTS_MISSING', 'RESULTS_UNCHANGED') },
  conditionQueryMapKey: { check: aNonEmptyString },
  queryIdentifierMapKey: { check: aNonEmptyString },
  killJobsOnFailure: { check: aBoolean },
  testNow: { check: aBoolean },
  hideTitle: { check: aBoolean, formats: print, default: false },
  hideHiddenFields: { check: aBoolean, formats: ['csv', 'xlsx'], default: false },
  enableFormatting: { check: aBoolean, formats: rows, default: false },
  overrideRowLimit: { check: aBoolean, formats: rows, default: false },
  maxRowLimit: { check: anInteger(), formats: rows },
  showContentLink: { check: aBoolean, formats: ['csv', 'json', 'pdf', 'png', 'xlsx'], default: true },
  showFilters: { check: aBoolean, formats: ['json', 'pdf', 'png', 'xlsx'], default: true },
  expandTablesToShowAllRows: { check: aBoolean, formats: print, default: false, isPrint: true },
  paperFormat: { check: oneOf('a3', 'a4', 'letter', 'legal', 'fit_page', 'tabloid'), formats: ['pdf'], isPrint: true },
  paperOrientation: { check: oneOf('portrait', 'landscape'), formats: ['pdf'], isPrint: true },
  singleColumnLayout: { check: aBoolean, formats: print, default: false, isPrint: true },
  url: { check: anHttpUrl, neededFor: ['webhook'] },
  recipients: { check: aStringOrStrings, neededFor: ['email', 'slack'] },
  subject: { check: aNonEmptyString, neededFor: ['email'] },
  textBody: { check: aString, allowedFor: ['email', 'slack'] },
  fanOut: { check: aBoolean, allowedFor: ['email'] },
  slackRecipientType: { check: oneOf('channel', 'users'), neededFor: ['slack'] },
  address: { check: anSftpAddress, neededFor: ['sftp'] },
  port: { check: anInteger(1, 65_535), neededFor: ['sftp'] },
  username: { check: aNonEmptyString, neededFor: ['sftp'] },
  path: { check: aNonEmptyString, neededFor: ['sftp'] },
  passwordUnencrypted: { check: aString, allowedFor: ['sftp'] },
  bucketName: { check: aBucket, neededFor: ['s3'] },
  region: { check: aNonEmptyString, neededFor: ['s3'] },
  roleArn: { check: anArn, neededFor: ['s3'] },
  keyPrefix: { check: aKeyPrefix, allowedFor: ['s3'] },
  filename: { check: aFileName, allowedFor: ['s3'] },
} as const satisfies Readonly<Record<string, ScheduleField>>;

const fieldList = Object.entries<ScheduleField>(fields).map(([name, field]) => ({
  ...field,
  name: name as keyof ScheduleBody,
}));

export type ScheduleBody = RecordOf<typeof fields>;

export function readScheduleBody(body: unknown): ScheduleBody {
  return checkFields(body, fields);
}

/** The fields from a request, as the store keeps them. */
export function storedBody(schedule: StoredSchedule): ScheduleBody {
  return schedule.fields as unknown as ScheduleBody;
}

/** The options of the format, each as it was given or by its default; undefined if the service states none. */
export function optionsOf(body: ScheduleBody): Record<string, unknown> {
  const options = fieldList.filter((field) => field.formats?.includes(body.format));
  return Object.fromEntries(options.map((field) => [field.name, body[field.name] ?? field.default]));
}

export function fieldsThatFit(stored: EmulatedObject, of: Pick<ScheduleBody, 'format' | 'destinationType'>) {
  const wrong = fieldList.filter((field) => isOfOtherFormat(field, of) || isOfOtherDestination(field, of));
  const foreign = new Set<string>(wrong.map(({ name }) => name));
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !foreign.has(name)));
}

function isOfOtherFormat(field: ScheduleField, { format }: Pick<ScheduleBody, 'format'>): boolean {
  return field.formats?.includes(format) === false;
}

function isOfOtherDestination(
  { neededFor = [], allowedFor = [] }: ScheduleField,
  { destinationType }: Pick<ScheduleBody, 'destinationType'>,
): boolean {
  const destinations: readonly DestinationType[] = [...neededFor, ...allowedFor];
  return destinations.length > 0 && !destinations.includes(destinationType);
}

/** Every rule between the fields of a schedule, and between a schedule and the organization. */
export function checkSchedule(body: ScheduleBody, { store, quirks }: Pick<OperationInput, 'store' | 'quirks'>): void {
  checkFormat(body);
  checkCondition(body);
  checkDestination(body);
  if (quirks.sftpAddress === 'url' && body.address !== undefined && !/^sftp:/i.test(body.address))
    refuse('address', 'Invalid SFTP address');
  if (body.destinationType === 'email') refuseDomains([body.recipients ?? []].flat(), quirks);
  checkDashboard(body, store);
  if (body.destinationType === 'slack' && !store.data.organization.slackConnected) {
    throw new Rejection(400, 'No Slack workspace is connected to this organization');
  }
}

function checkFormat(body: ScheduleBody): void {
  const misplaced = fieldList.filter((field) => Object.hasOwn(body, field.name) && isOfOtherFormat(field, body));
  const wrong = misplaced.find(({ isPrint }) => !isPrint);
  if (wrong !== undefined) {
    const names = wrong.formats?.map((format) => format.toUpperCase()).join(' or ');
    throw new Rejection(400, `${wrong.name} can only be used with ${names} formats`);
  }
  if (misplaced.length > 0) throw new Rejection(400, 'Print options are not supported for this format');
  const { format, paperFormat, singleColumnLayout, expandTablesToShowAllRows, queryIdentifierMapKey } = body;
  if (paperFormat === 'fit_page' && (singleColumnLayout || expandTablesToShowAllRows)) {
    throw new Rejection(400, 'Single column layout and table expansion options are not supported for FIT_PAGE format.');
  }
  if (queryIdentifierMapKey !== undefined) return;
  const ofOneQuery = { json: ['enableFormatting', 'overrideRowLimit'], xlsx: ['overrideRowLimit'] } as const;
  const options = format === 'json' || format === 'xlsx' ? ofOneQuery[format] : [];
  const option = options.find((name) => body[name]);
  if (option !== undefined) refuse('queryIdentifierMapKey', `Required for ${format} with ${option}`);
}

/** Alerts: a condition needs the query it watches, and the other way round. Some schedules have no test delivery. */
function checkCondition(body: ScheduleBody): void {
  if ((body.conditionType === undefined) !== (body.conditionQueryMapKey === undefined)) {
    throw new Rejection(400, 'Alert conditions require a condition type and a condition query map key');
  }
  if (body.testNow !== true) return;
  if (body.conditionType === 'RESULTS_CHANGED') {
    throw new Rejection(400, 'Test delivery not supported for condition type RESULTS_CHANGED');
  }
  if (body.destinationType === 's3') {
    throw new Rejection(400, 'Test delivery not supported for destination type s3');
  }
}

function checkDestination(body: ScheduleBody): void {
  const { destinationType: type, recipients } = body;
  const missing = fieldList.find((field) => field.neededFor?.includes(type) && body[field.name] === undefined);
  if (missing !== undefined) refuse(missing.name, 'Required');
  const foreign = fieldList.find((field) => body[field.name] !== undefined && isOfOtherDestination(field, body));
  if (foreign !== undefined) throw new Rejection(400, `${foreign.name} cannot be used with destination type ${type}`);
  if (type === 'email') checkEmailRecipients(recipients);
  if (type === 'slack') checkSlackRecipients(body);
}

function checkEmailRecipients(recipients: ScheduleBody['recipients']): void {
  if (typeof recipients === 'string') refuse('recipients', 'Expected array, received string');
  if (recipients?.length === 0) refuse('recipients', 'Array must contain at least 1 element(s)');
  if (recipients?.every(isEmailAddress) !== true) refuse('recipients', 'Invalid email address');
}

/** The service's message about an address outside its allowlist of domains is not published. */
export function refuseDomains(emails: readonly string[], { emailDomains }: Quirks): void {
  const isAllowed = (email: string) => emailDomains?.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
  const refused = emailDomains && emails.find((email) => !isAllowed(email));
  if (refused !== undefined) refuse('recipients', `The domain of ${refused} is not on the allowlist`);
}

function checkSlackRecipients({ recipients = [], slackRecipientType }: ScheduleBody): void {
  const texts = [recipients].flat();
  const ids = texts.map(slackIdsIn);
  if (ids.length === 0 || ids.some(({ length }) => length === 0)) {
    refuse('recipients', 'At least one Slack recipient must be provided');
  }
  if (slackRecipientType === 'channel' && ids.flat().length > 1) {
    refuse('recipients', 'Only one Slack channel can be specified');
  }
  const isPlain = (text: string) => /^[^\s,]+$/.test(text);
  if (!(slackRecipientType === 'channel' ? texts : ids.flat()).every(isPlain)) {
    refuse('recipients', 'Invalid Slack ID');
  }
}

/** Ignores spaces around ids and extra commas. */
export function slackIdsIn(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim());
  return ids.filter((id) => id !== '');
}

/** The document, its dashboard, its filters and its queries must exist. Case-sensitive. */
function checkDashboard(body: ScheduleBody, store: Store): void {
  const document = findDocument(store, body.identifier);
  if (document === undefined) throw new Rejection(404, `Document with identifier "${body.identifier}" not found`);
  const { dashboard } = document;
  if (dashboard === null) throw new Rejection(400, 'Document does not have a dashboard');
  if (typeof body.timezoneOverride === 'string' && document.canUseTimezoneOverride === false) {
    throw new Rejection(403, 'Permission denied: the settings of the document do not allow a timezone override');
  }
  checkNames(dashboard, body.filterConfig, [body.queryIdentifierMapKey, body.conditionQueryMapKey]);
}

export function checkNames(
  dashboard: Dashboard,
  filterConfig: EmulatedObject = {},
  queryKeys: readonly (string | undefined)[],
): void {
  const known = Object.keys(dashboard.filters);
  const unknown = Object.keys(filterConfig).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new Rejection(
      400,
      `Invalid filter keys found in schedule configuration: ${unknown.join(', ')}. ` +
        `Available dashboard filter keys are: ${known.join(', ')}.`,
    );
  }
  for (const key of queryKeys) {
    if (key !== undefined && !tileKeys(dashboard).includes(key)) {
      throw new Rejection(400, `Couldn't find query presentation for key: ${key}`);
    }
  }
}
