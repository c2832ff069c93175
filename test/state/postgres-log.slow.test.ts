// The log of a state in a real PostgreSQL server.

import { beforeAll, describe, expect } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import { openPostgresLog } from '../../src/state/postgres/postgres-log.ts';
import { startFaultyProxy } from '../support/state/faulty-proxy.ts';
import { type Pooler, pgbouncer, startPooler } from '../support/state/pgbouncer.ts';
import { placeOf } from '../support/state/place-of.ts';
import { isWithoutPostgres, postgresFolder, postgresServer } from '../support/state/postgres-server.ts';
import { conformance, type TestPlace } from '../support/state/state-log-conformance.ts';

let tables = 0;

async function placeBehind(port: number, url: (port: number) => string): Promise<TestPlace> {
  const proxy = await startFaultyProxy(port);
  tables += 1;
  const place = placeOf({ backend: 'postgres', table: `conforming_${tables}` });
  const environment = { ALMANAC_STATE_URL: url(proxy.port) };
  const open = () => openPostgresLog({ place, root: '/', clock: systemClock, environment });
  return {
    open,
    again: open,
    faults: {
      loseAnswer: () => proxy.arm({ from: 'server', at: 'INSERT 0 1', harm: 'cut' }),
      loseRequest: () => proxy.arm({ from: 'client', at: 'insert into', harm: 'cut' }),
    },
    close: async () => {
      await proxy.close();
      expect(proxy.isArmed()).toBe(false);
    },
  };
}

describe.skipIf(isWithoutPostgres())('a state in PostgreSQL', () => {
  conformance('PostgreSQL', async () => {
    const server = await postgresServer();
    const role = await server.role();
    return placeBehind(server.port, (port) => server.url(role, port));
  });
});

// Where PgBouncer is not installed, nothing is said: the statements are the same.
describe.skipIf(pgbouncer === undefined || postgresFolder === undefined)(
  'a state in PostgreSQL behind PgBouncer',
  () => {
    let pooler: Pooler;
    beforeAll(async () => {
      pooler = await startPooler(await postgresServer());
    });
    conformance('PostgreSQL behind PgBouncer in transaction mode', () => placeBehind(pooler.port, pooler.url));
  },
);
