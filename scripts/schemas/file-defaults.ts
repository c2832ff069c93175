// What the `defaults` of a file change for its resources, in the schema for editors. What a resource must have is asked
// for at the root, each field on its own: in this form the YAML language server reports what is missing at the resource.

import { destinations } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { resourceKey } from '../../src/model/fields/patterns.ts';
import { kindOfSection, type Section, sections } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { choiceBranches, destinationIs } from './resource-schema.ts';
import { published, requiring } from './shape-schema.ts';

/** A default format or destination decides which fields are offered, where a resource has none of its own. */
export function fieldsByDefault(): readonly JsonObject[] {
  return sections.flatMap((section) =>
    choiceBranches(kindOfSection[section], published).map(({ if: condition, property }, index) => ({
      if: having('defaults', having(section, { type: 'object', ...condition })),
      then: {
        patternProperties: {
          [`^${section}$`]: {
            patternProperties: {
              [resourceKey]: {
                if: { required: [property] },
                else: { $ref: `#/definitions/${kindOfSection[section]}/allOf/${index}/then` },
              },
            },
          },
        },
      },
    })),
  );
}

export function requiredFields(): readonly JsonObject[] {
  return sections.flatMap((section) => {
    const rows = Object.entries(fieldsOf[kindOfSection[section]]).filter(([, field]) => field.required);
    const always = rows.filter(([, field]) => field.destinations === undefined && field.formats === undefined);
    return [
      ...always.map(([name]) => unlessDefault(section, name, requiring(name))),
      ...destinations.flatMap((destination) => {
        const own = rows.filter(([, field]) => field.destinations?.includes(destination)).map(([name]) => name);
        return own.map((name) =>
          unlessDefault(section, name, {
            if: destinationIs([destination]),
            then: requiring(name, `destinationType ${destination}`),
          }),
        );
      }),
    ];
  });
}

/** `else` is what each resource of the section must meet. */
function unlessDefault(section: Section, name: string, resource: JsonObject): JsonObject {
  return {
    if: having('defaults', having(section, { type: 'object', required: [name] })),
    // As patterns, because editors would offer properties a second time.
    else: { patternProperties: { [`^${section}$`]: { patternProperties: { [resourceKey]: resource } } } },
  };
}

function having(name: string, schema: Json): JsonObject {
  return { type: 'object', properties: { [name]: schema }, required: [name] };
}
