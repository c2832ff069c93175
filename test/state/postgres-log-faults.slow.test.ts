// The log of a state in PostgreSQL when network, server or pooler lose something.

import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import { failureOf } from '../support/failure-of.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import type { Harm } from '../support/state/faulty-proxy.ts';
import { listenOnLoopback } from '../support/state/loopback.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage } from '../support/state/postgres-stage.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';

const hasServer = !isWithoutPostgres();
/** For servers that do not answer; longer than any answer takes that comes. */
const patienceMs = 1_000;

describe.skipIf(!hasServer)('a connection to PostgreSQL that breaks', () => {
  test.each([
    ['client', 'disable', 37],
    ['server', 'disable', 37],
    ['client', 'require', 97],
    ['server', 'require', 97],
  ] as const)(
    'wherever the bytes of the %s break off with sslmode %s, an entry is written once',
    async (from, mode, step) => {
      const { create, open, proxy, role, rows, server } = await openPostgresStage();
      const environment = { ALMANAC_STATE_URL: server.url(role, proxy.port, mode) };
      await create();
      const entries = [];
      for (let at = 1, struck = true; struck; at += step) {
        const log = await open({ clock: makeInstantClock(), environment });
        const entry = newEntry();
        entries.push(entry.id);
        proxy.arm({ from, at, harm: 'cut' });
        expect(await log.append(entries.length, entry)).toBe('written');
        struck = !proxy.isArmed();
        await log.close();
      }
      expect(entries.length).toBeGreaterThan(10);
      expect((await rows()).map(({ id }) => id)).toEqual(entries);
      await expect.poll(() => proxy.open()).toBe(0);
    },
  );

  test.each<Harm>(['cut', 'halve', 'swallow'])(
    'an answer that is lost by the fault "%s" after the write leaves one entry, although others went on',
    async (harm) => {
      const stage = await openPostgresStage();
      const [log, other] = [await stage.open({ patienceMs }), await stage.open()];
      await stage.create();
      const [mine, theirs] = [newEntry(), newEntry()];
      await Promise.all([log.read(0), other.read(0)]);
      stage.proxy.arm({ from: 'server', at: 'INSERT 0 1', harm });
      const appended = log.append(1, mine);
      while ((await other.read(0)).length === 0);
      expect(await other.append(2, theirs)).toBe('written');
      expect(await appended).toBe('written');
      expect((await stage.rows()).map(({ id }) => id)).toEqual([mine.id, theirs.id]);
    },
  );

  test('an entry whose request was lost is refused when another took its number', async () => {
    const stage = await openPostgresStage();
    const [log, other] = [await stage.open({ patienceMs }), await stage.open()];
    await stage.create();
    await Promise.all([log.read(0), other.read(0)]);
    stage.proxy.arm({ from: 'client', at: 'insert into', harm: 'swallow' });
    const appended = log.append(1, newEntry());
    const theirs = newEntry();
    await other.append(1, theirs);
    expect(await appended).toBe('taken');
    expect((await stage.rows()).map(({ id }) => id)).toEqual([theirs.id]);
  });

  test('a connection that the server ended is opened again', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    await stage.create();
    await log.append(1, newEntry());
    await stage.server.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${stage.role}'`,
    );
    expect((await log.read(0)).length).toBe(1);
    await stage.server.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${stage.role}'`,
    );
    expect(await log.append(2, newEntry())).toBe('written');
    expect(stage.proxy.opened()).toBe(3);
  });

  test('a server that breaks off four connections in a row is asked a fifth time', async () => {
    const stage = await openPostgresStage();
    await stage.create();
    const [clock, entry] = [makeInstantClock(), newEntry()];
    stage.proxy.arm({ from: 'server', at: 1, harm: 'cut', times: 4 });
    expect(await (await stage.open({ clock })).append(1, entry)).toBe('written');
    expect(clock.slept).toEqual([250, 500, 1000, 2000]);
    expect(await stage.rows()).toEqual([{ n: 1, id: entry.id }]);
  });

  test('a server that never answers is given up after five tries', async () => {
    const { server } = await openPostgresStage();
    const held = createServer(() => undefined);
    const { port } = await listenOnLoopback(held);
    onTestFinished(() => void held.close());
    const stage = await openPostgresStage();
    const clock = makeInstantClock();
    const log = await stage.open({ clock, patienceMs: 50, environment: { ALMANAC_STATE_URL: server.url('x', port) } });
    const failures = [await failureOf(log.append(1, newEntry())), await failureOf(log.read(0))];
    expect(failures.map(({ code, message }) => [code, message])).toEqual([
      ['state-unwritable', `${log.name} cannot be written: the server did not answer in time.`],
      ['state-unreadable', `${log.name} cannot be read: the server did not answer in time.`],
    ]);
    expect(clock.slept).toEqual([250, 500, 1000, 2000, 250, 500, 1000, 2000]);
  });

  test('a table that stays locked is given up, and the entry is then there once or not at all', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open({ clock: makeInstantClock(), patienceMs: 100 });
    await stage.create();
    const entry = newEntry();
    const locker = await stage.server.admin.connect();
    await locker.query(`begin; lock table ${stage.place.table} in access exclusive mode`);
    expect((await failureOf(log.append(1, entry))).code).toBe('state-unwritable');
    await locker.query('rollback');
    locker.release();
    expect(await (await stage.open()).append(1, entry)).toBe('written');
    expect(await stage.rows()).toEqual([{ n: 1, id: entry.id }]);
  });
});

describe.skipIf(!hasServer)('the defaults of a role in PostgreSQL', () => {
  test.each([
    ['is durable although its role commits without waiting', 'off', 'on'],
    ['keeps the durability of a role that asks for more', 'remote_apply', 'remote_apply'],
  ])('an entry %s', async (_, level, kept) => {
    const stage = await openPostgresStage([`synchronous_commit = ${level}`]);
    const { admin } = stage.server;
    const log = await stage.open();
    await stage.create();
    const { table } = stage.place;
    await admin.query(`create function check_${table}() returns trigger language plpgsql as $$ begin
      if current_setting('synchronous_commit') <> '${kept}' then raise exception 'another durability'; end if;
      return null; end $$`);
    await admin.query(`create constraint trigger durable after insert on ${table}
      deferrable initially deferred for each row execute function check_${table}()`);
    expect(await log.append(1, newEntry())).toBe('written');
    await log.probe();
    const plain = `set synchronous_commit to off; insert into ${table} values ('x', 1, gen_random_uuid(), 'lines', '', '')`;
    await expect(admin.query(plain)).rejects.toThrow('another durability');
  });

  test('eight writers race without a loss although their role isolates transactions strictly', async () => {
    const stage = await openPostgresStage(['default_transaction_isolation = serializable']);
    await stage.create();
    const total = 60;
    const writers = await Promise.all(Array.from({ length: 8 }, () => stage.open()));
    const written = await Promise.all(
      writers.map(async (log) => {
        let count = 0;
        for (let at = 0; at < total; ) {
          at = (await log.read(at)).at(-1)?.n ?? at;
          if (at < total && (await log.append(at + 1, newEntry())) === 'written') count += 1;
        }
        return count;
      }),
    );
    expect(written.reduce((sum, count) => sum + count)).toBe(total);
    expect((await stage.rows()).map(({ n }) => n)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  });

  test('a role that may only read is told to use another one', async () => {
    const stage = await openPostgresStage();
    await stage.create();
    await stage.server.admin.query(`alter role ${stage.role} set default_transaction_read_only = on`);
    const log = await stage.open();
    expect(await log.read(0)).toEqual([]);
    const { code, message, hint } = await failureOf(log.append(1, newEntry()));
    expect([code, message]).toEqual([
      'state-unwritable',
      `${log.name} cannot be written: the server only allows reading (error 25006).`,
    ]);
    expect(hint).toContain('a user that may write');
    expect((await failureOf(log.probe())).code).toBe('state-unwritable');
  });
});

describe.skipIf(!hasServer)('the connection to PostgreSQL', () => {
  test('closing ends it at once, and nothing can be done afterwards', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    await stage.create();
    await log.read(0);
    const others = async () =>
      (await stage.server.admin.query(`select from pg_stat_activity where usename = '${stage.role}'`)).rowCount;
    expect(await others()).toBe(1);
    await log.close();
    await expect.poll(others).toBe(0);
    await expect(log.read(0)).rejects.toThrow('closed');
  });

  test('closing does not wait for a server that does not answer', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    await stage.create();
    stage.proxy.arm({ from: 'client', at: 'select', harm: 'swallow' });
    const reading = log.read(0).catch((error: unknown) => error);
    await expect.poll(() => stage.proxy.isArmed()).toBe(false);
    const begun = systemClock.monotonic();
    await log.close();
    expect(systemClock.monotonic() - begun).toBeLessThan(2_000);
    expect(await reading).toBeInstanceOf(Error);
  });

  test('a read ends when it is interrupted, even if the server does not answer', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    await stage.create();
    stage.proxy.arm({ from: 'client', at: 'select', harm: 'swallow' });
    const interrupt = new AbortController();
    const reading = log.read(0, interrupt.signal);
    await expect.poll(() => stage.proxy.isArmed()).toBe(false);
    interrupt.abort();
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
    expect(await log.read(0)).toEqual([]);
  });
});
