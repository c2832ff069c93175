// Source files with a mistake, as a slip of the hand makes one: in a resource, in the defaults of the file, or in a reference.

import fc from 'fast-check';
import { stringify } from 'yaml';
import { type Kind, kinds, type Section } from '../../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../../src/model/values/json.ts';
import {
  arbitraryAiJob,
  arbitraryDashboard,
  arbitraryRoutine,
  arbitrarySchedule,
  demoDashboards,
} from './arbitrary-declarations.ts';
import { arbitraryBroken, type Declaration } from './break-declaration.ts';

const declared = (kind: Kind, of: fc.Arbitrary<JsonObject>) => of.map((fields): Declaration => ({ kind, fields }));

const declaration = fc.oneof(
  { weight: 4, arbitrary: declared('schedule', arbitrarySchedule({ testNow: true })) },
  declared(
    'dashboard',
    fc.constantFrom(...demoDashboards.filter(({ filters }) => filters.length > 1)).chain(arbitraryDashboard),
  ),
  declared('aiJob', arbitraryAiJob),
  declared('routine', arbitraryRoutine),
);

const wrongReferences = ['${foo.bar}', '${var.x', '${}', '${ env.X }', 'a ${team} b', '${var.${x}}', '${each.x } b'];

/** One text of the resource is a reference that no program can read. */
const withReference = (given: Declaration): fc.Arbitrary<Declaration> =>
  fc
    .tuple(fc.constantFrom(...Object.keys(given.fields)), fc.constantFrom(...wrongReferences))
    .map(([name, text]) => ({ ...given, fields: { ...given.fields, [name]: text } }));

/** Some of its fields are defaults of the file. */
function withDefaults({ kind, fields }: Declaration): fc.Arbitrary<JsonObject> {
  return fc.subarray(Object.keys(fields)).map((given) => {
    const [defaults, own] = [true, false].map((isDefault) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => given.includes(name) === isDefault)),
    ) as [JsonObject, JsonObject];
    const section: Section = kinds[kind].section;
    const declarations = { [section]: { weekly: own as Json } };
    return given.length === 0 ? declarations : { defaults: { [section]: defaults }, ...declarations };
  });
}

export const arbitraryWrongFile: fc.Arbitrary<string> = declaration
  .chain((given) =>
    fc.oneof({ weight: 4, arbitrary: arbitraryBroken(given) }, { weight: 1, arbitrary: withReference(given) }),
  )
  .chain((wrong) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<JsonObject>({ [kinds[wrong.kind].section]: { weekly: wrong.fields } }) },
      { weight: 1, arbitrary: withDefaults(wrong) },
    ),
  )
  .map((value) => stringify(value, { lineWidth: 0 }));
