// What a resource must have, in the schema for editors: each field on its own and at the root, because the `defaults` of
// the same file may give it. In this form the YAML language server still reports what is missing at the resource.

import { destinations } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { resourceKey } from '../../src/model/fields/patterns.ts';
import { kindOfSection, type Section, sections } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { destinationIs, requiredWith } from './resource-schema.ts';

export function requiredFields(): readonly JsonObject[] {
  return sections.flatMap((section) => {
    const rows = Object.entries(fieldsOf[kindOfSection[section]]).filter(([, field]) => field.required);
    const always = rows.filter(([, field]) => field.destinations === undefined && field.formats === undefined);
    return [
      ...always.map(([name]) => unlessDefault(section, name, { required: [name] })),
      ...destinations.flatMap((destination) => {
        const own = rows.filter(([, field]) => field.destinations?.includes(destination)).map(([name]) => name);
        return own.map((name) =>
          unlessDefault(section, name, {
            if: destinationIs([destination]),
            then: { ...requiredWith(destination, own), required: [name] },
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
