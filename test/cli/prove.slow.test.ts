// `almanac prove` as a process, which SIGKILL ends at each of its effects: no byte of what was rendered is in any file.

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKillable } from '../support/cli/killable-program.ts';
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

/** Whether a file below a folder holds the name of the only customer of that region, which only what Omni renders has. */
function holdsRows(folder: string): boolean {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes('Casa'));
}

test('a proof that is killed at any step leaves no byte of a rendering in any file', async () => {
  const rows = { filters: ['region'], allow: 'tenants.csv' };
  const world = await openWorld(
    { schedules: { north }, 'tenants.csv': 'shows,receiver\nNorth Pine,cfo@northpine.example\n' },
    {
      config: { safety: { internalDomains: ['acme.com'], rows } },
      now: Date.now,
      downloadDurationMs: 0,
    },
  );
  const temporary = mkdtempSync(join(tmpdir(), 'almanac-prove-'));
  const environment = { ...world.environment, TMPDIR: temporary };
  const argv = ['prove', '--format', 'json'];
  const whole = await runKillable(argv, { path: world.path, environment });
  expect(JSON.parse(whole.stdout)).toMatchObject({ dashboards: [{ tiles: [{ verdict: 'limited' }, {}, {}] }] });
  const files = () => [world.path, temporary].map((folder) => readdirSync(folder, { recursive: true }).sort());
  const before = files();
  for (let killAt = 1; killAt <= whole.points.length; killAt++) {
    const { signal } = await runKillable(argv, { path: world.path, environment }, killAt);
    expect(signal).toBe('SIGKILL');
    expect([world.path, temporary].map(holdsRows), whole.points[killAt - 1]).toEqual([false, false]);
  }
  expect(files()).toEqual(before);
  expect(whole.points.filter((point) => point.includes('Download')).length).toBeGreaterThanOrEqual(4);
});
