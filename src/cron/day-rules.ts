// Reads the two day fields: `?`, and the forms with L, W and # that stand for a day which moves from month to month.
// Everything else in them is a list as in any other field: value-rules.ts.

import { type CronProblem, type Days, dayOfMonthSpec, dayOfWeekSpec, type FieldSpec } from './cron.ts';
import { invalid, readItem, readValue, readValues, sortedValues, splitPiece, type TextPiece } from './value-rules.ts';

/** Returns undefined for `?`, and after adding an error. */
export function readDayOfMonth(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  if (piece.text === '?') return undefined;
  const items = splitPiece(piece, ',');
  if (!items.some((item) => hasMark(item))) {
    return plainDays('of-month', readValues(dayOfMonthSpec, piece, problems));
  }
  for (const item of items.length > 1 ? items : []) {
    if (hasMark(item)) problems.push(standsAlone('day-of-month', item));
    else readItem(dayOfMonthSpec, item, problems);
  }
  return items.length > 1 ? undefined : readMovingDay(piece, problems);
}

/** Returns undefined for `?`, and after adding an error. */
export function readDayOfWeek(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  if (piece.text === '?') return undefined;
  const items = splitPiece(piece, ',');
  if (items.length === 1) {
    const form = movingWeekday(piece.text);
    if (form !== undefined) return readMovingWeekday(piece, form, problems);
    return plainDays('of-week', readValues(dayOfWeekSpec, piece, problems));
  }
  const values = items.flatMap((item) => {
    if (movingWeekday(item.text) === undefined) return readItem(dayOfWeekSpec, item, problems);
    problems.push(standsAlone('day-of-week', item));
    return [];
  });
  return plainDays('of-week', sortedValues(values));
}

/** True if an item of day-of-month has an L or a W; Wednesday has one of its own. */
const hasMark = (item: TextPiece) => /L|W(?!ED)/i.test(item.text);

function plainDays(kind: 'of-month' | 'of-week', days: readonly number[]): Days | undefined {
  return days.length === 0 ? undefined : { kind, days };
}

function standsAlone(field: 'day-of-month' | 'day-of-week', item: TextPiece): CronProblem {
  const isSaturday = field === 'day-of-week' && item.text === 'L';
  return invalid(field, item, {
    message: `\`${item.text}\` is part of a list. A day with ${field === 'day-of-month' ? '`L` or `W`' : '`L` or `#`'} must be alone in its field.`,
    hint: isSaturday
      ? 'Write `SAT`, which is what `L` means in day-of-week.'
      : 'Write two schedules, one for each day.',
  });
}

/** `L`, `L-3`, `LW` and `15W`, or what is wrong with a text that looks like one of them. */
function readMovingDay(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  const { text } = piece;
  if (text === 'L') return { kind: 'last', before: 0 };
  if (text === 'LW') {
    problems.push(undocumentedDay(piece, 'the last weekday of the month', 'write `L` for the last day'));
    return { kind: 'last-workday' };
  }
  if (/^L-\d+$/.test(text)) {
    const before = readValue(daysBeforeLastSpec, { text: text.slice(2), start: piece.start + 2 }, problems);
    if (before === undefined) return undefined;
    const days = before === 1 ? 'the day' : `${before} days`;
    const instead = 'choose a day that every month has, such as the 25th';
    problems.push(undocumentedDay(piece, `${days} before the last day of the month`, instead));
    return { kind: 'last', before };
  }
  if (/^\d+W$/.test(text)) {
    const day = readValue(dayOfMonthSpec, { text: text.slice(0, -1), start: piece.start }, problems);
    return day === undefined ? undefined : { kind: 'nearest-workday', day };
  }
  problems.push(
    invalid('day-of-month', piece, {
      message: `\`${text}\` is not a day of the month.`,
      hint: 'Write `L` for the last day, `L-3` for three days before it, or `15W` for the weekday nearest to the 15th. For a day of the week, write `?` here.',
    }),
  );
  return undefined;
}

/** The number of days before the last one: none is `L` itself, and no month has more. */
const daysBeforeLastSpec: FieldSpec = { ...dayOfMonthSpec, highest: 30 };

function undocumentedDay(piece: TextPiece, words: string, instead: string): CronProblem {
  const message = `\`${piece.text}\`, ${words}, is not documented by AWS EventBridge. It may be refused.`;
  const complaint = invalid('day-of-month', piece, { message, hint: `If it is refused, ${instead}.` });
  return { ...complaint, code: 'cron-undocumented' };
}

/** Splits `L`, `6L` and `2#1` into their parts; undefined for a text that has no such form. */
function movingWeekday(text: string): { day: string; mark: string; nth: string } | undefined {
  const match = /^([^#/-]*)(?:(#)(.*)|(L))$/.exec(text);
  return match === null ? undefined : { day: match[1] ?? '', mark: match[2] ?? match[4] ?? '', nth: match[3] ?? '' };
}

function readMovingWeekday(
  piece: TextPiece,
  { day: dayText, mark, nth }: { day: string; mark: string; nth: string },
  problems: CronProblem[],
): Days | undefined {
  const report = (message: string, hint: string) => {
    problems.push(invalid('day-of-week', piece, { message, hint }));
    return undefined;
  };
  if (mark === 'L' && dayText === '') return { kind: 'of-week', days: [7] };
  if (dayText === '')
    return report(
      `\`${piece.text}\` does not say which day of the week.`,
      'Write it as `2#1`, the first Monday of the month.',
    );
  const day = readValue(dayOfWeekSpec, { text: dayText, start: piece.start }, problems);
  if (mark === 'L') return day === undefined ? undefined : { kind: 'last-weekday', day };
  if (!/^[1-5]$/.test(nth)) {
    return report(
      `\`${piece.text}\` names a week that no month has: after \`#\` comes a number from 1 to 5.`,
      'Write it as `2#1`, the first Monday of the month.',
    );
  }
  return day === undefined ? undefined : { kind: 'nth-weekday', day, nth: Number(nth) };
}
