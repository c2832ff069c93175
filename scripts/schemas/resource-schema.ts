// The schema of one resource. A field that depends on the destination or the format appears in a `then` branch, and as
// `false` in a second branch for all other values. In this form the YAML language server offers exactly the fields that
// fit, and reports exactly one error per fault.

import { loopFields } from '../../src/model/fields/common-fields.ts';
import { destinations, type Field, formats, requiredNames } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { interpolationOr, itemKey } from '../../src/model/fields/patterns.ts';
import type { Kind } from '../../src/model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { kindsInSchemas } from './kinds.ts';
import { fieldSchema, publishedPlain, refused, requiredIn, type SchemaForm, when } from './shape-schema.ts';

type Row = readonly [name: string, field: Field];

const isDependent = ([, field]: Row) => field.destinations !== undefined || field.formats !== undefined;

export function resourceSchema(kind: Kind, form: SchemaForm): JsonObject {
  const rows: readonly Row[] = Object.entries(fieldsOf[kind]);
  const common = rows.filter((row) => !isDependent(row));
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        rows.map((row) => [row[0], isDependent(row) ? { doNotSuggest: true } : fieldSchema(row[1], form)]),
      ),
      ...loopSchemas(form),
    },
    // For editors, see file-defaults.ts.
    ...(form.documented ? {} : { required: requiredNames(Object.fromEntries(common)) }),
    additionalProperties: false,
    allOf: [
      ...choiceBranches(kind, form).map(({ if: condition, then }) => ({ if: condition, then })),
      ...rows.filter(isDependent).map(elsewhere),
      ...(form.documented ? [oneSourceOfItems] : []),
      ...kindsInSchemas[kind].conditions.map((condition) => ({
        if: inForm(condition.if, form),
        then: {
          ...(inForm(condition.then, form) as JsonObject),
          errorMessage: condition.words,
          'x-code': condition.code,
        },
      })),
    ].filter((branch) => branch !== undefined),
  };
}

interface ChoiceBranch {
  readonly property: 'destinationType' | 'format';
  readonly if: JsonObject;
  readonly then: JsonObject;
}

/** The first branches of a resource: the fields that its destination and its format give it. */
export function choiceBranches(kind: Kind, form: SchemaForm): readonly ChoiceBranch[] {
  const rows: readonly Row[] = Object.entries(fieldsOf[kind]);
  return [
    ...destinations.flatMap((destination) => whereDestination(rows, destination, form)),
    ...formatsInGroups(rows).map(([names, group]) => whereFormat(names, group, form)),
  ];
}

/** What makes many resources of one. The program has expanded it before it checks a resource, and only knows the names. */
function loopSchemas(form: SchemaForm): JsonObject {
  if (!form.documented) return Object.fromEntries(Object.keys(loopFields).map((name) => [name, true]));
  const { forEach, forEachRow } = loopFields;
  return {
    forEach: {
      ...fieldSchema(forEach, form),
      patternProperties: { [itemKey]: {} },
      additionalProperties: false,
      errorMessage: keyWords,
    },
    forEachRow: fieldSchema(forEachRow, publishedPlain),
  };
}

const oneSourceOfItems: JsonObject = {
  if: { required: ['forEach', 'forEachRow'] },
  then: {
    properties: { forEachRow: false },
    errorMessage: 'The items come from `forEach` or from `forEachRow`, not from both: remove one of the two.',
  },
};

const keyWords =
  'A map of items, or one `${var.NAME}` that is a map. The key of an item starts with a letter or a digit, followed by letters, digits, `_` and `-`, with at most 64 characters.';

/** A condition whose patterns accept every interpolated text, if the form allows interpolation. */
function inForm(schema: Json, form: SchemaForm): Json {
  if (Array.isArray(schema)) return schema.map((entry: Json) => inForm(entry, form));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, entry]) => [
      key,
      key === 'pattern' && typeof entry === 'string' && form.interpolated
        ? interpolationOr(entry)
        : inForm(entry, form),
    ]),
  );
}

/** The fields of one destination, and the required ones among them. */
function whereDestination(
  rows: readonly Row[],
  destination: (typeof destinations)[number],
  form: SchemaForm,
): ChoiceBranch[] {
  const own = rows.filter(([, field]) => field.destinations?.includes(destination));
  if (own.length === 0) return [];
  return [
    {
      property: 'destinationType',
      if: destinationIs([destination]),
      then: {
        ...(form.documented ? { title: `What ${destination} requires` } : {}),
        properties: Object.fromEntries(
          own.map(([name, field]) => [name, fieldSchema(field, form, field.shapeFor?.[destination] ?? field.shape)]),
        ),
        ...(form.documented ? {} : requiredIn(Object.fromEntries(own), `destinationType ${destination}`)),
      },
    },
  ];
}

export function destinationIs(values: readonly string[]): JsonObject {
  return when('destinationType', values);
}

/** Fields that depend on the format, grouped by their formats. */
function formatsInGroups(rows: readonly Row[]): readonly (readonly [readonly string[], readonly Row[]])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const names = row[1].formats;
    if (names === undefined) continue;
    const key = names.join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, group]) => [key.split(','), group]);
}

function whereFormat(names: readonly string[], group: readonly Row[], form: SchemaForm): ChoiceBranch {
  return {
    property: 'format',
    if: when('format', names),
    then: { properties: Object.fromEntries(group.map(([name, field]) => [name, fieldSchema(field, form)])) },
  };
}

/** A dependent field is an error under every other destination or format. */
function elsewhere([name, field]: Row): JsonObject {
  const byFormat = field.formats !== undefined;
  const property = byFormat ? 'format' : 'destinationType';
  const own: readonly string[] = field.formats ?? field.destinations ?? [];
  const others = (byFormat ? formats : destinations).filter((value) => !own.includes(value));
  return {
    if: when(property, others),
    then: refused(name, property, own, byFormat ? 'field-not-for-format' : 'field-not-for-destination'),
  };
}
