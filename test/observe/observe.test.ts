// How an observation handles odd answers: nothing counts as gone that may exist, and no secret comes back.

import { describe, expect, it } from 'vitest';
import type { ListedSchedule, RemoteRecipients, RemoteSchedule } from '../../src/model/service/remote.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { observe } from '../../src/observe/observe.ts';
import type { Service } from '../../src/observe/service.ts';
import type { Api } from '../../src/omni/api.ts';
import { refusal } from '../support/emulator/service.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { declare, plan, secret as sealed, stateOf } from '../support/plan/planning.ts';
import { bucket, dashboard, hook, mail, sftp, slack } from '../support/vocabulary.ts';

const s = 'schedules.s';
const id = `id of ${s}`;
const toHook = hook({ url: 'https://hooks.example.com/token' });
const row: ListedSchedule = {
  id,
  identifier: '12db1a0a',
  name: 'Weekly sales',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'webhook',
  paused: false,
};
const details: RemoteSchedule = {
  ...row,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  fields: {},
  metadata: {},
  destinations: [],
};
const uuidOf = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const someone = uuidOf(2);
const gone = () => Promise.reject(refusal(404));

function observeWith(
  answers: Partial<Api>,
  secret: readonly string[] = [],
  tracked = { [s]: toHook },
  depth: 'list' | 'deep' = 'deep',
) {
  const api = {
    listSchedules: async () => [row],
    getSchedule: async () => details,
    getRecipients: async () => ({ type: 'webhook', settings: { url: 'https://hooks.example.com/token' } }),
    getFilters: async () => ({ identifier: '12db1a0a', filters: {}, controls: {}, filterOrder: [] }),
    ...answers,
  } as Api;
  const hidden = Object.fromEntries(secret.map((field) => [field, sealed('another print')]));
  return observe({
    config: { api: { operations: 'full' }, safety: { internalDomains: [] as readonly string[] } } as Config,
    desired: declare({ [Object.keys(tracked)[0] ?? s]: hidden }),
    state: stateOf(tracked),
    fingerprint: async (text) => `print of ${text.length}`,
    refresh: { depth, only: false },
    service: { api: async () => api, call: {}, concurrency: 1 } as Service,
    clock: makeInstantClock(Date.UTC(2026, 5, 1)),
  });
}

it('a schedule is gone if neither the list nor its id shows it', async () => {
  const { observed } = await observeWith({ listSchedules: async () => [], getSchedule: gone });
  expect(observed.get(s)).toEqual({ found: false });
});

it.each<[string, Partial<Api>]>([
  ['it is listed and not found by its id', { getSchedule: gone }],
  ['its recipients are not found', { getRecipients: gone }],
  ['its recipients are not found and it is not listed', { getRecipients: gone, listSchedules: async () => [] }],
  ['it may not be seen', { getSchedule: () => Promise.reject(refusal(403, 'api-unauthorized')) }],
  ['the question about it is refused otherwise', { getSchedule: () => Promise.reject(refusal(400)) }],
])('nothing is observed if %s', async (_, answers) => {
  const { observed, findings } = await observeWith(answers);
  expect(observed.has(s)).toBe(false);
  expect(findings).toMatchObject([{ code: 'not-read', address: s }]);
});

it.each([
  ['an outage', new Failure('api-unreachable', 'No connection.')],
  ['a token that is refused', refusal(401, 'api-unauthorized')],
  ['the rate limit', refusal(429, 'api-rate-limited')],
])('%s ends the observation', async (_, down) => {
  await expect(observeWith({ getSchedule: () => Promise.reject(down) })).rejects.toBe(down);
});

it('a field that is secret in the declaration is not observed in plain text', async () => {
  expect(JSON.stringify([...(await observeWith({})).observed.values()])).toContain('token');
  expect(JSON.stringify([...(await observeWith({}, ['url'])).observed.values()])).not.toContain('token');
  const filters = {
    identifier: '12db1a0a',
    filters: { status: { values: ['t0ken'] } },
    controls: {},
    filterOrder: ['t0ken'],
  };
  const tracked = { 'dashboards.d': dashboard({ filterOrder: ['x'] }) } as never;
  const seen = await observeWith({ getFilters: async () => filters }, ['filters', 'filterOrder'], tracked);
  expect(JSON.stringify([...seen.observed.values()])).not.toContain('t0ken');
});

it.each<[string, Partial<ListedSchedule>, Partial<RemoteSchedule>]>([
  ['the list', { ownerId: someone }, {}],
  ['the details alone', {}, { ownerId: someone }],
])('another owner is seen where %s names one', async (_, listed, detailed) => {
  const answers: Partial<Api> = {
    listSchedules: async () => [{ ...row, ...listed }],
    getSchedule: async () => ({ ...details, ...detailed }),
    listUsers: async () => [],
  };
  const { observed } = await observeWith(answers, [], { [s]: hook({ url: toHook.url, owner: uuidOf(1) }) });
  expect(observed.get(s)).toMatchObject({ attributes: { owner: someone } });
});

describe('drift', () => {
  const place = { bucketName: 'acme-reports', region: 'eu-west-1', roleArn: 'arn:aws:iam::123456789012:role/omni' };
  const s3 = bucket({ ...place, format: 'pdf', filename: undefined, keyPrefix: undefined });
  const toSftp = sftp({ format: 'pdf', passwordUnencrypted: undefined });
  const chat = slack({ slackRecipientType: 'users', recipients: 'U1,U2' });
  const { destinationType: _, path: __, ...sftpSettings } = toSftp;
  const people = { type: 'email', emails: ['ana@example.com'], settings: {} };

  interface There {
    readonly row?: Partial<ListedSchedule>;
    readonly details?: Partial<RemoteSchedule>;
    readonly recipients?: RemoteRecipients;
    readonly depth?: 'list' | 'deep';
  }

  const pathsOf = async (applied: JsonObject, { row: listed, details: found, recipients, depth = 'deep' }: There) => {
    const destinationType = String(applied['destinationType']);
    const answers: Partial<Api> = {
      listSchedules: async () => [{ ...row, destinationType, ...listed }],
      getSchedule: async () => ({ ...details, ...found }),
      getRecipients: async () => recipients ?? people,
    };
    const { observed } = await observeWith(answers, [], { [s]: applied } as never, depth);
    const { plan: made } = plan(declare({ [s]: applied }), stateOf({ [s]: applied }), {}, observed);
    return made.drift.flatMap(({ diff }) => diff.map(({ path, op }) => `${op} ${path}`));
  };

  it.each<[string, JsonObject, There]>([
    [
      'a file name that is not set',
      s3,
      { recipients: { type: 's3', settings: { ...place, filename: null, keyPrefix: null } } },
    ],
    [
      'a server in the other form',
      toSftp,
      { recipients: { type: 'sftp', settings: { ...sftpSettings, address: `sftp://${toSftp['address']}/` } } },
    ],
    ['a port as text', toSftp, { recipients: { type: 'sftp', settings: { ...sftpSettings, port: '22' } } }],
    [
      'settings that the service withholds',
      toSftp,
      { recipients: { type: 'sftp', settings: { address: null, port: null } } },
    ],
    [
      'a choice in other letters',
      chat,
      {
        row: { slackRecipientType: 'USERS', format: 'PDF' },
        recipients: { type: 'slack', slackRecipientType: 'USERS', slackIds: ['U1', 'U2'], settings: {} },
      },
    ],
    ['a fan-out that the organization decides', mail(), { details: { fanOut: true } }],
    ['a tile or not, where the list does not say', mail({ queryIdentifierMapKey: '1' }), {}],
    ['a tile', mail({ queryIdentifierMapKey: '1' }), { row: { isTile: true } }],
  ])('drift does not include %s', async (_, applied, there) => {
    expect(await pathsOf(applied, there)).toEqual([]);
  });

  it.each<[string, JsonObject, There, string[]]>([
    [
      'a file name that was removed',
      { ...s3, filename: 'x', keyPrefix: 'p' },
      { recipients: { type: 's3', settings: { ...place, filename: null, keyPrefix: null } } },
      ['remove /keyPrefix', 'remove /filename'],
    ],
    [
      'a server with another path',
      toSftp,
      { recipients: { type: 'sftp', settings: { ...sftpSettings, address: `sftp://${toSftp['address']}/in` } } },
      ['change /address'],
    ],
    [
      'another port as text',
      toSftp,
      { recipients: { type: 'sftp', settings: { ...sftpSettings, port: '2222' } } },
      ['change /port'],
    ],
    [
      'an alert that became an ordinary schedule',
      mail({ conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' }),
      { depth: 'list' },
      ['remove /conditionType', 'remove /conditionQueryMapKey'],
    ],
    [
      'a tile that became the whole dashboard',
      mail({ queryIdentifierMapKey: '1' }),
      { row: { isTile: false }, depth: 'list' },
      ['remove /queryIdentifierMapKey'],
    ],
  ])('drift includes %s', async (_, applied, there, paths) => {
    expect(await pathsOf(applied, there)).toEqual(paths);
  });

  it('the order of filters drifts only if the declared filters change places', async () => {
    const d = 'dashboards.d';
    const applied = { identifier: '12db1a0a', filterOrder: ['b', 'a'] };
    const pathsIn = async (filterOrder: readonly string[]) => {
      const getFilters = async () => ({ identifier: '12db1a0a', filters: {}, controls: {}, filterOrder });
      const { observed } = await observeWith({ getFilters }, [], { [d]: applied } as never);
      const { plan: made } = plan(declare({ [d]: applied }), stateOf({ [d]: applied }), {}, observed);
      return made.drift.length;
    };
    expect(await pathsIn(['x', 'b', 'y', 'a'])).toBe(0);
    expect([await pathsIn(['a', 'b', 'x']), await pathsIn(['b'])]).toEqual([1, 1]);
  });
});

describe('whom an e-mail goes to', () => {
  const mailed = { ...row, destinationType: 'email' as const, recipientCount: 1 };
  const one = { format: 'pdf', type: 'email', metadata: {}, emails: ['ana@example.com'] };
  const tracked = { [s]: mail({ recipients: ['ana@example.com'] }) } as never;

  async function asks(
    listed: readonly ListedSchedule[],
    destinations: RemoteSchedule['destinations'],
  ): Promise<boolean> {
    let isAsked = false;
    const getRecipients = async (): Promise<RemoteRecipients> => {
      isAsked = true;
      return { type: 'email', emails: ['ana@example.com'], groups: [], settings: {} };
    };
    const getSchedule = async () => ({ ...details, destinations });
    await observeWith({ listSchedules: async () => [...listed], getSchedule, getRecipients }, [], tracked);
    return isAsked;
  }

  it('the details of an e-mail answer for its receivers where the list counts as many', async () => {
    expect(await asks([mailed], [one])).toBe(false);
  });

  it.each<[string, readonly ListedSchedule[], RemoteSchedule['destinations']]>([
    ['the list counts others', [{ ...mailed, recipientCount: 2 }], [one]],
    ['the list counts none', [row, { ...mailed, recipientCount: undefined }].slice(1), [one]],
    ['the list has another destination', [{ ...mailed, destinationType: 'webhook' }], [one]],
    ['it is not listed', [], [one]],
    ['the details do not prove that no group receives it', [mailed], [{ ...one, emails: undefined }]],
    ['there are two destinations', [mailed], [one, one]],
  ])('the receivers of an e-mail are asked for where %s', async (_, listed, destinations) => {
    expect(await asks(listed as ListedSchedule[], destinations)).toBe(true);
  });

  it('a group without an id is seen by its name', async () => {
    const groups = [{ name: 'Managers', emails: [] }];
    const getRecipients = async () => ({ type: 'email', emails: ['ana@example.com'], groups, settings: {} });
    const { observed } = await observeWith(
      { listSchedules: async () => [{ ...mailed, recipientCount: 2 }], getRecipients },
      [],
      tracked,
    );
    expect(observed.get(s)).toMatchObject({ attributes: { userGroups: ['Managers'] } });
  });
});
