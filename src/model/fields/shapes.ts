// The forms that fields of several kinds share.

import type { Field, Shape } from './field.ts';
import { conditionFields, describingFields, unknownFilterWords } from './filter-keys.ts';
import * as patterns from './patterns.ts';
import { suggestedZones } from './suggestions.ts';

/** The shape of one of several words, each with its meaning. */
export function choice<const C extends Readonly<Record<string, string>>>(choices: C) {
  return { type: 'choice', choices } as const;
}

/** The row of a field that is off unless it is set. */
export function flag<const R extends Omit<Field, 'shape' | 'default'>>(row: R) {
  return { shape: { type: 'boolean' }, default: false, ...row } as const;
}

/** The row of a field that holds any text but the empty one. */
export function filled<const R extends Omit<Field, 'shape'>>(row: R) {
  return { shape: { type: 'string', minLength: 1 }, ...row } as const;
}

/**
 * The row of a field that holds a text of at most so many characters, which its words then say. A pattern and no `maxLength`,
 * so that a ${…} may be longer.
 */
export function upTo<const R extends Omit<Field, 'shape'>>(most: number, row: R, least: 0 | 1 = 1) {
  const [thousands, rest] = [Math.floor(most / 1_000), String(most % 1_000)];
  const count = thousands === 0 ? rest : `${thousands},${rest.padStart(3, '0')}`;
  const patternWords = `At most ${count} characters.`;
  const pattern = `^[\\s\\S]{${least},${most}}$`;
  const shape = { type: 'string', ...(least === 1 && ({ minLength: 1 } as const)), pattern, patternWords } as const;
  return { ...row, shape, words: `${row.words} ${patternWords}` };
}

export const id = {
  type: 'string',
  pattern: patterns.id,
  patternWords: 'An id, such as `987fcdeb-51a2-43d7-9b56-254415f67890`.',
  code: 'invalid-id',
} as const satisfies Shape;

/** The shape of an id that `almanac list` prints. */
export function listedId(what: 'models' | 'people') {
  const patternWords = `An id, such as \`987fcdeb-51a2-43d7-9b56-254415f67890\`; \`almanac list ${what}\` prints them.`;
  return { ...id, patternWords } as const satisfies Shape;
}

export const webAddress = {
  type: 'string',
  pattern: patterns.urlShape,
  patternWords: 'An absolute URL that begins with `http://` or `https://` and names a host.',
  code: 'invalid-url',
  explained: true,
} as const satisfies Shape;

export const timeZone = {
  type: 'string',
  minLength: 1,
  pattern: patterns.zoneShape,
  patternWords:
    'The name of a zone, such as `America/New_York` or `UTC`. A schedule needs a place, because offsets do not follow the change of clocks.',
  explained: true,
  suggested: suggestedZones,
} as const satisfies Shape;

export const dashboardIdentifier = {
  type: 'string',
  minLength: 1,
  pattern: patterns.identifierShape,
  patternWords: 'Only the identifier, such as `12db1a0a`: the last part of the URL, not the whole URL.',
  code: 'identifier-is-url',
  explained: true,
} as const satisfies Shape;

export const dashboardOrTile = {
  type: 'string',
  minLength: 1,
  pattern: patterns.sharedShape,
  patternWords:
    'An identifier, such as `12db1a0a`, or with one of its tiles, such as `12db1a0a/Jmn2r3KV`: the key of `queryIdentifierMapKey`. `:Ship-to` names a column.',
} as const satisfies Shape;

export const emailAddress = {
  type: 'string',
  pattern: patterns.emailShape,
  patternWords: 'An e-mail address, such as `ana@example.com`.',
  code: 'invalid-email',
  explained: true,
} as const satisfies Shape;

const needsFieldWords = `This has no key of a filter, such as \`values\`. ${unknownFilterWords}`;

/** The value of a filter for one delivery. */
export const deliveryFilter = {
  type: 'object',
  explained: true,
  open: true,
  needsFieldWords,
  fields: conditionFields,
  words:
    'The value of this filter, such as `{ values: [Europe] }`, or `{ type: number, kind: EQUALS, values: [42] }` for numbers. Keys that Almanac does not know are passed on.',
} as const satisfies Shape;

/** The part of a dashboard's filter that an update sets. */
export const dashboardFilter = {
  type: 'object',
  explained: true,
  open: true,
  needsFieldWords,
  fields: {
    ...conditionFields,
    values: {
      shape: { type: 'list', items: { type: 'string' } },
      words: 'The values of the filter. Quote a value that looks like a number, and the words `true` and `false`.',
    },
    ...describingFields,
  },
  words: 'What to set on this filter, such as `{ values: [Europe] }`. Keys that Almanac does not know are passed on.',
} as const satisfies Shape;
