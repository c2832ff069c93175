// The same commit, checked out on Linux and as Git for Windows does it: the same plan, the same digest, the same requests.

import { expect, it } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const files = {
  'schedules/all.yaml': [
    'schedules:',
    '  mail:',
    ...Object.entries({ ...weekly, textBody: '${file.body.md}' }).map(
      ([name, value]) => `    ${name}: ${JSON.stringify(value)}`,
    ),
    '  regional:',
    '    forEachRow: { file: regions.csv, key: code }',
    ...Object.entries({
      ...hook,
      name: 'Stock ${each.code}',
      filterConfig: { warehouse: { values: ['${each.region}'] } },
    }).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`),
    '',
  ].join('\n'),
  'schedules/body.md': 'Hello,\n\nthe report.\n',
  'schedules/regions.csv': 'code,region\nemea,"Europe,\nall"\napac,Asia\n',
};
const onWindows = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
);

it('included texts and tables with Windows line ends give the same plan and send the same', async () => {
  const world = await openWorld(files);
  const { digest } = await world.plan();
  world.write(onWindows);
  expect((await world.plan()).digest).toBe(digest);
  await world.apply();
  expect(JSON.stringify(world.emulator.data().schedules)).not.toContain('\\r');
  expect(world.read('almanac.state.json')).not.toContain('\\r');
  for (const checkout of [files, onWindows]) {
    world.write(checkout);
    expect((await world.plan()).changes).toEqual([]);
  }
});

it('nothing is planned because a state has Windows line ends, and those that are declared stay', async () => {
  const world = await openWorld(files);
  await world.apply();
  const text = world.read('almanac.state.json');
  world.write({ 'almanac.state.json': text.replaceAll('\\n', '\\r\\n') });
  expect((await world.plan()).changes).toEqual([]);
  world.write({ 'schedules/body.md': 'Hello,\n\nthe new report.\n' });
  expect((await world.plan()).summary).toMatchObject({ update: 1 });
  // Only the escapes of YAML write such a text.
  world.write({ 'schedules/all.yaml': { schedules: { mail: { ...weekly, textBody: 'Hello,\r\nall' } } } });
  await world.apply('--allow', 'orphans', '--force');
  expect(JSON.stringify(world.emulator.data().schedules)).toContain('Hello,\\r\\nall');
  expect((await world.plan()).changes).toEqual([]);
});
