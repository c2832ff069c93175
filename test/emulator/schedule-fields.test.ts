// Which fields belong to a destination and to a format, and what shows them. Their values are in requests.txt.

import { expect, test } from 'vitest';
import { commonFields } from '../../src/model/fields/common-fields.ts';
import type { Field } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { shownFields } from '../../src/omni/operations.ts';
import { startEmulator, startFull } from '../support/emulator/start-emulator.ts';
import { twoOf } from '../support/emulator/two-of.ts';
import { bucket, hook, mail, sftp, slack } from '../support/vocabulary.ts';

const bodies = { webhook: hook, email: mail, slack, sftp, s3: bucket };
type Destination = keyof typeof bodies;

const fields: Record<Destination, { required: string[]; optional: JsonObject }> = {
  webhook: { required: ['url'], optional: {} },
  email: { required: ['recipients', 'subject'], optional: { textBody: 'Hello', fanOut: true } },
  slack: { required: ['recipients', 'slackRecipientType'], optional: { textBody: '' } },
  sftp: { required: ['address', 'port', 'username', 'path'], optional: { passwordUnencrypted: 'hunter2' } },
  s3: { required: ['bucketName', 'region', 'roleArn'], optional: { keyPrefix: 'reports/', filename: 'sales' } },
};

test.each(Object.keys(fields) as Destination[])(
  'a schedule to %s has its required, allowed and forbidden fields',
  async (type) => {
    const { send } = await startEmulator();
    const { required, optional } = fields[type];
    expect((await send('POST', '/v1/schedules', bodies[type]())).status).toBe(200);
    expect((await send('POST', '/v1/schedules', bodies[type](optional))).status).toBe(200);
    for (const name of required) {
      const reply = await send('POST', '/v1/schedules', bodies[type]({ [name]: undefined }));
      expect(reply.body).toEqual({ detail: `${name}: Required`, status: 400 });
    }
    for (const other of Object.keys(fields) as Destination[]) {
      const foreign = { ...bodies[other](), ...fields[other].optional };
      for (const name of [...fields[other].required, ...Object.keys(fields[other].optional)]) {
        if (required.includes(name) || name in optional) continue;
        const reply = await send('POST', '/v1/schedules', bodies[type]({ [name]: foreign[name as 'name'] }));
        expect(reply.body).toEqual({ detail: `${name} cannot be used with destination type ${type}`, status: 400 });
      }
    }
  },
);

const formats = ['csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'];

const options: [string, Json, string[]][] = [
  ['hideTitle', false, ['pdf', 'png']],
  ['hideHiddenFields', false, ['csv', 'xlsx']],
  ['enableFormatting', false, ['csv', 'xlsx', 'json']],
  ['overrideRowLimit', false, ['csv', 'json', 'xlsx']],
  ['maxRowLimit', 1, ['csv', 'json', 'xlsx']],
  ['showContentLink', true, ['csv', 'json', 'pdf', 'png', 'xlsx']],
  ['showFilters', true, ['json', 'pdf', 'png', 'xlsx']],
  ['expandTablesToShowAllRows', false, ['pdf', 'png']],
  ['singleColumnLayout', false, ['pdf', 'png']],
  ['paperFormat', 'a4', ['pdf']],
  ['paperOrientation', 'landscape', ['pdf']],
];

test.each(options)(
  'the field %s is accepted only with its formats, whatever its value',
  async (name, value, allowed) => {
    const { send } = await startEmulator();
    for (const format of formats) {
      const { status } = await send('POST', '/v1/schedules', mail({ format, [name]: value }));
      expect([format, status]).toEqual([format, allowed.includes(format) ? 200 : 400]);
    }
  },
);

const fieldTable = Object.entries<Field>(fieldsOf.schedule).filter(([name]) => !(name in commonFields));
const withFormats = fieldTable.flatMap(([name, field]) => (field.formats === undefined ? [] : name));

test('every option of a format is tried with each format', () => {
  const tried = options.map(([name]) => name);
  expect(tried.sort(), 'The options above are not those with `formats` in schedule-fields.ts.').toEqual(
    withFormats.sort(),
  );
});

test('the emulator knows every field that a request for a schedule or for a download may hold', async () => {
  const { send } = await startFull();
  const unknownIn = async (path: string, names: readonly string[], bodyWith: (name: string) => JsonObject) => {
    const replies = await Promise.all(names.map((name) => send('POST', path, bodyWith(name))));
    return names.filter((_, index) => JSON.stringify(replies[index]?.body).includes('Unrecognized key'));
  };
  const sent = fieldTable.flatMap(([name, field]) => (field.sent === undefined ? name : []));
  expect(
    await unknownIn('/v1/schedules', sent, (name) => mail({ [name]: null })),
    'src/emulator/schedule-rules.ts does not know these fields.',
  ).toEqual([]);
  const all = Object.fromEntries(withFormats.map((name) => [name, null]));
  const downloaded = new Set(formats.flatMap((format) => Object.keys(shownFields({ ...all, format }))));
  expect(
    await unknownIn('/v1/dashboards/12db1a0a/download', [...downloaded], (name) => ({ format: 'pdf', [name]: null })),
    'A preview sends these options of a format. If a download takes them, add them to src/emulator/operations.ts. ' +
      'If not, let shownFields of src/omni/operations.ts leave them out.',
  ).toEqual([]);
});

test('a field is shown in the answers that the table of fields names', async () => {
  const { send } = await startFull();
  const answersAbout = async (body: JsonObject) => {
    const made = await send('POST', '/v1/schedules', body);
    expect(made.body.detail).toBeUndefined();
    const { id } = made.body;
    const { records } = (await send('GET', '/v1/schedules?pageSize=100')).body;
    const [row] = records.filter((each) => 'id' in each && each.id === id) as JsonObject[];
    const details = (await send('GET', `/v1/schedules/${id}`)).body as unknown as JsonObject;
    const [destination] = details['destinations'] as JsonObject[];
    const recipients = (await send('GET', `/v1/schedules/${id}/recipients`)).body;
    // The names in the `metadata` of a destination are not documented, and the list has the name of the query alone.
    const texts = {
      list: { ...row, alert: (row?.['alert'] as JsonObject | undefined)?.['conditionType'] },
      metadata: details['metadata'],
      details: [{ ...details, metadata: null, destinations: [{ ...destination, metadata: null }] }, recipients],
    };
    const ofOne = new Set(['id', 'createdAt', 'updatedAt', 'membershipId']);
    const text = (answer: unknown) => JSON.stringify(answer, (key, value) => (ofOne.has(key) ? undefined : value));
    return { list: text(texts.list), metadata: text(texts.metadata), details: text(texts.details) };
  };
  const sent = fieldTable.flatMap(([name, field]) => (field.sent || name === 'testNow' ? [] : name));
  expect(Object.keys(twoOf), 'test/support/emulator/two-of.ts does not hold exactly the fields that are sent.').toEqual(
    sent,
  );
  const found: Record<string, string> = {};
  for (const [name, bodies] of Object.entries(twoOf)) {
    const [one, other] = await Promise.all([answersAbout(bodies[0]), answersAbout(bodies[1])]);
    found[name] = (['list', 'metadata', 'details'] as const).find((each) => one[each] !== other[each]) ?? 'never';
  }
  const where =
    'The emulator shows a field elsewhere than `read` says: see src/emulator/read-schedules.ts and recipients.ts.';
  expect(found, where).toEqual(Object.fromEntries(sent.map((name) => [name, fieldsOf.schedule[name]?.read])));
});
