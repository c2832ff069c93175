// Which PostgreSQL server holds the state, by ALMANAC_STATE_URL and the variables of psql.

import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/adapters/state/host.ts';
import { readAddress } from '../../src/adapters/state/postgres/postgres-address.ts';
import { Failure } from '../../src/model/workspace/failure.ts';

const at = (url: string, environment: Environment = {}) => readAddress({ ...environment, ALMANAC_STATE_URL: url });

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
      tls: 'verify-ca',
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
    expect(readAddress({ PGHOST: 'db.example.com', PGUSER: 'anna' })).toMatchObject({ port: 5432, database: 'anna' });
  });

  test('a Unix socket is named by PGHOST, by the host of a URL or by its parameter', () => {
    const host = '/var/run/postgresql';
    expect(readAddress({ PGHOST: host })).toMatchObject({ host, tls: 'disable' });
    expect(at('postgres://%2Fvar%2Frun%2Fpostgresql/state')).toMatchObject({ host, tls: 'disable' });
    expect(at(`postgres:///state?host=${host}`)).toMatchObject({ host, database: 'state', tls: 'disable' });
  });

  test('an IPv6 address is written in brackets in a URL and without them in PGHOST', () => {
    expect(at('postgres://u@[::1]:5433/db')).toMatchObject({ host: '::1', port: 5433, tls: 'prefer' });
    expect(readAddress({ PGHOST: '::1' })).toMatchObject({ host: '::1', tls: 'prefer' });
    expect(at('postgres://u@[2001:db8::1]/db')).toMatchObject({ host: '2001:db8::1', tls: 'verify-full' });
  });

  test('parameters of the URLs that providers hand out are accepted', () => {
    const url =
      'postgres://u:p@db.example.com/db?sslmode=require&pgbouncer=true&connect_timeout=5&options=endpoint%3Dx';
    expect(at(url)).toMatchObject({ tls: 'require', options: 'endpoint=x' });
  });
});

describe('the encryption of the connection', () => {
  test.each([
    ['verify-full', {}],
    ['verify-full', { PGSSLMODE: 'verify-full' }],
    ['verify-ca', { PGSSLMODE: 'verify-ca' }],
    ['require', { PGSSLMODE: 'require' }],
    ['verify-ca', { PGSSLMODE: 'require', PGSSLROOTCERT: '/root.crt' }],
    ['verify-full', { PGSSLMODE: 'require', PGSSLROOTCERT: 'system' }],
    ['verify-full', { PGSSLMODE: 'require', PGCHANNELBINDING: 'require' }],
  ])('to another host it is %s with %o', (tls, environment) => {
    expect(readAddress({ ...environment, PGHOST: 'db.example.com' })).toMatchObject({ tls });
  });

  test.each(['disable', 'allow', 'prefer'])('sslmode %s is refused for another host', (sslmode) => {
    const { code, message } = failureOf(() => at(`postgres://u:p@10.0.0.5/db?sslmode=${sslmode}`));
    expect([code, message]).toEqual(['usage', `sslmode ${sslmode} could send the password of the state unencrypted.`]);
  });

  test.each([
    ['prefer', ''],
    ['prefer', '?sslmode=prefer'],
    ['disable', '?sslmode=disable'],
    ['verify-full', '?sslmode=verify-full'],
  ])('on this machine it is %s with the parameters "%s"', (tls, parameters) => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3']) {
      expect(at(`postgres://u@${host}/db${parameters}`)).toMatchObject({ tls });
    }
  });

  test.each(['localhost.example.com', '127.0.0.1.example.com', 'localhost%2eexample.com'])(
    'the host %s is not taken for this machine',
    (host) => {
      expect(at(`postgres://u@${host}/db`)).toMatchObject({ tls: 'verify-full' });
      expect(() => at(`postgres://u@${host}/db?sslmode=disable`)).toThrow(Failure);
    },
  );
});

describe('an address that cannot be used', () => {
  test.each([{}, { ALMANAC_STATE_URL: '' }, { PGUSER: 'anna', PGPASSWORD: 'secret' }])(
    'an environment that names no server is refused: %o',
    (environment) => {
      expect(failureOf(() => readAddress(environment))).toMatchObject({
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
    'postgres://u:hunter2@host/db?sslmode=hunter2',
    'postgres://u:hunter2@host/db?port=hunter2',
    'postgres://u:hunter2@a,hunter2/db',
    'postgres://u:hunter2@host:99999/db',
  ])('the URL %s is refused without repeating any part of it', (url) => {
    const { code, message, hint, cause } = failureOf(() => at(url));
    expect(code).toBe('usage');
    expect(`${message} ${hint} ${cause}`).not.toContain('hunter2');
  });
});
