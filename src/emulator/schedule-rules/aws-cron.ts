// Whether a text is a cron expression of AWS EventBridge: minutes, hours, day of month, month, day of week and year,
// one space between. Exactly one of the two day fields is `?`. It may be an expression that never fires.

interface Field {
  readonly least: number;
  readonly most: number;
  readonly digits: RegExp;
  readonly names?: readonly string[];
  /** Forms that cannot be part of a list, range or step. */
  readonly alone?: (text: string) => boolean;
  readonly wraps: boolean;
}

const oneOrTwoDigits = /^\d{1,2}$/;

const minutes: Field = { least: 0, most: 59, digits: oneOrTwoDigits, wraps: true };
const hours: Field = { least: 0, most: 23, digits: oneOrTwoDigits, wraps: true };
const dayOfMonth: Field = { least: 1, most: 31, digits: oneOrTwoDigits, wraps: true, alone: isSpecialDayOfMonth };
const month: Field = {
  least: 1,
  most: 12,
  digits: oneOrTwoDigits,
  wraps: true,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
const dayOfWeek: Field = {
  least: 1,
  most: 7,
  digits: oneOrTwoDigits,
  wraps: true,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
  alone: isSpecialDayOfWeek,
};
const year: Field = { least: 1970, most: 2199, digits: /^\d{4}$/, wraps: false };

const fields = [minutes, hours, dayOfMonth, month, dayOfWeek, year];

export function isAwsCron(expression: string): boolean {
  if (expression.length > 256) return false;
  const texts = expression.split(' ');
  if (texts.length !== fields.length) return false;
  if ((texts[2] === '?') === (texts[4] === '?')) return false;
  return fields.every((field, index) => {
    const text = texts[index] ?? '';
    if (text === '?') return field === dayOfMonth || field === dayOfWeek;
    return field.alone?.(text) === true || text.split(',').every((item) => isItem(field, item));
  });
}

function isItem(field: Field, item: string): boolean {
  const [span = '', step, ...rest] = item.split('/');
  if (rest.length > 0 || (step !== undefined && !isStep(field, step))) return false;
  if (span === '*') return true;
  const [from, to, ...more] = span.split('-').map((text) => readValue(field, text));
  if (from === undefined || more.length > 0) return false;
  if (!span.includes('-')) return true;
  return to !== undefined && (field.wraps || from <= to);
}

function isStep(field: Field, text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= field.most;
}

function readValue(field: Field, text: string): number | undefined {
  const name = field.names?.indexOf(text.toUpperCase()) ?? -1;
  if (name >= 0) return field.least + name;
  if (!field.digits.test(text)) return undefined;
  const value = Number(text);
  return value >= field.least && value <= field.most ? value : undefined;
}

function isSpecialDayOfMonth(text: string): boolean {
  if (text === 'L' || text === 'LW') return true;
  return text.endsWith('W') && readValue(dayOfMonth, text.slice(0, -1)) !== undefined;
}

function isSpecialDayOfWeek(text: string): boolean {
  if (text === 'L') return true;
  if (text.endsWith('L')) return readValue(dayOfWeek, text.slice(0, -1)) !== undefined;
  const [day = '', nth = '', ...rest] = text.split('#');
  return rest.length === 0 && /^[1-5]$/.test(nth) && readValue(dayOfWeek, day) !== undefined;
}
