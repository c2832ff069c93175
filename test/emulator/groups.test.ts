// User groups over HTTP: who may view a dashboard, who is in a group, and which groups receive a schedule. What single
// requests are refused with is in requests.txt.

import { expect, test } from 'vitest';
import { parseFault } from '../../src/emulator/faults.ts';
import { ids, scheduleBody, startFull } from '../support/emulator/start-emulator.ts';

const schedules = '/v1/schedules';
const accessList = '/v1/documents/12db1a0a/access-list';
const board = { userGroupIds: [ids.board] };

test('an access list has the UUID of each group beside its name', async () => {
  const { send } = await startFull();
  expect((await send('GET', `${accessList}?type=userGroup&pageSize=100`)).body).toEqual({
    pageInfo: { hasNextPage: false, nextCursor: null, pageSize: 100, totalRecords: 1 },
    principals: [{ id: ids.board, name: 'Board', type: 'userGroup', direct: { role: 'VIEWER' } }],
  });
  expect((await send('GET', `${accessList}?type=user`)).body).toMatchObject({
    principals: [{ id: ids.ana, type: 'user', direct: { role: 'MANAGER' } }],
  });
});

test('an access list of 130 groups, two of one name, comes on several pages, each group once', async () => {
  const { send, emulator } = await startFull();
  const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  emulator.edit(({ documents, ...data }) => {
    const groups = Array.from({ length: 130 }, (_, index) => ({ id: uuidOf(index), name: `Team ${index % 129}` }));
    data.userGroups?.splice(0, 2, ...groups.map((group) => ({ ...group, memberIds: [] })));
    for (const document of documents) document.sharedWithGroups = groups.map(({ id }) => id);
  });
  const found: { id: string }[] = [];
  let cursor = '';
  let pages = 0;
  do {
    const { body } = await send('GET', `${accessList}?type=userGroup&pageSize=50${cursor}`);
    found.push(...(body as unknown as { principals: { id: string }[] }).principals);
    pages++;
    cursor = body.pageInfo.hasNextPage ? `&cursor=${body.pageInfo.nextCursor}` : '';
  } while (cursor !== '');
  expect(pages).toBe(3);
  expect(found.map(({ id }) => id).sort()).toEqual(Array.from({ length: 130 }, (_, index) => uuidOf(index)));
});

test('a group with which a folder was shared may view the documents in it', async () => {
  const { send, emulator } = await startFull();
  const listed = async () =>
    (await send('GET', `/v1/documents?userId=${ids.bo}`)).body.records.map(({ identifier }) => identifier);
  expect(await listed()).not.toContain('b4d86e20');
  emulator.edit(({ folders }) => {
    for (const folder of folders) if (folder.name === 'Finance') folder.sharedWithGroups = [ids.salesTeam];
  });
  expect(await listed()).toContain('b4d86e20');
  const query = 'type=userGroup&accessSource=folder';
  expect((await send('GET', `/v1/documents/b4d86e20/access-list?${query}`)).body).toMatchObject({
    principals: [{ id: ids.salesTeam, folder: { role: 'VIEWER' } }],
  });
});

test('SCIM finds a group by its name, with its members and an id that is not its UUID', async () => {
  const { send } = await startFull();
  const filter = encodeURIComponent('displayName eq "board"');
  expect((await send('GET', `/scim/v2/Groups?filter=${filter}`)).body).toMatchObject({
    totalResults: 1,
    Resources: [
      {
        id: expect.stringMatching(/^\w{8}$/),
        displayName: 'Board',
        members: [
          { value: ids.ana, display: 'Ana Ortiz' },
          { value: ids.cleo, display: 'Cleo Marsh' },
        ],
      },
    ],
  });
  const { body } = await send('GET', '/scim/v2/Groups?excludedAttributes=members&startIndex=2');
  expect(body).toMatchObject({ totalResults: 2, startIndex: 2, Resources: [{ displayName: 'Sales team' }] });
  expect(JSON.stringify(body)).not.toMatch(/members"|[\da-f]{8}-/);
});

test('groups and addresses are added and removed, each time that changes nothing with a count of 0', async () => {
  const { send, create } = await startFull();
  const id = await create('email', { recipients: ['ana@example.com'] });
  const more = { ...board, emails: ['ANA@example.com', 'x@partner.org'], userIds: [ids.bo] };
  const added = { success: true, addedRecipientsCount: 2, addedGroupRecipientsCount: 1 };
  const removed = { success: true, removedRecipientsCount: 2, removedGroupRecipientsCount: 1 };
  const recipients = async () => (await send('GET', `${schedules}/${id}/recipients`)).body;
  expect((await send('PUT', `${schedules}/${id}/add-recipients`, more)).body).toEqual(added);
  expect((await send('PUT', `${schedules}/${id}/add-recipients`, more)).body).toMatchObject({
    addedRecipientsCount: 0,
    addedGroupRecipientsCount: 0,
  });
  expect(await recipients()).toMatchObject({
    recipients: [
      { email: 'ana@example.com' },
      { email: 'x@partner.org', emailOnly: true },
      { email: 'bo@example.com' },
    ],
    userGroupRecipients: [
      { id: ids.board, name: 'Board', recipients: [{ email: 'ana@example.com' }, { email: 'cleo@example.com' }] },
    ],
  });
  const less = { ...board, emails: ['x@partner.org'], userIds: [ids.bo] };
  expect((await send('PUT', `${schedules}/${id}/remove-recipients`, less)).body).toEqual(removed);
  expect((await send('PUT', `${schedules}/${id}/remove-recipients`, less)).body).toMatchObject({
    removedRecipientsCount: 0,
    removedGroupRecipientsCount: 0,
  });
  expect(await recipients()).toMatchObject({ recipients: [{ email: 'ana@example.com' }], userGroupRecipients: [] });
});

test('whoever has no active account receives nothing with a group', async () => {
  const { send, create, emulator } = await startFull();
  const id = await create();
  await send('PUT', `${schedules}/${id}/add-recipients`, board);
  emulator.edit(({ members }) => {
    for (const member of members) member.active = member.id !== ids.cleo;
  });
  const { body } = await send('GET', `${schedules}/${id}/recipients`);
  expect(body).toMatchObject({ userGroupRecipients: [{ recipients: [{ email: 'ana@example.com' }] }] });
});

test('a PUT keeps the groups of a schedule unless its destination changes', async () => {
  const { send, create, emulator } = await startFull();
  const id = await create();
  const groups = () => emulator.data().schedules.map(({ userGroupIds }) => userGroupIds);
  await send('PUT', `${schedules}/${id}/add-recipients`, board);
  await send('PUT', `${schedules}/${id}`, scheduleBody('email', { name: 'New' }));
  expect(groups()).toEqual([[ids.board]]);
  await send('PUT', `${schedules}/${id}`, scheduleBody('slack'));
  expect(groups()).toEqual([undefined]);
});

test('the fault drop-groups takes the groups away with a PUT, also where its answer is lost', async () => {
  const on = 'on=PUT /v1/schedules';
  const faults = [parseFault(`drop-groups,${on}`), parseFault(`drop-after,${on},at=3`)];
  const { send, create, emulator } = await startFull({ faults });
  const id = await create();
  await send('PUT', `${schedules}/${id}/add-recipients`, board);
  expect((await send('PUT', `${schedules}/${id}/pause`)).status).toBe(200);
  expect(emulator.data().schedules).toMatchObject([board]);
  await expect(send('PUT', `${schedules}/${id}`, scheduleBody())).rejects.toThrow();
  expect(emulator.data().schedules).not.toMatchObject([board]);
  expect(emulator.requests().map(({ fault }) => fault)).toEqual([
    undefined,
    'drop-groups',
    'drop-groups',
    'drop-after',
  ]);
});

test.each<['addresses' | 'people', number]>([
  ['addresses', 2],
  ['people', 3],
])(
  'with recipientCount %s, the list counts two addresses and a group of which one is among them as %i',
  async (recipientCount, count) => {
    const { send, create } = await startFull({ recipientCount });
    const id = await create('email', { recipients: ['ANA@example.com', 'bo@example.com'] });
    await send('PUT', `${schedules}/${id}/add-recipients`, board);
    expect((await send('GET', schedules)).body.records).toMatchObject([{ recipientCount: count }]);
  },
);
