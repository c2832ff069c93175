// The schema of a source file: its sections, and the entries that move, adopt and release resources. The published form
// contains the resources. The strict form checks only what surrounds them, because defaults are merged in between.

import { audienceFields } from '../../src/model/fields/common-fields.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import * as patterns from '../../src/model/fields/patterns.ts';
import { type Kind, kindOfSection, sections } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { version } from '../../src/version.ts';
import { audienceIsSomebody } from './conditions.ts';
import { fieldsByDefault, requiredFields } from './file-defaults.ts';
import { kindsInSchemas } from './kinds.ts';
import { outcomesOf, resourceSchema } from './resource-schema.ts';
import {
  describe,
  fieldSchema,
  fieldsSchema,
  namedEntries,
  orNothing,
  published,
  type SchemaForm,
  textDefinition,
} from './shape-schema.ts';
import { audienceSnippets } from './snippets.ts';

const keyMessage =
  'A key starts with a letter, followed by letters, digits, `_` and `-`, with at most 64 characters. It names the resource in every plan.';

const audienceNameMessage =
  'The name of an audience starts with a letter, followed by letters, digits, `_` and `-`, with at most 64 characters.';

function addressSchema(pattern: string, example: string): JsonObject {
  return { type: 'string', pattern, patternErrorMessage: `An address, such as \`${example}\`.` };
}

function entries(text: string, properties: JsonObject, form: SchemaForm): JsonObject {
  const required = Object.keys(properties).filter((name) => name !== 'in');
  const items = { type: 'object', properties, required, additionalProperties: false };
  return orNothing('array', { ...describe(text), items }, form);
}

/** The schema of one audience. */
export function audienceSchema(form: SchemaForm): JsonObject {
  const { code, words, if: condition, then } = audienceIsSomebody;
  return {
    type: 'object',
    properties: fieldsSchema(audienceFields, form),
    additionalProperties: false,
    allOf: [{ if: condition, then: { ...then, errorMessage: words, 'x-code': code } }],
  };
}

function inSchema(words: string): JsonObject {
  return { ...describe(words), type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } };
}

const listEntries = (form: SchemaForm): JsonObject => ({
  moved: entries(
    'Resources that have a new key. Nothing is sent; only the state changes.',
    {
      from: { ...describe('The old address.'), ...addressSchema(patterns.address, 'schedules.old-name') },
      to: {
        ...describe('The new address, declared here or in another file.'),
        ...addressSchema(patterns.address, 'schedules.weekly-sales'),
      },
    },
    form,
  ),
  adopt: entries(
    'Schedules and routines that already exist in Omni. Almanac adopts them without changing them.',
    {
      to: {
        ...describe('The declared schedule.'),
        ...addressSchema(patterns.adoptableAddress, 'schedules.daily-orders'),
      },
      id: {
        ...describe('The id of the schedule in Omni.'),
        type: 'string',
        pattern: patterns.uuid,
        patternErrorMessage: 'A UUID, such as `2abba91d-9bec-41a0-8a8d-6f133b4ff0b7`.',
        'x-code': 'invalid-id',
      },
      in: inSchema('The only environments in which it takes effect: an id belongs to one organization.'),
    },
    form,
  ),
  removed: entries(
    'Resources that Almanac stops managing without deleting them.',
    {
      from: {
        ...describe('The address that is no longer declared.'),
        ...addressSchema(patterns.address, 'schedules.legacy'),
      },
      keep: { ...describe('Always `true`: what exists in Omni stays.'), enum: [true] },
      in: inSchema('The only environments in which it takes effect.'),
    },
    form,
  ),
});

/** Defaults of a section: its fields, none required. */
export function defaultsSchema(form: SchemaForm, names: 'checked' | 'checked with values'): JsonObject {
  const ofKind = (kind: Kind): JsonObject => {
    const properties = Object.entries(fieldsOf[kind]).map(([name, field]) => [
      name,
      names === 'checked' ? true : fieldSchema(field, form),
    ]);
    return orNothing('object', { properties: Object.fromEntries(properties), additionalProperties: false }, form);
  };
  const properties = Object.fromEntries(sections.map((section) => [section, ofKind(kindOfSection[section])]));
  return orNothing('object', { properties, additionalProperties: false }, form);
}

function sourceFile(ofKind: (kind: Kind) => JsonObject, audience: JsonObject, defaults: JsonObject, form: SchemaForm) {
  const section = (kind: Kind): JsonObject => ({
    ...describe(kindsInSchemas[kind].words),
    ...namedEntries(patterns.resourceKey, ofKind(kind), keyMessage, form),
  });
  return {
    type: ['object', 'null'],
    properties: {
      ...Object.fromEntries(sections.map((name) => [name, section(kindOfSection[name])])),
      audiences: {
        ...describe(
          'Audiences by name: people who receive reports together. `${audience.NAME}` in a schedule of any file stands for their e-mail addresses or their Slack id, as its destination needs it.',
        ),
        ...namedEntries(patterns.resourceKey, audience, audienceNameMessage, form),
      },
      ...listEntries(form),
      defaults: {
        ...describe(
          'Defaults for the resources of this file, by section. They override those of almanac.yaml. A default that does not apply to the format or destination of a resource is left out.',
        ),
        ...defaults,
      },
    },
    patternProperties: { '^x-': { ...describe('Free for your own use, such as anchors. Almanac ignores it.') } },
    additionalProperties: false,
  };
}

/** The schema for editors: schemas/resources.schema.json. */
export function publishedSourceSchema(): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Almanac source file, version ${version}`,
    ...describe('Declares schedules, dashboard filter values, routines and AI jobs of an Omni organization.'),
    definitions: {
      ...Object.fromEntries(
        sections.map((section) => {
          const kind = kindOfSection[section];
          return [kind, { title: kindsInSchemas[kind].title, ...resourceSchema(kind, published) }];
        }),
      ),
      ...Object.fromEntries(
        sections.flatMap((section) =>
          outcomesOf(kindOfSection[section]).map(({ $ref, fields }) => [$ref.replace(/^.*\//, ''), fields]),
        ),
      ),
      audience: { title: 'Audience', ...audienceSchema(published) },
      ...textDefinition(published),
    },
    ...withSnippets(
      sourceFile(
        (kind) => ({ $ref: `#/definitions/${kind}` }),
        { $ref: '#/definitions/audience' },
        defaultsSchema(published, 'checked with values'),
        published,
      ),
    ),
    allOf: [...fieldsByDefault(), ...requiredFields()],
  };
}

function withSnippets(schema: JsonObject): JsonObject {
  const properties = schema['properties'] as JsonObject;
  const offering = (name: string, defaultSnippets: readonly Json[]): JsonObject => {
    const section = properties[name] as JsonObject;
    // Beside the type they would count as values of `schedules:`: editors would keep them on its line, or in quotes in JSON.
    return { ...section, then: { defaultSnippets } };
  };
  const ofKinds = sections.map((section) => [
    section,
    offering(section, kindsInSchemas[kindOfSection[section]].snippets()),
  ]);
  const audiences = offering('audiences', audienceSnippets);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(ofKinds), audiences } };
}

/** The strict form, which the program checks. */
export function strictSourceSchema(form: SchemaForm): JsonObject {
  return sourceFile(() => ({ type: 'object' }), { type: 'object' }, defaultsSchema(form, 'checked'), form);
}
