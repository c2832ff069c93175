// Changes a declaration as a slip of the hand would, or malice: fields dropped, added and misspelt, values of the wrong
// type, at a bound, beyond it, or made to slip past a check. What comes out may be valid or not.

import fc from 'fast-check';
import { fieldApplies, fieldsOf } from '../../../src/model/fields/fields.ts';
import type { Kind } from '../../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../../src/model/values/json.ts';
import {
  invalidEmails,
  invalidFilenames,
  invalidKeyPrefixes,
  invalidUrls,
  validEmails,
  validFilenames,
  validKeyPrefixes,
  validUrls,
} from './odd-texts.ts';

export interface Declaration {
  readonly kind: Kind;
  readonly fields: JsonObject;
}

type Change = (fields: JsonObject) => JsonObject;

/** The declaration after one change, two or three. */
export function arbitraryBroken({ kind, fields }: Declaration): fc.Arbitrary<Declaration> {
  return fc
    .array(changeOf(kind, fields), { minLength: 1, maxLength: 3 })
    .map((changes) => ({ kind, fields: changes.reduce((changed, change) => change(changed), fields) }));
}

function changeOf(kind: Kind, fields: JsonObject): fc.Arbitrary<Change> {
  const rows = Object.entries(fieldsOf[kind]);
  const known = fc.constantFrom(...rows.map(([name]) => name));
  const fitting = fc.constantFrom(...rows.filter(([, row]) => fieldApplies(row, fields)).map(([name]) => name));
  const written = fc.constantFrom(...Object.keys(fields));
  const set = (names: fc.Arbitrary<string>, weight: number) => ({
    weight,
    arbitrary: names
      .chain((name) => fc.tuple(fc.constant(name), valueFor(name)))
      .map(([name, value]) => (given: JsonObject) => ({ ...given, [name]: value })),
  });
  return fc.oneof(
    set(written, 4),
    set(fitting, 3),
    set(known, 1),
    { weight: 1, arbitrary: written.map((name) => (given: JsonObject) => without(given, name)) },
    { weight: 1, arbitrary: fc.tuple(written, misspelling).map(([name, misspell]) => rename(name, misspell(name))) },
  );
}

const misspelling = fc.constantFrom<(name: string) => string>(
  (name) => `${name}s`,
  (name) => name.toUpperCase(),
  (name) => name.slice(1),
  (name) => ` ${name}`,
  () => 'constructor',
  () => 'toString',
);

function without(fields: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

function rename(from: string, to: string): Change {
  return (fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name === from ? to : name, value]));
}

function valueFor(name: string): fc.Arbitrary<Json> {
  const odd = fc.constantFrom<Json>(null, 0, 1, -1, 1.5, 1e300, true, false, '', ' ', 'x', [], [''], [1], {}, { a: 1 });
  const telling = telltales[name];
  if (telling === undefined) return odd;
  return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 4, arbitrary: telling });
}

const oneOf = (...values: Json[]) => fc.constantFrom(...values);
const inLists = (item: fc.Arbitrary<string>): fc.Arbitrary<Json> => fc.array(item, { maxLength: 3 });

const uuids = oneOf(
  '987fcdeb-51a2-43d7-9b56-254415f67890',
  '987FCDEB-51A2-43D7-9B56-254415F67890',
  '00000000-0000-0000-0000-000000000000',
  '987fcdeb51a243d79b56254415f67890',
  '{987fcdeb-51a2-43d7-9b56-254415f67890}',
  '987fcdeb-51a2-43d7-9b56-254415f67890\n',
  '987fcdeb-51a2-43d7-9b56-254415f6789g',
);

const wrong = (table: readonly (readonly [text: string, words: string])[]) => table.map(([text]) => text);
const urls = oneOf(...validUrls, ...wrong(invalidUrls));
const emails = fc.constantFrom(...validEmails, ...wrong(invalidEmails));
const prefixes = oneOf(...validKeyPrefixes, ...invalidKeyPrefixes);
const filenames = oneOf(...validFilenames, ...wrong(invalidFilenames));

const slackIds = fc.constantFrom(...'C0123456789|U0123456789|W1|C1,C2|U1,,U2|U1, U2| C1 |C 1|,|'.split('|'));

/** Of each field one that is odd; all that their grammars know, property/agreement-of-formats.test.ts tries. */
const crons = oneOf(
  ...['0 9 ? * MON *', '*/60 9 ? * MON *', '٣ 9 ? * MON *', '0 24 ? * MON *', '0 9 31W * ? *', '0 9 L-3 FEB ? *'],
  ...['0 9 ? JANUARY MON *', '0 9 ? * 2#6 *', '0 9 * * MON *', '0 9 ? * ? *', '0 9 ? * MON 2200', '0 9 ? * MON'],
  ...[' 0 9 ? * MON *', 'cron(0 9 ? * MON *)', `${Array(85).fill('10').join(',')} 9 ? * MON *`],
  `${Array(81).fill('10').join(',')} 9 ? * MON *`,
);

const zones = oneOf(
  ...['UTC', 'GMT0', 'Etc/GMT+15', 'EST', 'PST', '+05:30', 'UTC+1', 'US/Pacific-New', 'europe/london', 'Factory'],
  ...['Europe/Lundon', ' UTC', 'Etc/Unknown', 'localtime', 'posix/UTC', 'ROC', 'A/B', 'Z'],
);

const roles = oneOf(
  ...['arn:aws:iam::123456789012:role/omni', 'arn:aws-cn:iam::123456789012:role/a/b/omni'],
  ...['arn:aws-us-gov:iam::123456789012:role/service-role/x', 'arn:aws-iso-b:iam::123456789012:role/x'],
  ...['omni', 'arn:aws:iam::role/omni', 'arn:aws:iam:::role/omni', 'arn::iam::1:role/omni', 'arn:aws::::omni', ''],
  ...['arn:aws:iam::12345678901:role/omni', 'arn:aws:iam::123456789012:user/omni', 'arn:aws:iam::123456789012:role/'],
  ...[
    'arn:aws:iam::123456789012:role//omni',
    'arn:aws:iam::123456789012:role/a b',
    'arn:aws:iam:us-east-1:123456789012:role/x',
  ],
  ...['arn:aws:iam::123456789012:role/a/', 'arn:aws:iam::123456789012:role/ä', 'arn:awsx:iam::123456789012:role/x'],
  ...[`arn:aws:iam::123456789012:role/${'r'.repeat(64)}`, `arn:aws:iam::123456789012:role/${'r'.repeat(65)}`],
  ...[`arn:aws:iam::123456789012:role/${'p'.repeat(510)}/r`, `arn:aws:iam::123456789012:role/${'p'.repeat(600)}/r`],
  ...['arn:aws:iam::123456789012:role/x\n', 'arn:aws:sts::123456789012:assumed-role/x/y'],
);

/** What is worth trying in a field: its bounds, and what has slipped past checks of its kind elsewhere. */
const telltales: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  schedule: crons,
  timezone: zones,
  format: oneOf('csv', 'link_only', 'json', 'pdf', 'png', 'xlsx', 'PDF', 'html', 'constructor'),
  destinationType: oneOf('webhook', 'email', 'sftp', 'slack', 's3', 'S3', 'gcs', 'toString'),
  url: urls,
  webhookUrl: urls,
  topicName: oneOf('order_items', ...['x', '\u{1F4C8}'].flatMap((one) => [one.repeat(256), one.repeat(257)])),
  recipients: fc.oneof(inLists(emails), inLists(slackIds), emails, slackIds),
  slackRecipientType: oneOf('channel', 'users', 'user', 'Channel'),
  address: oneOf(
    ...'sftp sftp.example.com 192.0.2.7 192.0.2.256 127.1 2001:db8::1 [2001:db8::1] ::ffff:192.0.2.7'.split(' '),
    ...'sftp://sftp.example.com sftp://a@sftp.example.com:22/in sftp.example.com:22 sftp.example.com/in a@sftp.example.com sftp.example.com.'.split(
      ' ',
    ),
    ...['-sftp.example.com', 'sftp_1.example.com', 'sftp..example.com', 'sftp.example.com\n', 'sftp.exämple.com', ''],
  ),
  port: oneOf(0, 1, 22, 65_535, 65_536, -22, 22.5, '22'),
  maxRowLimit: oneOf(0, 1, 2 ** 31, 2 ** 53, 2.5, '10', -1),
  bucketName: oneOf(...'abc ab Acme a_b a..b -ab 1.2.3.4 äbc'.split(' '), 'abc\n', 'a'.repeat(63), 'a'.repeat(64)),
  region: oneOf(
    ...['us-east-1', 'eu-west-99', 'us-gov-west-1', 'us-isob-east-1', 'cn-north-1', 'fips-us-east-1', 'us-east-1-fips'],
    ...['US-EAST-1', 'useast1', 'aws-global', 'eusc-de-east-1', 'us-east-1 ', 'xx-nowhere-1', 'us-east'],
  ),
  roleArn: roles,
  keyPrefix: prefixes,
  filename: filenames,
  filterConfig: oneOf({}, [], 'region', ...[{ values: [] }, ['a'], null].map((region) => ({ region })), { Region: {} }),
  conditionType: oneOf('RESULTS_PRESENT', 'RESULTS_CHANGED', 'RESULTS_MISSING', 'RESULTS_UNCHANGED', 'results_present'),
  conditionQueryMapKey: oneOf('1', '99', ''),
  queryIdentifierMapKey: oneOf('1', '99', ''),
  paperFormat: oneOf('a3', 'a4', 'letter', 'legal', 'fit_page', 'tabloid', 'A4', 'a5'),
  paperOrientation: oneOf('portrait', 'landscape', 'Portrait'),
  userId: uuids,
  modelId: fc.oneof(uuids, oneOf('770e8400-e29b-41d4-a716-446655440002')),
  branchId: uuids,
  conversationId: uuids,
  filters: oneOf({}, { region: {} }, { region: { values: ['a'] } }, { region: { values: [1] } }, { region: null }),
  controls: oneOf({}, { metric: {} }, { metric: { hidden: true } }, { metric: 'x' }, { unknown: {} }),
  filterOrder: oneOf([], ['region'], ['region', 'region'], ['unknown'], [''], 'region', [1]),
  clearExistingDraft: oneOf(true, false, 'true'),
  ...Object.fromEntries(
    ['testNow', 'enableFormatting', 'overrideRowLimit', 'expandTablesToShowAllRows', 'singleColumnLayout'].map(
      (name) => [name, oneOf(true, false, 'true', 1)],
    ),
  ),
  webhookMetadata: oneOf({}, { a: { b: [null] } }, 'x', []),
  lifecycle: oneOf({ preventDestroy: true }, { ignoreChanges: ['nam'] }, { other: 1 }),
  meta: oneOf({ owner: '@acme/data', tags: ['a', 'b'] }, { owner: '' }, { tags: ['a b'] }, { other: 1 }, 'x'),
  extra: oneOf({ timezoneOverride: 'Europe/London' }, { timezoneOverride: 'PST' }, { name: 'x' }, { unheardOf: 1 }),
  paused: oneOf(true, false),
};
