// The time zone of a schedule is a name of the IANA database.

import { checkTimeZone, timeZoneNames } from '../../cron/time-zone.ts';
import { type Rule, textOf } from '../rule.ts';
import { didYouMean } from '../suggest.ts';

export const timeZoneExists: Rule = ({ kind, value }) => {
  const name = kind === 'schedule' ? textOf(value, 'timezone') : undefined;
  if (name === undefined || name === '') return [];
  const { problem } = checkTimeZone(name);
  if (problem === undefined) return [];
  const hint = problem.hint ?? didYouMean(name, timeZoneNames()) ?? 'Write a name such as `America/New_York` or `UTC`.';
  return [{ code: problem.code, message: problem.message, hint, pointer: '/timezone' }];
};
