// What each command finds about filters when it looks at dashboards. Omni may misbehave in other ways.

import { expect, test } from 'vitest';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { mail, says } from '../support/vocabulary.ts';
import { openApplied, openWorld, type WorldOptions } from '../support/world.ts';

const rows = { filters: ['warehouse'], allow: 'tenants.csv' };
const config = { safety: { internalDomains: ['acme.com'], rows } };
const table = 'shows,receiver\nHamburg,cfo@northpine.example\n';
const filterConfig = { warehouse: { values: ['Hamburg'] } };
const stock = mail({ identifier: '3f9c2b71', format: 'csv', recipients: ['cfo@northpine.example'], filterConfig });

const quirks: readonly WorldOptions[] = [
  {},
  { dropShortFilters: true },
  { pngUnfiltered: true },
  { andFilters: true },
  { queriesWithoutQuery: true },
];
const commands: readonly (readonly [command: string, code: number])[] = [
  ['validate --online', 1],
  ['plan --refresh', 0],
  ['drift --deep', 2],
  ['apply --auto-approve', 1],
];

test.each(quirks.flatMap((quirk) => commands.map(([command, code]) => [quirk, command, code] as const)))(
  'a tile that the map of a filter leaves out is found where Omni is so: %o, by %s',
  async (quirk, command, code) => {
    const checks = { 'tile-unfiltered': 'off' };
    const world = await openApplied(
      { schedules: { stock }, 'tenants.csv': table },
      { ...quirk, config: { ...config, checks } },
    );
    const { checks: _, ...strict } = JSON.parse(world.read('almanac.yaml'));
    world.write({ 'almanac.yaml': strict });
    world.declare({ stock, other: { ...stock, name: 'Other' } });
    const ran = await world.run(...command.split(' '));
    expect(ran.code, ran.stdout + ran.stderr).toBe(code);
    expect(ran.stdout + ran.stderr).toEqual(says('the filter `warehouse` does not reach the tile `2`'));
  },
);

test('plan and apply say with -v what the layout of a dashboard does not tell', async () => {
  const getLayout = async () => {
    throw refusal(422);
  };
  const given = { config, outside: { connect: connecting(() => ({ getLayout })) } };
  const world = await openWorld({ schedules: { stock }, 'tenants.csv': table }, given);
  const words = says('Almanac cannot tell which tiles the filters of reports reach on 1 dashboard');
  expect((await world.run('plan', '--refresh', '-v')).stderr).toEqual(words);
  expect((await world.run('plan', '--refresh')).stderr).not.toEqual(words);
  expect((await world.run('apply', '--auto-approve', '-v')).stderr).toEqual(words);
});
