// The days on which acceptances end: each must exist.

import { isDay } from '../../model/values/day.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';

export const acceptancesEndOnDays: Rule = ({ value }) => acceptanceDayFindings(value);

/** Of a resource or of an audience. */
export function acceptanceDayFindings({ accept }: JsonObject): readonly RuleFinding[] {
  if (!isJsonObject(accept)) return [];
  return Object.entries(accept).flatMap(([code, entry]): readonly RuleFinding[] => {
    const until = isJsonObject(entry) ? entry['until'] : undefined;
    if (typeof until !== 'string' || isDay(until)) return [];
    const why = /^\d{4}-\d{2}-\d{2}$/.test(until) ? 'does not exist' : 'is not written as year, month and day';
    return [
      {
        code: 'invalid-until',
        message: `The day ${quote(until)} ${why}, so nobody knows when the acceptance ends.`,
        hint: 'Write a day such as `2027-03-31`; it is the last one on which the warning is accepted.',
        pointer: pointerTo('accept', code, 'until'),
      },
    ];
  });
}
