// The cron expression of a schedule: AWS accepts it, it fires at some time, and not more often than the service allows.

import { firesMoreThanHourly } from '../../cron/frequency.ts';
import { checkTimeZone } from '../../cron/zones/time-zone.ts';
import { type Rule, type RuleFinding, textOf } from '../findings/rule.ts';

export const scheduleFires: Rule = ({ kind, value }, context) => {
  const text = kind === 'schedule' ? textOf(value, 'schedule') : undefined;
  if (text === undefined) return [];
  const { cron, problems } = context.cron(text);
  const findings: RuleFinding[] = problems.map(({ code, message, hint, start, end }) => ({
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    pointer: '/schedule',
    within: { start, end },
  }));
  if (cron === undefined) return findings;
  const zone = checkTimeZone(textOf(value, 'timezone') ?? '').zone ?? 'UTC';
  if (!context.firesAgain(text, zone)) {
    findings.push({
      code: 'cron-never-fires',
      message: 'No future day matches this schedule, so nothing would be delivered.',
      hint: 'Check day, month and year together: 30 February does not exist, and past years do not return.',
      pointer: '/schedule',
    });
  } else if (firesMoreThanHourly(cron)) {
    findings.push({
      code: 'cron-too-frequent',
      message: 'It runs more often than once an hour. By default, Omni allows at most one run per hour.',
      hint: 'Use one minute, such as `0 * ? * * *`, unless your organization allows more.',
      pointer: '/schedule',
    });
  }
  return findings;
};
