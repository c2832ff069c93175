// What a declaration has below `extra` although it has become a field: from here on it is the field, and its place stays where
// it is written.

import { fieldsInExtra, outOfExtra } from '../../model/fields/out-of-extra.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Finding, WithFindings } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import { joinOrigins } from '../../model/workspace/origins.ts';
import { heldField, type Resource } from '../../model/workspace/resource.ts';

/** The very same resource where nothing is to be done, as almost always. */
export function liftFields(resource: Resource): WithFindings<Resource> {
  const { kind, attributes, origins } = resource;
  const names = fieldsInExtra(kind, attributes);
  if (names.length === 0) return { value: resource, findings: nothingFound };
  const held = heldField(resource, 'extra');
  const given = new Map(
    names.map((name) => [pointerTo(name), { isWhole: true, by: [{ ...held, at: held.at + pointerTo(name) }] }]),
  );
  const value = {
    ...resource,
    attributes: outOfExtra(kind, attributes),
    origins: joinOrigins(origins, { given, lists: new Map() }),
  };
  return { value, findings: names.map((name) => hasBecomeField(name, value)) };
}

const nothingFound: readonly Finding[] = [];

function hasBecomeField(name: string, resource: Resource): Finding {
  const { isInherited, ...places } = placeOfField(resource, pointerTo(name), { at: 'key' });
  return {
    code: 'extra-became-field',
    message: `\`${name}\` has become a field, and below \`extra\` it means the field.`,
    hint: isInherited ? 'Move it out of `extra`.' : 'Move it out of `extra`. `almanac fmt` does that.',
    ...(isInherited ? { concerns: resource.address } : { address: resource.address }),
    ...places,
  };
}
