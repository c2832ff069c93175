// Reads one item of a field, the text between two commas: `*`, a value, a range, and a step of these. Day forms with L, W
// and # are in read-days.ts.

import type { CronProblem } from './cron.ts';
import { allowedValues, everyValue, type FieldSpec } from './cron-fields.ts';
import { readStep, readValue } from './read-value.ts';
import { spellValues } from './spell-values.ts';
import { spanOf, splitPiece, type TextPiece } from './text-piece.ts';

/** The values of one item, in the order they are counted; empty after adding a problem. */
export function readItem(spec: FieldSpec, item: TextPiece, problems: CronProblem[]): readonly number[] {
  if (item.text === '*') return everyValue(spec);
  const misshapen = complainOfShape(spec, item);
  if (misshapen !== undefined) {
    problems.push({ code: 'invalid-cron', field: spec.field, ...spanOf(item), ...misshapen });
    return [];
  }
  const [base = item, stepText] = splitPiece(item, '/');
  const step = stepText === undefined ? 1 : readStep(spec, stepText, problems);
  const bounds = readBounds(spec, base, stepText !== undefined, problems);
  if (bounds === undefined || step === undefined) return [];
  const values = countUp(spec, bounds.from, bounds.to, step);
  const hint = `Write \`${spellValues(spec, sortedValues(values))}\`.`;
  const undocumented = { code: 'cron-undocumented', field: spec.field, ...spanOf(item), hint } as const;
  if (bounds.from > bounds.to && spec.field !== 'hours') {
    const message = `The range \`${base.text}\` runs backwards. It is read as running past the end of ${spec.field} and starting over; AWS EventBridge documents that for hours only, and may refuse it.`;
    problems.push({ ...undocumented, message });
  }
  if (stepText !== undefined && spec.field === 'day-of-week') {
    const message = `\`${item.text}\` has a step in day-of-week. AWS EventBridge does not document that, and may refuse it.`;
    problems.push({ ...undocumented, message });
  }
  return values;
}

/** All values of a field that has no day forms; empty after adding a problem. */
export function readValues(spec: FieldSpec, piece: TextPiece, problems: CronProblem[]): readonly number[] {
  if (piece.text === '*') return everyValue(spec);
  return sortedValues(splitPiece(piece, ',').flatMap((item) => readItem(spec, item, problems)));
}

/** Ascending, without doubles. */
export function sortedValues(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function complainOfShape(spec: FieldSpec, item: TextPiece): { message: string; hint: string } | undefined {
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
    problems.push({
      code: 'invalid-cron',
      field: spec.field,
      ...spanOf(base),
      message: `The range \`${base.text}\` runs backwards, and years do not come round again.`,
      hint: `Write \`${to}-${from}\`.`,
    });
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
