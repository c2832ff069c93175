// Checks a cron expression: AWS accepts it, it fires, and its days are intended. It must not fire more often than the
// service allows.

import { checkTimeZone } from '../../cron/check-time-zone.ts';
import { type Cron, dayOfWeekSpec } from '../../cron/cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { spellValues } from '../../cron/spell-values.ts';
import { largest, memoize } from '../../model/values/collections.ts';
import { fieldText, type Rule, type RuleFinding } from '../findings/rule.ts';

export const scheduleFires: Rule = ({ value }, context) => {
  const text = fieldText(value, 'schedule');
  if (text === undefined) return [];
  const { cron, findings } = judged(text);
  if (cron === undefined) {
    const hint = /\s/.test(text.trim())
      ? undefined
      : context.words?.valueHint('schedule', text)?.replace('`schedule: ', '`');
    return hint === undefined ? findings : findings.map((finding) => ({ ...finding, hint }));
  }
  const zone = checkTimeZone(fieldText(value, 'timezone') ?? '').zone ?? 'UTC';
  if (!context.firesAgain(cron, zone)) return [...findings, neverFires];
  // Each matching hour has all the minutes: two are less than 60 apart, and one comes back after 60 at the soonest.
  const [first, ...others] = cron.minutes;
  return others.length === 0 ? findings : [...findings, tooFrequent(text.replace(/^\S+/, String(first)))];
};

/** The findings about the expression alone: thousands of schedules share few of them. */
const judged = memoize(
  (text: string): { readonly cron?: Cron | undefined; readonly findings: readonly RuleFinding[] } => {
    const { cron, problems } = parseCron(text);
    const findings = problems.map(({ code, message, hint, start, end }) => ({
      code,
      message,
      hint,
      pointer: '/schedule',
      within: { start, end },
    }));
    return {
      cron,
      findings:
        cron === undefined
          ? findings
          : [
              ...findings,
              ...unixWeekdays(text, cron),
              ...dayByNumber(text),
              ...lastAlone(text),
              ...daysOfTheEnd(text, cron),
            ],
    };
  },
  10_000,
);

const neverFires: RuleFinding = {
  code: 'cron-never-fires',
  message: 'No future day matches this schedule, so nothing would be delivered.',
  hint: 'Check day, month and year together: 30 February does not exist, and past years do not return.',
  pointer: '/schedule',
};

/** `hourly` is the expression with its first minute alone. */
function tooFrequent(hourly: string): RuleFinding {
  return {
    code: 'cron-too-frequent',
    message: 'This schedule runs more often than once an hour. By default, Omni allows at most one run per hour.',
    hint: `Use one minute, as in \`${hourly}\`, unless your organization allows more.`,
    pointer: '/schedule',
  };
}

/**
 * Days of the week that are numbered as unix cron does, where 1 is Monday. Here 1 is Sunday, and 7 is Saturday: some
 * days with a Sunday and without a Saturday were most likely working days, and 6 with 7 the weekend. Names are always
 * right.
 */
function unixWeekdays(text: string, cron: Cron): readonly RuleFinding[] {
  const [, , , , word = ''] = text.split(' ');
  if (cron.days.kind !== 'of-week' || !/^\d[\d,-]*$/.test(word)) return [];
  const { days } = cron.days;
  const isWorkingDays = days.length > 1 && days.includes(1) && !days.includes(7);
  const isWeekend = days.length === 2 && days.includes(6) && days.includes(7);
  if (!isWorkingDays && !isWeekend) return [];
  const written = spellValues(dayOfWeekSpec, days);
  const inUnixCron = spellValues(
    dayOfWeekSpec,
    days.map((day) => (day % 7) + 1).sort((a, b) => a - b),
  );
  return [
    {
      code: 'cron-weekday-numbers',
      message: `Here 1 is Sunday and 7 is Saturday, so \`${word}\` is ${written}. In unix cron, it is ${inUnixCron}.`,
      hint: `Did you mean \`${inUnixCron}\`? If not, write \`${written}\`.`,
      ...placeOfDay(text),
    },
  ];
}

function placeOfDay(text: string): Pick<RuleFinding, 'pointer' | 'within'> {
  const fields = text.split(' ');
  const start = [...fields.slice(0, 4), ''].join(' ').length;
  return { pointer: '/schedule', within: { start, end: start + (fields[4] ?? '').length } };
}

/** One day by number. A report on Sunday is rare, and 1 is Monday elsewhere; other numbers are misread as easily. */
function dayByNumber(text: string): readonly RuleFinding[] {
  const [, , , , word = ''] = text.split(' ');
  const [, digit, mark = ''] = /^0?([1-7])(L|#[1-5])?$/.exec(word) ?? [];
  if (digit === undefined) return [];
  const dayHere = Number(digit) - 1;
  const dayInUnix = Number(digit) % 7;
  const isSunday = dayHere === 0;
  const [name, unix] = [dayHere, dayInUnix].map((day) => `${dayOfWeekSpec.names[day]}${mark}`);
  const day = mark === '' ? `\`${word}\`` : `the day of \`${word}\``;
  return [
    {
      code: 'day-by-number',
      ...(isSunday ? {} : { severity: 'note' }),
      message: `Here 1 is Sunday and 7 is Saturday, so ${day} is ${fullNames[dayHere]}. In unix cron, ${digit} is ${fullNames[dayInUnix]}.`,
      hint: isSunday
        ? `Did you mean \`${unix}\`? If not, write \`${name}\`.`
        : `Write \`${name}\`, so that nobody has to count.`,
      ...placeOfDay(text),
    },
  ];
}

/** `L` alone is the last day of each week. Whoever writes it may mean the last one of the month. */
function lastAlone(text: string): readonly RuleFinding[] {
  const [minutes, hours, , month, word = '', year] = text.split(' ');
  if (word.toUpperCase() !== 'L') return [];
  return [
    {
      code: 'every-saturday',
      message: 'As a day of the week, `L` alone is the last day of each week: every Saturday.',
      hint: `For the last day of each month write \`${minutes} ${hours} L ${month} ? ${year}\`. If every Saturday is meant, write \`SAT\`.`,
      ...placeOfDay(text),
    },
  ];
}

/**
 * Days at the end of a month. Elsewhere `28-31` stands for the last day, with a script that skips the others; here each of
 * them counts. 29 February is intended; a month that the schedule names alone and that lacks the day never fires.
 */
function daysOfTheEnd(text: string, { days, months }: Cron): readonly RuleFinding[] {
  if (days.kind !== 'of-month') return [];
  const inOrder = [...days.days].toSorted((a, b) => a - b);
  const [first = 1] = inOrder;
  const [minutes, hours, word = '', ...rest] = text.split(' ');
  const start = `${minutes} ${hours} `.length;
  const lastDay = `For the last day of each month write \`${[minutes, hours, 'L', ...rest].join(' ')}\`.`;
  const place = { pointer: '/schedule', within: { start, end: start + word.length } } as const;
  const most = largest(months.map((month) => inOrder.filter((day) => day <= longestOf(month)).length));
  if (first >= 28 && inOrder.at(-1) === 31 && inOrder.length === 32 - first && most > 1)
    return [
      {
        code: 'days-at-month-end',
        message: `\`${word}\` means each of these days, and not the last one alone: up to ${most} deliveries a month.`,
        hint: `${lastDay} If all of these days are meant, write \`accept: { days-at-month-end: REASON }\`.`,
        ...place,
      },
    ];
  const lacking = months.filter((month) => first > (daysOfMonth[month - 1] ?? 31));
  if (lacking.length === 0 || lacking.length === months.length) return [];
  const count = lacking.length === 1 ? '1 month has' : `${lacking.length} months have`;
  return [
    {
      code: 'cron-skips-months',
      message: `${count} no day ${first}${lacking.includes(2) && first === 29 ? ', but in a leap year' : ''}, so nothing is delivered in ${lacking.length === 1 ? 'that month' : 'those months'}.`,
      hint: lastDay,
      ...place,
    },
  ];
}

const longestOf = (month: number) => (month === 2 ? 29 : (daysOfMonth[month - 1] ?? 31));

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const fullNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
