// What an import reads of a schedule, a deep look compares.

import { expect, test } from 'vitest';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { twoOf } from '../support/emulator/two-of.ts';
import { openApplied } from '../support/world.ts';

/** Omni may show a default of its own where nothing was applied, so these are compared with what was. */
const applied: Readonly<Record<string, JsonObject>> = {
  paperFormat: { paperFormat: 'a3' },
  paperOrientation: { paperOrientation: 'portrait' },
  maxRowLimit: { maxRowLimit: 5, overrideRowLimit: true },
};
/** Another field of the dashboard and of the destination changes with these, and `drift.test.ts` plays them. */
const others = ['identifier', 'destinationType'];

test.each(Object.entries(twoOf).filter(([name]) => !others.includes(name)))('%s', async (name, [one, other]) => {
  const first = { ...one, ...applied[name] };
  const second = { ...other, ...(name === 'maxRowLimit' ? { overrideRowLimit: true } : {}) };
  const world = await openApplied({ schedules: { a: first } }, { environment: { SFTP_PASSWORD: 'of-a-test' } });
  world.change(String(first['name']), (fields) => {
    for (const key of Object.keys(fields)) delete fields[key];
    Object.assign(fields, second);
  });
  const { document } = await world.drift('--deep');
  const paths = document.drift.flatMap(({ diff }) => diff.map(({ path }) => path.split('/')[1]));
  const warned = document.diagnostics.some(({ code }) => code === 'other-fan-out');
  const isRead = fieldsOf.schedule[name]?.read !== 'never';
  expect([paths.includes(name), warned], JSON.stringify(document.drift)).toEqual([
    isRead && name !== 'fanOut',
    name === 'fanOut',
  ]);
});
