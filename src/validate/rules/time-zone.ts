// The time zone of a schedule is a name of the IANA database.

import { checkTimeZone } from '../../cron/zones/time-zone.ts';
import { type Rule, textOf } from '../findings/rule.ts';

export const timeZoneExists: Rule = ({ kind, value }, { nearestTimeZone }) => {
  const name = kind === 'schedule' ? textOf(value, 'timezone') : undefined;
  if (name === undefined || name === '') return [];
  const { problem } = checkTimeZone(name);
  if (problem === undefined) return [];
  const near = problem.hint === undefined ? nearestTimeZone(name) : undefined;
  const meant = near === undefined ? 'Write a name such as `America/New_York` or `UTC`.' : `Did you mean \`${near}\`?`;
  const hint = problem.hint ?? meant;
  return [{ code: problem.code, message: problem.message, hint, pointer: '/timezone' }];
};
