// Reads the two day fields: `?`, and the forms with L, W and # that stand for a day which moves from month to month.
// Everything else in them is a list as in any other field: read-values.ts.

import { type CronProblem, type Days, dayOfMonthSpec, dayOfWeekSpec } from './cron.ts';
import { readItem, readValue, readValues, sortedValues, spanOf, splitPiece, type TextPiece } from './read-values.ts';

/** Undefined for `?`, and after adding an error. */
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

/** Undefined for `?`, and after adding an error. */
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

/** Whether an item of day-of-month has an L or a W; Wednesday has one of its own. */
const hasMark = (item: TextPiece) => /L|W(?!ED)/i.test(item.text);

function plainDays(kind: 'of-month' | 'of-week', days: readonly number[]): Days | undefined {
  return days.length === 0 ? undefined : { kind, days };
}

function standsAlone(field: 'day-of-month' | 'day-of-week', item: TextPiece): CronProblem {
  const isSaturday = field === 'day-of-week' && item.text === 'L';
  return {
    code: 'invalid-cron',
    field,
    ...spanOf(item),
    message: `\`${item.text}\` is part of a list. A day with ${field === 'day-of-month' ? '`L` or `W`' : '`L` or `#`'} must be alone in its field.`,
    hint: isSaturday
      ? 'Write `SAT`, which is what `L` means in day-of-week.'
      : 'Write two schedules, one for each day.',
  };
}

/** `L`, `LW` and `15W`, or what is wrong with a text that looks like one of them. */
function readMovingDay(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  const { text } = piece;
  const report = (message: string, hint: string, code: CronProblem['code'] = 'invalid-cron') => {
    problems.push({ code, field: 'day-of-month', ...spanOf(piece), message, hint });
    return undefined;
  };
  if (text === 'L') return { kind: 'last' };
  if (text === 'LW') {
    report(
      '`LW`, the last weekday of the month, is not documented by AWS EventBridge. It may be refused.',
      'Write `L` for the last day, whichever it is.',
      'cron-undocumented',
    );
    return { kind: 'last-workday' };
  }
  if (/^\d+W$/.test(text)) {
    const day = readValue(dayOfMonthSpec, { text: text.slice(0, -1), start: piece.start }, problems);
    return day === undefined ? undefined : { kind: 'nearest-workday', day };
  }
  const upper = text.toUpperCase();
  if (/^(L|LW|\d+W)$/.test(upper))
    return report(`\`${text}\` is in lower case: \`L\` and \`W\` are capitals.`, `Write \`${upper}\`.`);
  if (upper === 'WL') return report('`WL` is the wrong way round.', 'Write `LW` for the last weekday of the month.');
  if (/^L-\d+$/.test(upper)) {
    return report(
      `\`${text}\` counts back from the last day. AWS EventBridge has no such form.`,
      'Write `L` for the last day, or a fixed day such as `28`.',
    );
  }
  if (/^\d*-?\d+W$/.test(upper)) {
    return report(
      `\`${text}\` asks for the weekday nearest to a range. \`W\` goes with a single day.`,
      'Write one day, such as `15W`; for Monday to Friday write `?` here and `MON-FRI` in day-of-week.',
    );
  }
  if (/^([1-7]|[A-Z]{3})L$/.test(upper)) {
    return report(
      `\`${text}\` is a day of the week, and this is the day of the month.`,
      `Write \`?\` here and \`${upper}\` in day-of-week, or \`L\` for the last day of the month.`,
    );
  }
  return report(
    `\`${text}\` is not a day of the month.`,
    'Write `L` for the last day, or `15W` for the weekday nearest to the 15th.',
  );
}

/** Takes `L`, `6L` and `2#1` apart, in any case; undefined for a text that has no such form. */
function movingWeekday(text: string): { day: string; mark: string; nth: string } | undefined {
  const match = /^([^#/-]*)(?:(#)(.*)|(l))$/i.exec(text);
  return match === null ? undefined : { day: match[1] ?? '', mark: match[2] ?? match[4] ?? '', nth: match[3] ?? '' };
}

function readMovingWeekday(
  piece: TextPiece,
  { day: dayText, mark, nth }: { day: string; mark: string; nth: string },
  problems: CronProblem[],
): Days | undefined {
  const report = (message: string, hint: string) => {
    problems.push({ code: 'invalid-cron', field: 'day-of-week', ...spanOf(piece), message, hint });
    return undefined;
  };
  if (mark === 'l')
    return report(
      `\`${piece.text}\` has a lower-case \`l\`; \`L\` is a capital.`,
      `Write \`${piece.text.toUpperCase()}\`.`,
    );
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
