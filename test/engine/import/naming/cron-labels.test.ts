// When a schedule runs, as short words for keys; and the order of names.

import { expect, test } from 'vitest';
import { byNature } from '../../../../src/engine/import/naming/by-nature.ts';
import { dayLabel, firstMinute, timeLabel } from '../../../../src/engine/import/naming/cron-labels.ts';

test.each([
  ['0 8 ? * MON *', 'monday', '0800'],
  ['5 16 ? * 2-6 *', 'weekdays', '1605'],
  ['0 8 ? * SAT,SUN *', 'weekend', '0800'],
  ['0 8 ? * * *', 'daily', '0800'],
  ['0 8,16 * * ? *', 'daily', '0800-1600'],
  ['0 8-18 ? * TUE,THU *', 'tuesday-thursday', '0800-to-1800'],
  ['0 * * * ? *', 'daily', 'hourly'],
  ['0/15 * * * ? *', 'daily', 'every-15-minutes'],
  ['0 6 1 * ? *', '1st', '0600'],
  ['0 6 2,13,23 * ? *', '2nd-13th-23rd', '0600'],
  ['0 6 L * ? *', 'month-end', '0600'],
  ['0 6 15W * ? *', 'weekday-near-15th', '0600'],
  ['0 6 ? * 6L *', 'last-friday', '0600'],
  ['0 6 ? * 2#1 *', 'first-monday', '0600'],
  ['0 6 1 1/3 ? *', 'quarterly-1st', '0600'],
  ['0 6 1 JAN ? *', 'january-1st', '0600'],
  ['no expression', '', ''],
])('%s runs on %j at %j', (expression, day, time) => {
  expect([dayLabel(expression), timeLabel(expression)]).toEqual([day, time]);
});

test('the first run of the day is what schedules of one name are sorted by', () => {
  expect(['30 16,7 ? * MON *', '0 8 ? * MON *', 'no expression'].map(firstMinute)).toEqual([450, 480, -1]);
});

test('names are sorted as people would: by letters, whatever their case, and by numbers', () => {
  const sorted = ['apples', 'Übersicht', 'Report 10', 'report 9', 'Report', 'Bananas', 'report 09', '2 a', '10 a'];
  expect([...sorted].sort(byNature)).toEqual([
    '2 a',
    '10 a',
    'apples',
    'Bananas',
    'Report',
    'report 09',
    'report 9',
    'Report 10',
    'Übersicht',
  ]);
});
