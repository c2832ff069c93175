// The adapter against a real server: what it sends, how it reads each answer, and what it never sends twice.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { statusOf } from '../../src/model/workspace/failure.ts';
import { unlessGone } from '../../src/observe/sending.ts';
import type { Api } from '../../src/omni/api.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import {
  type Act,
  openApi as against,
  answer,
  cutShort,
  apiFailureOf as failureOf,
  hang,
  reset,
  token,
} from '../support/state/scripted-server.ts';
import { dashboard, hook } from '../support/vocabulary.ts';

const created = answer(201, { id: 'a-1', message: 'ok' });
const schedule = hook();
const filters = dashboard();

const post = (api: Api) => api.createSchedule(schedule);
const patch = (api: Api) => api.updateFilters(filters);
const job = (api: Api) => api.createAiJob({ modelId: 'm', prompt: 'p' });

describe('a request', () => {
  test('a request carries the token, JSON in both directions, and a user agent', async () => {
    const { server, api } = await against([created]);
    expect(await api.createSchedule({ ...schedule, userId: 'a b' })).toEqual({ id: 'a-1', outputs: {} });
    const [request] = server.seen;
    expect(request).toMatchObject({ method: 'POST', url: '/api/v1/schedules?userId=a+b' });
    expect(JSON.parse(request?.body ?? '')).toEqual(schedule);
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'almanac/1.2.3',
    });
  });

  test('requests for filters and AI jobs have the documented form', async () => {
    const { server, api } = await against([
      answer(200, { identifier: 'a' }),
      answer(204, ''),
      answer(200, { jobId: 'j-1', conversationId: 'c', omniChatUrl: 'https://o' }),
    ]);
    await api.updateFilters({ ...filters, identifier: 'a/..' });
    await patch(api);
    expect(server.seen[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/dashboards/a%2F../filters' });
    expect(await api.createAiJob({ modelId: 'm', prompt: 'p' })).toEqual({
      id: 'j-1',
      outputs: { conversationId: 'c', omniChatUrl: 'https://o' },
    });
  });

  test('requests about a routine act for the member whom they name, and a change has only what changes', async () => {
    const done = answer(200, { id: 'r-1' });
    const { server, api } = await against([created, done, done, done]);
    const routine = { modelId: 'm', name: 'Monday', destination: { type: 'slack', recipientId: 'C1' } };
    expect(await api.createRoutine({ ...routine, userId: 'bo', owner: 'bo@x.com' })).toEqual({
      id: 'a-1',
      outputs: {},
    });
    await api.updateRoutine('r-1', { description: null, prompt: new Secret('Why?', ['P']) }, { owner: 'bo' });
    await api.triggerRoutine('r-1', { owner: 'bo' });
    await api.deleteRoutine('r-1', {});
    expect(
      server.seen.map(({ method, url, body }) => [method, url, body === '' ? undefined : JSON.parse(body)]),
    ).toEqual([
      ['POST', '/api/v1/ai/routines?userId=bo', routine],
      ['PATCH', '/api/v1/ai/routines/r-1?userId=bo', { description: null, prompt: 'Why?' }],
      ['POST', '/api/v1/ai/routines/r-1/trigger?userId=bo', undefined],
      ['DELETE', '/api/v1/ai/routines/r-1', undefined],
    ]);
  });

  test('a request leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { api } = await against([created]);
    const before = timers();
    await post(api);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test('a test delivery has no id, and its outputs contain no secret', async () => {
    const acts = [answer(200, { message: 'sent' }), answer(200, { id: 'a', externalId: 'long-secret' })];
    const { api } = await against(acts, { secrets: ['long-secret'] });
    expect(await api.createSchedule({ ...schedule, testNow: true })).toEqual({ outputs: {} });
    expect(await api.createSchedule({ ...schedule, textBody: new Secret('long-secret', ['X']) })).toEqual({
      id: 'a',
      outputs: { externalId: '(sensitive)' },
    });
  });

  test('a request is reported before each attempt', async () => {
    const { server, api } = await against([answer(429, {}, { 'retry-after': '9' }), created]);
    let counted = 0;
    await api.createSchedule(schedule, { onRequest: () => counted++ });
    expect(counted).toBe(2);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  });

  test('an interruption stops requests that were not sent and lets those under way finish', async () => {
    const { server, api } = await against([created]);
    const off = new AbortController();
    const under = api.createSchedule(schedule, {
      signal: off.signal,
      onRequest: () => setImmediate(() => off.abort()),
    });
    expect(await under).toMatchObject({ id: 'a-1' });
    expect(await failureOf(api.createSchedule(schedule, { signal: off.signal }))).toMatchObject({
      code: 'interrupted',
    });
    expect(server.seen).toHaveLength(1);
  });
});

type Page = Readonly<Record<string, Json>>;
/** A page with these rows, and where the next begins. */
const page = (rows: Page, nextCursor: string | null, totalRecords = 2): Act =>
  answer(200, { ...rows, pageInfo: { hasNextPage: nextCursor !== null, nextCursor, totalRecords } });

test('a list is read to its end, also where a page is empty because the token may not see its schedules', async () => {
  const pages = [
    page({ records: [] }, '2', 201),
    page({ records: [{ id: 'a', name: 'A' }] }, '3', 201),
    page({ records: [] }, null, 201),
  ];
  const { server, api } = await against([...pages, ...pages]);
  expect((await api.listSchedules({})).map(({ id }) => id)).toEqual(['a']);
  // Omni counts what the token may not see, so it is read twice.
  expect(server.seen).toHaveLength(6);
});

const board = { id: 'g-1', name: 'Board', type: 'userGroup', direct: { role: 'VIEWER' } };
const sameName = { id: 'g-2', name: 'Board' };
test.each<[string, (api: Api) => Promise<readonly object[]>, readonly [Page, Page], readonly object[], string]>([
  [
    'the routines of a member are read to the end of their list',
    async (api) => (await api.listRoutines({ owner: 'bo' })).map(({ id }) => ({ id })),
    [{ records: [{ id: 'a' }] }, { records: [{ id: 'b' }] }],
    [{ id: 'a' }, { id: 'b' }],
    '/ai/routines?pageSize=100&userId=bo',
  ],
  [
    'the user groups of a dashboard are read to the end of its access list, without people',
    (api) => api.groupsWithAccess('12db1a0a'),
    [{ principals: [board] }, { principals: [sameName, { id: 'm-1', name: 'Ana', type: 'user' }] }],
    [{ id: 'g-1', name: 'Board' }, sameName],
    '/documents/12db1a0a/access-list?type=userGroup&pageSize=100',
  ],
])('%s', async (_, list, [first, last], found, url) => {
  const { server, api } = await against([page(first, 'next'), page(last, null)]);
  expect(await list(api)).toEqual(found);
  expect(server.seen.map((request) => request.url)).toEqual([`/api/v1${url}`, `/api/v1${url}&cursor=next`]);
});

test('the details of another schedule than the one that was asked for are no answer', async () => {
  const details = (id: string) => answer(200, { id, name: 'A', createdAt: '2026-03-01T00:00:00Z' });
  const id = '9c3f0a51-6f0e-4d52-8a43-2b7c1d9e0f11';
  const { api } = await against([details('a-2'), details('A-1'), details('a-1'), details(id)]);
  for (const _ of ['a-2', 'A-1'])
    expect((await failureOf(api.getSchedule('a-1'))).message).toContain(
      'its answer is not as documented. It is about another schedule.',
    );
  expect(await api.getSchedule('a-1')).toMatchObject({ id: 'a-1' });
  expect(await api.getSchedule(id.toUpperCase())).toMatchObject({ id });
});

test('groups are added to a schedule and removed from it by their ids alone', async () => {
  const { server, api } = await against([answer(200, { success: true }), answer(200, { success: true })]);
  await api.addRecipients('a', ['g-1', 'g-2']);
  await api.removeRecipients('a', { userGroupIds: ['g-1'] });
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['PUT', '/api/v1/schedules/a/add-recipients', '{"userGroupIds":["g-1","g-2"]}'],
    ['PUT', '/api/v1/schedules/a/remove-recipients', '{"userGroupIds":["g-1"]}'],
  ]);
});

test('a list is read even if a row has no name or dashboard, and a row without an id is skipped', async () => {
  const rows: Json = [
    { id: 'a', identifier: '12db1a0a', name: 'A' },
    { id: 'b', name: null },
  ];
  const { api } = await against([page({ records: rows }, null), page({ records: [{ name: 'A' }] }, null)]);
  expect(await api.listSchedules({})).toMatchObject([
    { id: 'a', identifier: '12db1a0a', name: 'A' },
    { id: 'b', identifier: '', name: '' },
  ]);
  expect(await failureOf(api.listSchedules({}))).toMatchObject({ message: expect.stringContaining('has no id') });
});

test('a list with a limit takes one request, however many schedules there are', async () => {
  const { api, server } = await against([page({ records: [{ id: 'a', name: 'A' }] }, '2', 7)]);
  expect(await api.listSchedules({ limit: 1 })).toMatchObject([{ id: 'a' }]);
  expect(server.seen).toHaveLength(1);
  expect(new URL(server.seen[0]?.url ?? '', 'http://x').searchParams.get('pageSize')).toBe('1');
});

describe('sent again', () => {
  const soon = new Date(Date.now() + 40_000).toUTCString();
  const date = new Date(Date.parse(soon) - 30_000).toUTCString();
  test.each<[string, (api: Api) => Promise<unknown>, Act, number | undefined]>([
    ['POST after 429', post, answer(429, {}, { 'retry-after': '7' }), 7000],
    ['POST after 503 with a date', post, answer(503, 'down', { 'retry-after': soon, date }), 30_000],
    ['PATCH after 500', patch, answer(500), 1000],
    ['PATCH after a reset', patch, reset, 1000],
    ['PATCH after an answer cut short', patch, cutShort(200), 1000],
  ])('%s is sent again', async (_name, call, act, wait) => {
    const { server, api, clock, waits } = await against([act, created]);
    await call(api);
    expect(server.seen).toHaveLength(2);
    expect(clock.slept).toEqual([wait]);
    expect(waits).toHaveLength(1);
  });
});

describe('a POST is never sent again', () => {
  const big = JSON.stringify({ id: 'a-1', message: 'x'.repeat(10_000_000) });
  test.each<[string, Act, RegExp]>([
    ['500', answer(500, { detail: 'Oops' }), /500: Oops\./],
    ['503 without Retry-After', answer(503), /503/],
    ['502 of a proxy', answer(502, '<html>Bad gateway</html>'), /Bad gateway/],
    ['a reset', reset, /ECONNRESET|UND_ERR_SOCKET/],
    ['an answer cut short', cutShort(201), /broke off/],
    ['an answer that is not JSON', answer(200, '<html>Welcome</html>'), /not JSON: <html>Welcome/],
    ['an answer without an id', answer(200, { message: 'ok' }), /no id/],
    ['an answer without a body', answer(204, ''), /not as documented/],
    ['an answer of 10 MB', answer(201, big), /larger than 5 MB/],
    ['a redirect', answer(303, '', { location: 'https://login.example/' }), /login\.example\/ \(303\).* base URL/],
  ])('a POST is never sent again after %s', async (_name, act, words) => {
    const { server, api, clock } = await against([act, created]);
    const failure = await failureOf(post(api));
    expect(failure).toMatchObject({ code: 'api-answer-lost', message: expect.stringMatching(words) });
    expect(failure.hint).toContain('not sent again');
    expect(server.seen).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test.each<[string, Act]>([
    ['headers', hang],
    ['the rest of a body', (response) => response.writeHead(201).write('{"id":')],
  ])('a POST is never sent again after a timeout of %s', async (_name, act) => {
    const { server, api } = await against([act, created], { timeout: 0.1 });
    expect(await failureOf(post(api))).toMatchObject({ code: 'api-answer-lost' });
    expect(server.seen).toHaveLength(1);
  });
});

const listed = answer(200, { records: [], pageInfo: { hasNextPage: false } });

test.each<[string, Act, RegExp]>([
  ['a web page', answer(404, '\n<!DOCTYPE html><title>Not found</title>'), /with a web page \(404\)\.$/],
  ['text of a gateway', answer(404, 'default backend - 404'), /"default backend - 404" \(404\)\.$/],
  ['an answer that is cut short', cutShort(404), /does not end \(404\)\.$/],
])('a 404 that is %s never means that a resource is gone', async (_name, act, words) => {
  const { api } = await against([listed, act]);
  await api.listSchedules({});
  const asked = [() => unlessGone(api.getSchedule('a')), () => api.deleteSchedule('a'), () => patch(api)];
  for (const ask of asked) {
    const failure = await failureOf(ask());
    expect(failure).toMatchObject({ code: 'api-rejected', message: expect.stringMatching(words) });
    expect(failure.hint).toMatch(/proxy, answers in its place/);
    expect(statusOf(failure)).toBeUndefined();
  }
});

test('a 404 of the API, in JSON or empty, means that a resource is gone', async () => {
  const { api } = await against([listed, answer(404, { detail: 'No.' }), answer(404, '')]);
  await api.listSchedules({});
  for (const id of ['a', 'b']) expect(await unlessGone(api.getSchedule(id))).toBeUndefined();
});

const successor = '</docs>; rel="help", </api/v2/filters>; rel="next successor-version"';

test.each<[string, Record<string, string>, string | undefined]>([
  ['a day and a successor', { deprecation: 'true', sunset: 'Fri, 31 Jul 2026 00:00:00 GMT', link: successor }, full()],
  ['no day', { deprecation: '@1780000000' }, 'is deprecated. Update'],
  [
    'only a day',
    { sunset: 'Fri, 31 Jul 2026 00:00:00 GMT' },
    'is deprecated, and may be gone from 2026-07-31 on. Update',
  ],
  ['a day that cannot be read', { sunset: 'soon' }, 'is deprecated. Update'],
  ['only a successor', { link: successor }, 'is deprecated. Its successor is /api/v2/filters. Update'],
  ['a link to something else', { link: '</x>; rel="next"' }, undefined],
  ['a route that stays', { deprecation: 'false' }, undefined],
])('the end of a route is said once a run, whatever it answers: %s', async (_name, headers, words) => {
  const notes: string[] = [];
  const acts = [answer(200, {}, headers), answer(404, {}, { ...headers, link: `${headers['link'] ?? ''} ` })];
  const { api } = await against(acts, { onNote: (note) => notes.push(note) });
  await patch(api);
  await failureOf(patch(api));
  await failureOf(api.getSchedule('a'));
  const told = notes.map((note) => note.replace(/^Omni says that /, ''));
  const routes = ['PATCH /v1/dashboards/{dashboardId}/filters', 'GET /v1/schedules/{scheduleId}'];
  expect(told).toEqual(words === undefined ? [] : routes.map((route) => expect.stringContaining(`${route} ${words}`)));
});

function full(): string {
  return 'is deprecated, and may be gone from 2026-07-31 on. Its successor is /api/v2/filters. Update Almanac';
}

describe('a refusal', () => {
  test.each<[string, Act, (api: Api) => Promise<unknown>, string, RegExp, RegExp]>([
    [
      '400',
      answer(400, { detail: 'schedule: no', status: 400 }),
      post,
      'api-rejected',
      /\(400\): schedule: no\.$/,
      /undefined/,
    ],
    ['400, cut short', cutShort(400), post, 'api-rejected', /\(400\)/, /undefined/],
    [
      '401',
      answer(401, { message: 'Unauthorized' }),
      post,
      'api-unauthorized',
      /\(401\)/,
      /OMNI_API_TOKEN.*Unauthorized/,
    ],
    ['403', answer(403, { error: 'no' }), post, 'api-unauthorized', /no\.$/, /omni_osk_/],
    ['404 of a dashboard', answer(404, ''), patch, 'api-rejected', /Not Found\.$/, /identifier/],
    ['409 of a draft', answer(409, {}), patch, 'api-rejected', /409/, /clearExistingDraft: true.*others/],
    ['402 of an AI job', answer(402, { detail: 'Credit limit reached' }), job, 'api-rejected', /\(402\)/, /AI credits/],
    [
      '400 of a routine that is due too often',
      answer(400, { detail: 'The minimum frequency is once per day' }),
      (api) => api.createRoutine({ modelId: 'm' }),
      'api-rejected',
      /once per day/,
      /fewer runs/,
    ],
    [
      '400 of a routine for another reason',
      answer(400, { detail: 'modelId: Only shared models are supported' }),
      (api) => api.createRoutine({ modelId: 'm' }),
      'api-rejected',
      /shared models/,
      /undefined/,
    ],
    [
      '410 of a route that was removed',
      answer(410, { detail: 'Gone' }, { sunset: 'Fri, 31 Jul 2026 00:00:00 GMT', link: successor }),
      patch,
      'api-rejected',
      /\(410\): Gone\.$/,
      /no longer has this route since 2026-07-31\. Its successor is \/api\/v2\/filters\. Update Almanac/,
    ],
    [
      '410 without headers',
      answer(410, ''),
      patch,
      'api-rejected',
      /\(410\)/,
      /^Omni no longer has this route\. Update/,
    ],
    [
      'a redirect',
      answer(307, '', { location: 'https://login.example/' }),
      post,
      'api-rejected',
      /login\.example/,
      /base URL/,
    ],
  ])('a refusal is reported with its code, message and hint: %s', async (_name, act, call, code, message, hint) => {
    const { server, api } = await against([act]);
    const failure = await failureOf(call(api));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(String(failure.hint)).toMatch(hint);
    expect(failure.cause).toMatchObject({ status: expect.any(Number) });
    expect(server.seen).toHaveLength(1);
  });

  test('a maximum of routines is final after one request, and another 429 is the rate limit', async () => {
    const routine = { modelId: 'm', name: 'Monday' };
    const detail = 'User has reached the maximum of 100 routines';
    const { server, api } = await against([
      answer(429, { detail, status: 429 }),
      answer(429, { detail: 'Rate limit exceeded: a maximum of 60 requests per minute' }),
      created,
      answer(429, { detail }),
      created,
    ]);
    const failure = await failureOf(api.createRoutine(routine));
    expect(failure).toMatchObject({ code: 'api-at-maximum', message: expect.stringContaining(`(429): ${detail}.`) });
    expect(failure.hint).toContain('Waiting does not help');
    expect(server.seen).toHaveLength(1);
    expect(await api.createRoutine(routine)).toMatchObject({ id: 'a-1' });
    // Only what makes a routine has a maximum.
    expect(await post(api)).toMatchObject({ id: 'a-1' });
  });

  test('a 403 with userId and a token that is not an organization key says so', async () => {
    const { api } = await against([answer(403, {})], { token: 'omni_pat_x' });
    const failure = await failureOf(api.createSchedule({ ...schedule, userId: 'u' }));
    expect(failure.hint).toContain('another kind');
    const people = await against([answer(403, {})], { token: 'omni_pat_x' });
    expect((await failureOf(people.api.listUsers({}))).hint).toMatch(/^Only an organization key, .* another kind\.$/);
  });

  test('a refusal shows no secret that the service echoes, and no control sequences', async () => {
    const echo: Act = (response, { body, headers }) =>
      answer(400, { detail: `\u001b[2J bad: ${body} ${headers.authorization}` })(response, { body } as never);
    const { api } = await against([echo], { secrets: ['p"ss\nw%rd'] });
    const passwordUnencrypted = new Secret('p"ss\nw%rd', ['P']);
    const failure = await failureOf(api.createSchedule({ destinationType: 'sftp', passwordUnencrypted }));
    expect(failure.message).toContain('"passwordUnencrypted":"(sensitive)"');
    expect(failure.message).toContain('Bearer (sensitive)');
    expect(failure.message).not.toMatch(/\p{Cc}/u);
  });
});

test('the difference to the clock of the service is measured from the date of its JSON answers, refusals included', async () => {
  const date = (time: string, status = 404): Act => answer(status, { detail: 'no', status }, { Date: time });
  const clock = makeInstantClock(Date.UTC(2026, 2, 1, 12, 0, 0));
  const gateway = answer(502, '<h1>Bad gateway</h1>', {
    Date: 'Sun, 01 Mar 2026 12:30:00 GMT',
    'content-type': 'text/html',
  });
  const times = [
    gateway,
    date('Sun, 01 Mar 2026 12:30:00 GMT', 502),
    date('Sun, 01 Mar 2026 11:50:00 GMT'),
    date('not a date'),
    gateway,
  ];
  const { api } = await against(times, { clock, maxAttempts: 1 });
  const measured: (number | undefined)[] = [];
  for (const _ of times) {
    await failureOf(api.getSchedule('x'));
    measured.push(api.clockDifference());
  }
  expect(measured).toEqual([undefined, undefined, -600_000, -600_000, -600_000]);
});
