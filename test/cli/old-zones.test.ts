// A Node whose time zones are older than those that Almanac knows: who looks at times of a zone that has changed is told once.

import { expect, it } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

const schedules = {
  a: { ...daily, name: 'A', timezone: 'America/Winnipeg' },
  b: { ...daily, name: 'B', timezone: 'America/Winnipeg' },
  c: { ...daily, name: 'C', timezone: 'Canada/Mountain' },
  d: { ...daily, name: 'D', timezone: 'Europe/London' },
};
const lines = ['status', 'next', 'plan', 'doctor'];

it.each([
  ['2025c', '`America/Winnipeg`, `Canada/Mountain` have'],
  ['2026d', '`America/Winnipeg` have'],
  ['2026e', undefined],
  ['2099a', undefined],
])('status, next, plan and doctor say once which zones in use a Node with release %s has wrong', async (...row) => {
  const [zoneRelease, named] = row;
  const world = await openApplied({ schedules }, { outside: { zoneRelease } });
  for (const line of lines) {
    const { stdout, stderr } = await world.run(line);
    const said = (stdout + stderr).replace(/\s+/g, ' ').split('older than 2026f');
    expect([line, said.length]).toEqual([line, named === undefined ? 1 : 2]);
    if (named !== undefined) expect(said[1]).toContain(`The clocks of ${named} changed since`);
    if (line === 'doctor') expect(said[0]).toContain(`time zones of ${zoneRelease}`);
  }
  expect((await world.run('next --format json')).stdout).toMatch(/^\{/);
  expect((await world.run('plan --quiet')).stderr).toBe('');
});

it('a program that does not say how old its time zones are is asked for the times of its clocks', async () => {
  const told = await openApplied({ schedules }, { outside: { zoneRelease: process.versions['tz'] } });
  const runtime = { name: 'Bun', version: '1.4.5' };
  const asked = await openApplied({ schedules }, { outside: { zoneRelease: undefined, runtime } });
  const wrong = (text: string) => /older than 2026f, .*/.exec(text)?.[0];
  for (const line of ['status', 'next', 'plan']) {
    const [byNode, byBun] = [(await told.run(line)).stderr, (await asked.run(line)).stderr];
    expect(wrong(byBun.replace(/\s+/g, ' '))).toBe(wrong(byNode.replace(/\s+/g, ' ')));
    if (byBun !== '') expect(byBun).toContain('This Bun has time zones from before release 2026');
  }
});
