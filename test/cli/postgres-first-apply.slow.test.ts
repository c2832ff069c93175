// The first commands of a workspace with its state in PostgreSQL. The database has no table for it yet.

import { expect, test } from 'vitest';
import { openBare, weekly } from '../support/cli/open-stage.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage } from '../support/state/postgres-stage.ts';

async function open() {
  const { server, role, place } = await openPostgresStage();
  const config = `api: { rateLimit: 0 }\nstate: { backend: postgres, table: ${place.table} }\n`;
  const stage = await openBare({ 'almanac.yaml': config, schedules: { weekly } });
  stage.environment['ALMANAC_STATE_URL'] = server.url(role);
  const isThere = async () =>
    (await server.admin.query(`select from pg_class where relname = '${place.table}'`)).rowCount === 1;
  return { ...stage, run: stage.spawn, server, role, isThere, table: place.table };
}

test.skipIf(isWithoutPostgres())('commands that only read say that there is no table, and make none', async () => {
  const { run, isThere, table } = await open();
  const plan = await run('plan');
  expect(plan.stderr.replaceAll(/\s+/g, ' ')).toContain(
    `the table "${table}" does not exist yet. The first apply creates it.`,
  );
  expect((await run('doctor')).stdout).toContain('There is no state yet');
  expect((await run('state check')).code).toBe(0);
  await run('state show');
  expect(await isThere()).toBe(false);
});

test.skipIf(isWithoutPostgres())(
  'of six applies that begin at once, one makes the table and each ends well',
  async () => {
    const { run, server, table, emulator } = await open();
    const ran = await Promise.all(Array.from({ length: 6 }, () => run('apply --auto-approve --lock-timeout 120')));
    expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
    const locks = await server.admin.query(`select from ${table} where kind = 'lock'`);
    expect(locks.rowCount).toBe(6);
    expect(emulator.data().schedules).toHaveLength(1);
  },
);

test.skipIf(isWithoutPostgres())(
  'an apply that may not make the table prints what to run, and sends nothing',
  async () => {
    const { run, server, role, table, emulator } = await open();
    await server.admin.query(`revoke create on schema public from ${role}`);
    const { code, stderr } = await run('apply --auto-approve');
    expect(code).toBe(1);
    expect(stderr).toContain(`create table if not exists "${table}" (`);
    expect(stderr).toContain(`grant select, insert on table "${table}" to ROLE;`);
    expect(emulator.data().schedules).toHaveLength(0);
  },
);
