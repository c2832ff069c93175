// `validate --online` and owners who may not see their dashboard: one request for each restricted dashboard of a schedule
// with a declared owner, and silence wherever the answer leaves room for doubt.

import { describe, expect, it } from 'vitest';
import type { ValidateDocument } from '../../src/model/documents.ts';
import type { AccessList, Principal } from '../../src/model/service/documents.ts';
import type { RemoteUser } from '../../src/model/service/remote.ts';
import type { Json } from '../../src/model/values/json.ts';
import type { Resource } from '../../src/model/workspace/resource.ts';
import { readAccessPage } from '../../src/service/answers/read-answers.ts';
import { checkAccess } from '../../src/service/owners/check-access.ts';
import { daily, openRunningStage } from '../support/cli/running-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { startFull } from '../support/emulator/start-full.ts';

/** Cleo's, and shared with Ana. */
const restricted = 'b4d86e20';

describe('an owner who is not in the access list', () => {
  it('is named by validate --online, which asks once for each restricted dashboard that has a declared owner', async () => {
    const stage = await openRunningStage({});
    const on = (identifier: string, name: string, owner?: string) => ({
      ...daily,
      identifier,
      name,
      owner,
    });
    stage.write({
      'schedules/all.yaml': {
        schedules: {
          outsider: on(restricted, 'A', 'bo@example.com'),
          another: on(restricted, 'B', ids.bo),
          shared: on(restricted, 'C', 'ana@example.com'),
          owner: on(restricted, 'D', ids.cleo),
          everybody: on('12db1a0a', 'E', 'bo@example.com'),
          none: on(restricted, 'F'),
          unknown: on(restricted, 'G', ids.stranger),
        },
      },
    });
    const before = stage.emulator.requests().length;
    const { stdout } = await stage.run('validate', '--online', '--format', 'json');
    const { diagnostics } = JSON.parse(stdout) as ValidateDocument;
    expect(diagnostics.map(({ code, severity, address }) => [code, severity, address])).toEqual([
      ['owner-cannot-view', 'warning', 'schedules.outsider'],
      ['owner-cannot-view', 'warning', 'schedules.another'],
      ['owner-unknown', 'warning', 'schedules.unknown'],
    ]);
    const asked = stage.emulator.requests().slice(before);
    expect(asked.filter(({ path }) => path.endsWith('/access-list')).map(({ path }) => path)).toEqual([
      `/api/v1/documents/${restricted}/access-list`,
    ]);
    stage.emulator.edit(({ documents }) => {
      documents.find(({ identifier }) => identifier === restricted)?.sharedWith.push(ids.bo);
    });
    expect((await stage.run('validate', '--online')).stdout).not.toContain('owner-cannot-view');
  });
});

const bo: RemoteUser = { id: 'bo-id', email: 'bo@example.com', active: true };
const sales = { id: 'g1', name: 'Sales' };
const group: Principal = { type: 'userGroup', ...sales };
const ana: Principal = { type: 'user', id: 'ana-id', email: 'ana@example.com' };
const resource = {
  kind: 'schedule',
  address: 'schedules.a',
  attributes: {},
  origin: { file: 'a.yaml', document: 0, pointer: '' },
  line: 1,
} as Resource;

async function isSaid(user: RemoteUser, list: AccessList, scope?: string): Promise<boolean> {
  const owned = [{ resource, owner: user.email, user, identifier: 'd' }];
  const documents = [{ identifier: 'd', name: 'D', deleted: false, hasDashboard: true, scope }];
  const api = async () => ({ listAccess: async () => list });
  return (await checkAccess(owned, documents, { api, call: {} })).length > 0;
}

describe('what an access list must say before anybody is named', () => {
  const list = (principals: readonly Principal[], isWhole = true) => ({ principals, isWhole });

  it.each<[string, RemoteUser, AccessList, string | undefined, boolean]>([
    ['only others', bo, list([ana]), 'restricted', true],
    ['their membership id, in another case', bo, list([{ type: 'user', id: 'BO-ID' }]), 'restricted', false],
    ['their address', bo, list([{ type: 'user', email: 'Bo@example.com' }]), 'restricted', false],
    ['only others, of a dashboard for everybody', bo, list([ana]), 'organization', false],
    ['only others, of a dashboard whose scope is not known', bo, list([ana]), undefined, false],
    ['something else that nobody understands', bo, list([ana], false), 'restricted', false],
    ['a group, while nobody knows their groups', bo, list([group]), 'restricted', false],
    ['a group, while they are in none', { ...bo, groups: [] }, list([group]), 'restricted', true],
    ['their group, by name', { ...bo, groups: [{ id: 'other', name: 'Sales' }] }, list([group]), 'restricted', false],
    ['their group, by id', { ...bo, groups: [{ id: 'g1', name: 'Other' }] }, list([group]), 'restricted', false],
    ['another group', { ...bo, groups: [{ id: 'g2', name: 'Ops' }] }, list([group]), 'restricted', true],
    ['a group, while one of theirs has no name', { ...bo, groups: [{ id: 'g2' }] }, list([group]), 'restricted', false],
  ])('a list with %s', async (_, user, access, scope, said) => {
    expect(await isSaid(user, access, scope)).toBe(said);
  });

  it.each<[string, Json, boolean]>([
    ['as documented', { principals: [{ id: 'a', type: 'user' }], pageInfo: { hasNextPage: false } }, true],
    ['with another type', { principals: [{ id: 'a', type: 'team' }], pageInfo: { hasNextPage: false } }, false],
    ['with an entry that names nobody', { principals: [{ type: 'user' }], pageInfo: { hasNextPage: false } }, false],
    ['with a text as an entry', { principals: ['a'], pageInfo: { hasNextPage: false } }, false],
    ['without entries', { pageInfo: { hasNextPage: false } }, false],
    ['without page info', { principals: [] }, false],
    ['with a next page but no cursor', { principals: [], pageInfo: { hasNextPage: true } }, false],
    ['that does not say whether there is more', { principals: [], pageInfo: {} }, false],
  ])('an answer %s is whole: only then does anything follow from it', (_, answer, isWhole) => {
    expect(readAccessPage(answer)).toMatchObject({ value: { isWhole } });
  });
});

describe('the access list of the emulator', () => {
  it('has the owner of a document and whom it is shared with, page by page', async () => {
    const { send } = await startFull();
    const first = await send('GET', `/v1/documents/${restricted}/access-list?pageSize=1`);
    expect(first.body).toMatchObject({
      principals: [{ id: ids.ana, email: 'ana@example.com', type: 'user', role: 'VIEWER', isOwner: false }],
      pageInfo: { hasNextPage: true, pageSize: 1, totalRecords: 2 },
    });
    const { nextCursor } = first.body.pageInfo;
    const next = await send('GET', `/v1/documents/${restricted}/access-list?pageSize=1&cursor=${nextCursor}`);
    expect(next.body).toMatchObject({ principals: [{ id: ids.cleo, isOwner: true }], pageInfo: { nextCursor: null } });
  });

  it('refuses what the documents do not allow', async () => {
    const { send, asAna, emulator } = await startFull();
    const get = async (path: string, headers?: Record<string, string>) =>
      (await send('GET', `/v1/documents/${path}`, undefined, headers)).status;
    expect(await get('nothing1/access-list')).toBe(404);
    expect(await get(`${restricted}/access-list?type=team`)).toBe(400);
    expect(await get(`${restricted}/access-list?pageSize=101`)).toBe(400);
    expect(await get(`${restricted}/access-list?cursor=x`)).toBe(400);
    expect(await get(`${restricted}/access-list`, asAna)).toBe(200);
    emulator.edit(({ documents }) => {
      for (const document of documents) document.sharedWith = [];
    });
    expect(await get(`${restricted}/access-list`, asAna)).toBe(403);
  });
});
