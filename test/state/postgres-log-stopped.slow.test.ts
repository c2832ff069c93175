// The PostgreSQL server stops at once while statements are under way, and starts again: they succeed after a repeat or fail
// as they do for any place that cannot be reached, and no error escapes from the package.

import { expect, test } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage } from '../support/state/postgres-stage.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';

test.skipIf(isWithoutPostgres()).each(['disable', 'require'])(
  'a server that stops at once while statements are under way lets no error of the package escape (sslmode=%s)',
  async (sslmode) => {
    const { server, role, open, create } = await openPostgresStage();
    const environment = { ALMANAC_STATE_URL: server.url(role, server.port, sslmode) };
    await create();
    const asked = `select pid from pg_stat_activity where usename = '${role}' and application_name = 'almanac' order by backend_start desc`;
    const reasons: unknown[] = [];
    let [n, stops] = [1, 0];
    for (let round = 0; round < 6; round += 1) {
      const log = await open({ environment, clock: makeInstantClock(), patienceMs: 2000 });
      n = ((await log.read(0)).at(-1)?.n ?? 0) + 1;
      const [row] = await server.admin.unsafe(asked);
      const work = [log.append(n, newEntry()), log.read(0), log.read(0), log.entry(n)];
      // As `pg_ctl stop -m immediate` ends each of its processes; the server then ends the others and starts again.
      if (row !== undefined) stops += process.kill(Number(row['pid']), 'SIGQUIT') ? 1 : 0;
      for (const done of await Promise.allSettled(work)) if (done.status === 'rejected') reasons.push(done.reason);
      await log.close();
      await expect.poll(() => server.admin`select 1`.then(Boolean, () => false), { timeout: 20_000 }).toBe(true);
    }
    expect(stops).toBeGreaterThan(3);
    for (const reason of reasons) expect(reason).toMatchObject({ code: expect.stringMatching(/^state-un/) });
    expect(reasons.every((reason) => reason instanceof Failure)).toBe(true);
  },
);
