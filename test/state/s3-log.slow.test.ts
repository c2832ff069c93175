// The log of a state in S3 when answers are lost, refused or wrong.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { withSum } from '../../src/state/format/log-entry.ts';
import { openStoreOver } from '../../src/state/log/log-store.ts';
import type { S3Double, S3Fault } from '../support/state/s3-double.ts';
import { entryOf, failureOf, s3Stage } from '../support/state/s3-stage.ts';
import { headerOf, intent, manyCreates, stateOf } from '../support/state/team-machine.ts';

interface Asked {
  readonly method: string;
  readonly key: string;
}

const isWrite = ({ method, key }: Asked) => method === 'PUT' && /\/\d{12}$/.test(key);
const isRead = ({ method, key }: Asked) => method === 'GET' && /\/\d{12}$/.test(key);
const isLatest = ({ method, key }: Asked) => method === 'GET' && key.endsWith('/latest');
const key = (n: number) => `almanac/production/${String(n).padStart(12, '0')}`;
const busy: S3Fault = { status: 503, code: 'SlowDown' };
const many = <T>(fault: T) => Array.from({ length: 20 }, () => fault);

describe('an append to S3', () => {
  test.each<readonly [string, readonly S3Fault[]]>([
    ['a 500', [{ status: 500, code: 'InternalError' }]],
    ['a 503', [busy, busy]],
    ['a 409 because another create is under way', [{ status: 409, code: 'ConditionalRequestConflict' }]],
    ['a 429', [{ status: 429, code: 'TooManyRequests' }]],
    ['a connection that breaks before the request', ['lose-request']],
    ['a connection that breaks before the answer', ['lose-answer']],
    ['a request that is carried out and never answered', ['hang']],
    ['several faults in a row', ['lose-answer', busy, 'lose-request']],
  ])('an append to S3 writes its entry once after %s', async (_, faults) => {
    const { double, open } = await s3Stage();
    const log = await open();
    await log.append(1, entryOf('lock'));
    double.fail(faults, isWrite);
    const entry = entryOf();
    expect(await log.append(2, entry)).toBe('written');
    expect(double.objects.get(key(2))?.bytes.toString()).toBe(new TextDecoder().decode(entry.bytes));
    expect((await (await open()).read(0)).map(({ n }) => n)).toEqual([1, 2]);
  });

  test('an append to S3 whose answer was lost finds that another writer was first', async () => {
    const { double, open } = await s3Stage();
    const [log, other] = [await open(), await open()];
    await log.append(1, entryOf('lock'));
    expect(await other.append(2, entryOf())).toBe('written');
    double.fail(['lose-answer', 'lose-request', busy], isWrite);
    expect(await log.append(2, entryOf())).toBe('taken');
  });

  test('an append to S3 that is never answered says neither written nor taken', async () => {
    const { double, open } = await s3Stage();
    const log = await open();
    await log.append(1, entryOf('lock'));
    double.fail(many('lose-request' as const), isWrite);
    expect(await failureOf(log.append(2, entryOf()))).toMatch(/^state-unwritable: .* cannot be written: /);
  });

  test('an append to S3 that is carried out and never answered is found to be written', async () => {
    const { double, open } = await s3Stage();
    const log = await open();
    double.fail([...many(busy).slice(0, 7), 'lose-answer'], isWrite);
    expect(await log.append(1, entryOf('lock'))).toBe('written');
  });

  test('an append to S3 is repeated for less than a minute', async () => {
    const { double, open, clock } = await s3Stage();
    const log = await open();
    double.fail(many(busy), isWrite);
    await failureOf(log.append(1, entryOf('lock')));
    expect(clock.slept.length).toBeGreaterThan(5);
    expect(clock.slept.reduce((sum, each) => sum + each, 0)).toBeLessThan(60_000);
  });

  test('an interrupted append to S3 ends at once', async () => {
    const { double, open } = await s3Stage();
    const log = await open();
    double.fail(many('hang' as const), isWrite);
    const interruption = new AbortController();
    const writing = failureOf(log.append(1, entryOf('lock'), interruption.signal));
    interruption.abort();
    expect(await writing).toMatch(/^interrupted: /);
  });

  test('a server that answers 501 to the condition is not asked again', async () => {
    const { double, open } = await s3Stage({ condition: 'unknown' });
    expect(await failureOf((await open()).append(1, entryOf()))).toMatch(/^state-unwritable: .*501 NotImplemented/);
    expect(double.seen.filter(isWrite)).toHaveLength(1);
  });

  test('a look-up after a lost append does not wait as long again', async () => {
    const { double, open } = await s3Stage();
    double.fail(Array(40).fill(busy), ({ key }) => key === 'almanac/production/000000000001');
    await failureOf((await open()).append(1, entryOf('lock')));
    expect(double.seen.filter(isWrite).length).toBeGreaterThan(5);
    expect(double.seen.filter(isRead)).toHaveLength(2);
  });

  test('every entry in S3 is written under the condition, and encrypted as the bucket says', async () => {
    const { double, open } = await s3Stage();
    const log = await open();
    await log.append(1, entryOf('commit'));
    await log.close();
    const writes = double.seen.filter(({ method }) => method === 'PUT');
    expect(writes.map(({ key, headers }) => [key, headers['if-none-match']])).toEqual([
      [key(1), '*'],
      ['almanac/production/latest', undefined],
    ]);
  });
});

describe('a read from S3', () => {
  const written = async (kinds: readonly ('lock' | 'lines' | 'commit')[]) => {
    const stage = await s3Stage();
    const log = await stage.open();
    for (const [index, kind] of kinds.entries()) await log.append(index + 1, entryOf(kind));
    await log.close();
    const numbers = async (after = 0) => (await (await stage.open()).read(after)).map(({ n }) => n);
    return { ...stage, numbers };
  };

  test.each<readonly [string, string | undefined]>([
    ['is missing', undefined],
    ['is stale', '2'],
  ])('a read from S3 begins at the newest commit although the hint %s', async (_, hint) => {
    const { double, numbers } = await written(['lock', 'commit', 'lock', 'lines', 'commit', 'lock']);
    expect(double.objects.get('almanac/production/latest')?.bytes.toString()).toBe('5');
    if (hint === undefined) double.objects.delete('almanac/production/latest');
    else double.objects.set('almanac/production/latest', { bytes: Buffer.from(hint), headers: {} });
    expect(await numbers()).toEqual([5, 6]);
  });

  test.each([
    ['3', 'names entry 3, and no state is there'],
    ['6', 'names entry 6, and no state is there'],
    ['99', 'names entry 99, and no state is there'],
    ['<html>', 'does not name an entry'],
    ['', 'does not name an entry'],
  ])('the hint %j is refused and not taken for an empty state', async (hint, words) => {
    const { double, numbers } = await written(['lock', 'commit', 'lock', 'lines', 'commit', 'lock']);
    double.objects.set('almanac/production/latest', { bytes: Buffer.from(hint), headers: {} });
    await expect(numbers()).rejects.toThrow(`the object latest ${words}`);
  });

  test('a read from S3 asks for what the hint names and what follows it, and lists nothing', async () => {
    const { double, numbers } = await written(['lock', 'lines', 'lines', 'commit', 'lock']);
    const before = double.seen.length;
    expect(await numbers()).toEqual([4, 5]);
    const asked = double.seen.slice(before).map(({ key }) => key);
    // Requests that are on their way together may arrive in any order.
    const named = ['almanac/production/latest', key(1), key(4), key(5)];
    expect(asked.filter((each) => named.includes(each)).sort()).toEqual(named.sort());
    const others = asked.filter((each) => !named.includes(each));
    expect(others.every((each) => each > key(5) && /\/\d{12}$/.test(each))).toBe(true);
  });

  test('a log in S3 without an end is given up', async () => {
    const { double, open } = await s3Stage();
    double.objects.get = (asked) => (asked.endsWith('latest') ? undefined : { bytes: Buffer.from('{}'), headers: {} });
    await expect((await open(undefined, {}, 50)).read(0)).rejects.toThrow('it has no end');
  });

  test('an entry in S3 that is written while others are asked for is not taken for a missing one', async () => {
    const { double, open, numbers } = await written(['lock', 'lines', 'lines']);
    const get = double.objects.get.bind(double.objects);
    const asks: string[] = [];
    // Requests that are on their way together may arrive in any order: whichever comes first, 4 is absent and 5 there.
    double.objects.get = (asked) => {
      const isFirst = asks.push(asked) === asks.indexOf(asked) + 1;
      if (asked === key(4) || asked === key(5))
        for (const n of [4, 5]) double.objects.set(key(n), { bytes: Buffer.from('{}'), headers: {} });
      return asked === key(4) && isFirst ? undefined : get(asked);
    };
    expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
    expect((await (await open()).read(0)).length).toBe(5);
  });

  test('a hint that cannot be written leaves an append written', async () => {
    const { double, open } = await s3Stage();
    double.deny(({ method, key }) => method === 'PUT' && key.endsWith('/latest'));
    const log = await open();
    expect(await log.append(1, entryOf('commit'))).toBe('written');
    await log.close();
    expect((await (await open()).read(0)).map(({ n }) => n)).toEqual([1]);
  });

  test.each([
    ['the first', 1],
    ['one in the middle', 3],
  ])('an entry in S3 that is missing is noticed: %s', async (_, n) => {
    const { double, numbers } = await written(
      n === 1 ? ['lock', 'commit'] : ['lock', 'lines', 'lines', 'lines', 'lines'],
    );
    double.objects.delete(key(n));
    await expect(numbers()).rejects.toMatchObject({ code: 'state-unreadable' });
  });

  test('an entry in S3 is not written after one that was removed meanwhile', async () => {
    const { open, double, place } = await s3Stage();
    const log = await open();
    for (const n of [1, 2, 3]) expect(await log.append(n, entryOf(n === 1 ? 'commit' : 'lines'))).toBe('written');
    double.objects.delete(`${place.prefix}/000000000003`);
    expect(await failureOf(log.append(4, entryOf()))).toMatch(/^state-unwritable: .*entry 3 is missing/);
    expect(double.objects.has(`${place.prefix}/000000000004`)).toBe(false);
  });

  test('a log in S3 that was set back is noticed by who has seen more of it', async () => {
    const { double, open } = await written(['lock', 'lines', 'lines']);
    const log = await open();
    expect((await log.read(0)).map(({ n }) => n)).toEqual([1, 2, 3]);
    double.objects.delete(key(3));
    expect(await failureOf(log.read(0))).toMatch(/^state-unreadable: .*entry 3 was there, and is missing/);
  });

  test.each(['0', '000000000001', '000000000002/b'])(
    'a state below the prefix of another one, in the folder %s, does not disturb it',
    async (folder) => {
      const { place, open, numbers } = await written(['lock', 'lines']);
      const inner = await open(undefined, { prefix: `${place.prefix}/${folder}` });
      expect(await inner.read(0)).toEqual([]);
      expect(await inner.append(1, entryOf('lock'))).toBe('written');
      expect([await numbers(), (await inner.read(0)).map(({ n }) => n)]).toEqual([[1, 2], [1]]);
      await inner.close();
    },
  );

  test('a read from S3 outlives a busy server', async () => {
    const { double, numbers } = await written(['lock', 'lines']);
    double.fail([busy, 'lose-request'], isLatest);
    double.fail(['lose-answer', busy], isRead);
    expect(await numbers()).toEqual([1, 2]);
  });

  test.each<readonly [string, S3Fault]>([
    ['a page of a proxy', { status: 200, code: 'LoginPage' }],
    ['a 404 without a reason', { status: 404, code: '' }],
    ['a redirect', { status: 307, code: 'TemporaryRedirect', headers: { location: 'http://127.0.0.1:1/' } }],
  ])('%s is never taken for an empty state in S3', async (_, fault) => {
    const { double, numbers } = await written([]);
    double.fail(many(fault));
    await expect(numbers()).rejects.toMatchObject({ code: 'state-unreadable' });
  });
});

describe('what S3 refuses', () => {
  type Denied = (asked: Asked, double: S3Double) => boolean;
  const ofBucket = 's3:ListBucket on arn:aws:s3:::acme-state for the prefix almanac/production/*';
  const ofObjects = (right: string) =>
    `The credentials need s3:${right} on arn:aws:s3:::acme-state/almanac/production/*`;
  // Who may not list is told 403 for what does not exist.
  const isAbsent: Denied = ({ method, key }, { objects }) => method === 'GET' && !objects.has(key);

  test.each<readonly [act: 'read' | 'append' | 'probe', right: string, Denied, code: string, words: string]>([
    ['read', 's3:ListBucket', isLatest, 'state-unreadable', ofBucket],
    ['read', 's3:GetObject', isRead, 'state-unreadable', ofObjects('GetObject')],
    ['append', 's3:PutObject', isWrite, 'state-unwritable', ofObjects('PutObject')],
    ['probe', 's3:PutObject', ({ method }) => method === 'PUT', 'state-unwritable', 's3:PutObject '],
    ['probe', 's3:GetObject', ({ method }) => method === 'GET', 'state-un', 's3:GetObject '],
    ['probe', 's3:ListBucket', isAbsent, 'state-un', 's3:ListBucket '],
  ])('a %s without the permission %s names it and is not an empty state', async (act, _, denies, code, words) => {
    const { double, open } = await s3Stage();
    if (act === 'read') await (await open()).append(1, entryOf('lock'));
    double.deny((asked) => denies(asked, double));
    const log = await open();
    const failure = await failureOf(
      act === 'append' ? log.append(1, entryOf()) : act === 'read' ? log.read(0) : log.probe(),
    );
    expect(failure).toContain(code);
    expect(failure).toMatch(/^state-un(?:writable|readable): s3:.*403 AccessDenied.*The credentials need /);
    expect(failure).toContain(words);
  });

  test('a bucket that does not exist is not an empty state', async () => {
    const { double, open } = await s3Stage();
    double.removeBucket();
    const log = await open();
    expect(await failureOf(log.read(0))).toMatch(/^state-unreadable: .*NoSuchBucket.*Create the bucket acme-state/);
    expect(await failureOf(log.entry(1))).toMatch(/^state-unreadable: .*NoSuchBucket/);
    expect(await failureOf(log.append(1, entryOf()))).toMatch(/^state-unwritable: .*NoSuchBucket/);
  });

  test('a wrong region is named', async () => {
    const { double, open } = await s3Stage();
    const headers = { 'x-amz-bucket-region': 'eu-west-3' };
    double.fail([{ status: 301, code: 'PermanentRedirect', headers }], isLatest);
    expect(await failureOf((await open()).read(0))).toContain('not in the region us-east-1. It is in eu-west-3.');
  });

  test('a clock of this machine that is a day late is corrected by the answer', async () => {
    const { open } = await s3Stage({ ahead: 86_400_000 });
    const log = await open();
    expect(await log.append(1, entryOf('lock'))).toBe('written');
    expect((await log.read(0)).map(({ n }) => n)).toEqual([1]);
  });

  test('a wrong secret key is said, and no secret is shown', async () => {
    const { double, open } = await s3Stage({ sessionToken: 'a/very+long-session-token==' });
    const AWS_SECRET_ACCESS_KEY = 'another/secret+key-of-somebody';
    const log = await open({ ...double.keys, AWS_SECRET_ACCESS_KEY });
    const code = `SignatureDoesNotMatch ${AWS_SECRET_ACCESS_KEY} ${double.keys.AWS_SESSION_TOKEN}`;
    expect(await failureOf(log.append(1, entryOf()))).toMatch(/SignatureDoesNotMatch.*does not know this pair/);
    double.fail([{ status: 400, code }], isWrite);
    const failure = await failureOf(log.append(1, entryOf()));
    expect(failure).toContain('state-unwritable: ');
    expect(failure).not.toContain(AWS_SECRET_ACCESS_KEY);
    expect(failure).not.toContain('session-token');
    expect(log.name).toBe(`s3://acme-state/almanac/production at ${double.endpoint}`);
  });
});

describe('an entry in S3 that is not as Almanac writes it', () => {
  const change = (from: string, to: string) => (text: string) => {
    const { sum: _, ...entry } = JSON.parse(text.replace(from, to)) as JsonObject;
    return withSum(JSON.stringify(entry));
  };

  test.each<readonly [string, (text: string) => string, string]>([
    [
      'is of a kind that is not known',
      change('"kind":"commit"', '"kind":"summary"'),
      'it was written by a newer almanac, as entry 3 of the kind "summary", which this almanac does not know. Upgrade almanac',
    ],
    [
      'is of a later version',
      change('"v":1', '"v":2'),
      'as entry 3 of version 2; this almanac reads versions up to 1.',
    ],
    ['is cut', (text) => text.slice(0, 400), 'entry 3 of its log is corrupt. Nothing was changed'],
    ['is cut to nothing', () => '', 'entry 3 of its log is corrupt. Nothing was changed'],
    [
      'is of another state',
      change('"lineage":"', '"lineage":"x'),
      'entry 3 of its log names another serial or lineage than its state. Nothing was changed',
    ],
  ])('an entry in S3 that %s is named with the way on, and nothing is written', async (_, damage, words) => {
    const { double, open, place } = await s3Stage();
    const storeOf = async () => openStoreOver(await open(), { place, clock: systemClock, environment: double.keys });
    const first = await storeOf();
    const locked = await first.lock('apply');
    await locked.begin(headerOf(0));
    await locked.append([intent(1)]);
    await locked.commit(stateOf(1), { release: true });
    await first.close();
    const last = [...double.objects.keys()].filter((each) => /\/\d{12}$/.test(each)).at(-1) ?? '';
    expect(last).toBe(key(3));
    const { bytes, headers } = double.objects.get(last) as { bytes: Buffer; headers: Record<string, string> };
    double.objects.set(last, { bytes: Buffer.from(damage(bytes.toString())), headers });
    const before = new Map(double.objects);
    const store = await storeOf();
    const failure = await failureOf(store.read());
    expect(failure).toMatch(/^state-unreadable: /);
    expect(failure).toContain(words);
    expect(double.objects).toEqual(before);
  });
});

test('a server for S3 that takes no entry of the size of the results is named before anything is sent', async () => {
  const { double, open, place, clock } = await s3Stage({ mostBytes: 20_000 });
  const store = openStoreOver(await open(), { place, clock: systemClock, environment: double.keys });
  const { header, intents } = manyCreates(100);
  const held = await store.lock('apply');
  await held.begin(header, () => intents);
  const failure = await failureOf(held.append(intents.slice(0, 1)));
  expect(failure).toMatch(/^state-unwritable: .* cannot be written: the server answered 413\. Raise the limit of /);
  expect(clock.slept).toEqual([]);
  await held.commit(undefined, { release: true });
  expect((await store.read()).lockHolder).toBeUndefined();
});

describe('the documented policy for S3', () => {
  type Statement = { readonly Action: string; readonly Resource: string; readonly Condition?: unknown };
  const [, text = ''] =
    /### Permissions of a run that applies.*?```json\n(.*?)```/s.exec(readFileSync('docs/state-backends.md', 'utf8')) ??
    [];
  const { Statement: statements } = JSON.parse(text) as { readonly Statement: readonly Statement[] };
  const actions: Readonly<Record<string, string>> = {
    GET: 's3:GetObject',
    PUT: 's3:PutObject',
    DELETE: 's3:DeleteObject',
  };
  const isAllowed = ({ method, key: name }: Asked) =>
    statements.some(({ Action, Resource }) => {
      const pattern = Resource.replace('arn:aws:s3:::acme-state/', '').replace(/\*$/, '');
      return Action === actions[method] && name.startsWith(pattern);
    });

  test('a run with the documented policy probes and writes its own state, and only reads that of a neighbour', async () => {
    const { double, open } = await s3Stage();
    const neighbour = { prefix: 'almanac/staging' };
    await (await open(undefined, neighbour)).append(1, entryOf('lock'));
    double.deny((request) => !isAllowed(request));
    const log = await open();
    await log.probe();
    expect(await log.append(1, entryOf('lock'))).toBe('written');
    const other = await open(undefined, neighbour);
    expect((await other.read(0)).map(({ n }) => n)).toEqual([1]);
    expect(await failureOf(other.append(2, entryOf()))).toContain('403 AccessDenied');
    const elsewhere = await open(undefined, { prefix: 'payroll' });
    expect(await failureOf(elsewhere.read(0))).toContain('403 AccessDenied');
  });
});
