// `almanac prove` as a process, which SIGKILL ends after each of its requests: no byte of what was rendered is in any file.

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openWorld } from '../support/world.ts';

const north = {
  identifier: '12db1a0a',
  schedule: '0 9 * * ? *',
  timezone: 'UTC',
  destinationType: 'email',
  subject: 'Daily',
  name: 'North',
  format: 'csv',
  recipients: ['cfo@northpine.example'],
  filterConfig: { region: { values: ['North Pine'] } },
};

/** The name of a customer, which only what Omni renders has. */
const rendered = 'Customer of a rendered row';

/** Whether a file below a folder holds it. */
function holdsRows(folder: string): boolean {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(rendered));
}

test('a proof that is killed after any of its requests leaves no byte of a rendering in any file', async () => {
  const rows = { filters: ['region'], allow: 'tenants.csv' };
  const world = await openWorld(
    { schedules: { north }, 'tenants.csv': 'shows,receiver\nNorth Pine,cfo@northpine.example\n' },
    { config: { safety: { internalDomains: ['acme.com'], rows } }, now: Date.now, downloadDurationMs: 0 },
  );
  for (const row of world.emulator.data().rows) Object.assign(row, { 'customers.name': rendered });
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  const temporary = mkdtempSync(join(tmpdir(), 'almanac-prove-'));
  const environment = { ...world.environment, TMPDIR: temporary };
  const asked = () => world.emulator.requests().length;
  const applied = asked();
  const proved = await world.spawn('prove --format json', { environment });
  expect(JSON.parse(proved.stdout)).toMatchObject({ dashboards: [{ tiles: [{ verdict: 'limited' }, {}, {}] }] });
  const files = () => [world.path, temporary].map((folder) => readdirSync(folder, { recursive: true }).sort());
  const before = files();
  const requests = asked() - applied;
  expect(requests).toBeGreaterThanOrEqual(6);
  for (let killAfter = 1; killAfter <= requests; killAfter++) {
    const sent = asked();
    await world.spawn('prove --format json', {
      environment,
      during: (child) => {
        const isThere = () => expect(asked() - sent).toBeGreaterThanOrEqual(killAfter);
        void vi.waitFor(isThere, { timeout: 20_000, interval: 1 }).then(() => child.kill('SIGKILL'));
      },
    });
    expect([world.path, temporary].map(holdsRows), `after ${killAfter} requests`).toEqual([false, false]);
  }
  expect(files()).toEqual(before);
});
