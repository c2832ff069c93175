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

test('recipients are added and removed by address or member, each once', async () => {
  const { send, create } = await startFull();
  const path = `/v1/schedules/${await create('email', { recipients: ['ana@example.com'] })}`;
  const emails = async () => {
    const { recipients } = (await send('GET', `${path}/recipients`)).body as unknown as {
      recipients: { email: string }[];
    };
    return recipients.map(({ email }) => email);
  };
  const added = await send('PUT', `${path}/add-recipients`, {
    emails: ['ANA@example.com', 'new@example.com', 'bo@example.com'],
    userIds: [ids.bo, ids.cleo],
  });
  expect(added.body).toEqual({ success: true, addedRecipientsCount: 3, addedGroupRecipientsCount: 0 });
  expect(await emails()).toEqual(['ana@example.com', 'new@example.com', 'bo@example.com', 'cleo@example.com']);
  const removed = await send('PUT', `${path}/remove-recipients`, { emails: ['New@example.com'], userIds: [ids.cleo] });
  expect(removed.body).toEqual({ success: true, removedRecipientsCount: 2, removedGroupRecipientsCount: 0 });
  expect(await emails()).toEqual(['ana@example.com', 'bo@example.com']);
});

test('a user group receives a schedule with its members until it is removed', async () => {
  const { send, create, emulator } = await startFull();
  const group = '123e4567-e89b-12d3-a456-426614174000';
  emulator.edit((data) => {
    data.userGroups = [{ id: group, name: 'Finance', memberIds: [ids.bo] }];
  });
  const path = `/v1/schedules/${await create('email', { recipients: ['ana@example.com'] })}`;
  const change = async (verb: string) =>
    (await send('PUT', `${path}/${verb}-recipients`, { userGroupIds: [group] })).body;
  const read = async () => (await send('GET', `${path}/recipients`)).body;
  expect(await change('add')).toEqual({ success: true, addedRecipientsCount: 0, addedGroupRecipientsCount: 1 });
  expect(await change('add')).toMatchObject({ addedGroupRecipientsCount: 0 });
  const bo = { id: expect.any(String), email: 'bo@example.com', name: 'Bo Lindqvist', emailOnly: false };
  expect(await read()).toMatchObject({ userGroupRecipients: [{ id: group, name: 'Finance', recipients: [bo] }] });
  expect((await send('GET', path)).body).toMatchObject({
    destinations: [{ userGroupRecipients: [{ id: group, name: 'Finance' }] }],
  });
  expect(await change('remove')).toMatchObject({ removedRecipientsCount: 0, removedGroupRecipientsCount: 1 });
  expect(await read()).toMatchObject({ userGroupRecipients: [] });
});

test.each<[object, string]>([
  [{}, 'At least one recipient must be provided'],
  [{ emails: [] }, 'At least one recipient must be provided'],
  [{ emails: ['nobody'] }, 'emails: Invalid email address'],
  [{ userIds: ['bo'] }, 'userIds: Invalid uuid'],
  [
    { userIds: [ids.stranger] },
    `Invalid recipient(s): The following members do not exist or do not have access to this organization: ${ids.stranger}`,
  ],
  [{ userGroupIds: [ids.stranger] }, `Invalid recipient(s): The following user groups do not exist: ${ids.stranger}`],
  [{ recipients: ['a@example.com'] }, "Unrecognized key(s) in object: 'recipients'"],
])('a change of recipients is answered with 400 for %j', async (body, detail) => {
  const { send, create } = await startFull();
  const id = await create();
  for (const verb of ['add', 'remove'])
    expect((await send('PUT', `/v1/schedules/${id}/${verb}-recipients`, body)).body).toEqual({ detail, status: 400 });
});

test('recipients can be changed only for mail', async () => {
  const { send, create } = await startFull();
  const path = `/v1/schedules/${await create('webhook')}`;
  const detail = async (verb: string) =>
    (await send('PUT', `${path}/${verb}-recipients`, { emails: ['a@example.com'] })).body.detail;
  expect(await detail('add')).toBe('Cannot add recipients to destination type webhook');
  expect(await detail('remove')).toBe('Cannot change recipients on a scheduled task destination of type webhook');
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
