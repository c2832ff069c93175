// An acceptance that ends: its last day is a day in UTC, and clocks around it decide.

import { expect, test } from 'vitest';
import type { LoadOptions } from '../../src/declare/load/load.ts';
import { diagnosticsOf, schedule } from '../support/apply/loading.ts';

const often = (accept: string) =>
  `schedules:\n${schedule('a', `, accept: { cron-too-frequent: ${accept} }`).replace('0 9 ? * MON *', '0/15 * ? * * *')}`;

async function said(accept: string, time: string, ended: LoadOptions['ended'] = 'counts', check = '') {
  const files = { 'almanac.yaml': check, 'schedules/a.yaml': often(accept) };
  const found = await diagnosticsOf(files, undefined, { time, ended });
  return found.map(({ severity, code, accepted, message }) => [severity, code, accepted ?? message] as const);
}

const until = '{ reason: soon rarer, until: 2027-03-31 }';
const accepted = ['warning', 'cron-too-frequent', 'soon rarer'];
const note = [
  'note',
  'acceptance-ends',
  '`cron-too-frequent` is accepted until 2027-03-31. After that day, `validate` and `plan` report it again.',
];
const over = expect.stringContaining('The warning was accepted until 2027-03-31, and that day is over.');

test.each([
  ['2026-12-01T00:00:00Z', [accepted]],
  ['2027-02-28T23:59:59Z', [accepted]],
  ['2027-03-01T00:00:00Z', [note, accepted]],
  ['2027-03-31T00:00:00Z', [note, accepted]],
  ['2027-03-31T23:59:59Z', [note, accepted]],
  ['2027-03-31T23:59:59.999Z', [note, accepted]],
  ['2027-04-01T00:00:00Z', [['warning', 'cron-too-frequent', over]]],
  ['2028-01-01T12:00:00Z', [['warning', 'cron-too-frequent', over]]],
])('at %s, an acceptance until 2027-03-31 leaves these findings', async (time, expected) => {
  const found = await said(until, time);
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining(expected));
});

test('an acceptance that has ended is an error where the check is one, and only for commands that it counts for', async () => {
  const check = 'checks: { cron-too-frequent: error }\n';
  const severities = async (ended: LoadOptions['ended'], time: string) =>
    (await said(until, time, ended, check)).map(([severity]) => severity);
  expect(await severities('counts', '2027-04-01T00:00:00Z')).toEqual(['error']);
  expect(await severities('warns', '2027-04-01T00:00:00Z')).toEqual(['warning']);
  // What was accepted in time stops neither.
  expect(await severities('counts', '2027-01-01T00:00:00Z')).toEqual(['warning']);
});

test('a check that is off needs no note of the end', async () => {
  expect(await said(until, '2027-03-31T00:00:00Z', 'counts', 'checks: { cron-too-frequent: off }\n')).toEqual([]);
});

test.each([
  ['2028-02-29', []],
  ['2027-02-29', ['invalid-until']],
  ['2027-13-01', ['invalid-until']],
  ['2027-00-10', ['invalid-until']],
  ['27-03-31', ['invalid-until']],
  ['2027-3-31', ['invalid-until']],
  ['2027-03-31T00:00:00Z', ['invalid-until']],
  ['"31.03.2027"', ['invalid-until']],
  ['20270331', ['wrong-type']],
])('the day %s is reported as %j', async (day, expected) => {
  const found = await said(`{ reason: soon rarer, until: ${day} }`, '2026-12-01T00:00:00Z');
  expect(found.filter(([severity]) => severity === 'error').map(([, code]) => code)).toEqual(expected);
});

test('a note of the end of a default stands at the default, once', async () => {
  const defaults = `defaults: { schedules: { accept: { cron-too-frequent: ${until} } } }\n`;
  const resources = ['a', 'b'].map((key) => schedule(key).replace('0 9 ? * MON *', '0/15 * ? * * *')).join('');
  const found = await diagnosticsOf({ 'schedules/a.yaml': `${defaults}schedules:\n${resources}` }, undefined, {
    time: '2027-03-31T12:00:00Z',
  });
  const notes = found.filter(({ code }) => code === 'acceptance-ends');
  expect(notes).toMatchObject([{ line: 1, column: 84, concerns: ['schedules.a', 'schedules.b'] }]);
});
