// `almanac drift --write` where one instance or a whole loop changed. The items, cells and variables that are edited,
// the transcript drift/write-loops shows.

import { expect, it } from 'vitest';
import { all, at, type Change, maps, renamed, set, zoned } from '../support/cli/drift-stage.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

const wednesday = at('0 6 ? * WED *');
const emea = 'schedules.regional.emea';
const [europe, america] = ['Sales Europe', 'Sales America'];
const alert: Change = (fields) =>
  Object.assign(fields, { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: 'Jmn2r3KV' });

it.each([
  ['a value of the declaration', 'timezone', maps, zoned('Europe/Paris')],
  ['a text that is partly a reference', 'name', maps, renamed('Costs')],
  ['a field that the declaration leaves out', 'conditionType', maps, alert],
  [
    'a default',
    'timezone',
    `defaults: { schedules: { timezone: UTC } }\n${maps.replace('    timezone: Europe/London # for all\n', '')}`,
    zoned('Europe/Paris'),
  ],
])('%s is refused where only one instance changed, with the ways to write it', async (_, field, text, change) => {
  const world = await openApplied(text);
  world.change(europe, change);
  const { code, stdout } = await world.run('drift --deep --write');
  expect([code, world.read(all)]).toEqual([2, text]);
  expect(stdout).toEqual(
    says(
      `One text gives \`${field}\` to all instances of \`schedules.regional\`, so it cannot hold what Omni has for one of them. Give every item in schedules/all.yaml a \`${field}\`, and write \`${field}: \${each.${field}}\` beside \`forEach\`. Or declare this one outside of the loop: \`almanac show --resolved ${emea}\`.`,
    ),
  );
  const shown = await world.run(`show --resolved ${emea}`);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(`from: ${emea}`)]);
});

it('the address of a loop means all its instances, and that of an instance only this one', async () => {
  const world = await openApplied(maps);
  const write = (...argv: readonly string[]) => world.drift('--deep', '--write', ...argv);
  const addresses = ({ document }: Awaited<ReturnType<typeof write>>) =>
    document.written?.map(({ address }) => address);
  world.change(europe, wednesday);
  world.change(america, at('0 7 ? * WED *'));
  expect(addresses(await write('schedules.regional.amer'))).toEqual(['schedules.regional.amer']);
  expect(world.read(all)).toMatch(/emea: .*at: 0 8 .*\n.*amer: .*at: '?0 7 /);
  const both = await write('schedules.regional', '--target', 'schedules.regional');
  expect([both.code, addresses(both)]).toEqual([0, [emea]]);
  expect(world.read(all)).toMatch(/emea: .*at: "0 6 /);
  await world.apply('--refresh=deep');
  world.change(europe, set('schedule', '0 5 ? * WED *'));
  expect((await write(emea, '--target', 'schedules.regional')).code).toBe(0);
  expect((await world.drift('--deep')).code).toBe(0);
});
