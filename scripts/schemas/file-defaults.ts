// What the `defaults` of a file change in the schema for editors. What a resource must have is asked for at the root,
// each field on its own: in this form the YAML language server reports what is missing at the resource.

import { type Destination, destinations } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, type Section, sections } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { kindsInSchemas } from './kinds.ts';
import { destinationIs, outcomesOf, ruleWhereItsFieldIs, usualFirst } from './resource-schema.ts';
import { requiring, when } from './shape-schema.ts';

/** A default format or destination decides which fields there are, where a resource has none of its own. */
export function fieldsByDefault(): readonly JsonObject[] {
  return sections.flatMap((section) => {
    const { byDestination } = requiredBy(section);
    return outcomesOf(kindOfSection[section]).map(({ choice, value, $ref }) => {
      const withoutOwn = (then: JsonObject) => ({ if: { properties: { [choice]: false } }, then });
      const { destination, names = [] } = byDestination.find((each) => each.destination === value) ?? {};
      return {
        if: having('defaults', having(section, { type: 'object', ...when(choice, [value]) })),
        then: {
          allOf: [
            eachOf(section, withoutOwn({ $ref })),
            ...names.map((name) => unlessDefault(section, name, withoutOwn(missing(name, destination)))),
          ],
        },
      };
    });
  });
}

/**
 * What a section requires: all of it where its file has no defaults for it, and otherwise what they do not give. The rules that
 * they may meet are asked in the first case alone: more branches for each resource, and hovering fails in long files.
 */
export function requiredFields(): readonly JsonObject[] {
  return sections.map((section) => {
    const { always, byDestination } = requiredBy(section);
    const chain = byDestination.reduceRight(
      (otherwise, { destination, names }) => ({
        if: destinationIs(destination),
        then: allOf([...always, ...names], (name) => missing(name, names.includes(name) ? destination : undefined)),
        else: otherwise,
      }),
      allOf(always, (name) => missing(name)),
    );
    const rules = kindsInSchemas[kindOfSection[section]].conditions.flatMap((condition) =>
      condition.mayBeMetByDefault ? [ruleWhereItsFieldIs(condition)] : [],
    );
    const unlessGiven = [
      ...always.map((name) => unlessDefault(section, name, missing(name))),
      ...byDestination.flatMap(({ destination, names }) =>
        names.map((name) =>
          unlessDefault(section, name, { if: destinationIs(destination), then: missing(name, destination) }),
        ),
      ),
    ];
    const whole = { allOf: [chain, ...rules] };
    return { if: having('defaults', having(section, {})), then: { allOf: unlessGiven }, else: eachOf(section, whole) };
  });
}

function requiredBy(section: Section) {
  const rows = Object.entries(fieldsOf[kindOfSection[section]]).filter(([, field]) => field.required);
  const always = rows.filter(([, field]) => field.destinations === undefined && field.formats === undefined);
  const byDestination = destinations.map((destination) => {
    const own = rows.filter(([, field]) => field.destinations?.includes(destination));
    return { destination, names: own.map(([name]) => name) };
  });
  return {
    always: always.map(([name]) => name),
    byDestination: usualFirst(
      byDestination.filter(({ names }) => names.length > 0),
      ({ destination }) => destination,
    ),
  };
}

/** Asked for together, and each on its own only where one of them is missing. */
function allOf(names: readonly string[], each: (name: string) => JsonObject): JsonObject {
  return { if: { required: names }, else: { allOf: names.map(each) } };
}

function missing(name: string, destination?: Destination): JsonObject {
  return requiring(name, destination && `destinationType ${destination}`);
}

/** `else` is what each resource of the section must meet. */
function unlessDefault(section: Section, name: string, resource: JsonObject): JsonObject {
  return {
    if: having('defaults', having(section, { type: 'object', required: [name] })),
    else: eachOf(section, resource),
  };
}

/** By a pattern, because editors would offer a property a second time. */
function eachOf(section: Section, resource: JsonObject): JsonObject {
  return { patternProperties: { [`^${section}$`]: { additionalProperties: resource } } };
}

function having(name: string, schema: Json): JsonObject {
  return { type: 'object', properties: { [name]: schema }, required: [name] };
}
