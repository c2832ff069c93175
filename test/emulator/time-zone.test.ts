import { expect, test } from 'vitest';
import { isTimeZone } from '../../src/emulator/schedule-rules.ts';

test.each([
  'America/New_York',
  'US/Eastern',
  'Asia/Calcutta',
  'UTC',
  'Etc/GMT+5',
  'EST',
  'EST5EDT',
  'europe/london',
  'GB',
])('the emulator accepts %s as a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each([
  '',
  'PST',
  'ist',
  'SystemV/PST8',
  '+05:30',
  'UTC+2',
  'Europe/Atlantis',
  'Europe/London ',
  'Etc/Unknown',
  'US/Pacific-New',
  'Z',
])('the emulator refuses %s as a time zone', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
