// The field reference in docs/fields.md: tables generated from src/model, placed between markers.

import { audienceFields, commonFields, loopFields } from '../../src/model/fields/common-fields.ts';
import { configFields } from '../../src/model/fields/config-fields.ts';
import type { Field, Fields, ResourceField, ResourceFields, Shape } from '../../src/model/fields/field.ts';
import { discriminatorOf, fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, sections } from '../../src/model/values/address.ts';

const fieldsByMarker: Readonly<Record<string, Fields>> = {
  ...Object.fromEntries(sections.map((section) => [section, own(fieldsOf[kindOfSection[section]])])),
  common: commonFields,
  loops: loopFields,
  audiences: audienceFields,
  'almanac.yaml': configFields,
};

/** Each table by its marker. */
export const fieldTables: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.entries(fieldsByMarker).map(([name, fields]) => [`fields:${name}`, () => tableOf(fields)]),
  ),
  flags: () => flagsTable(fieldsOf.schedule),
};

/** The common fields, which every kind of resource has, get a table of their own. */
function own(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(commonFields, name)));
}

const shownWords: Readonly<Record<ResourceField['read'], string>> = {
  list: 'the list',
  details: 'its details',
  metadata: '`metadata`',
  never: 'no answer',
};

function flagsTable(fields: ResourceFields): string {
  const rows = Object.entries(fields).map(([name, { decides, read, mayLack, cleared }]) => {
    const removed = cleared === undefined ? '' : `\`${JSON.stringify(cleared)}\``;
    return `| \`${name}\` | ${decides} | ${shownWords[read]} | ${mayLack ? 'yes' : ''} | ${removed} |\n`;
  });
  const head = '| field | it decides | Omni shows it in | an item may leave it out | sent when it was removed |\n';
  return [head, '|---|---|---|---|---|\n', ...rows].join('').replaceAll('|  ', '| ');
}

function tableOf(fields: Fields): string {
  const rows = rowsOf(fields, '').map((cells) => `| ${cells.map(escaped).join(' | ')} |\n`);
  return ['| field | value | meaning |\n', '|---|---|---|\n', ...rows].join('');
}

type Row = readonly [field: string, value: string, meaning: string];

function rowsOf(fields: Fields, prefix: string): readonly Row[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    [`\`${prefix}${name}\``, valueWords(field), meaningWords(field)] as const,
    ...rowsInside(field.shape, `${prefix}${name}.`),
  ]);
}

/** The fields of a record, and of every entry of a map. The page explains a filter in its own words. */
function rowsInside(shape: Shape, prefix: string): readonly Row[] {
  if (shape.type === 'textOrRecord') return rowsOf(shape.fields, prefix);
  if (shape.type === 'oneOf') return rowsOfRecords(shape, prefix);
  if (shape.type !== 'object' || shape.explained) return [];
  if (shape.fields !== undefined) return rowsOf(shape.fields, prefix);
  return shape.entries === undefined ? [] : rowsInside(shape.entries, `${prefix}<id>.`);
}

function rowsOfRecords(shape: Shape & { type: 'oneOf' }, prefix: string): readonly Row[] {
  const { by, records } = shape;
  const fields = Object.entries(records).flatMap(([name, record]) =>
    rowsOf(record.fields, prefix).map(
      ([field, value, meaning]): Row => [field, value, `${meaning} For ${by} \`${name}\`.`],
    ),
  );
  return [...rowsOf({ [by]: discriminatorOf(shape) }, prefix), ...fields];
}

function valueWords({ shape, required, default: standard }: Field): string {
  const parts = [shapeWords(shape)];
  if (required) parts.push('required');
  if (standard !== undefined) {
    parts.push(`default \`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``);
  }
  return parts.join('; ');
}

function shapeWords(shape: Shape): string {
  switch (shape.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
      return numberWords(shape);
    case 'choice':
      return Object.keys(shape.choices)
        .map((choice) => `\`${choice}\``)
        .join(', ');
    case 'list':
      return 'list of strings';
    case 'textOrList':
      return 'string, or list of strings';
    case 'textOrRecord':
      return 'string, or map';
    case 'object':
    case 'oneOf':
      return 'map';
    case 'anything':
      return 'anything';
  }
}

function numberWords({ minimum, maximum }: Shape & { type: 'integer' }): string {
  if (minimum === undefined) return 'whole number';
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

function meaningWords({
  shape,
  words,
  destinations,
  formats,
  backends,
  ignorable,
}: Field & Pick<Partial<ResourceField>, 'ignorable'>): string {
  const choices = shape.type === 'choice' ? Object.entries(shape.choices) : [];
  return [
    words,
    ...(choices.length === 0 ? [] : [`${choices.map(([choice, meaning]) => `\`${choice}\`: ${meaning}`).join('; ')}.`]),
    ...(destinations === undefined ? [] : [`For destination ${listed(destinations)}.`]),
    ...(formats === undefined ? [] : [`For format ${listed(formats)}.`]),
    ...(backends === undefined ? [] : [`For backend ${listed(backends)}.`]),
    ...(ignorable ? ['Can be ignored.'] : []),
  ].join(' ');
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
