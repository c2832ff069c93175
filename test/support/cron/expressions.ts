// Valid cron expressions for property tests, and a second reading of them. The reading shares nothing with src: slow,
// and simple enough to be obviously right. Each value is asked whether it matches, where src builds sets.

import fc from 'fast-check';

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

interface Field {
  readonly lowest: number;
  readonly highest: number;
  readonly names: readonly string[];
}

export const fields = {
  minutes: { lowest: 0, highest: 59, names: [] },
  hours: { lowest: 0, highest: 23, names: [] },
  dayOfMonth: { lowest: 1, highest: 31, names: [] },
  month: { lowest: 1, highest: 12, names: monthNames },
  dayOfWeek: { lowest: 1, highest: 7, names: dayNames },
  year: { lowest: 1970, highest: 2199, names: [] },
} satisfies Record<string, Field>;

interface Choice {
  /** Backward ranges, steps in day-of-week, LW, L-3, and `L` for Saturday. */
  readonly unusual: boolean;
  readonly years?: readonly [number, number];
}

const valueText = (field: Field, value: number) => {
  const name = field.names[value - field.lowest];
  const spellings = [String(value), String(value).padStart(2, '0')];
  if (name !== undefined) spellings.push(name, name.toLowerCase(), name.charAt(0) + name.slice(1).toLowerCase());
  return fc.constantFrom(...spellings);
};

function item(field: Field, { backward, steps }: { backward: boolean; steps: boolean }): fc.Arbitrary<string> {
  const value = fc.integer({ min: field.lowest, max: field.highest });
  const single = value.chain((number) => valueText(field, number));
  const range = fc.tuple(value, value).chain(([a, b]) => {
    const [from, to] = backward ? [a, b] : [Math.min(a, b), Math.max(a, b)];
    return fc.tuple(valueText(field, from), valueText(field, to)).map((ends) => ends.join('-'));
  });
  if (!steps) return fc.oneof(single, range);
  const base = fc.oneof(fc.constant('*'), single, range);
  const stepped = fc
    .tuple(base, fc.integer({ min: 1, max: Math.min(field.highest, 99) }))
    .map(([text, step]) => `${text}/${step}`);
  return fc.oneof(single, range, stepped);
}

function list(field: Field, rules: { backward: boolean; steps: boolean }): fc.Arbitrary<string> {
  const items = fc.array(item(field, rules), { minLength: 1, maxLength: 4 }).map((texts) => texts.join(','));
  return fc.oneof({ weight: 1, arbitrary: fc.constant('*') }, { weight: 3, arbitrary: items });
}

/** Valid expressions of every form. */
export function expressions({ unusual, years }: Choice): fc.Arbitrary<string> {
  const usual = { backward: unusual, steps: true };
  const yearField = years === undefined ? fields.year : { ...fields.year, lowest: years[0], highest: years[1] };
  const dayOfMonth = fc.oneof(
    { weight: 3, arbitrary: list(fields.dayOfMonth, usual) },
    { weight: 1, arbitrary: fc.constantFrom('L', ...(unusual ? ['LW', 'L-1', 'L-09', 'L-28', 'L-30'] : [])) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 31 }).map((day) => `${day}W`) },
  );
  const weekday = fc.integer({ min: 1, max: 7 }).chain((day) => valueText({ ...fields.dayOfWeek }, day));
  const dayOfWeek = fc.oneof(
    { weight: 3, arbitrary: list(fields.dayOfWeek, { backward: unusual, steps: unusual }) },
    { weight: 1, arbitrary: weekday.map((day) => `${day}L`) },
    { weight: 1, arbitrary: fc.tuple(weekday, fc.integer({ min: 1, max: 5 })).map(([day, nth]) => `${day}#${nth}`) },
    { weight: 1, arbitrary: fc.constantFrom(unusual ? 'L' : 'SAT') },
  );
  const days = fc.oneof(
    dayOfMonth.map((text) => [text, '?'] as const),
    dayOfWeek.map((text) => ['?', text] as const),
  );
  return fc
    .tuple(
      list(fields.minutes, usual),
      list(fields.hours, usual),
      days,
      list(fields.month, usual),
      fc.oneof(fc.constant('*'), list(yearField, { backward: false, steps: true })),
    )
    .map(([minutes, hours, [first, second], month, year]) => `${minutes} ${hours} ${first} ${month} ${second} ${year}`)
    .filter((text) => text.length <= 256);
}

/** Whether a value matches the text of a list, item by item. */
export function listMatches(field: Field, text: string, value: number): boolean {
  const span = field.highest - field.lowest + 1;
  const numberOf = (word: string) => {
    const index = field.names.indexOf(word.toUpperCase());
    return index < 0 ? Number(word) : index + field.lowest;
  };
  return text.split(',').some((part) => {
    const [base = '', step] = part.split('/');
    const [first = '', second] = base === '*' ? [String(field.lowest), String(field.highest)] : base.split('-');
    const from = numberOf(first);
    const to = second !== undefined ? numberOf(second) : step === undefined ? from : field.highest;
    const distance = (value - from + span) % span;
    return distance <= (to - from + span) % span && distance % Number(step ?? 1) === 0;
  });
}

/** Whether the two day fields match a date. */
export function dayMatches(dayOfMonth: string, dayOfWeek: string, year: number, month: number, day: number): boolean {
  const weekdayOf = (date: number) => new Date(Date.UTC(year, month - 1, date)).getUTCDay() + 1;
  const length = Array.from({ length: 31 }, (_, index) => index + 1).filter(
    (date) => new Date(Date.UTC(year, month - 1, date)).getUTCMonth() === month - 1,
  ).length;
  const nearest = (target: number) => {
    const workdays = Array.from({ length }, (_, index) => index + 1).filter(
      (date) => ![1, 7].includes(weekdayOf(date)),
    );
    return workdays.sort((a, b) => Math.abs(a - target) - Math.abs(b - target))[0];
  };
  if (dayOfWeek === '?') {
    if (dayOfMonth === 'L') return day === length;
    if (dayOfMonth.startsWith('L-')) return day + Number(dayOfMonth.slice(2)) === length;
    if (dayOfMonth === 'LW') return day === nearest(length);
    if (dayOfMonth.endsWith('W'))
      return Number.parseInt(dayOfMonth, 10) <= length && day === nearest(Number.parseInt(dayOfMonth, 10));
    return listMatches(fields.dayOfMonth, dayOfMonth, day);
  }
  if (dayOfWeek === 'L') return weekdayOf(day) === 7;
  if (dayOfWeek.endsWith('L')) {
    return listMatches(fields.dayOfWeek, dayOfWeek.slice(0, -1), weekdayOf(day)) && day + 7 > length;
  }
  const [weekday = '', nth] = dayOfWeek.split('#');
  return (
    listMatches(fields.dayOfWeek, weekday, weekdayOf(day)) && (nth === undefined || Math.ceil(day / 7) === Number(nth))
  );
}
