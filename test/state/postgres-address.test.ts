// Which PostgreSQL server holds the state, and how the connection to it is encrypted: what the package is told.

import { describe, expect, test } from 'vitest';
import type { Variables } from '../../src/model/outside.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { serverOf } from '../../src/state/postgres/connection.ts';

const at = (url: string, environment: Variables = {}) => serverOf({ ...environment, ALMANAC_STATE_URL: url });
const verified = (host: string) => ({ rejectUnauthorized: true, host });

function failureOf(action: () => unknown): Failure {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('the address of the PostgreSQL server', () => {
  test.each(['postgres', 'postgresql'])('every part of a URL that begins with %s is decoded', (scheme) => {
    expect(at(`${scheme}://an%40na:p%2Fa%3Fs%23s@db.example.com:6543/team%20state?sslmode=verify-ca`)).toEqual({
      host: 'db.example.com',
      port: 6543,
      user: 'an@na',
      password: 'p/a?s#s',
      database: 'team state',
      ssl: verified('db.example.com'),
    });
  });

  test('what the URL leaves open comes from the variables of psql, and otherwise from its defaults', () => {
    const environment = { PGHOST: 'elsewhere', PGPORT: '1', PGPASSWORD: 'secret', PGDATABASE: 'state', PGUSER: 'anna' };
    expect(at('postgres://db.example.com', environment)).toMatchObject({
      host: 'db.example.com',
      port: 1,
      user: 'anna',
      password: 'secret',
      database: 'state',
    });
    expect(at('postgres:///state', environment)).toMatchObject({ host: 'elsewhere', port: 1 });
    expect(serverOf({ PGHOST: 'db.example.com' })).toMatchObject({ host: 'db.example.com', port: 5432 });
    expect(at('postgres:///state')).toMatchObject({ host: 'localhost' });
  });

  test('a Unix socket is named by PGHOST or by the host of a URL', () => {
    const host = '/var/run/postgresql';
    expect(serverOf({ PGHOST: host })).toMatchObject({ host, port: 5432, ssl: false });
    expect(at('postgres:///state', { PGHOST: host, PGPORT: '1' })).toMatchObject({ host, port: 1, ssl: false });
    expect(at('postgres://%2Fvar%2Frun%2Fpostgresql/state')).toMatchObject({ host, ssl: false });
  });

  test('an IPv6 address is written in brackets in a URL and without them in PGHOST', () => {
    expect(at('postgres://u@[::1]:5433/db')).toMatchObject({ host: '::1', port: 5433, ssl: false });
    expect(serverOf({ PGHOST: '::1' })).toMatchObject({ host: '::1', ssl: false });
    expect(at('postgres://u@[2001:db8::1]/db')).toMatchObject({ ssl: { host: '2001:db8::1' } });
  });

  test('parameters of the URLs that providers hand out are accepted', () => {
    const url =
      'postgres://u:p@db.example.com/db?sslmode=require&pgbouncer=true&connect_timeout=5&options=endpoint%3Dx';
    expect(at(url)).toMatchObject({ ssl: { rejectUnauthorized: false }, options: 'endpoint=x' });
  });
});

describe('the encryption of the connection', () => {
  const full = verified('db.example.com');
  test.each([
    [full, {}],
    [full, { PGSSLMODE: 'verify-full' }],
    [full, { PGSSLMODE: 'verify-ca' }],
    [{ ...full, rejectUnauthorized: false }, { PGSSLMODE: 'require' }],
    [full, { PGSSLMODE: 'require', PGCHANNELBINDING: 'require' }],
  ])('to another host it is %o with %o', (ssl, environment) => {
    expect(serverOf({ ...environment, PGHOST: 'db.example.com' })).toMatchObject({ ssl });
  });

  test.each(['disable', 'allow', 'prefer'])('sslmode %s is refused for another host', (sslmode) => {
    const { code, message } = failureOf(() => at(`postgres://u:p@10.0.0.5/db?sslmode=${sslmode}`));
    expect([code, message]).toEqual(['usage', `sslmode ${sslmode} could send the password of the state unencrypted.`]);
  });

  test.each([
    [false, ''],
    [false, '?sslmode=prefer'],
    [false, '?sslmode=allow'],
    [false, '?sslmode=disable'],
    [verified('localhost'), '?sslmode=verify-full'],
  ])('on this machine it is %o with the parameters "%s"', (ssl, parameters) => {
    expect(at(`postgres://u@localhost/db${parameters}`)).toMatchObject({ ssl });
    if (typeof ssl === 'object') return;
    for (const host of ['LOCALHOST', '127.0.0.1', '127.1.2.3'])
      expect(at(`postgres://u@${host}/db${parameters}`)).toMatchObject({ ssl });
  });

  test.each(['localhost.example.com', '127.0.0.1.example.com', 'localhost%2eexample.com'])(
    'the host %s is not taken for this machine',
    (host) => {
      expect(at(`postgres://u@${host}/db`)).toMatchObject({ ssl: { rejectUnauthorized: true } });
      expect(() => at(`postgres://u@${host}/db?sslmode=disable`)).toThrow(Failure);
    },
  );

  test.each(['PGHOSTADDR', 'PGOPTIONS', 'PGSERVICE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY', 'NODE_PG_FORCE_NATIVE'])(
    '%s is refused, because the connection would not be the one that it asks for',
    (name) => {
      const failure = failureOf(() => at('postgres://u@db.example.com/db', { [name]: 'hunter2' }));
      expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining(name) });
      expect(`${failure.message} ${failure.hint}`).not.toContain('hunter2');
    },
  );
});

describe('an address that cannot be used', () => {
  test.each([{}, { ALMANAC_STATE_URL: '' }, { PGUSER: 'anna', PGPASSWORD: 'secret' }])(
    'an environment that names no server is refused: %o',
    (environment) => {
      expect(failureOf(() => serverOf(environment))).toMatchObject({
        code: 'missing-secret',
        message: 'The PostgreSQL server of the state is not known.',
        hint: expect.stringContaining('Set ALMANAC_STATE_URL to postgresql://'),
      });
    },
  );

  test.each([
    'hunter2',
    'mysql://u:hunter2@host/db',
    'postgres:hunter2',
    'postgres://u:hunter2/x@host/db',
    'postgres://u:12/hunter2@host/db',
    'postgres://u:12?hunter2@host/db',
    'postgres://u:12#hunter2@host/db',
    'postgres://u:hunter2%@host/db',
    'postgres://u:hunter2@host/db?password2=hunter2',
    'postgres://u:hunter2@host/db?host=hunter2',
    'postgres://u:hunter2@host/db?sslmode=hunter2',
    'postgres://u:hunter2@host/db?port=hunter2',
    'postgres://u:hunter2@a,hunter2/db',
    'postgres://u:hunter2@host:99999/db',
    'postgres://u:hunter2%ff@host/db',
    'postgres://u:hunter2@elsewhere/db?host=localhost&sslmode=disable',
    'postgres://u@host/db?sslrootcert=hunter2',
  ])('the URL %s is refused without repeating any part of it', (url) => {
    const { code, message, hint, cause } = failureOf(() => at(url));
    expect(code).toBe('usage');
    expect(`${message} ${hint} ${cause}`).not.toContain('hunter2');
  });

  test.each([
    ['mysql://u@host/db', 'is not a PostgreSQL URL.'],
    ['postgres://u:12#x@host/db', 'cannot be split into its parts.'],
    ['postgres://u@host/db?other=x', 'has a parameter that Almanac does not know.'],
  ])('the refusal of the URL %s says what is wrong with it: it %s', (url, words) => {
    expect(failureOf(() => at(url)).message).toBe(`ALMANAC_STATE_URL ${words}`);
  });

  test('a port that is no number is refused, because the package would end the process', () => {
    expect(failureOf(() => serverOf({ PGHOST: 'localhost', PGPORT: 'hunter2' })).code).toBe('usage');
  });
});
