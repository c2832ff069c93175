// Tests rows by the condition of a filter, as the vendor's documentation describes it. A kind of a type makes a test of
// one cell; without a value to compare with there is none, and everything passes.

export type Cell = null | boolean | number | string;

type Test = (cell: Cell) => boolean;

/** The keys of a condition that decide. */
export interface Condition {
  readonly type?: unknown;
  readonly kind?: unknown;
  readonly values?: unknown;
  readonly is_negative?: unknown;
  readonly case_insensitive?: unknown;
  readonly is_inclusive?: unknown;
  readonly left_side?: unknown;
  readonly right_side?: unknown;
  readonly conjunction?: unknown;
  readonly filters?: unknown;
}

type Maker = (condition: Condition, now: number) => Test | undefined;

/** Tests keyed by type and then by kind. A kind whose values no source describes is absent, and limits nothing. */
const kinds: Readonly<Record<string, Readonly<Record<string, Maker>>>> = {
  string: {
    EQUALS: anyText((cell, value) => cell === value),
    CONTAINS: anyText((cell, value) => cell.includes(value)),
    STARTS_WITH: anyText((cell, value) => cell.startsWith(value)),
    ENDS_WITH: anyText((cell, value) => cell.endsWith(value)),
    SQL_LIKE: anyText(isLike),
    IS_EMPTY: () => (cell) => cell === null || cell === '',
  },
  number: {
    EQUALS: anyNumber((cell, value) => cell === value),
    LESS_THAN: anyNumber((cell, value, isIn) => cell < value || (isIn && cell === value)),
    GREATER_THAN: anyNumber((cell, value, isIn) => cell > value || (isIn && cell === value)),
    BETWEEN: betweenNumbers,
  },
  date: {
    BETWEEN: betweenDays,
    WITHIN_RANGE: betweenDays,
    TIME_FOR_INTERVAL_DURATION: betweenDays,
    TIME_FOR_UNIT_DURATION: betweenDays,
    ON_OR_AFTER: ({ left_side }, now) => betweenDays({ left_side }, now),
    BEFORE: ({ right_side, left_side }, now) => betweenDays({ right_side: right_side ?? left_side }, now),
  },
};

/** Types that take no kind. */
const types: Readonly<Record<string, Maker>> = {
  boolean: () => (cell) => cell === true,
  null: () => (cell) => cell === null,
  composite: ({ filters, conjunction }, now) => {
    const tests = listOf(filters).flatMap((each) => testOf(each as Condition, now) ?? []);
    if (tests.length === 0) return undefined;
    const isOr = String(conjunction).toUpperCase() === 'OR';
    return (cell) => (isOr ? tests.some((test) => test(cell)) : tests.every((test) => test(cell)));
  },
};

function makerOf(condition: Condition): Maker | undefined {
  const { type, kind } = Object(condition) as Condition;
  const name = String(type).toLowerCase();
  if (Object.hasOwn(types, name)) return types[name];
  return kinds[name]?.[String(kind).toUpperCase()];
}

/** True if the condition has a type, and a kind of that type. */
export function isWhole(condition: Condition): boolean {
  return makerOf(condition) !== undefined;
}

/** Undefined if everything passes, as it does if the type or a kind of it is missing. */
export function testOf(condition: Condition, now: number): Test | undefined {
  const test = makerOf(condition)?.(condition, now);
  return test && condition.is_negative === true ? (cell) => !test(cell) : test;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function anyText(passes: (cell: string, value: string) => boolean): Maker {
  return ({ values, case_insensitive }) => {
    const fold = (text: unknown) => (case_insensitive === true ? String(text).toLowerCase() : String(text));
    const wanted = listOf(values).map(fold);
    if (wanted.length === 0) return undefined;
    return (cell) => cell !== null && wanted.some((value) => passes(fold(cell), value));
  };
}

/** `%` is any text, `_` one character. Each part between two `%` is looked for after the one before. */
function isLike(cell: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('%');
  const fits = (part: string, at: number) =>
    at + part.length <= cell.length &&
    [...part.split('').keys()].every((n) => part[n] === '_' || part[n] === cell[at + n]);
  const last = others.pop();
  if (!fits(first, 0)) return false;
  if (last === undefined) return first.length === cell.length;
  let at = first.length;
  for (const part of others) {
    while (at <= cell.length && !fits(part, at)) at++;
    at += part.length;
  }
  return at <= cell.length - last.length && fits(last, cell.length - last.length);
}

function anyNumber(passes: (cell: number, value: number, isInclusive: boolean) => boolean): Maker {
  return ({ values, is_inclusive }) => {
    const wanted = listOf(values).map(Number);
    if (wanted.length === 0) return undefined;
    return (cell) => cell !== null && wanted.some((value) => passes(Number(cell), value, is_inclusive === true));
  };
}

function betweenNumbers({ values, is_inclusive }: Condition): Test | undefined {
  const [from, to] = listOf(values).map(Number);
  if (from === undefined || to === undefined) return undefined;
  return (cell) => {
    if (cell === null) return false;
    const number = Number(cell);
    return (number > from && number < to) || (is_inclusive === true && (number === from || number === to));
  };
}

/** Days are texts that sort in time order. The end is a day that is not part of it, or a duration. */
function betweenDays({ left_side, right_side }: Condition, now: number): Test | undefined {
  const from = dayOf(left_side, now);
  const until = from === undefined ? dayOf(right_side, now) : (shifted(from, right_side, 1) ?? dayOf(right_side, now));
  if (from === undefined && until === undefined) return undefined;
  return (cell) => {
    if (cell === null) return false;
    const day = String(cell);
    return (from === undefined || day >= from) && (until === undefined || day < until);
  };
}

/** `2026-01-31`, or a part of it; `today`; `7 days ago`. Undefined for anything else. */
export function dayOf(side: unknown, now: number): string | undefined {
  const text = String(side);
  const today = new Date(now).toISOString().slice(0, 10);
  if (/^(?:today|now)$/i.test(text)) return today;
  const [, past] = /^(.*) ago$/i.exec(text) ?? [];
  return past === undefined ? /^\d{4}(?:-\d\d(?:-\d\d)?)?(?!\d)/.exec(text)?.[0] : shifted(today, past, -1);
}

const dayNumbers: Readonly<Record<string, number>> = { day: 1, week: 7 };
const monthNumbers: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** The day that is later by a duration such as `7 days`, or earlier with the sign -1. */
function shifted(day: string, duration: unknown, sign: 1 | -1): string | undefined {
  const [, count = '', unit = ''] = /^(\d{1,4}) (day|week|month|quarter|year)s?$/i.exec(String(duration)) ?? [];
  if (unit === '') return undefined;
  const [date, by] = [new Date(day), sign * Number(count)];
  date.setUTCDate(date.getUTCDate() + by * (dayNumbers[unit.toLowerCase()] ?? 0));
  date.setUTCMonth(date.getUTCMonth() + by * (monthNumbers[unit.toLowerCase()] ?? 0));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
