import { expect, test } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';

const users = '/scim/v2/Users';

test('SCIM lists the members with their membership ids, page by page', async () => {
  const data = demoOrganization();
  data.members = data.members.map((member) => (member.id === ids.bo ? { ...member, active: false } : member));
  const { send } = await startFull({ data });
  const { status, body } = await send('GET', `${users}?startIndex=2&count=1`);
  expect(status).toBe(200);
  expect(body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 3,
    startIndex: 2,
    itemsPerPage: 1,
    Resources: [
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        id: ids.bo,
        userName: 'bo@example.com',
        displayName: 'Bo Lindqvist',
        active: false,
      },
    ],
  });
  expect((await send('GET', `${users}?startIndex=4`)).body).toMatchObject({ totalResults: 3, Resources: [] });
  expect((await send('GET', `${users}?startIndex=0&count=-1`)).body).toMatchObject({ startIndex: 1, Resources: [] });
});

test('SCIM finds a member by e-mail address, in either case', async () => {
  const { send } = await startFull();
  const { body } = await send('GET', `${users}?filter=${encodeURIComponent('userName eq "ANA@example.com"')}`);
  expect(body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'ana@example.com' }] });
});

const emailOnly = '/v1/users/email-only';

test('whoever receives mail without an account is an e-mail-only user, at most twenty a page', async () => {
  const { send, create } = await startFull();
  const guests = Array.from({ length: 21 }, (_, index) => `guest${String(index + 10)}@partner.org`);
  await create('email', { recipients: ['Ana@example.com', ...guests, 'GUEST10@partner.org'] });
  const first = await send('GET', `${emailOnly}?sortDirection=asc`);
  expect(first.body).toMatchObject({
    pageInfo: { hasNextPage: true, pageSize: 20, totalRecords: 21 },
    records: guests.slice(0, 20).map((email) => ({ user_id: expect.any(String), email, user_attributes: {} })),
  });
  const { nextCursor } = first.body.pageInfo as { nextCursor: string };
  const last = await send('GET', `${emailOnly}?sortDirection=asc&cursor=${nextCursor}`);
  expect(last.body).toMatchObject({
    pageInfo: { hasNextPage: false, nextCursor: null },
    records: [{ email: 'guest30@partner.org' }],
  });
  const one = await send('GET', `${emailOnly}?email=Guest12%40partner.org`);
  expect(one.body).toMatchObject({ records: [{ email: 'guest12@partner.org' }] });
});
