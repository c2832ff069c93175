// The one spelling of values and of days. The spelling is short: `*`, then a step, then ranges and single values. Equal sets
// give equal text, and the text reads back as the same set.

import { type Days, dayOfMonthSpec, dayOfWeekSpec, type FieldSpec } from './cron.ts';

/** The two day fields; every day of the week is every day of the month. */
export function spellDays(days: Days, spell = spellValues): readonly [string, string] {
  switch (days.kind) {
    case 'of-month':
      return [spell(dayOfMonthSpec, days.days), '?'];
    case 'of-week':
      return days.days.length === 7 ? ['*', '?'] : ['?', spell(dayOfWeekSpec, days.days)];
    case 'last':
      return [days.before === 0 ? 'L' : `L-${days.before}`, '?'];
    case 'last-workday':
      return ['LW', '?'];
    case 'nearest-workday':
      return [`${days.day}W`, '?'];
    case 'last-weekday':
      return ['?', `${days.day}L`];
    case 'nth-weekday':
      return ['?', `${days.day}#${days.nth}`];
  }
}

/**
 * Spells a field's values (ascending, not empty). Days of the week get names, so that nobody counts from the wrong day,
 * and never a step, which AWS does not document there.
 */
export function spellValues(spec: FieldSpec, values: readonly number[]): string {
  return (spec.field === 'day-of-week' ? undefined : spellStep(spec, values)) ?? spellRanges(spec, values);
}

/** `*` for all, ranges for three neighbours or more, single values for the rest. */
export function spellRanges(spec: FieldSpec, values: readonly number[]): string {
  if (values.length === spec.highest - spec.lowest + 1) return '*';
  return runsOf(values)
    .map(({ from, to }) => {
      const [first, last] = [spellValue(spec, from), spellValue(spec, to)];
      if (from === to) return first;
      return `${first}${to === from + 1 ? ',' : '-'}${last}`;
    })
    .join(',');
}

/** Stretches of neighbouring values. */
export function runsOf(values: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run !== undefined && run.to === value - 1) run.to = value;
    else runs.push({ from: value, to: value });
  }
  return runs;
}

/** The distance between neighbours when it is the same everywhere, is more than 1, and there are three values or more. */
export function evenStep(values: readonly number[]): number | undefined {
  const [first, second] = values;
  if (first === undefined || second === undefined || values.length < 3) return undefined;
  const step = second - first;
  const even = values.every((value, index) => value === first + index * step);
  return even && step > 1 ? step : undefined;
}

function spellStep(spec: FieldSpec, values: readonly number[]): string | undefined {
  const step = evenStep(values);
  const [first, last] = [values[0], values.at(-1)];
  if (step === undefined || first === undefined || last === undefined) return undefined;
  const reachesTheEnd = last + step > spec.highest;
  if (reachesTheEnd && first === spec.lowest) return `*/${step}`;
  if (reachesTheEnd && values.length > 3) return `${first}/${step}`;
  return values.length > 4 ? `${first}-${last}/${step}` : undefined;
}

function spellValue(spec: FieldSpec, value: number): string {
  return spec.field === 'day-of-week' ? (spec.names[value - spec.lowest] ?? String(value)) : String(value);
}
