// The schema of one resource. A field that depends on the destination or the format appears in a `then` branch, and as
// `false` where the field is and the choice is another. In this form the YAML language server offers exactly the fields that
// fit, reports exactly one error per fault, and looks at few branches of a valid resource: its time and its hover texts
// depend on their number.

import { loopFields } from '../../src/model/fields/common-fields.ts';
import { type Destination, destinations, type Field, formats, requiredNames } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { interpolationOr, itemKey } from '../../src/model/fields/patterns.ts';
import type { Kind } from '../../src/model/values/address.ts';
import { groupBy } from '../../src/model/values/collections.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import type { Condition } from './conditions.ts';
import { kindsInSchemas } from './kinds.ts';
import { fieldSchema, published, publishedPlain, refused, requiredIn, type SchemaForm, when } from './shape-schema.ts';

type Row = readonly [name: string, field: Field];

const isDependent = ([, field]: Row) => field.destinations !== undefined || field.formats !== undefined;

export function resourceSchema(kind: Kind, form: SchemaForm): JsonObject {
  const rows: readonly Row[] = Object.entries(fieldsOf[kind]);
  const common = rows.filter((row) => !isDependent(row));
  const names = [...rows.map(([name]) => name), ...Object.keys(loopFields)];
  const { always, broughtUp } = rulesOf(kind, form);
  const allOf = [
    ...(form.documented ? [onlyNamed(names), ...choiceChains(kind)] : choiceBranches(rows, form)),
    ...always,
  ];
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(common.map(([name, field]) => [name, fieldSchema(sayingIfRequired(field), form)])),
      ...(form.documented ? {} : Object.fromEntries(rows.filter(isDependent).map(([name]) => [name, true]))),
      ...(form.documented ? { extra: extraSchema(kind, form) } : {}),
      ...loopSchemas(form),
    },
    // For editors, see file-defaults.ts.
    ...(form.documented ? {} : { required: requiredNames(Object.fromEntries(common)), additionalProperties: false }),
    ...(Object.keys(broughtUp).length === 0 ? {} : { dependencies: broughtUp }),
    ...(allOf.length === 0 ? {} : { allOf }),
  };
}

function extraSchema(kind: Kind, form: SchemaForm): JsonObject {
  const { extra, ...known } = fieldsOf[kind];
  if (extra === undefined) return {};
  const propertyNames = {
    pattern: `^(?!(?:${Object.keys(known).join('|')})$)`,
    patternErrorMessage: 'This is a field of its own; inside extra it would not be checked: move it out of extra.',
  };
  return { ...fieldSchema(extra, form), propertyNames };
}

/** The first sign of it would otherwise be an error. */
function sayingIfRequired(field: Field): Field {
  return field.required ? { ...field, words: `Required, here or in defaults. ${field.words}` } : field;
}

/** Beside the fields, editors would offer those that do not depend on anything, and no other, in place of a misspelled one. */
function onlyNamed(names: readonly string[]): JsonObject {
  return { patternProperties: { [`^(?:${names.join('|')})$`]: true }, additionalProperties: false };
}

/**
 * The rules of a resource. Nearly every one is about a field that few resources have: it is looked at where that field is, so
 * that a file of thousands of resources costs an editor no more than their fields.
 */
function rulesOf(kind: Kind, form: SchemaForm) {
  // For editors, those that the defaults of a file may meet are in file-defaults.ts.
  const conditions = kindsInSchemas[kind].conditions.filter((each) => !form.documented || !each.mayBeMetByDefault);
  const rules = conditions.map((condition) => ruleOf(condition, form));
  const byField = groupBy(
    [
      ...(form.documented
        ? [['forEachRow', notBoth] as const]
        : Object.entries(fieldsOf[kind])
            .filter(isDependent)
            .map((row) => [row[0], elsewhere(row)] as const)),
      ...rules.map((rule) => [fieldThatBringsUp(rule.if), rule] as const),
    ],
    ([name]) => name,
  );
  const at = (name: string | undefined) => byField.get(name)?.map(([, rule]) => rule) ?? [];
  const fields = [...byField.keys()].filter((name) => name !== undefined);
  const broughtUp = Object.fromEntries(
    fields.map((name): [string, JsonObject] => {
      const [only = {}, ...others] = at(name);
      return [name, others.length === 0 ? only : { allOf: [only, ...others] }];
    }),
  );
  return { always: at(undefined), broughtUp };
}

function ruleOf({ if: condition, then, words, code }: Condition, form: SchemaForm) {
  return {
    if: inForm(condition, form) as JsonObject,
    then: { ...(inForm(then, form) as JsonObject), errorMessage: words, 'x-code': code },
  };
}

/** A rule for editors, looked at where its field is. */
export function ruleWhereItsFieldIs(condition: Condition): JsonObject {
  const rule = ruleOf(condition, published);
  const name = fieldThatBringsUp(rule.if);
  return name === undefined ? rule : { dependencies: { [name]: rule } };
}

/** Of the fields that a condition needs, the first: the one that the fewest resources have. */
function fieldThatBringsUp({ required }: JsonObject): string | undefined {
  return Array.isArray(required) ? String(required[0]) : undefined;
}

/** The program has no need of it: it looks at the items before it checks a resource. */
const notBoth: JsonObject = {
  if: { required: ['forEach'] },
  then: {
    properties: { forEachRow: false },
    errorMessage: {
      message: 'The items come from `forEach` or from `forEachRow`, not from both.',
      hint: 'Remove one of the two.',
    },
  },
};

const choices = { destinationType: destinations, format: formats } as const;
type Choice = keyof typeof choices;
const choicesInOrder = Object.keys(choices) as readonly Choice[];

const dependsOn = (choice: Choice, field: Field): readonly string[] | undefined =>
  choice === 'format' ? field.formats : field.destinations;

interface Outcome {
  readonly choice: Choice;
  readonly value: string;
  /** Where the fields are that it gives a resource, and the refusals of those that it does not. */
  readonly $ref: string;
  readonly fields: JsonObject;
}

/** For editors: what each destination and each format gives the resources of a kind. */
export function outcomesOf(kind: Kind): readonly Outcome[] {
  return choicesInOrder.flatMap((choice) =>
    choices[choice].flatMap((value): Outcome[] => {
      const rows = Object.entries(fieldsOf[kind]).filter(([, field]) => dependsOn(choice, field) !== undefined);
      if (rows.length === 0) return [];
      const isOwn = ([, field]: Row) => dependsOn(choice, field)?.includes(value);
      const own = rows.filter(isOwn);
      const shapeFor = (field: Field) => (choice === 'format' ? undefined : field.shapeFor?.[value as Destination]);
      const properties = own.map(([name, field]) => [
        name,
        fieldSchema(field, published, shapeFor(field) ?? field.shape),
      ]);
      const others = rows.filter((row) => !isOwn(row)).map((row) => [row[0], refusal(row)]);
      const fields = { properties: Object.fromEntries(properties), dependencies: Object.fromEntries(others) };
      return [{ choice, value, $ref: `#/definitions/${kind}-${value}`, fields }];
    }),
  );
}

/** One question after the other, the usual answers first: each that is asked costs an editor time. */
function choiceChains(kind: Kind): readonly JsonObject[] {
  const outcomes = outcomesOf(kind);
  return choicesInOrder.flatMap((choice) => {
    const chain = usualFirst(
      outcomes.filter((outcome) => outcome.choice === choice),
      ({ value }) => value,
    ).reduceRight<JsonObject | undefined>(
      (otherwise, { value, $ref }) => ({
        if: when(choice, [value]),
        then: { $ref },
        ...(otherwise === undefined ? {} : { else: otherwise }),
      }),
      undefined,
    );
    return chain === undefined ? [] : [chain];
  });
}

const usual = ['email', 'slack', 'pdf', 'csv', 'xlsx'];

export function usualFirst<T>(answers: readonly T[], nameOf: (answer: T) => string): readonly T[] {
  const isUsual = (answer: T) => usual.includes(nameOf(answer));
  return [...answers.filter(isUsual), ...answers.filter((answer) => !isUsual(answer))];
}

/** For the program, which holds each field once because every command loads it: those of the same formats are in one branch. */
function choiceBranches(rows: readonly Row[], form: SchemaForm): readonly JsonObject[] {
  const ofDestinations = destinations.map((destination) => {
    const own = rows.filter(([, field]) => field.destinations?.includes(destination));
    const properties = own.map(([name, field]) => [
      name,
      fieldSchema(field, form, field.shapeFor?.[destination] ?? field.shape),
    ]);
    const required = requiredIn(Object.fromEntries(own), `destinationType ${destination}`);
    return { if: destinationIs(destination), then: { properties: Object.fromEntries(properties), ...required } };
  });
  const byFormats = groupBy(
    rows.filter(([, field]) => field.formats !== undefined),
    ([, { formats: own = [] }]) => own.join(),
  );
  const ofFormats = [...byFormats.values()].map((group) => ({
    if: when('format', group[0][1].formats ?? []),
    then: { properties: Object.fromEntries(group.map(([name, field]) => [name, fieldSchema(field, form)])) },
  }));
  return [...ofDestinations.filter(({ then }) => Object.keys(then.properties).length > 0), ...ofFormats];
}

export function destinationIs(destination: Destination): JsonObject {
  return when('destinationType', [destination]);
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

/** For the program: a dependent field is an error under every other destination or format. */
function elsewhere(row: Row): JsonObject {
  const [choice, own] = choiceOf(row);
  const others = choices[choice].filter((value) => !own.includes(value));
  return { if: when(choice, others), then: refusal(row) };
}

function refusal(row: Row): JsonObject {
  const [choice, own] = choiceOf(row);
  return refused(row[0], choice, own, choice === 'format' ? 'field-not-for-format' : 'field-not-for-destination');
}

function choiceOf([, { formats: ownFormats, destinations: own = [] }]: Row): readonly [Choice, readonly string[]] {
  return ownFormats === undefined ? ['destinationType', own] : ['format', ownFormats];
}
