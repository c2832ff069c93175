// The rules of a schedule's body, as the service is documented to have them.

import { readCron } from './cron.ts';
import { checkDestination } from './destinations.ts';
import { Rejection } from './pipeline.ts';
import {
  aBoolean,
  aHost,
  aListOfStrings,
  aNonEmptyString,
  anHttpUrl,
  anInteger,
  anObject,
  aString,
  type BodyOf,
  type Check,
  checkFields,
  oneOf,
} from './requests.ts';
import { findDocument, type Store } from './store.ts';

/**
 * Whether a text names a zone of the IANA database. The runtime also accepts names that only ICU has and, in newer
 * versions, offsets; neither is in the database.
 */
const icuOnly = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

// ICU's name for an unknown zone, and a zone that the database dropped in 2020.
const gone = new Set(['ETC/UNKNOWN', 'US/PACIFIC-NEW']);

const known = new Map<string, boolean>();
const mostKnown = 1000;

/** Asking the runtime takes a tenth of a millisecond, and a workspace names few zones. */
export function isTimeZone(name: string): boolean {
  const found = known.get(name) ?? isInDatabase(name);
  if (known.size < mostKnown) known.set(name, found);
  return found;
}

function isInDatabase(name: string): boolean {
  if (!/^[a-z][\w+/-]*$/i.test(name)) return false;
  const upper = name.toUpperCase();
  if (icuOnly.has(upper) || upper.startsWith('SYSTEMV/') || gone.has(upper)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The options of each output format, and which options need or exclude each other. An option of another format is
 * refused whatever its value.
 */
const printFormats: readonly Format[] = ['pdf', 'png'];
const rowFormats: readonly Format[] = ['csv', 'json', 'xlsx'];

const printOptions = {
  expandTablesToShowAllRows: printFormats,
  singleColumnLayout: printFormats,
  paperFormat: ['pdf'],
  paperOrientation: ['pdf'],
} satisfies Partial<Record<keyof ScheduleBody, readonly Format[]>>;

const otherOptions = {
  hideTitle: printFormats,
  hideHiddenFields: ['csv', 'xlsx'],
  enableFormatting: rowFormats,
  overrideRowLimit: rowFormats,
  maxRowLimit: rowFormats,
  showContentLink: ['csv', 'json', 'pdf', 'png', 'xlsx'],
  showFilters: ['json', 'pdf', 'png', 'xlsx'],
} satisfies Partial<Record<keyof ScheduleBody, readonly Format[]>>;

/** Also true for a name that is not a format option at all. */
export function belongsToFormat(name: string, format: Format): boolean {
  const options: Readonly<Record<string, readonly Format[]>> = { ...printOptions, ...otherOptions };
  return !Object.hasOwn(options, name) || options[name]?.includes(format) === true;
}

function checkFormat(body: ScheduleBody): void {
  const wrong = findMisplaced(body, otherOptions);
  if (wrong !== undefined) {
    const names = wrong.formats.map((format) => format.toUpperCase()).join(' or ');
    throw new Rejection(400, `${wrong.option} can only be used with ${names} formats`);
  }
  if (findMisplaced(body, printOptions) !== undefined) {
    throw new Rejection(400, 'Print options are not supported for this format');
  }
  if (
    body.paperFormat === 'fit_page' &&
    (body.singleColumnLayout === true || body.expandTablesToShowAllRows === true)
  ) {
    throw new Rejection(400, 'Single column layout and table expansion options are not supported for FIT_PAGE format.');
  }
  checkSingleQuery(body);
}

function checkSingleQuery({ format, enableFormatting, overrideRowLimit, queryIdentifierMapKey }: ScheduleBody): void {
  if (queryIdentifierMapKey !== undefined) return;
  if (format === 'json' && enableFormatting === true) refuseWithoutQuery('enableFormatting', format);
  if ((format === 'json' || format === 'xlsx') && overrideRowLimit === true) {
    refuseWithoutQuery('overrideRowLimit', format);
  }
}

function refuseWithoutQuery(option: string, format: Format): never {
  throw new Rejection(400, `queryIdentifierMapKey: Required for ${format} with ${option}`);
}

function findMisplaced(body: ScheduleBody, options: Readonly<Record<string, readonly Format[]>>) {
  for (const [option, formats] of Object.entries(options)) {
    if (Object.hasOwn(body, option) && !formats.includes(body.format)) return { option, formats };
  }
  return undefined;
}

/**
 * Alerts: a condition needs the query it watches, and the other way round. Some schedules have no test delivery.
 */
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

/**
 * Everything that a schedule names must exist: the document, its dashboard, its filters and its queries.
 * Case-sensitive.
 */
function checkDashboard(body: ScheduleBody, store: Store): void {
  const document = findDocument(store, body.identifier);
  if (document === undefined) throw new Rejection(404, `Document with identifier "${body.identifier}" not found`);
  const { dashboard } = document;
  if (dashboard === null) throw new Rejection(400, 'Document does not have a dashboard');
  const known = Object.keys(dashboard.filters);
  const unknown = Object.keys(body.filterConfig ?? {}).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new Rejection(
      400,
      `Invalid filter keys found in schedule configuration: ${unknown.join(', ')}. ` +
        `Available dashboard filter keys are: ${known.join(', ')}.`,
    );
  }
  for (const key of [body.queryIdentifierMapKey, body.conditionQueryMapKey]) {
    if (key !== undefined && !dashboard.queryKeys.includes(key)) {
      throw new Rejection(400, `Couldn't find query presentation for key: ${key}`);
    }
  }
}

/** The fields of a schedule, checked one by one: type, values, and whether every schedule needs the field. */
const formats = ['csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'] as const;
const destinationTypes = ['webhook', 'email', 'sftp', 'slack', 's3'] as const;

type Format = (typeof formats)[number];
export type DestinationType = (typeof destinationTypes)[number];

const aCronExpression: Check<string> = (value) =>
  aString(value) ?? (readCron(value as string) ? undefined : 'Schedule is an invalid cron expression');

const aTimeZone: Check<string> = (value) =>
  aString(value) ?? (isTimeZone(value as string) ? undefined : 'Time zone must be IANA valid.');

const aTimeZoneOrNull: Check<string> = (value) => (value === null ? undefined : aTimeZone(value));

const aStringOrStrings: Check<string | string[]> = (value) =>
  typeof value === 'string' ? undefined : aListOfStrings(value);

const fields = {
  identifier: { check: aNonEmptyString, required: true },
  name: { check: aNonEmptyString, required: true },
  schedule: { check: aCronExpression, required: true },
  timezone: { check: aTimeZone, required: true },
  format: { check: oneOf(formats), required: true },
  destinationType: { check: oneOf(destinationTypes), required: true },
  timezoneOverride: { check: aTimeZoneOrNull },
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
} as const;

export type ScheduleBody = BodyOf<typeof fields>;

export function readScheduleBody(body: unknown): ScheduleBody {
  return checkFields(body, fields);
}

/** Every rule between the fields of a schedule, and between a schedule and the organization. */
export function checkSchedule(body: ScheduleBody, store: Store): void {
  checkFormat(body);
  checkCondition(body);
  checkDestination(body);
  checkDashboard(body, store);
  if (body.destinationType === 'slack' && !store.data.organization.slackConnected) {
    throw new Rejection(400, 'No Slack workspace is connected to this organization');
  }
}
