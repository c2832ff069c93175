// A shape from the table of fields as JSON Schema (draft-07). Published schemas contain the documentation, and accept a
// ${…} for any value in interpolated files. The strict form is compiled into the program and checks the interpolated
// values.

import { type Field, type Fields, requiredNames, type Shape } from '../../src/model/fields/field.ts';
import { discriminatorOf } from '../../src/model/fields/fields.ts';
import { holdingReferences, interpolation, interpolationOr, references } from '../../src/model/fields/patterns.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { referenceForms } from '../../src/model/values/references.ts';
import { codeList, missingWords } from '../../src/model/values/words.ts';

/** What a schema says of a fault, with what to do about it apart: the message of a rule. */
export type Advised = { readonly message: string; readonly hint: string };

/** For editors, which show one text. */
export function inOneText(words: string | Advised): string {
  if (typeof words === 'string') return words;
  const { message, hint } = words;
  return `${message.slice(0, -1)}: ${hint.charAt(0).toLowerCase()}${hint.slice(1)}`;
}

export interface SchemaForm {
  /** Whether a string with an unescaped ${ is accepted in place of any value. */
  readonly interpolated: boolean;
  /** Whether to include descriptions and other hints for editors. */
  readonly documented: boolean;
  /** What editors ask of every text beside what its field asks; it stands once in a schema, at `textDefinition`. */
  readonly texts?: JsonObject | undefined;
}

export const published: SchemaForm = {
  interpolated: true,
  documented: true,
  texts: { pattern: references, patternErrorMessage: referenceForms(true) },
};
export const publishedPlain: SchemaForm = { interpolated: false, documented: true };
export const strict: SchemaForm = { interpolated: false, documented: false };

const orText = ', or a reference such as ${var.NAME}.';

/** Also accepts an interpolated string, in a schema for a value that is not a string. */
function orInterpolated(form: SchemaForm, type: string, rest: JsonObject, words: string): JsonObject {
  if (!form.interpolated) return { type, ...rest };
  const message = `${words}${orText}`;
  return together(
    { type: [type, 'string'] },
    rest,
    patternSchema(holdingReferences, message, form),
    // Editors would also show it for an unknown field.
    rest['additionalProperties'] === false ? {} : { errorMessage: message },
  );
}

/** A pattern is an entry of `allOf` for editors, so that files which hold equal parts once hold it once. */
function patternSchema(pattern: string, message: string | undefined, form: SchemaForm): JsonObject {
  const schema = { pattern, ...(message === undefined ? {} : { patternErrorMessage: message }) };
  return form.documented ? { allOf: [schema] } : schema;
}

/** One schema of several parts; their lists of further schemas follow one another. */
function together(...parts: readonly JsonObject[]): JsonObject {
  const allOf = parts.flatMap((part) => (part['allOf'] ?? []) as readonly Json[]);
  return { ...Object.assign({}, ...parts), ...(allOf.length === 0 ? {} : { allOf }) };
}

/** Editors write a 0 where an integer is the first type, so a string is: an interpolated one, or one of no form at all. */
function integerSchema(range: JsonObject, form: SchemaForm): JsonObject {
  if (!form.documented) return { type: 'integer', ...range };
  const message = `A whole number, without quotes${form.interpolated ? orText : '.'}`;
  const pattern = form.interpolated ? holdingReferences : '(?!)';
  return together(
    { type: ['string', 'integer'], ...range, errorMessage: message },
    patternSchema(pattern, message, form),
  );
}

export function shapeSchema(shape: Shape, form: SchemaForm, isItem = false): JsonObject {
  switch (shape.type) {
    case 'string':
      return together(
        { type: 'string', ...(shape.minLength ? { minLength: shape.minLength } : {}) },
        patternOf(shape, form),
        suggestedIn(shape, form, isItem),
        codeOf(shape),
      );
    case 'boolean':
      return orInterpolated(form, 'boolean', {}, 'True or false, without quotes');
    case 'integer': {
      const { minimum, maximum } = shape;
      const range = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
      return { ...integerSchema(range, form), ...codeOf(shape) };
    }
    case 'choice': {
      const words: JsonObject = form.documented ? { markdownEnumDescriptions: Object.values(shape.choices) } : {};
      const values = { enum: Object.keys(shape.choices) };
      if (!form.interpolated) return { ...values, ...words };
      return {
        // The rule: a misspelt value is one error; `anyOf` would report each alternative.
        if: { type: 'string', pattern: interpolation },
        then: textsOf(form),
        else: values,
        // Never fails: completion reads only `anyOf`. Exactly one alternative must match, or hover shows no text.
        anyOf: [{ ...values, ...words }, { not: values }],
      };
    }
    case 'list': {
      const rest = {
        items: shapeSchema(shape.items, form, true),
        ...bounds(shape),
        ...(shape.uniqueItems ? { uniqueItems: true } : {}),
      };
      return { ...orInterpolated(form, 'array', rest, 'A list'), ...codeOf(shape) };
    }
    case 'textOrList':
      return {
        type: ['string', 'array'],
        ...patternOf(shape, form),
        minItems: 1,
        ...bounds(shape),
        items: { type: 'string', minLength: 1, ...patternOf(shape, form), ...codeOf(shape) },
        ...codeOf(shape),
      };
    case 'textOrRecord':
      return {
        type: ['string', 'object'],
        minLength: 1,
        properties: fieldsSchema(shape.fields, form),
        additionalProperties: false,
        ...together(textsOf(form), requiredIn(shape.fields)),
      };
    case 'object':
      if (shape.explained && !form.documented) return objectParts(shape, form);
      return orInterpolated(form, 'object', objectParts(shape, form), 'A map');
    case 'oneOf':
      return orInterpolated(form, 'object', recordsSchema(shape, form), 'A map');
    case 'anything':
      return together(textsOf(form), suggestedIn(shape, form));
  }
}

/**
 * As snippets, which cost nothing when a file is checked, mark no other value, and leave the hover text short. Items of a list
 * are offered as values that never fail, because a snippet of them would also be offered behind the name of the list.
 */
function suggestedIn({ suggested }: Suggesting, form: SchemaForm, isItem = false): JsonObject {
  if (suggested === undefined || !form.documented) return {};
  const values = { enum: Object.keys(suggested) };
  if (isItem && values.enum.length === 0) return {};
  if (isItem) return { anyOf: [{ ...values, markdownEnumDescriptions: Object.values(suggested) }, { not: values }] };
  const snippets = Object.entries(suggested).map(([label, words]) => ({ label, description: words, body: label }));
  return { allOf: [{ defaultSnippets: snippets }] };
}

interface Suggesting {
  readonly suggested?: Readonly<Record<string, string>> | undefined;
}

interface Patterned {
  readonly pattern?: string;
  readonly patternWords?: string;
  readonly explained?: true;
}

function patternOf(shape: Patterned, form: SchemaForm): JsonObject {
  if (shape.pattern === undefined || (shape.explained && !form.documented)) return textsOf(form);
  const pattern = form.interpolated ? interpolationOr(shape.pattern) : shape.pattern;
  return together(patternSchema(pattern, shape.patternWords, form), textsOf(form));
}

const textsOf = ({ texts }: SchemaForm): JsonObject =>
  texts === undefined ? {} : { allOf: [{ $ref: '#/definitions/text' }] };

/** The definition to which texts refer; none in a schema that asks nothing more of them. */
export const textDefinition = ({ texts }: SchemaForm): JsonObject => (texts === undefined ? {} : { text: texts });

function bounds(shape: { readonly minItems?: number; readonly maxItems?: number }): JsonObject {
  return {
    ...(shape.minItems === undefined ? {} : { minItems: shape.minItems }),
    ...(shape.maxItems === undefined ? {} : { maxItems: shape.maxItems }),
  };
}

function codeOf(shape: { readonly code?: string }): JsonObject {
  return shape.code === undefined ? {} : { 'x-code': shape.code };
}

function objectParts(shape: Shape & { type: 'object' }, form: SchemaForm): JsonObject {
  if (shape.fields !== undefined) {
    return {
      properties: fieldsSchema(shape.fields, form),
      ...(shape.minFields === undefined ? {} : { minProperties: shape.minFields }),
      ...(shape.open ? {} : { additionalProperties: false }),
      ...(form.documented ? needingField(shape) : {}),
      ...requiredIn(shape.fields),
    };
  }
  if (shape.entries === undefined) return {};
  const words: JsonObject =
    form.documented && 'words' in shape.entries && shape.entries.words ? describe(shape.entries.words) : {};
  const schema = shapeSchema(shape.entries, form);
  const unset: JsonObject = form.documented && shape.mayBeUnset ? { type: [schema['type'] ?? [], 'null'].flat() } : {};
  const entry = { ...words, ...schema, ...unset };
  const named = Object.entries(form.documented ? (shape.names ?? {}) : {});
  if (named.length === 0) return { additionalProperties: entry };
  // A record would be repeated for each name.
  if (shape.entries.type === 'textOrRecord') {
    const others = acceptedNames(shape);
    // Without the type, editors would not write the colon.
    const type: Json = entry['type'] ?? [];
    const properties = Object.fromEntries(named.map(([name, meaning]) => [name, { type, ...describe(meaning) }]));
    return { properties, ...others, allOf: [{ additionalProperties: entry }] };
  }
  const properties = Object.fromEntries(named.map(([name, meaning]) => [name, { ...entry, ...describe(meaning) }]));
  if (shape.namesWords === undefined) return { properties, additionalProperties: entry };
  // Beside the type, editors would show the message for a wrong type, too.
  return { allOf: [{ properties, additionalProperties: false, errorMessage: shape.namesWords }] };
}

/** Usual filters have the first field, and cost an editor one question. */
function needingField({ needsFieldWords, fields = {} }: Shape & { type: 'object' }): JsonObject {
  if (needsFieldWords === undefined) return {};
  const names = Object.keys(fields);
  return {
    if: { required: names.slice(0, 1) },
    else: {
      if: { propertyNames: { not: { enum: names } } },
      then: { const: null, doNotSuggest: true, errorMessage: needsFieldWords },
    },
  };
}

function acceptedNames({ accepted, namesWords }: Shape & { type: 'object' }): JsonObject {
  if (accepted === undefined) return {};
  return { propertyNames: { pattern: `^(?:${accepted.join('|')})$`, patternErrorMessage: namesWords ?? '' } };
}

/**
 * One of several records, in the form that resource-schema.ts describes: the fields of a record are in a `then` branch, and
 * `false` in a second one for all other records.
 */
function recordsSchema(shape: Shape & { type: 'oneOf' }, form: SchemaForm): JsonObject {
  const { by, records } = shape;
  const all = Object.entries(records);
  const names = all.map(([name]) => name);
  const dependent = all.flatMap(([name, { fields }]) => Object.keys(fields).map((field) => [field, name] as const));
  return {
    properties: {
      [by]: fieldSchema(discriminatorOf(shape), form),
      ...Object.fromEntries(dependent.map(([field]) => [field, { doNotSuggest: true }])),
    },
    additionalProperties: false,
    allOf: [
      requiring(by),
      ...all.map(([name, { fields }]) => ({
        if: when(by, [name]),
        then: { properties: fieldsSchema(fields, form), ...requiredIn(fields, `${by} ${name}`) },
      })),
      ...dependent.map(([field, name]) => ({
        if: when(
          by,
          names.filter((other) => other !== name),
        ),
        then: refused(field, by, [name], 'field-not-for-destination'),
      })),
    ],
  };
}

/** Holds where a choice is one of these. */
export function when(property: string, values: readonly string[]): JsonObject {
  const match: JsonObject = values.length === 1 ? { const: values[0] ?? '' } : { enum: values };
  return { properties: { [property]: match }, required: [property] };
}

/** A field that only these choices of `property` give. */
export function refused(field: string, property: string, choices: readonly string[], code: string): JsonObject {
  return {
    properties: { [field]: false },
    errorMessage: notFor(field, `${property} ${codeList(choices)}`, property),
    'x-code': code,
  };
}

/** `choices`: those that a field is for. */
export function notFor(field: string, choices: string, property: string): Advised {
  return {
    message: `\`${field}\` applies only to ${choices}.`,
    hint: `Remove it, or change ${property}.`,
  };
}

/** What a table marks as required. `by`: the choice that requires it. */
export function requiredIn(fields: Fields, by?: string): JsonObject {
  const names = requiredNames(fields);
  // Next to the fields, editors would show the message for every other fault, too.
  return names.length === 0 ? {} : { allOf: names.map((name) => requiring(name, by)) };
}

/** Each field on its own, so that its message names it. */
export function requiring(name: string, by?: string): JsonObject {
  return { required: [name], errorMessage: missingWords(name, by) };
}

export function fieldsSchema(fields: Fields, form: SchemaForm): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, form)]));
}

/** A field with its documentation: what an editor shows on hover. */
export function fieldSchema(field: Field, form: SchemaForm, shape: Shape = field.shape): JsonObject {
  const schema = shapeSchema(shape, field.literal ? { ...form, interpolated: false, texts: undefined } : form);
  if (!form.documented) return schema;
  // Without the keyword `default`: editors would write its value where only the name is chosen.
  return { ...describe(hoverText(field), shape.type === 'choice' ? [choicesText(shape.choices)] : []), ...schema };
}

/**
 * A map of entries by name. For editors the message about names is separate; otherwise they would show it for a wrong type,
 * too. Not by a pattern, with which the YAML language server would look for each of thousands of names among all others.
 */
export function namedEntries(name: string, entry: JsonObject, message: string, form: SchemaForm): JsonObject {
  return form.documented
    ? orNothing(
        'object',
        { propertyNames: { pattern: name, patternErrorMessage: message }, additionalProperties: entry },
        form,
      )
    : orNothing(
        'object',
        {
          patternProperties: { [name]: entry },
          additionalProperties: false,
          errorMessage: message,
          'x-code': 'invalid-key',
        },
        form,
      );
}

/** Also accepts nothing behind the name. Beside the other type, editors would offer to write `null`. */
export function orNothing(type: 'object' | 'array', rest: JsonObject, form: SchemaForm): JsonObject {
  const types = { type: [type, 'null'] };
  if (!form.documented) return { ...types, ...rest };
  // Without a type, they see by its properties that a map is to be written.
  return { ...(type === 'object' && { properties: {} }), ...rest, if: { type }, else: types };
}

/** Descriptions for editors with and without Markdown; one where both show the same. */
export function describe(markdown: string, plainOnly: readonly string[] = []): JsonObject {
  const description = [markdown, ...plainOnly].join('\n\n').replaceAll('`', '');
  const readsAlike = description === markdown && !/[\\`*_{}[\]#+!<&]/.test(markdown);
  return { description, ...(readsAlike ? {} : { markdownDescription: markdown }) };
}

/** Editors with Markdown list the choices themselves, from markdownEnumDescriptions. */
function choicesText(choices: Readonly<Record<string, string>>): string {
  return Object.entries(choices)
    .map(([value, words]) => `- ${value}: ${words}`)
    .join('\n');
}

function hoverText(field: Field): string {
  const parts = [field.words];
  if (field.destinations) parts.push(`For destinationType ${codeList(field.destinations)}.`);
  if (field.formats) parts.push(`For format ${codeList(field.formats)}.`);
  if (field.backends) parts.push(`For backend ${codeList(field.backends)}.`);
  if (field.default !== undefined) parts.push(`Default: \`${defaultText(field.default)}\`.`);
  return parts.join('\n\n');
}

function defaultText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
