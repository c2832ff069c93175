// An apply says which entries of moved, adopt and removed it finished.

import { expect, it } from 'vitest';
import { at, schedule, stateOf } from '../support/apply/declared.ts';
import { baseUrl, stage } from '../support/apply/stage.ts';

const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
const almanac = { api: { baseUrl, rateLimit: 0, operations: 'full' } };

it('an apply names the entries that it finished, and only those', async () => {
  const made = stage(
    {
      schedules: { a: schedule('A'), b: schedule('B'), c: schedule('C'), d: schedule('D') },
      adopt: [
        { to: 'schedules.a', id },
        { to: 'schedules.b', id: id.replace('2', '3') },
      ],
      moved: [
        { from: 'schedules.old', to: 'schedules.c' },
        { from: 'schedules.never', to: 'schedules.d' },
      ],
    },
    {
      almanac,
      state: stateOf({
        'schedules.b': { id: 'another', attributes: schedule('B') },
        'schedules.old': { id: 'c', attributes: schedule('C') },
      }),
    },
  );
  made.service.add(id, schedule('A'), at);
  const { finished } = await made.apply();
  expect(finished).toMatchObject([{ section: 'moved' }, { section: 'adopt' }]);
  expect(finished?.every(({ file, line }) => file !== '' && line > 0)).toBe(true);
  expect((await made.plan()).changes).toEqual([]);
});
