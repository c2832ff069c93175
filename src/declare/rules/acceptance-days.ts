// The entries of `accept`: their codes, and the days on which they end, must exist.

import { largest } from '../../model/values/collections.ts';
import { isDay } from '../../model/values/day.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { codeList, quote } from '../../model/values/words.ts';
import { acceptableCodes, type Code, canBeWaived, codes, isCode } from '../../model/workspace/codes.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { spelledDays } from './filter-values.ts';

export const acceptancesEndOnDays: Rule = ({ value }) => acceptanceDayFindings(value);

export function whyNoDay(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? 'does not exist' : 'is not written as year, month and day';
}

/** The advice for a day in another form; digits in a row are read as one. `what` is a clause that explains the day. */
export function dayHint(until: Json | undefined, what = 'it is the last one on which the warning is accepted'): string {
  const text = String(until).replace(/[T ]00:00.*/s, '');
  const meant = text.replace(/^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/, '$1-$2-$3');
  const days = isDay(meant) ? [meant] : spelledDays(text);
  const day = days.length > 0 ? `Write ${codeList(days, 'or')}` : 'Write a day such as `2027-03-31`';
  return `${day}; ${what}.`;
}

function withoutEnd(code: Code): RuleFinding {
  return {
    code: 'required-field',
    message: `\`${code}\` is an error${codes[code].severity === 'error' ? '' : ' where rows are judged'}, so whoever accepts it says until when.`,
    hint: `Write \`${code}: { reason: …, until: "2027-03-31" }\`, with the last day on which it is accepted.`,
    pointer: pointerTo('accept', code),
    at: 'key',
  };
}

/** Takes a resource or an audience. */
export function acceptanceDayFindings({ accept }: JsonObject): readonly RuleFinding[] {
  if (!isJsonObject(accept)) return [];
  return Object.entries(accept).flatMap(([code, entry]): readonly RuleFinding[] => {
    const until = isJsonObject(entry) ? entry['until'] : undefined;
    if (until === undefined && isCode(code) && canBeWaived(code)) return [withoutEnd(code)];
    if (typeof until !== 'string' || isDay(until)) return [];
    return [
      {
        code: 'invalid-until',
        message: `The day ${quote(until)} ${whyNoDay(until)}, so it is not known when the acceptance ends.`,
        hint: dayHint(until),
        pointer: pointerTo('accept', code, 'until'),
      },
    ];
  });
}

/**
 * A code that does not exist accepts nothing. Where there are errors, warnings are only counted, and the error that a
 * misspelled code was to accept is among them: so this is one itself.
 */
export const acceptedCodesExist: Rule = ({ value: { accept = {} } }) => {
  if (!isJsonObject(accept)) return [];
  return Object.keys(accept).flatMap((code): readonly RuleFinding[] => {
    if (isCode(code)) return [];
    const near = meantCode(code, acceptableCodes);
    return [
      {
        code: 'accepted-nothing',
        message: `There is no warning ${quote(code)}, so the entry accepts nothing.`,
        hint:
          near === undefined
            ? 'Write the code of a warning, which is in brackets behind `warning` or `error`.'
            : `Did you mean \`${near}\`?`,
        pointer: pointerTo('accept', code),
        at: 'key',
        severity: 'error',
      },
    ];
  });
};

/** The code that a misspelled one means: near by its letters, or the only one with most of its words, and at least two. */
export function meantCode(code: string, among: readonly string[]): string | undefined {
  const near = nearest(code, among);
  if (near !== undefined) return near;
  const words = new Set(code.toLowerCase().split(/[^a-z]+/));
  const shared = among.map((name) => ({
    name,
    count: name.split('-').filter((each) => words.has(each)).length,
  }));
  const most = largest(
    shared.map(({ count }) => count),
    2,
  );
  const [only, ...others] = shared.filter(({ count }) => count === most);
  return others.length === 0 ? only?.name : undefined;
}
