// A second reader for the fields that both know: the cron-validator package reads five fields of unix cron. It knows no
// year, no L or W and no backward range, so these are rewritten to something of the same shape that it can judge.

import { isValidCron } from 'cron-validator';
import { dayOfMonthSpec, dayOfWeekSpec, type FieldSpec, hoursSpec, minutesSpec, monthSpec } from './cron.ts';

/**
 * True if cron-validator accepts the first five fields of an expression. Meant for six fields that our own reader has
 * accepted: a refusal then reveals a mistake in one of the two readers, so the text is not sent.
 */
export function secondOpinionAccepts(fields: readonly string[]): boolean {
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields;
  const rewritten = [
    plainList(minutesSpec, minutes),
    plainList(hoursSpec, hours),
    plainList(dayOfMonthSpec, dayOfMonth.replace(/^L(?:W|-\d+)?$/, '1').replace(/^(\d+)W$/, '$1')),
    plainList(monthSpec, month),
    plainList(dayOfWeekSpec, dayOfWeek.replace(/^L$/, '7').replace(/L$/, '')),
  ];
  return isValidCron(rewritten.join(' '), {
    alias: true,
    allowBlankDay: true,
    allowSevenAsSunday: true,
    allowNthWeekdayOfMonth: true,
  });
}

/** Numbers instead of names, and two ranges instead of a backward one: `FRI-MON` becomes `6-7,1-2`. */
function plainList({ names, lowest, highest }: FieldSpec, text: string): string {
  return text
    .replaceAll(/[a-z]{3}/gi, (name) => {
      const index = names.indexOf(name.toUpperCase());
      return index < 0 ? name : String(lowest + index);
    })
    .replaceAll(/(?<!\d)(\d+)-(\d+)(\/\d+)?/g, (range, from, to, step = '') =>
      Number(from) <= Number(to) ? range : `${from}-${highest}${step},${lowest}-${to}${step}`,
    );
}
