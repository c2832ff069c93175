// Messages for a value of the wrong type or out of its bounds: the rule, the value, and the advice.

import { isJsonObject, type Json } from '../model/values/json.ts';
import { type Pointer, pointerSegments } from '../model/values/pointer.ts';
import { fieldName, type ReferredAt, type RuleFinding, type SchemaError } from './findings/rule.ts';
import { dayHint } from './rules/acceptance-days.ts';
import { columnOf, isOfCell } from './walk-places.ts';

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list',
  object: 'a map',
  null: 'empty',
};

export function wrongType(error: SchemaError, pointer: Pointer, value: Json | undefined): RuleFinding {
  const types = [error.params['type']].flat().flatMap((type) => String(type).split(','));
  const wanted = types.filter((type) => type !== 'null');
  const words = wanted.map((type) => typeWords[type] ?? type).join(' or ');
  const given = typeof value === 'number' && words !== 'a whole number' ? 'a number' : typeOf(value);
  const message = `${pointer === '' ? 'The file' : `\`${fieldName(pointer)}\``} must be ${words}, not ${given}.`;
  const meant = acceptanceHint(pointer, value);
  if (meant !== undefined) return { code: 'wrong-type', message, hint: meant, pointer };
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return { code: 'wrong-type', message, pointer, quote: true };
  }
  const hint = typeHint(wanted[0], pointer, value);
  return { code: 'wrong-type', message, hint, pointer, quote: value === null };
}

/** If quoted, `true` would be an empty reason, and digits would not be a day. */
function acceptanceHint(pointer: Pointer, value: Json | undefined): string | undefined {
  const [field, code = '', part, ...deeper] = pointerSegments(pointer);
  if (field !== 'accept' || code === '' || deeper.length > 0) return undefined;
  if (part === 'until') return dayHint(value);
  return part === undefined || part === 'reason'
    ? `Write why it may stay: \`${code}: { reason: …, until: "2027-03-31" }\`.`
    : undefined;
}

function typeHint(wanted: string | undefined, pointer: Pointer, value: Json | undefined): string {
  const name = pointerSegments(pointer).at(-1) ?? '';
  const named = /^\d*$/.test(name) ? '' : `${name}: `;
  switch (wanted) {
    case 'boolean':
    case 'integer': {
      const grouped = typeof value === 'string' && /^\d{1,3}(?:[,._' ]\d{3})+$/.test(value);
      if (wanted === 'integer' && grouped) return `Write \`${value.replace(/\D/g, '')}\`, with digits only.`;
      const meant = wanted === 'boolean' && typeof value === 'string' ? meantFlag(value) : undefined;
      if (meant !== undefined) return `Write \`${meant}\`: YAML reads \`${value}\` as a text.`;
      const quoted = typeof value === 'string' && (wanted === 'boolean' ? /^(true|false)$/ : /^\d+$/).test(value);
      return quoted ? 'Remove the quotes.' : `Write ${typeWords[wanted]}${unitOf(pointer, ' of')}, without quotes.`;
    }
    case 'array':
      return `Write a list, as in \`${named}[…]\`, or put each entry on its own line after \`- \`.`;
    case 'object':
      if (pointer === '')
        return 'Start with the name of a section and a colon, and write its entries below it, indented.';
      if (entryForms[pointerSegments(pointer)[0] ?? ''] !== undefined && typeof value === 'string')
        return `Write \`${entryForms[pointerSegments(pointer)[0] ?? '']?.replace('…', value)}\`.`;
      if (named === '') return 'Write it as `{ name: value }`, or `name: value` for each of its fields.';
      if (/^\/audiences\/[^/]+$/.test(pointer) && value !== null && value !== undefined)
        return `Write \`${named}{ ${audienceHalf(value)} }\`.`;
      return Array.isArray(value)
        ? 'Write `name: value` for each entry, without `- ` and brackets.'
        : 'Write its entries below it, indented, each as `name: value`.';
    default:
      return value === null ? 'Write a string, or remove the line.' : 'Write one string.';
  }
}

/** Other tools count times in milliseconds, or write them as `30s`. */
function unitOf(pointer: Pointer, before = ''): string {
  return /\/(?:timeout|lease)$/.test(pointer) ? `${before} seconds` : '';
}

/** The entries of lists that people write as an address alone. */
const entryForms: Readonly<Record<string, string>> = {
  removed: '{ from: …, keep: true }',
  moved: '{ from: …, to: schedules.NEW }',
  adopt: '{ to: …, id: ID }',
};

/** Reads a word that older YAML took for true or false. */
function meantFlag(word: string): boolean | undefined {
  if (/^(?:yes|on)$/i.test(word)) return true;
  return /^(?:no|off)$/i.test(word) ? false : undefined;
}

/** Recipients where an audience was expected. */
function audienceHalf(value: Json): string {
  const emails = [value].flat().filter((each) => typeof each === 'string');
  return emails.every((each) => each.includes('@')) ? `emails: [${emails.join(', ')}]` : `slack: ${emails.join(', ')}`;
}

/** The advice about a cell; undefined if the usual words fit. */
export function cellHint(
  { keyword, params }: SchemaError,
  pointer: Pointer,
  value: Json | undefined,
  referredAt: ReferredAt,
): string | undefined {
  if (!['type', 'minLength', 'minItems'].includes(keyword)) return undefined;
  const referred = referredAt(pointer);
  const column = columnOf(referred);
  if (keyword === 'minItems') return isOfCell(referred) ? 'Fill in a cell, or remove the row.' : undefined;
  if (column === undefined) return undefined;
  if (keyword === 'minLength') return 'Fill in the cell.';
  const name = pointerSegments(pointer).at(-1) ?? '';
  const wanted = [params['type']].flat().flatMap((type) => String(type).split(','));
  if (wanted.includes('boolean')) return 'Write `true` or `false` into the cell.';
  if (wanted.includes('integer')) return 'Write a number into the cell, with digits only.';
  if (!wanted.includes('array')) return `A cell is one text. Write \`${name}: { … }\` in the declaration.`;
  if (holdsSeparator(value)) return columnsHint(name, column);
  return `A cell is one text. Write \`${name}: ["\${each.${column}}"]\` in the declaration.`;
}

/** True if the text of a cell may be several values. One with a comma is as often the name of a company. */
export function holdsSeparator(value: Json | undefined): boolean {
  return typeof value === 'string' && /[;,|\n]/.test(value);
}

export function columnsHint(name: string, column: string, rest = ''): string {
  return `A cell is one value. Take a column for each, as in \`${name}: ["\${each.${column}}", "\${each.${column}2}"]${rest}\`; an empty cell counts as nothing.`;
}

export function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'an empty value';
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
  if (value === '') return 'an empty string';
  return typeof value === 'string' ? 'a string' : String(value);
}

export function boundWords({ keyword, params }: SchemaError, pointer: Pointer): { message: string; hint: string } {
  const name = `\`${fieldName(pointer)}\``;
  const limit = Number(params['limit']);
  const entries = limit === 1 ? 'one entry' : `${limit} entries`;
  switch (keyword) {
    case 'minLength':
      return { message: `${name} is empty.`, hint: 'Write a string, or remove the line.' };
    case 'minimum':
      return { message: `${name} must be at least ${limit}${unitOf(pointer)}.`, hint: `Write ${limit} or more.` };
    case 'maximum':
      return { message: `${name} must be at most ${limit}${unitOf(pointer)}.`, hint: `Write ${limit} or less.` };
    case 'minItems':
    case 'minProperties':
      return { message: `${name} needs at least ${entries}.`, hint: 'Add one, or remove the line.' };
    case 'maxItems':
      return { message: `${name} must have at most ${entries}.`, hint: 'Remove the others.' };
    case 'uniqueItems':
      return { message: `${name} lists the same value twice.`, hint: 'Remove one of the two.' };
    default:
      return { message: `${name} is not valid.`, hint: 'Look it up in the documentation (fields).' };
  }
}
