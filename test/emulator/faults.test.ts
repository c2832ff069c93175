// Faults on request: what a client sees, whether the work was done, and which requests they apply to.

import { expect, test } from 'vitest';
import { BadFault, type Fault, parseFault } from '../../src/emulator/faults.ts';
import { type startEmulator, startFull } from '../support/emulator/start-emulator.ts';
import { mail } from '../support/vocabulary.ts';

type Emulator = Awaited<ReturnType<typeof startEmulator>>['emulator'];

const post = { on: 'POST /v1/schedules' } as const;
const outcomesOf = (emulator: Emulator) => emulator.requests().map(({ status, fault }) => [status, fault]);

/** The status, or why there is none. */
async function statusOf(reply: Promise<{ status: number }>): Promise<number | 'dropped'> {
  return reply.then(
    ({ status }) => status,
    () => 'dropped',
  );
}

test.each<[Fault, number | 'dropped', string | null, number]>([
  [{ fault: '429' }, 429, null, 0],
  [{ fault: '429', retryAfter: 2 }, 429, '2', 0],
  [{ fault: '500' }, 500, null, 0],
  [{ fault: '502' }, 502, null, 0],
  [{ fault: '503', retryAfter: 0 }, 503, '0', 0],
  [{ fault: '504' }, 504, null, 0],
  [{ fault: '500-after' }, 500, null, 1],
  [{ fault: '502-after' }, 502, null, 1],
  [{ fault: '503-after', retryAfter: 3 }, 503, '3', 1],
  [{ fault: '504-after' }, 504, null, 1],
  [{ fault: 'drop-before' }, 'dropped', null, 0],
  [{ fault: 'drop-after' }, 'dropped', null, 1],
])('the fault %j is answered with %s, Retry-After %s, and creates %i', async (fault, status, retryAfter, made) => {
  const { send, emulator } = await startFull({ faults: [{ ...fault, at: 1 }] });
  const reply = await send('POST', '/v1/schedules', mail()).catch(() => undefined);
  expect(reply?.status ?? 'dropped').toBe(status);
  expect(reply?.headers.get('retry-after') ?? null).toBe(retryAfter);
  if (reply !== undefined) expect(reply.body).toEqual({ detail: expect.any(String), status });
  expect(emulator.data().schedules).toHaveLength(made);
  expect((await send('POST', '/v1/schedules', mail())).status).toBe(200);
  const sent = { body: mail(), status: reply?.status ?? 0, fault: fault.fault };
  expect(emulator.requests()).toMatchObject([sent, { status: 200, fault: undefined }]);
});

test('a client that leaves during a latency does not prevent the work', async () => {
  const { send, emulator, baseUrl } = await startFull({ faults: [{ fault: 'latency', ms: 150, ...post }] });
  const leaving = fetch(`${baseUrl}/v1/schedules`, {
    method: 'POST',
    headers: { Authorization: 'Bearer omni_osk_demo_organization_key', 'Content-Type': 'application/json' },
    body: JSON.stringify(mail()),
    signal: AbortSignal.timeout(100),
  });
  await expect(leaving).rejects.toThrow();
  expect(emulator.data().schedules).toEqual([]);
  await expect.poll(async () => (await send('GET', '/v1/schedules')).body.records.length).toBe(1);
  expect(outcomesOf(emulator)).toContainEqual([200, 'latency']);
});

test.each<[Pick<Fault, 'at' | 'every'>, number[]]>([
  [{}, [1, 2, 3, 4, 5, 6]],
  [{ at: 3 }, [3]],
  [{ every: 2 }, [2, 4, 6]],
])('the fault setting %j applies to the requests %j', async (moment, struck) => {
  const { send } = await startFull({ faults: [{ fault: '500', ...moment }] });
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await send('GET', '/v1/documents')).status);
  expect(statuses.flatMap((status, index) => (status === 500 ? [index + 1] : []))).toEqual(struck);
});

test('the answer of a fault names it', async () => {
  const { send } = await startFull({ faults: [{ fault: '502' }] });
  expect((await send('GET', '/v1/documents')).body).toEqual({ detail: 'A fault on request: 502', status: 502 });
});

test('a fault with a probability applies about that often, to the same requests for the same seed', async () => {
  const run = async (seed: number) => {
    const { send } = await startFull({ faults: [{ fault: '500', p: 0.2, seed }] });
    const statuses: number[] = [];
    for (let count = 0; count < 100; count++) statuses.push((await send('GET', '/v1/documents')).status);
    return statuses;
  };
  const first = await run(7);
  const struck = first.filter((status) => status === 500).length;
  expect(struck).toBeGreaterThan(10);
  expect(struck).toBeLessThan(30);
  expect(await run(7)).toEqual(first);
  expect(await run(8)).not.toEqual(first);
});

test.each([
  [undefined, ['GET /v1/schedules', 'POST /v1/schedules', 'GET /v1/schedules/ID', 'GET /v1/documents']],
  ['GET', ['GET /v1/schedules', 'GET /v1/schedules/ID', 'GET /v1/documents']],
  ['/v1/schedules', ['GET /v1/schedules', 'POST /v1/schedules', 'GET /v1/schedules/ID']],
  ['/v1/schedules/', ['GET /v1/schedules/ID']],
  ['/v1/sched', []],
  ['POST /v1/schedules', ['POST /v1/schedules']],
  ['DELETE /v1/schedules', []],
])('a fault on %s applies to what it names and to everything below', async (on, struck) => {
  const { send, emulator } = await startFull();
  const id = (await send('POST', '/v1/schedules', mail())).body.id;
  const faulty = await startFull({
    data: emulator.data(),
    faults: [{ fault: '500', on }],
  });
  const requests = ['GET /v1/schedules', 'POST /v1/schedules', 'GET /v1/schedules/ID', 'GET /v1/documents'];
  const failed: string[] = [];
  for (const request of requests) {
    const [method = '', path = ''] = request.split(' ');
    const body = method === 'POST' ? mail() : undefined;
    if ((await faulty.send(method, path.replace('ID', id), body)).status === 500) failed.push(request);
  }
  expect(failed).toEqual(struck);
});

test('each fault counts its own requests, and the first of several faults is used', async () => {
  const { send, emulator } = await startFull({
    faults: [
      { fault: 'latency', ms: 1 },
      { fault: '503', at: 2 },
      { fault: 'drop-after', ...post, every: 2 },
    ],
  });
  const create = () => statusOf(send('POST', '/v1/schedules', mail()));
  expect([await create(), await create(), await create(), await create()]).toEqual([200, 503, 200, 'dropped']);
  expect(emulator.data().schedules).toHaveLength(3);
});

test('a fault neither applies to nor counts requests that reach no operation', async () => {
  const { send } = await startFull({ faults: [{ fault: '500', at: 1 }] });
  const asNobody = { Authorization: 'Bearer nobody' };
  expect((await send('GET', '/v1/documents', undefined, asNobody)).status).toBe(401);
  expect((await send('GET', '/v1/unknown')).status).toBe(404);
  expect((await send('POST', '/v1/schedules', 'no JSON')).status).toBe(400);
  expect((await send('GET', '/v1/documents')).status).toBe(500);
  expect((await send('GET', '/v1/documents')).status).toBe(200);
});

test('a request with a fault counts toward the rate limit like any other', async () => {
  const { send } = await startFull({ rateLimit: 2, faults: [{ fault: '429', at: 1 }] });
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await send('GET', '/v1/documents')).status);
  expect(statuses).toEqual([429, 200, 429]);
});

test('an impossible fault is refused at once', async () => {
  await expect(startFull({ faults: [{ fault: '500', at: 0 }] })).rejects.toThrow('"at" must be a whole number from 1.');
});

test.each<[string, Fault]>([
  ['429', { fault: '429' }],
  ['429,retry-after=2,at=1', { fault: '429', retryAfter: 2, at: 1 }],
  ['drop-after,on=POST /v1/schedules,at=3', { fault: 'drop-after', on: 'POST /v1/schedules', at: 3 }],
  ['500 , p=0.1 , seed=7', { fault: '500', p: 0.1, seed: 7 }],
  ['latency,ms=200', { fault: 'latency', ms: 200 }],
  ['cut,on=DELETE,every=2', { fault: 'cut', on: 'DELETE', every: 2 }],
  ['huge,on=/v1/ai/', { fault: 'huge', on: '/v1/ai/' }],
  ['500,on=POST ', { fault: '500', on: 'POST' }],
  ['503-after,retry-after=0', { fault: '503-after', retryAfter: 0 }],
])('the fault %s is parsed', (text, fault) => {
  expect(parseFault(text)).toEqual(fault);
});

test.each([
  [
    'drop',
    'There is no fault "drop". The faults are latency, 429, 500, 502, 503, 504, 500-after, 502-after, 503-after, 504-after, drop-before, drop-after, cut, garbage, no-id, huge, drop-groups, download-error, run-error, run-delivered, run-killed, run-unmet, run-missed.',
  ],
  ['', /^There is no fault ""/],
  ['toString', /^There is no fault/],
  ['500,nth=3', '"nth=3" is not a setting. The settings are on=, at=, every=, p=, seed=, ms=, retry-after=.'],
  ['500,retryAfter=3', /^"retryAfter=3" is not a setting/],
  ['500,fault=429', /^"fault=429" is not a setting/],
  ['500,at', /^"at" is not a setting/],
  ['500,', /^"" is not a setting/],
  ['500,at=1,at=2', '"at" appears twice.'],
  ['500,at=0', '"at" must be a whole number from 1.'],
  ['500,at=-1', '"at" must be a whole number from 1.'],
  ['500,every=1.5', '"every" must be a whole number from 1.'],
  ['500,at=', '"at" must be a whole number from 1.'],
  ['500,p=0', '"p" must be above 0 and at most 1.'],
  ['500,p=1.1', '"p" must be above 0 and at most 1.'],
  ['500,p=0.5,seed=x', '"seed" must be a whole number from 0 to 4294967295.'],
  ['500,seed=1', '"seed" needs p.'],
  ['500,at=1,p=0.5', 'Use only one of at, every and p, not at and p.'],
  ['latency', 'A latency needs "ms".'],
  ['latency,ms=soon', '"ms" must be a whole number from 0 to 600000.'],
  ['500,ms=20', 'Only latency takes "ms".'],
  ['cut,retry-after=2', /^"retry-after" is only for 429, 500,/],
  ['500,on=', /^"on" cannot be ""/],
  [
    '500,on=post /v1',
    '"on" cannot be "post /v1". It is a method, a path below /api, or both, such as POST /v1/schedules.',
  ],
  ['500,on=POST v1', /^"on" cannot be/],
  ['run-error,on=POST /v1/schedules', /is the path of a schedule, such as .*, without a method/],
])('the fault %j is refused', (text, message) => {
  expect(() => parseFault(text)).toThrow(BadFault);
  expect(() => parseFault(text)).toThrow(message);
});
