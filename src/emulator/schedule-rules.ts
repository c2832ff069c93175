// The rules of a schedule's body, as the service is documented to have them.

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
  checkFields,
  type Fields,
  oneOf,
} from './requests.ts';
import { type EmulatedObject, findDocument, type Store } from './store.ts';

/**
 * Whether a text is a cron expression of AWS EventBridge: minutes, hours, day of month, month, day of week and year,
 * one space between. Exactly one of the two day fields is `?`. It may be an expression that never fires.
 */
interface Field {
  readonly least: number;
  readonly most: number;
  readonly digits: RegExp;
  readonly names?: readonly string[];
  /** Forms that cannot be part of a list, range or step. */
  readonly alone?: (text: string) => boolean;
  readonly wraps: boolean;
}

const oneOrTwoDigits = /^\d{1,2}$/;

const minutes: Field = { least: 0, most: 59, digits: oneOrTwoDigits, wraps: true };
const hours: Field = { least: 0, most: 23, digits: oneOrTwoDigits, wraps: true };
const dayOfMonth: Field = { least: 1, most: 31, digits: oneOrTwoDigits, wraps: true, alone: isSpecialDayOfMonth };
const month: Field = {
  least: 1,
  most: 12,
  digits: oneOrTwoDigits,
  wraps: true,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
const dayOfWeek: Field = {
  least: 1,
  most: 7,
  digits: oneOrTwoDigits,
  wraps: true,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
  alone: isSpecialDayOfWeek,
};
const year: Field = { least: 1970, most: 2199, digits: /^\d{4}$/, wraps: false };

const cronFields = [minutes, hours, dayOfMonth, month, dayOfWeek, year];

export function isAwsCron(expression: string): boolean {
  if (expression.length > 256) return false;
  const texts = expression.split(' ');
  if (texts.length !== cronFields.length) return false;
  if ((texts[2] === '?') === (texts[4] === '?')) return false;
  return cronFields.every((field, index) => {
    const text = texts[index] ?? '';
    if (text === '?') return field === dayOfMonth || field === dayOfWeek;
    return field.alone?.(text) === true || text.split(',').every((item) => isItem(field, item));
  });
}

function isItem(field: Field, item: string): boolean {
  const [span = '', step, ...rest] = item.split('/');
  if (rest.length > 0 || (step !== undefined && !isStep(field, step))) return false;
  if (span === '*') return true;
  const [from, to, ...more] = span.split('-').map((text) => readValue(field, text));
  if (from === undefined || more.length > 0) return false;
  if (!span.includes('-')) return true;
  return to !== undefined && (field.wraps || from <= to);
}

function isStep(field: Field, text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= field.most;
}

function readValue(field: Field, text: string): number | undefined {
  const name = field.names?.indexOf(text.toUpperCase()) ?? -1;
  if (name >= 0) return field.least + name;
  if (!field.digits.test(text)) return undefined;
  const value = Number(text);
  return value >= field.least && value <= field.most ? value : undefined;
}

function isSpecialDayOfMonth(text: string): boolean {
  if (text === 'L' || text === 'LW') return true;
  return text.endsWith('W') && readValue(dayOfMonth, text.slice(0, -1)) !== undefined;
}

function isSpecialDayOfWeek(text: string): boolean {
  if (text === 'L') return true;
  if (text.endsWith('L')) return readValue(dayOfWeek, text.slice(0, -1)) !== undefined;
  const [day = '', nth = '', ...rest] = text.split('#');
  return rest.length === 0 && /^[1-5]$/.test(nth) && readValue(dayOfWeek, day) !== undefined;
}

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
