// `almanac preview` against a service that is not kind: over real HTTP, one scripted thing a request.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeInstantClock } from '../support/fake-clock.ts';
import { type Act, answer, reset, type ScriptedServer, startServer } from '../support/state/scripted-server.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, start, workspaceIn } from '../support/workspace.ts';

const weekly = {
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['kim@customer.com'],
  subject: 'Weekly',
};

const pdf = '%PDF-1.4\nmine\n%%EOF\n';
const started = (id: string) => answer(200, { job_id: id, message: 'started' });
const notYet = answer(202, { status: 'in_progress' });
const busy = answer(409, { detail: 'A download of this dashboard is in progress: theirs', status: 409 });
const file = (bytes: string, headers = {}) =>
  answer(200, bytes, { 'content-type': 'application/pdf', 'content-length': String(bytes.length), ...headers });
const cut: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000' });
  response.write(pdf, () => response.socket?.destroy());
};

async function openUnkind(acts: readonly Act[], fields: object = {}, api: object = {}) {
  const server = await startServer(acts);
  const clock = makeInstantClock(start);
  const settings = { baseUrl: server.baseUrl, operations: 'full', rateLimit: 0, ...api };
  const folder = makeFolder({
    'almanac.yaml': { api: settings },
    'schedules/all.yaml': { schedules: { weekly: { ...weekly, ...fields } } },
  });
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: 'omni_pat_x' }, { clock });
  const run = (...more: string[]) => workspace.run('preview', 'schedules.weekly', '--out', 'out/', ...more);
  const saved = () => readdirSync(join(folder.path, 'out')).sort();
  return { run, saved, server, clock, path: folder.path };
}

const asked = ({ seen }: ScriptedServer) =>
  seen.map(({ method, url }) => `${method} ${url.replace('/api/v1/dashboards/12db1a0a/download', '')}`.trim());

test('a slow preview is asked for every five seconds', async () => {
  const { run, saved, server, clock } = await openUnkind([started('a'), notYet, notYet, notYet, file(pdf)]);
  expect(await run()).toMatchObject({ code: 0, stdout: 'out/schedules.weekly.pdf\n' });
  expect(clock.slept).toEqual([5000, 5000, 5000]);
  expect(asked(server)).toEqual(['POST', 'GET /a', 'GET /a', 'GET /a', 'GET /a']);
  expect(saved()).toEqual(['schedules.weekly.pdf']);
});

test('a preview that is never made ends at its limit, after the announced number of requests', async () => {
  const { run, saved, server } = await openUnkind([started('a'), notYet]);
  const ran = await run('--wait', '20');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('at least 2 requests, at most 5.');
  expect(ran.stderr).toContain('There is no file after 20 s. Omni is still rendering it.');
  expect(server.seen).toHaveLength(5);
  expect(saved()).toEqual([]);
});

test('the file of a download of somebody else is never taken: a preview waits until it can have its own', async () => {
  const { run, server, clock } = await openUnkind([busy, busy, started('mine'), file(pdf)]);
  expect((await run()).code).toBe(0);
  expect(asked(server)).toEqual(['POST', 'POST', 'POST', 'GET /mine']);
  expect(clock.slept).toEqual([5000, 5000]);
});

test('a start whose answer was lost is started again, once the first one is over', async () => {
  const { run, server } = await openUnkind([reset, busy, started('second'), file(pdf)]);
  expect((await run()).code).toBe(0);
  expect(asked(server)).toEqual(['POST', 'POST', 'POST', 'GET /second']);
});

test('a start of which no answer ever comes may be repeated by hand, because it changes nothing in Omni', async () => {
  const { run, server } = await openUnkind([answer(504, { detail: 'Timed out', status: 504 })]);
  const ran = await run();
  expect(ran).toMatchObject({
    code: 1,
    stderr: says('hint: Run the command again later. A download changes nothing in Omni.'),
  });
  expect(ran.stderr).not.toContain('a second one');
  expect(server.seen).toHaveLength(4);
});

test('a file that breaks off in the middle is asked for again, from its beginning', async () => {
  const { run, saved, path } = await openUnkind([started('a'), cut, file(pdf)]);
  expect((await run()).code).toBe(0);
  expect(saved()).toEqual(['schedules.weekly.pdf']);
  expect(readFileSync(join(path, 'out/schedules.weekly.pdf'), 'latin1')).toBe(pdf);
});

test('nothing is saved of a file that always breaks off', async () => {
  const { run, saved, server } = await openUnkind([started('a'), cut]);
  const ran = await run();
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('its answer broke off') });
  expect(server.seen).toHaveLength(5);
  expect(saved()).toEqual([]);
});

test.each([
  [410, 'Omni could not render it.'],
  [500, 'Omni rendered it, and lost the file.'],
  [302, 'redirects'],
])('a %i for the file ends a preview in words, and saves nothing', async (status, words) => {
  const gone = answer(status, { detail: 'A query failed', status }, { location: 'https://elsewhere.example.com/' });
  const { run, saved, server } = await openUnkind([started('a'), gone]);
  const ran = await run();
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  expect(server.seen).toHaveLength(2);
  expect(saved()).toEqual([]);
});

test.each([
  [403, 'Omni does not let this user download the dashboard.'],
  [500, 'Omni could not start to render it.'],
  [404, 'Not found'],
])('a %i for the start ends a preview in words, without a second one', async (status, words) => {
  const { run, server } = await openUnkind([answer(status, { detail: 'Not found', status })]);
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  expect(server.seen).toHaveLength(1);
});

test.each([
  'attachment; filename="../../../etc/evil.sh"',
  "attachment; filename*=UTF-8''..%2F..%2Fevil.sh",
  'attachment; filename="C:\\\\evil.sh"',
])('the name in the header %s names no file', async (disposition) => {
  const { run, saved } = await openUnkind([started('a'), file(pdf, { 'content-disposition': disposition })]);
  expect((await run()).stdout).toBe('out/schedules.weekly.pdf\n');
  expect(saved()).toEqual(['schedules.weekly.pdf']);
});

const html = '<!doctype html><title>Sign in</title>';
const error = '{"detail":"Something went wrong","status":500}';
const tile = { queryIdentifierMapKey: '1' };

test.each([
  ['a page', { format: 'pdf' }, html, 'is not a file of the format pdf'],
  ['an error', { format: 'pdf' }, error, 'is not a file of the format pdf'],
  ['a page', { format: 'csv' }, html, 'is not a file of the format csv'],
  ['an error', { format: 'csv' }, error, 'is not a file of the format csv'],
  ['an error', { format: 'json', ...tile }, error, 'is not a file of the format json'],
  ['a picture', { format: 'xlsx' }, '\x89PNG', 'is not a file of the format xlsx'],
  ['nothing', { format: 'png' }, '', 'is empty'],
])('%s with the status of a success is no file: %j', async (_, fields, body, words) => {
  const { run, saved } = await openUnkind([started('a'), file(body, { 'content-type': 'text/plain' })], fields);
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  expect(saved()).toEqual([]);
});

test('a file whose end nobody can tell is not saved', async () => {
  const endless: Act = (response) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\nconnection: close\r\n\r\n${pdf}`);
    response.socket?.end();
  };
  const { run, saved } = await openUnkind([started('a'), endless]);
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('does not say where it ends') });
  expect(saved()).toEqual([]);
});

test('a file that breaks off as its connection is closed is asked for again', async () => {
  const closing: Act = (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000', connection: 'close' });
    response.write(pdf, () => response.socket?.end());
  };
  const { run, saved } = await openUnkind([started('a'), closing, file(pdf, { connection: 'close' })]);
  expect((await run()).code).toBe(0);
  expect(saved()).toEqual(['schedules.weekly.pdf']);
});

const pieces =
  (count: number, piece: Buffer, pause: number): Act =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': String(count * piece.length) });
    for (let sent = 0; sent < count; sent++) {
      if (!response.write(piece)) await new Promise<void>((resolve) => response.once('drain', () => resolve()));
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    response.end();
  };

test('a file may take longer than the timeout of a request, as long as it keeps coming', async () => {
  const slow = pieces(6, Buffer.from('%PDF-1.4'), 300);
  const { run } = await openUnkind([started('a'), slow], {}, { timeout: 1 });
  expect((await run()).code).toBe(0);
});

test('a file of which nothing comes any more is given up after the timeout of a request', async () => {
  const stalled: Act = (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '1000' });
    response.write(pdf);
  };
  const { run, saved } = await openUnkind([started('a'), stalled], {}, { timeout: 1 });
  expect(await run('--wait', '5')).toMatchObject({ code: 1, stderr: expect.stringContaining('its answer broke off') });
  expect(saved()).toEqual([]);
});

test('a file of 400 MB is not held in memory', async () => {
  const [count, piece] = [400, Buffer.alloc(1_000_000, '%PDF-')];
  const { run, path } = await openUnkind([started('a'), pieces(count, piece, 0)]);
  let most = 0;
  const before = process.memoryUsage().arrayBuffers;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 5);
  const ran = await run();
  clearInterval(timer);
  expect(ran.code, ran.stderr).toBe(0);
  expect(statSync(join(path, 'out/schedules.weekly.pdf')).size).toBe(count * piece.length);
  // What was written waits for the collector, which each Node calls at another size.
  expect(most).toBeLessThan((count * piece.length) / 2);
});

test('a preview of a service that cannot be reached ends like every other command, and says nothing of rendering', async () => {
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl: 'http://127.0.0.1:9/api', operations: 'full', rateLimit: 0 } },
    'schedules/all.yaml': { schedules: { weekly } },
  });
  const clock = makeInstantClock(start);
  const ran = await workspaceIn(folder, { OMNI_API_TOKEN: 'omni_pat_x' }, { clock }).run('preview', 'schedules.weekly');
  expect(ran.code).toBe(1);
  expect(ran.stderr).not.toContain('attempt');
  expect(ran.stderr).toContain('No connection to 127.0.0.1:9');
  expect(ran.stderr).not.toContain('rendering');
});

test('an interrupted preview says that Omni goes on, and leaves no file', async () => {
  const server = await startServer([started('a'), notYet]);
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl: server.baseUrl, operations: 'full', rateLimit: 0 } },
    'schedules/all.yaml': { schedules: { weekly } },
  });
  const interruption = new AbortController();
  const instant = makeInstantClock(start);
  const clock = { ...instant, sleep: async () => interruption.abort() };
  const outside = { clock, signal: interruption.signal };
  const ran = await workspaceIn(folder, { OMNI_API_TOKEN: 'omni_pat_x' }, outside).run('preview', 'schedules.weekly');
  expect(ran.stderr).toEqual(says('Interrupted. Omni goes on rendering schedules.weekly, and nobody receives it.'));
  expect(server.seen).toHaveLength(2);
  expect(existsSync(join(folder.path, '.almanac/previews/schedules.weekly.pdf'))).toBe(false);
  expect(readdirSync(join(folder.path, '.almanac/previews'))).toEqual(['.gitignore']);
});
