// Reads a field that is a list of values: each item, the text between two commas, is `*`, a value, a range, or a step of
// these. Says what is wrong with each and where. Day forms with L, W and # are in field-rules.ts.

import { memoize } from '../model/values/collections.ts';
import type { CronField, CronProblem, FieldSpec } from './cron.ts';
import { spellValues } from './spell-values.ts';

export interface TextPiece {
  readonly text: string;
  readonly start: number;
}

/** The place of a piece as a problem wants it; an empty piece takes the separator before it. */
export function spanOf(piece: TextPiece): { start: number; end: number } {
  if (piece.text === '' && piece.start > 0) return { start: piece.start - 1, end: piece.start };
  return { start: piece.start, end: piece.start + piece.text.length };
}

type Complaint = Pick<CronProblem, 'message' | 'hint'>;

/** An error about a piece of a field. */
export function invalid(field: CronField, piece: TextPiece, complaint: Complaint): CronProblem {
  return { code: 'invalid-cron', field, ...spanOf(piece), ...complaint };
}

/**
 * Cuts at every separator (one character); like `split`, it gives empty pieces too. An empty first piece is put behind
 * its separator, so that every empty piece has the separator before it to point at.
 */
export function splitPiece(piece: TextPiece, separator: string): TextPiece[] {
  let start = piece.start;
  return piece.text.split(separator).map((text) => {
    const part = { text, start: text === '' && start === piece.start ? start + separator.length : start };
    start += text.length + 1;
    return part;
  });
}

/** The words of a text between blanks. */
export function splitWords(text: string): TextPiece[] {
  return Array.from(text.matchAll(/\S+/g), (match) => ({ text: match[0], start: match.index }));
}

/** All values of a field, ascending. The same array each time: most schedules share it. */
const everyValue = memoize(({ lowest, highest }: FieldSpec): readonly number[] =>
  Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index),
);

/** The values that a field allows, for a hint: "a number from 0 to 59". */
function allowedValues(spec: FieldSpec): string {
  const first = spec.names[0];
  const names = first === undefined ? '' : ` or a name from ${first} to ${spec.names[spec.names.length - 1]}`;
  return spec.field === 'year' ? 'a year from 1970 to 2199' : `a number from ${spec.lowest} to ${spec.highest}${names}`;
}

/** The values of one item, in the order they are counted; empty after adding a problem. */
export function readItem(spec: FieldSpec, item: TextPiece, problems: CronProblem[]): readonly number[] {
  if (item.text === '*') return everyValue(spec);
  const misshapen = complainOfShape(spec, item);
  if (misshapen !== undefined) {
    problems.push(invalid(spec.field, item, misshapen));
    return [];
  }
  const [base = item, stepText] = splitPiece(item, '/');
  const step = stepText === undefined ? 1 : readStep(spec, stepText, problems);
  const bounds = readBounds(spec, base, stepText !== undefined, problems);
  if (bounds === undefined || step === undefined) return [];
  const values = countUp(spec, bounds.from, bounds.to, step);
  const spelled = spellValues(spec, sortedValues(values));
  const hint = `Write \`${spelled}\`.`;
  const undocumented = { code: 'cron-undocumented', field: spec.field, ...spanOf(item), hint } as const;
  if (bounds.from > bounds.to && spec.field !== 'hours') {
    const message = `The range \`${base.text}\` runs backwards. It is read as running past the end of ${spec.field} and starting over; AWS EventBridge documents that for hours only, and may refuse it.`;
    problems.push({ ...undocumented, message });
  }
  if (stepText !== undefined && spec.field === 'day-of-week') {
    const message = `\`${item.text}\` has a step in day-of-week, which counts days, not weeks. AWS EventBridge does not document that, and may refuse it.`;
    problems.push({
      ...undocumented,
      message,
      hint: `For these days, write \`${spelled}\`. No expression means every second week.`,
    });
  }
  return values;
}

/** All values of a field that has no day forms; empty after adding a problem. */
export function readValues(spec: FieldSpec, piece: TextPiece, problems: CronProblem[]): readonly number[] {
  if (piece.text === '*') return everyValue(spec);
  return sortedValues(splitPiece(piece, ',').flatMap((item) => readItem(spec, item, problems)));
}

/** The values in ascending order, without doubles. */
export function sortedValues(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function complainOfShape(spec: FieldSpec, item: TextPiece): Complaint | undefined {
  const { text } = item;
  if (text === '') {
    return { message: 'This list has an empty item.', hint: 'Write a value on both sides of every comma.' };
  }
  if (text.includes('?')) {
    const isDay = spec.field === 'day-of-month' || spec.field === 'day-of-week';
    return isDay
      ? {
          message: '`?` must be alone in its field: it means that the other day field decides.',
          hint: 'Write `?` alone.',
        }
      : {
          message: `\`?\` is allowed in day-of-month and day-of-week only, not in ${spec.field}.`,
          hint: 'Write `*` for every value.',
        };
  }
  if (text.split('/').length > 2) {
    return { message: `\`${text}\` has more than one step.`, hint: 'Write one `/`, such as `0/15`.' };
  }
  const base = text.split('/', 1)[0] ?? '';
  if (base === '') return { message: `\`${text}\` does not say where to begin.`, hint: `Write \`*${text}\`.` };
  if (base !== '*' && base.includes('*')) {
    return { message: `\`*\` cannot be combined as in \`${text}\`.`, hint: `Write \`*\`, or ${allowedValues(spec)}.` };
  }
  const ends = base.split('-');
  if (ends.length > 2 || (ends.length === 2 && ends.includes(''))) {
    return {
      message: `\`${base}\` is not a range: a range has one value on each side of one \`-\`.`,
      hint: 'Write it as `a-b`.',
    };
  }
  return undefined;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

function readBounds(spec: FieldSpec, base: TextPiece, hasStep: boolean, problems: CronProblem[]): Bounds | undefined {
  if (base.text === '*') return { from: spec.lowest, to: spec.highest };
  const [first = base, second] = splitPiece(base, '-');
  const from = readValue(spec, first, problems);
  const to = second === undefined ? (hasStep ? spec.highest : from) : readValue(spec, second, problems);
  if (from === undefined || to === undefined) return undefined;
  if (from > to && spec.field === 'year') {
    const message = `The range \`${base.text}\` runs backwards, and years do not come round again.`;
    problems.push(invalid(spec.field, base, { message, hint: `Write \`${to}-${from}\`.` }));
    return undefined;
  }
  return { from, to };
}

/** A backward range goes on past the field's end: hours `20-2` is 20 to 23, then 0 to 2, and a step keeps its beat. */
function countUp(spec: FieldSpec, from: number, to: number, step: number): number[] {
  const span = spec.highest - spec.lowest + 1;
  const last = from <= to ? to : to + span;
  const values: number[] = [];
  for (let value = from; value <= last; value += step) {
    values.push(((value - spec.lowest) % span) + spec.lowest);
  }
  return values;
}

/** The number that a piece means; undefined after adding a problem. Names are accepted in upper and lower case. */
export function readValue(spec: FieldSpec, piece: TextPiece, problems: CronProblem[]): number | undefined {
  const { text } = piece;
  const index = spec.names.indexOf(text.toUpperCase());
  if (index >= 0) return spec.lowest + index;
  const complaint = /^\d+$/.test(text) ? complainOfNumber(spec, text) : complainOfWord(spec, text);
  if (complaint === undefined) return Number(text);
  problems.push(invalid(spec.field, piece, complaint));
  return undefined;
}

/** The step after `/`; undefined after adding a problem. It is 1 or more and no larger than the field's largest value. */
function readStep(spec: FieldSpec, piece: TextPiece, problems: CronProblem[]): number | undefined {
  const { text } = piece;
  const longest = text.startsWith('0') ? 2 : String(spec.highest).length;
  const step = /^\d+$/.test(text) && text.length <= longest ? Number(text) : Number.NaN;
  if (step >= 1 && step <= spec.highest) return step;
  const message = `${text === '' ? 'The step after `/` is missing' : `\`${text}\` is not a step`}. A step in ${spec.field} is a whole number from 1 to ${spec.highest}.`;
  const hint = 'Write the step as a number after `/`, such as `*/2`.';
  problems.push(invalid(spec.field, piece, { message, hint }));
  return undefined;
}

function complainOfNumber(spec: FieldSpec, text: string): Complaint | undefined {
  const value = Number(text);
  const inside = value >= spec.lowest && value <= spec.highest;
  const hint = `Write ${allowedValues(spec)}.`;
  if (!inside && spec.field === 'day-of-week' && value === 0) {
    return {
      message:
        '`0` is not a day of the week: AWS EventBridge counts from 1 (Sunday) to 7 (Saturday), unlike unix cron.',
      hint: 'Write each day of this field by its name, such as `SUN` for 0. Here, a number is the day before the one that it is in unix cron.',
    };
  }
  if (!inside) return { message: `\`${text}\` is outside what ${spec.field} allows.`, hint };
  const longest = spec.field === 'year' ? 4 : 2;
  if (text.length > longest) return { message: `\`${text}\` has too many leading zeros.`, hint: `Write \`${value}\`.` };
  return undefined;
}

function complainOfWord(spec: FieldSpec, text: string): Complaint {
  if (/^(?:\d+|[a-z]{3})?[LW]+$/i.test(text)) {
    return {
      message: `\`${text}\` is not a value of ${spec.field}.`,
      hint: '`L` and `W` are capitals, and belong in day-of-month (`L`, `15W`); `L` also in day-of-week (`6L`, `FRIL`).',
    };
  }
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
  return { message, hint: `Write ${allowedValues(spec)}.` };
}
