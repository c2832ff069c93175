// What users read when a PostgreSQL server, its table or their permissions do not fit.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import { isWithoutPostgres } from '../support/adapters/postgres-server.ts';
import { openPostgresStage, type PostgresStage } from '../support/adapters/postgres-stage.ts';
import { newEntry } from '../support/adapters/state-log-conformance.ts';
import { makeInstantClock } from '../support/fake-clock.ts';

const hasServer = !isWithoutPostgres();

async function failureOf(action: Promise<unknown>): Promise<Failure> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw error ?? new Error('nothing failed');
}

/** The SQL of docs/state-postgres.md for another table and role. */
function documentedSql(table: string, role: string): string {
  const sql = /```sql\n(create table[\s\S]*?)```/.exec(readFileSync('docs/state-postgres.md', 'utf8'))?.[1] ?? '';
  return sql.replaceAll('almanac_log', table).replaceAll(' to almanac;', ` to ${role};`);
}

const wordsOf = ({ code, message }: Failure) => `${code}: ${message}`;

/** A stage whose table an administrator made, so that the role has only what the test grants. */
async function openGranted(...rights: readonly string[]): Promise<PostgresStage> {
  const stage = await openPostgresStage();
  const { admin } = stage.server;
  const [create = ''] = documentedSql(stage.place.table, stage.role).split(';');
  await admin.unsafe(create);
  for (const right of rights) await admin.unsafe(`grant ${right} on ${stage.place.table} to ${stage.role}`);
  return stage;
}

describe.skipIf(!hasServer)('permissions in PostgreSQL', () => {
  test('a role that may only select can read, and learns what it lacks for writing', async () => {
    const stage = await openGranted('select');
    const log = await stage.open();
    expect(await log.read(0)).toEqual([]);
    const lacks = `${log.name} cannot be written: permission is denied (error 42501); it needs select and insert on "${stage.place.table}", and usage on its schema.`;
    for (const failure of [await failureOf(log.append(1, newEntry())), await failureOf(log.probe())]) {
      expect(wordsOf(failure)).toBe(`state-unwritable: ${lacks}`);
      expect(failure.hint).toContain('the SQL in docs/state-postgres.md');
    }
  });

  test('a role without any permission is not shown an empty state', async () => {
    const stage = await openGranted();
    const log = await stage.open();
    const lacks = `permission is denied (error 42501); it needs select on "${stage.place.table}", and usage on its schema.`;
    expect(wordsOf(await failureOf(log.read(0)))).toBe(`state-unreadable: ${log.name} cannot be read: ${lacks}`);
    expect((await failureOf(log.entry(1))).code).toBe('state-unreadable');
    expect((await failureOf(log.probe())).code).toBe('state-unreadable');
  });

  test('a role that may not use the schema learns that', async () => {
    const stage = await openGranted();
    const { admin } = stage.server;
    await admin.unsafe(`create schema hidden_${stage.role}`);
    const place = { ...stage.place, schema: `hidden_${stage.role}` };
    await admin.unsafe(`create table ${place.schema}.${place.table} ()`);
    const failure = await failureOf((await stage.open({ place })).read(0));
    expect(failure.message).toContain(`it needs select on "${place.schema}"."${place.table}", and usage on its schema`);
  });

  test('what an administrator runs gives a role all that it needs, and nothing more', async () => {
    const stage = await openPostgresStage();
    const { admin } = stage.server;
    const place = { ...stage.place, table: 'Select' };
    await admin.unsafe(documentedSql(place.table, stage.role));
    const log = await stage.open({ place });
    await log.prepare();
    await log.probe();
    expect(await log.append(1, newEntry())).toBe('written');
    expect((await log.read(0)).map(({ n }) => n)).toEqual([1]);
    const table = `"Select"`;
    for (const right of ['update', 'delete', 'truncate']) {
      const [row] = await admin.unsafe(`select has_table_privilege('${stage.role}', '${table}', '${right}') as may`);
      expect(row?.['may']).toBe(false);
    }
  });

  test('a table that is missing is told of, made by prepare alone, and safely by eight at once', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    expect(await log.read(0)).toEqual([]);
    expect(log.lacks).toBe(`the table "${stage.place.table}" does not exist yet`);
    expect((await failureOf(log.probe())).message).toContain('the table does not exist (error 42P01)');
    expect((await failureOf(log.append(1, newEntry()))).code).toBe('state-unwritable');
    await Promise.all(Array.from({ length: 8 }, async () => (await stage.open()).prepare()));
    expect(await log.read(0)).toEqual([]);
    expect(log.lacks).toBeUndefined();
  });

  test('a type that has the name of the table is told of, and is no sign of a table that another run creates', async () => {
    const stage = await openPostgresStage();
    await stage.server.admin.unsafe(`create domain ${stage.place.table} as text`);
    const failure = await failureOf((await stage.open()).prepare());
    expect(wordsOf(failure)).toContain('state-unwritable: ');
    expect(failure.message).toContain('(error 42710)');
  });

  test('a role that may not create tables is sent to an administrator, unless the table exists', async () => {
    const [stage, granted] = [await openPostgresStage(), await openGranted('select, insert')];
    for (const { server, role } of [stage, granted]) {
      await server.admin.unsafe(`revoke create on schema public from ${role}`);
    }
    const failure = await failureOf((await stage.open()).prepare());
    expect(failure.message).toContain('permission is denied (error 42501)');
    expect(failure.hint).toContain('the SQL in docs/state-postgres.md');
    const log = await granted.open();
    await log.prepare();
    await log.probe();
    expect(await log.append(1, newEntry())).toBe('written');
  });

  test('a schema that does not exist is not created', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open({ place: { ...stage.place, schema: 'nowhere' } });
    for (const failure of [await failureOf(log.prepare()), await failureOf(log.read(0))])
      expect(failure.message).toContain('the schema does not exist (error 3F000)');
  });

  test('two states in one table do not see each other', async () => {
    const stage = await openPostgresStage();
    const [one, other] = [
      await stage.open(),
      await stage.open({ place: { ...stage.place, name: `it's "x" \\ ; --` } }),
    ];
    await one.prepare();
    expect(await one.append(1, newEntry())).toBe('written');
    expect(await other.read(0)).toEqual([]);
    expect(await other.append(1, newEntry('commit'))).toBe('written');
    expect(await one.append(2, newEntry())).toBe('written');
    expect((await one.read(0)).map(({ n }) => n)).toEqual([1, 2]);
  });
});

describe.skipIf(!hasServer)('a place in PostgreSQL that is not fit', () => {
  const unfit = async (stage: PostgresStage, changes: readonly string[]) => {
    for (const change of changes) await stage.server.admin.unsafe(change.replaceAll('TABLE', stage.place.table));
    return failureOf((await stage.open()).probe());
  };

  test.each([
    ['an unlogged table', ['alter table TABLE set unlogged'], 'loses its rows when the server crashes'],
    [
      'a view',
      ['alter table TABLE rename to old_TABLE', 'create view TABLE as select * from old_TABLE'],
      'is not a table',
    ],
  ])('%s is refused', async (_, changes, words) => {
    const { code, message } = await unfit(await openGranted('select, insert'), changes);
    expect([code, message]).toEqual(['state-backend-unfit', expect.stringContaining(words)]);
  });

  test('a table without its primary key is refused', async () => {
    const stage = await openGranted('select, insert');
    const failure = await unfit(stage, ['alter table TABLE drop constraint TABLE_pkey']);
    expect(failure.message).toContain('the table is not one that Almanac created (error 42P10)');
  });

  test('row-level security, which hides rows, is refused, and is no empty state', async () => {
    const stage = await openGranted('select, insert');
    const log = await stage.open();
    await log.append(1, newEntry());
    const { code, message } = await unfit(stage, ['alter table TABLE enable row level security']);
    expect([code, message]).toEqual([
      'state-backend-unfit',
      expect.stringContaining('row-level security may hide rows'),
    ]);
    expect(wordsOf(await failureOf(log.read(0)))).toContain('state-unreadable: ');
  });

  test('a standby is refused for reading, because it may not know the newest state', async () => {
    const stage = await openGranted('select, insert');
    await (await stage.open()).append(1, newEntry());
    const port = await stage.server.standby();
    const log = await stage.open({ environment: { ALMANAC_STATE_URL: stage.server.url(stage.role, port) } });
    expect((await failureOf(log.read(0))).message).toContain('the server is a standby');
    expect(await failureOf(log.probe())).toMatchObject({ code: 'state-backend-unfit' });
    expect((await failureOf(log.append(2, newEntry()))).message).toContain('the server only allows reading');
  });

  test('a database that cannot store all characters is refused', async () => {
    const stage = await openGranted();
    const { admin, url } = stage.server;
    await admin.unsafe(`create database latin_${stage.role} template template0 encoding LATIN1 owner ${stage.role}`);
    const environment = { ALMANAC_STATE_URL: url(stage.role).replace('/postgres?', `/latin_${stage.role}?`) };
    const log = await stage.open({ environment });
    await log.prepare();
    expect(await failureOf(log.probe())).toMatchObject({
      code: 'state-backend-unfit',
      hint: 'Use a database with the encoding UTF8.',
    });
  });
});

describe.skipIf(!hasServer)('signing in to PostgreSQL', () => {
  const secret = 'hunter2-and-more';
  const signIn = async (change: (url: string, stage: PostgresStage) => string, more = {}) => {
    const stage = await openPostgresStage();
    const url = change(stage.server.url(stage.role), stage);
    const log = await stage.open({ environment: { ALMANAC_STATE_URL: url, ...more }, clock: makeInstantClock() });
    const failure = await failureOf(log.read(0));
    const shown = [log.name, failure.message, failure.hint, failure.stack, String(failure.cause)].join('\n');
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(stage.role);
    return failure.message.replace(/^.* cannot be read: /, '');
  };
  const withPassword = (url: string) => url.replace(/:[^:@/]*@/, `:${secret}@`);

  test('a wrong password is reported without it', async () => {
    expect(await signIn(withPassword)).toBe('the server did not accept the user name or the password (error 28P01).');
  });

  test('a database that does not exist is reported', async () => {
    expect(await signIn((url) => url.replace('/postgres?', `/${secret}?`))).toBe(
      'the database does not exist (error 3D000).',
    );
  });

  test('a server that is not there is reported', async () => {
    const port = async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      await new Promise((resolve) => server.close(resolve));
      return address !== null && typeof address === 'object' ? address.port : 0;
    };
    const free = await port();
    expect(await signIn((url) => withPassword(url).replace(/:\d+\//, `:${free}/`))).toBe(
      'the server refused the connection (ECONNREFUSED).',
    );
    vi.stubEnv('PGHOST', (await openPostgresStage()).server.folder);
    vi.stubEnv('PGPORT', String(free));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await signIn(() => 'postgres:///postgres', { PGHOST: process.env['PGHOST'] })).toBe(
      'there is no server at the socket (ENOENT).',
    );
  });

  test('a Unix socket works without TLS', async () => {
    const stage = await openPostgresStage();
    const { folder, port } = stage.server;
    const environment = { PGHOST: folder, PGPORT: `${port}`, PGUSER: stage.role, PGDATABASE: 'postgres' };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const log = await stage.open({ environment });
    await log.prepare();
    expect(await log.append(1, newEntry())).toBe('written');
  });

  test.each(['require', 'prefer'])('sslmode %s encrypts the connection', async (sslmode) => {
    const stage = await openPostgresStage();
    const { server, role } = stage;
    const environment = { ALMANAC_STATE_URL: server.url(role, server.port, sslmode) };
    const log = await stage.open({ environment });
    await log.prepare();
    expect(await log.append(1, newEntry())).toBe('written');
    const [row] =
      await server.admin`select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = ${role}`;
    expect(row?.['ssl']).toBe(true);
  });

  test('a certificate of an unknown authority is refused', async () => {
    const verified = (url: string) => withPassword(url).replace('disable', 'verify-full');
    expect(await signIn(verified)).toBe(
      'the certificate of the server was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT).',
    );
  });

  test('nothing but a question for encryption and a handshake is sent to a server that offers none', async () => {
    const seen: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('data', (data: Buffer) => {
        seen.push(data);
        socket.write('N');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    for (const sslmode of ['require', 'verify-full']) {
      const change = (url: string) =>
        withPassword(url)
          .replace(/:\d+\//, `:${port}/`)
          .replace('disable', sslmode);
      expect(await signIn(change)).toBe('the server offers no encryption.');
    }
    const sent = Buffer.concat(seen).toString('latin1');
    expect(sent.slice(0, 8)).toBe(Buffer.from('0000000804d2162f', 'hex').toString('latin1'));
    expect(sent).not.toContain('almanac');
  });

  test('a byte that somebody sends before encryption begins ends the connection', async () => {
    const server = createServer((socket) => {
      socket.on('data', () => socket.write('SE'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const change = (url: string) => url.replace(/:\d+\//, `:${port}/`).replace('disable', 'require');
    expect(await signIn(change)).toBe('the server offers no encryption.');
  });
});
