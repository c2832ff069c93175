// The schema of almanac.yaml. That file is never interpolated.

import {
  configFields,
  environmentFields,
  notInterpolatedWords,
  stateFields,
} from '../../src/model/fields/config-fields.ts';
import type { Fields } from '../../src/model/fields/field.ts';
import { withoutReferences } from '../../src/model/fields/patterns.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { version } from '../../src/version.ts';
import { fieldSchema, namedEntries, orNothing, type SchemaForm, textDefinition } from './shape-schema.ts';
import { defaultsSchema } from './source-schema.ts';
import { stateSchema } from './state-place-schema.ts';

export function configSchema(given: SchemaForm): JsonObject {
  const texts = { pattern: withoutReferences, patternErrorMessage: notInterpolatedWords };
  const form = given.documented ? { ...given, texts } : given;
  const defaults = { $ref: '#/definitions/defaults' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `almanac.yaml, version ${version}`,
    description: 'The configuration of an Almanac workspace. Never write tokens into it.',
    definitions: {
      defaults: {
        description:
          'Values for fields that a resource leaves out, by section. The defaults of a source file override them.',
        ...defaultsSchema(form, form.documented ? 'checked with values' : 'checked'),
      },
      ...textDefinition(form),
    },
    type: ['object', 'null'],
    properties: {
      ...sectionsSchema(configFields, form),
      state: stateSchema(configFields.state, stateFields, form, 'shared part'),
      defaults,
      environments: {
        description: 'Environments by name, chosen with --env NAME. Each one overrides the rest of this file.',
        ...namedEntries(
          '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
          orNothing(
            'object',
            {
              properties: {
                ...sectionsSchema(environmentFields, form),
                state: stateSchema(environmentFields.state, stateFields, form, 'environment'),
                defaults,
              },
              additionalProperties: false,
            },
            form,
          ),
          'The name of an environment starts with a letter, followed by letters, digits, `_` and `-`.',
          form,
        ),
      },
    },
    patternProperties: { '^x-': { description: 'Free for your own use, such as anchors. Almanac ignores it.' } },
    additionalProperties: false,
  };
}

/** An empty section sets nothing, as in source files. */
function sectionsSchema(fields: Fields, form: SchemaForm): JsonObject {
  const sections = Object.entries(fields).map(([name, field]) => {
    const { type, ...schema } = fieldSchema(field, form);
    return [name, field.shape.type === 'object' ? orNothing('object', schema, form) : { type, ...schema }];
  });
  return Object.fromEntries(sections);
}
