// What `import`, `fold` and `drift --write` leave in a workspace: Prettier has nothing to do in it, and neither has `fmt`.

import { format } from 'prettier';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { set, to } from '../support/cli/drift-stage.ts';
import { mail } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `colleague-${index}@analytics.example.com`);

async function expectAtRest({ path, read, run }: World): Promise<void> {
  for (const file of globSync('schedules/**/*.yaml', { cwd: path }))
    expect(await format(read(file), { parser: 'yaml' })).toBe(read(file));
  expect(await run('fmt', '--check', 'schedules')).toMatchObject({ code: 0, stdout: '' });
}

test.each([1, 2, 4])('Prettier leaves what import writes of schedules with %s recipients', async (count) => {
  const world = await openWorld();
  await world.create('email', {
    name: "Weekly 'sales': #1",
    recipients: people(count),
    textBody: 'Good morning,\n\nthe numbers are attached.\n',
    filterConfig: { region: { values: people(count) } },
  });
  expect(await world.run('import')).toMatchObject({ code: 0 });
  await expectAtRest(world);
});

test.each([1, 2, 3])('Prettier leaves what fold and drift --write write of %s recipients', async (count) => {
  const keys = ['amer', 'apac', 'emea'];
  const own = keys.map((key) => [key, mail({ name: `Sales of ${key}`, recipients: [`${key}@example.com`] })] as const);
  const world = await openApplied(stringify({ schedules: Object.fromEntries(own) }));
  await world.run('fmt', 'schedules');
  await expectAtRest(world);
  world.change('Sales of amer', to('amer@example.com', ...people(count)));
  world.change('Sales of apac', set('subject', "Weekly 'sales': #1"));
  expect(await world.drift('--deep', '--write')).toMatchObject({ code: 0 });
  await expectAtRest(world);
  await world.apply();
  const { code, stdout } = await world.run('fold', 'schedules.*');
  expect([code, stdout]).toEqual([0, expect.stringContaining('schedules.all')]);
  await expectAtRest(world);
  await world.apply();
  world.change('Sales of emea', to(...people(count + 1)));
  expect(await world.drift('--deep', '--write')).toMatchObject({ code: 0 });
  await expectAtRest(world);
});
