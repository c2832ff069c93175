// Messages when a PostgreSQL server, its table or its permissions do not fit.

import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { failureOf } from '../support/failure-of.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { listenOnLoopback } from '../support/state/loopback.ts';
import { freePort, isWithoutPostgres } from '../support/state/postgres-server.ts';
import { documentedSql, openPostgresStage, type PostgresStage } from '../support/state/postgres-stage.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';

const hasServer = !isWithoutPostgres();

const wordsOf = ({ code, message }: Failure) => `${code}: ${message}`;

/** A stage whose table an administrator made, so that the role has only what the test grants. */
async function openGranted(rights = ''): Promise<PostgresStage> {
  const stage = await openPostgresStage();
  await stage.create(rights);
  return stage;
}

describe.skipIf(!hasServer)('permissions in PostgreSQL', () => {
  test('a role that may only select can read, and learns what it lacks for writing', async () => {
    const stage = await openGranted('select');
    const log = await stage.open();
    expect(await log.read(0)).toEqual([]);
    const lacks = `${log.name} cannot be written: the user lacks the permission insert on the table "${stage.place.table}".`;
    for (const failure of [await failureOf(log.append(1, newEntry())), await failureOf(log.probe())]) {
      expect(wordsOf(failure)).toBe(`state-unwritable: ${lacks}`);
      expect(failure.hint).toContain(`grant select, insert on table "${stage.place.table}" to`);
    }
  });

  test('a role without any permission is not shown an empty state', async () => {
    const stage = await openGranted();
    const log = await stage.open();
    const lacks = `the user lacks the permission select on the table "${stage.place.table}", or usage on its schema.`;
    expect(wordsOf(await failureOf(log.read(0)))).toBe(`state-unreadable: ${log.name} cannot be read: ${lacks}`);
    expect((await failureOf(log.entry(1))).code).toBe('state-unreadable');
    expect((await failureOf(log.probe())).code).toBe('state-unreadable');
  });

  test('a role that may not use the schema learns that', async () => {
    const { server, place, role, open } = await openGranted();
    const schema = `hidden_${role}`;
    await server.admin.query(`create schema ${schema}; create table ${schema}.${place.table} ()`);
    const failure = await failureOf((await open({ place: { ...place, schema } })).read(0));
    expect(failure.message).toContain(`the table "${schema}"."${place.table}", or usage on its schema`);
  });

  test('what an administrator runs gives a role all that it needs, and nothing more', async () => {
    const stage = await openPostgresStage();
    const { admin } = stage.server;
    const { table } = stage.place;
    await admin.query(documentedSql(table, stage.role));
    await admin.query(`revoke create on schema public from ${stage.role}`);
    const log = await stage.open();
    await log.probe();
    expect(await log.append(1, newEntry())).toBe('written');
    expect((await log.read(0)).map(({ n }) => n)).toEqual([1]);
    const neighbour = await stage.open({ place: { ...stage.place, name: 'neighbour' } });
    await neighbour.append(1, newEntry());
    await admin.query(`revoke insert on ${table} from ${stage.role}`);
    expect((await neighbour.read(0)).map(({ n }) => n)).toEqual([1]);
    for (const right of ['update', 'delete', 'truncate']) {
      const { rows } = await admin.query(`select has_table_privilege('${stage.role}', '${table}', '${right}') as may`);
      expect(rows).toEqual([{ may: false }]);
    }
  });

  test('a schema and a table keep the case of their names', async () => {
    const { server, role, place, open } = await openPostgresStage();
    const schema = `Team_${role}`;
    await server.admin.query(`create schema "${schema}" authorization ${role}`);
    const log = await open({ place: { ...place, schema, table: 'Select' } });
    await log.probe();
    expect(await log.append(1, newEntry())).toBe('written');
    expect((await server.admin.query(`select n from "${schema}"."Select"`)).rowCount).toBe(1);
  });
});

describe.skipIf(!hasServer)('a table that is missing in PostgreSQL', () => {
  const isThere = async ({ server, place }: PostgresStage) =>
    (await server.admin.query(`select from pg_class where relname = '${place.table}'`)).rowCount === 1;

  test('a table that is missing in PostgreSQL is an empty state, and reading and probing create nothing', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    expect(await log.read(0)).toEqual([]);
    expect(log.lacks).toBe(`the table "${stage.place.table}" does not exist yet`);
    await log.probe();
    expect(await isThere(stage)).toBe(false);
    expect(await log.read(0)).toEqual([]);
    expect(await log.append(1, newEntry())).toBe('written');
    expect((await log.read(0)).map(({ n }) => n)).toEqual([1]);
    expect(log.lacks).toBeUndefined();
  });

  test('the first entry creates it as the documented SQL does', async () => {
    const stages = [await openPostgresStage(), await openPostgresStage()] as const;
    await (await stages[0].open()).append(1, newEntry());
    await stages[1].create();
    const [made, documented] = await Promise.all(
      stages.map(async ({ server, place: { table } }) => {
        const columns = await server.admin.query(`select column_name, data_type, is_nullable, column_default
          from information_schema.columns where table_name = '${table}' order by column_name`);
        const rules = await server.admin.query(`select pg_get_constraintdef(oid) as rule from pg_constraint
          where conrelid = '${table}'::regclass order by rule`);
        return [columns.rows, rules.rows];
      }),
    );
    expect(made?.flat()).toHaveLength(9);
    expect(made).toEqual(documented);
  });

  test('of eight that begin at once each probes it, one writes the first entry, and no other fails', async () => {
    for (let round = 0; round < 5; round += 1) {
      const stage = await openPostgresStage();
      const logs = await Promise.all(Array.from({ length: 8 }, () => stage.open()));
      for (const entries of await Promise.all(logs.map((log) => log.read(0)))) expect(entries).toEqual([]);
      const answers = await Promise.all(
        logs.map(async (log) => {
          await log.probe();
          return log.append(1, newEntry());
        }),
      );
      expect(answers.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'taken'), 'written']);
    }
  });

  test('where a run has seen entries, a missing table is no empty state', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open();
    await log.append(1, newEntry());
    await stage.server.admin.query(`drop table ${stage.place.table}`);
    expect(wordsOf(await failureOf(log.read(1)))).toBe(
      `state-unreadable: ${log.name} cannot be read: the table does not exist (error 42P01).`,
    );
    expect((await failureOf(log.append(2, newEntry()))).code).toBe('state-unwritable');
    expect(await isThere(stage)).toBe(false);
  });

  test('a type that has the name of the table is told of, and is no sign of a table that another run creates', async () => {
    const stage = await openPostgresStage();
    await stage.server.admin.query(`create domain ${stage.place.table} as text`);
    for (const attempt of ['probe', 'append'] as const) {
      const log = await stage.open();
      const failure = await failureOf(attempt === 'probe' ? log.probe() : log.append(1, newEntry()));
      expect(wordsOf(failure)).toContain('state-unwritable: ');
      expect(failure.message).toContain('(error 42710)');
    }
  });

  test('a role that may not create it is shown what an administrator runs', async () => {
    const stage = await openPostgresStage();
    const { table } = stage.place;
    await stage.server.admin.query(`revoke create on schema public from ${stage.role}`);
    const log = await stage.open();
    expect(await log.read(0)).toEqual([]);
    for (const failure of [await failureOf(log.probe()), await failureOf(log.append(1, newEntry()))]) {
      expect(wordsOf(failure)).toBe(
        `state-unwritable: ${log.name} cannot be written: the table "${table}" does not exist, and the user may not create it.`,
      );
      const [, sql = ''] = failure.hint?.split('\n\n') ?? [];
      expect(sql).toContain(documentedSql(table, stage.role).split(';')[0]);
      await stage.server.admin.query(`begin; ${sql.replace('ROLE', stage.role)} rollback`);
    }
  });

  test('a schema that does not exist is not created', async () => {
    const stage = await openPostgresStage();
    const log = await stage.open({ place: { ...stage.place, schema: 'nowhere' } });
    for (const act of [() => log.read(0), () => log.probe(), () => log.append(1, newEntry())]) {
      const { message, hint } = await failureOf(act());
      expect(message).toContain('the schema does not exist');
      expect(hint).toContain('create schema "nowhere"');
    }
  });

  test('a table in a schema that the role does not search is no empty state', async () => {
    const stage = await openGranted('select, insert');
    const { server, place, role, open } = stage;
    await server.admin.query(`create schema own_${role} authorization ${role}`);
    await server.admin.query(`alter role ${role} set search_path = own_${role}`);
    const failure = await failureOf((await open()).read(0));
    expect(failure.message).toContain(`the table "${place.table}" is in the schema public`);
    expect(await (await open({ place: { ...place, schema: `own_${role}` } })).read(0)).toEqual([]);
    await server.admin.query(`alter role ${role} set search_path = nothing`);
    expect((await failureOf((await open()).read(0))).message).toContain('the schema does not exist');
  });
});

describe.skipIf(!hasServer)('several states in one table of PostgreSQL', () => {
  test('two states in one table do not see each other', async () => {
    const stage = await openPostgresStage();
    const [one, other] = [
      await stage.open(),
      await stage.open({ place: { ...stage.place, name: `it's "x" \\ ; --` } }),
    ];
    expect(await one.append(1, newEntry())).toBe('written');
    expect(await other.read(0)).toEqual([]);
    expect(await other.append(1, newEntry('commit'))).toBe('written');
    expect(await one.append(2, newEntry())).toBe('written');
    expect((await one.read(0)).map(({ n }) => n)).toEqual([1, 2]);
  });
});

describe.skipIf(!hasServer)('a place in PostgreSQL that is not fit', () => {
  const unfit = async (stage: PostgresStage, changes: readonly string[]) => {
    for (const change of changes) await stage.server.admin.query(change.replaceAll('TABLE', stage.place.table));
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

  const changing = (does: string) => [
    `create function TABLE_change() returns trigger language plpgsql as $$ begin ${does} end $$`,
    'create trigger change before insert on TABLE for each row execute function TABLE_change()',
  ];
  test.each([
    ['a trigger that changes what was written', changing(`new.body = replace(new.body, 'Zoë', 'Zoe'); return new;`)],
    ['a trigger that changes the kind of an entry', changing(`new.kind = 'row'; return new;`)],
  ])('%s is refused, and the table stays empty', async (_, changes) => {
    const stage = await openGranted('select, insert');
    const { code, message } = await unfit(stage, changes);
    expect([code, message]).toEqual([
      'state-backend-unfit',
      expect.stringContaining('the server gave back another row than the one that was written'),
    ]);
    expect(await stage.rows()).toEqual([]);
  });

  test.each([
    ['a column that is too short for what an apply writes', ['alter table TABLE alter column kind type varchar(5)']],
    [
      'a rule that is checked at the end of a transaction',
      [
        `create function TABLE_late() returns trigger language plpgsql as $$ begin raise 'no %', new.kind; end $$`,
        `create constraint trigger late after insert on TABLE deferrable initially deferred
          for each row when (new.kind = 'commit') execute function TABLE_late()`,
      ],
    ],
  ])('%s is met by the probe, and the table stays empty', async (_, changes) => {
    const stage = await openGranted('select, insert');
    expect(await unfit(stage, changes)).toMatchObject({ code: 'state-unwritable' });
    expect(await stage.rows()).toEqual([]);
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
    const environment = { ALMANAC_STATE_URL: stage.server.url(stage.role, port) };
    const log = await stage.open({ environment });
    const absent = await stage.open({ environment, place: { ...stage.place, table: 'made_after' } });
    for (const standby of [log, absent])
      expect((await failureOf(standby.read(0))).message).toContain('the server is a standby');
    expect(await failureOf(log.probe())).toMatchObject({ code: 'state-backend-unfit' });
    expect((await failureOf(log.append(2, newEntry()))).message).toContain('the server only allows reading');
  });

  test('a database that cannot store all characters is refused', async () => {
    const stage = await openGranted();
    const { admin, url } = stage.server;
    await admin.query(`create database latin_${stage.role} template template0 encoding LATIN1 owner ${stage.role}`);
    const environment = { ALMANAC_STATE_URL: url(stage.role).replace('/postgres?', `/latin_${stage.role}?`) };
    const log = await stage.open({ environment });
    expect(await failureOf(log.probe())).toMatchObject({
      message: expect.stringContaining('the database cannot store all characters'),
      hint: 'Use a database with the encoding UTF8.',
    });
  });
});

describe.skipIf(!hasServer)('signing in to PostgreSQL', () => {
  const secret = 'hunter2-and-more';
  const signIn = async (change: (url: string, stage: PostgresStage) => string | Promise<string>) => {
    const stage = await openPostgresStage();
    const url = await change(stage.server.url(stage.role), stage);
    const log = await stage.open({ environment: { ALMANAC_STATE_URL: url }, clock: makeInstantClock() });
    const failure = await failureOf(log.read(0));
    const shown = [log.name, failure.message, failure.hint, failure.stack, String(failure.cause)].join('\n');
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(stage.role);
    return failure.message.replace(/^.* cannot be read: /, '');
  };
  const withPassword = (url: string) => url.replace(/:[^:@/]*@/, `:${secret}@`);

  test.each<[string, (url: string, stage: PostgresStage) => string | Promise<string>, string]>([
    ['a wrong password', withPassword, 'the server did not accept the user name or the password (error 28P01).'],
    [
      'a password that is missing, which no file is asked for',
      (url) => url.replace(/:[^:@/]*@/, '@'),
      'signing in with a password failed.',
    ],
    [
      'a server that demands encryption',
      (url) => withPassword(url).replace(/role_\d+/, 'encrypted'),
      'the server does not accept this user on this connection (error 28000).',
    ],
    [
      'a database that does not exist',
      (url) => url.replace('/postgres?', `/${secret}?`),
      'the database does not exist (error 3D000).',
    ],
    [
      'a server that is not there',
      async (url) => withPassword(url).replace(/:\d+\//, `:${await freePort()}/`),
      'the server refused the connection (ECONNREFUSED).',
    ],
    [
      'a socket that is not there',
      async (_, { server }) => `postgres://${encodeURIComponent(server.folder)}:${await freePort()}/postgres`,
      'there is no server at the socket (ENOENT).',
    ],
    [
      'a certificate of an unknown authority',
      (url) => withPassword(url).replace('disable', 'verify-full'),
      'the certificate of the server was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT).',
    ],
  ])('%s is told without the password and the user', async (_, change, words) => {
    expect(await signIn(change)).toBe(words);
  });

  test('a Unix socket works without TLS', async () => {
    const stage = await openPostgresStage();
    const { folder, port } = stage.server;
    const log = await stage.open({
      environment: { PGHOST: folder, PGPORT: `${port}`, PGUSER: stage.role, PGDATABASE: 'postgres' },
    });
    expect(await log.append(1, newEntry())).toBe('written');
  });

  test('sslmode require encrypts the connection', async () => {
    const stage = await openPostgresStage();
    const { server, role } = stage;
    const log = await stage.open({ environment: { ALMANAC_STATE_URL: server.url(role, server.port, 'require') } });
    expect(await log.append(1, newEntry())).toBe('written');
    const { rows } = await server.admin.query(
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = '${role}'`,
    );
    expect(rows).toEqual([{ ssl: true }]);
  });

  test.each(['require', 'verify-full'])(
    'a server that offers no encryption is sent nothing secret with sslmode %s',
    async (sslmode) => {
      const seen: Buffer[] = [];
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.on('data', (data: Buffer) => {
          seen.push(data);
          socket.write('N');
        });
      });
      const { port } = await listenOnLoopback(server);
      onTestFinished(() => void server.close());
      const change = (url: string) => url.replace(/:\d+\//, `:${port}/`).replace('disable', sslmode);
      expect(await signIn((url) => change(withPassword(url)))).toBe('the server offers no encryption.');
      expect(Buffer.concat(seen).toString('hex')).toBe('0000000804d2162f');
    },
  );
});
