import { expect, test } from 'vitest';
import { ids, startFull } from '../support/emulator/start-emulator.ts';

test('recipients of mail are people with permanent ids', async () => {
  const { send, create } = await startFull();
  const id = await create('email', { recipients: ['ana@example.com', 'guest@partner.org'] });
  const ask = async () => (await send('GET', `/v1/schedules/${id}/recipients`)).body;
  expect(await ask()).toEqual({
    type: 'email',
    recipients: [
      { id: expect.any(String), email: 'ana@example.com', name: 'Ana Ortiz', emailOnly: false },
      { id: expect.any(String), email: 'guest@partner.org', name: 'guest@partner.org', emailOnly: true },
    ],
    userGroupRecipients: [],
  });
  expect(await ask()).toEqual(await ask());
});

test.each([
  ['webhook', {}, { type: 'webhook', url: 'https://hooks.example.com/omni' }],
  ['sftp', {}, { type: 'sftp', address: 'sftp.example.com', port: 22, username: 'reports' }],
  ['slack', {}, { type: 'slack', recipients: [{ recipientType: 'channel', slackId: 'C0123456789' }] }],
  [
    'slack',
    { slackRecipientType: 'users', recipients: 'U1, U2' },
    {
      type: 'slack',
      recipients: [
        { recipientType: 'users', slackId: 'U1' },
        { recipientType: 'users', slackId: 'U2' },
      ],
    },
  ],
  [
    's3',
    { filename: 'sales' },
    {
      type: 's3',
      bucketName: 'acme-reports',
      region: 'us-east-1',
      roleArn: 'arn:aws:iam::123456789012:role/omni/Writer',
      externalId: '550e8400-e29b-41d4-a716-446655440000',
      filename: 'sales',
    },
  ],
] as const)('recipients are returned for %s with %j', async (type, changes, expected) => {
  const { send, create } = await startFull();
  const id = await create(type, changes);
  expect((await send('GET', `/v1/schedules/${id}/recipients`)).body).toEqual(expected);
});

test('a user group receives a schedule with its members', async () => {
  const { send, create, emulator } = await startFull();
  const group = '123e4567-e89b-12d3-a456-426614174000';
  const id = await create('email', { recipients: ['ana@example.com'] });
  emulator.edit((data) => {
    data.userGroups = [{ id: group, name: 'Finance', memberIds: [ids.bo] }];
    for (const schedule of data.schedules) schedule.userGroupIds = [group];
  });
  const bo = { id: expect.any(String), email: 'bo@example.com', name: 'Bo Lindqvist', emailOnly: false };
  expect((await send('GET', `/v1/schedules/${id}/recipients`)).body).toMatchObject({
    userGroupRecipients: [{ id: group, name: 'Finance', recipients: [bo] }],
  });
  expect((await send('GET', `/v1/schedules/${id}`)).body).toMatchObject({
    destinations: [{ userGroupRecipients: [{ id: group, name: 'Finance' }] }],
  });
});

test('recipients of a destination that the API cannot create have only a type', async () => {
  const { send, create, emulator } = await startFull();
  const id = await create('webhook');
  emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.fields['destinationType'] = 'google_sheets';
  });
  expect(await send('GET', `/v1/schedules/${id}/recipients`)).toMatchObject({
    status: 200,
    body: { type: 'google_sheets' },
  });
});
