// Reads one value (a number or a name) and one step of a field, and says what is wrong with them.

import type { CronProblem } from './cron.ts';
import { allowedValues, type FieldSpec } from './cron-fields.ts';
import { spanOf, type TextPiece } from './text-piece.ts';

/** The number that a piece means; undefined after adding a problem. Names are accepted in upper and lower case. */
export function readValue(spec: FieldSpec, piece: TextPiece, problems: CronProblem[]): number | undefined {
  const { text } = piece;
  const index = spec.names.indexOf(text.toUpperCase());
  if (index >= 0) return spec.lowest + index;
  const complaint = /^\d+$/.test(text) ? complainOfNumber(spec, text) : complainOfWord(spec, text);
  if (complaint === undefined) return Number(text);
  problems.push({ code: 'invalid-cron', field: spec.field, ...spanOf(piece), ...complaint });
  return undefined;
}

/** The step after `/`; undefined after adding a problem. It is 1 or more and no larger than the field's largest value. */
export function readStep(spec: FieldSpec, piece: TextPiece, problems: CronProblem[]): number | undefined {
  const { text } = piece;
  const longest = text.startsWith('0') ? 2 : String(spec.highest).length;
  const step = /^\d+$/.test(text) && text.length <= longest ? Number(text) : Number.NaN;
  if (step >= 1 && step <= spec.highest) return step;
  problems.push({
    code: 'invalid-cron',
    field: spec.field,
    ...spanOf(piece),
    message: `${text === '' ? 'The step after `/` is missing' : `\`${text}\` is not a step`}. A step in ${spec.field} is a whole number from 1 to ${spec.highest}.`,
    hint: 'Write the step as a number after `/`, such as `*/2`.',
  });
  return undefined;
}

interface Complaint {
  readonly message: string;
  readonly hint: string;
}

function complainOfNumber(spec: FieldSpec, text: string): Complaint | undefined {
  const value = Number(text);
  const inside = value >= spec.lowest && value <= spec.highest;
  const hint = `Write ${allowedValues(spec)}.`;
  if (!inside && spec.field === 'day-of-week' && value === 0) {
    return {
      message:
        '`0` is not a day of the week: AWS EventBridge counts from 1 (Sunday) to 7 (Saturday), unlike unix cron.',
      hint: 'Write `SUN` for Sunday.',
    };
  }
  if (!inside) return { message: `\`${text}\` is outside what ${spec.field} allows.`, hint };
  const longest = spec.field === 'year' ? 4 : 2;
  if (text.length > longest) return { message: `\`${text}\` has too many leading zeros.`, hint: `Write \`${value}\`.` };
  return undefined;
}

function complainOfWord(spec: FieldSpec, text: string): Complaint {
  const short = spec.names.find((name) => text.length > 3 && text.toUpperCase().startsWith(name));
  if (short !== undefined && /^[a-z]+$/i.test(text)) {
    return {
      message: `\`${text}\` is not a value of ${spec.field}: names have three letters.`,
      hint: `Write \`${short}\`.`,
    };
  }
  const message =
    text === '' ? `A value of ${spec.field} is missing here.` : `\`${text}\` is not a value of ${spec.field}.`;
  if (text.includes('#'))
    return { message, hint: '`#` belongs in day-of-week only, such as `2#1` for the first Monday.' };
  if (/^\d*[LW]+$/i.test(text) && text !== '') {
    return { message, hint: '`L` and `W` belong in day-of-month (`L`, `15W`), and `L` in day-of-week (`6L`).' };
  }
  return { message, hint: `Write ${allowedValues(spec)}.` };
}
