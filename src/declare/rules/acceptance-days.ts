// The days on which acceptances end: each must exist.

import { isDay } from '../../model/values/day.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { type Code, canBeWaived, isCode } from '../../model/workspace/codes.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';

export const acceptancesEndOnDays: Rule = ({ value }) => acceptanceDayFindings(value);

/** What to write instead of a day in another form; digits in a row are read as such. */
export function dayHint(until: Json | undefined): string {
  const meant = String(until).replace(/^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/, '$1-$2-$3');
  const day = isDay(meant) ? `Write \`${meant}\`` : 'Write a day such as `2027-03-31`';
  return `${day}; it is the last one on which the warning is accepted.`;
}

function withoutEnd(code: Code): RuleFinding {
  return {
    code: 'required-field',
    message: `\`${code}\` is an error, so whoever accepts it says until when.`,
    hint: `Write \`${code}: { reason: …, until: "2027-03-31" }\`, with the last day on which it is accepted.`,
    pointer: pointerTo('accept', code),
    at: 'key',
  };
}

/** Of a resource or of an audience. */
export function acceptanceDayFindings({ accept }: JsonObject): readonly RuleFinding[] {
  if (!isJsonObject(accept)) return [];
  return Object.entries(accept).flatMap(([code, entry]): readonly RuleFinding[] => {
    const until = isJsonObject(entry) ? entry['until'] : undefined;
    if (until === undefined && isCode(code) && canBeWaived(code)) return [withoutEnd(code)];
    if (typeof until !== 'string' || isDay(until)) return [];
    const why = /^\d{4}-\d{2}-\d{2}$/.test(until) ? 'does not exist' : 'is not written as year, month and day';
    return [
      {
        code: 'invalid-until',
        message: `The day ${quote(until)} ${why}, so nobody knows when the acceptance ends.`,
        hint: dayHint(until),
        pointer: pointerTo('accept', code, 'until'),
      },
    ];
  });
}
