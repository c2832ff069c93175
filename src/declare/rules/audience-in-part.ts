// An audience may be addresses and user groups, which two fields of a schedule take. Whoever takes one of the two mostly
// means all of its people.

import { fieldsOf } from '../../model/fields/fields.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import type { Audience, Audiences, Resource } from '../../model/workspace/resource.ts';

const parts = [
  { field: 'recipients', other: 'userGroups', left: 'user groups' },
  { field: 'userGroups', other: 'recipients', left: 'e-mail addresses' },
] as const;

/** One finding for each audience of which the resource takes only the addresses, or only the groups. */
export function audiencesInPart(resource: Resource, audiences: Audiences): readonly Finding[] {
  const { kind, attributes, origins } = resource;
  if (origins === undefined || fieldsOf[kind]['userGroups'] === undefined || attributes['destinationType'] !== 'email')
    return [];
  return parts.flatMap(({ field, other, left }) => {
    const taken = new Set(audiencesIn(origins, pointerTo(other)));
    const inPart = new Set(audiencesIn(origins, pointerTo(field)));
    return [...inPart].flatMap((name): readonly Finding[] => {
      const audience = audiences.get(name);
      if (audience === undefined || taken.has(name) || !isBoth(audience)) return [];
      const { isInherited, ...places } = placeOfField(resource, pointerTo(field));
      return [
        {
          code: 'audience-in-part',
          message: `The ${left} of the audience \`${name}\` receive nothing: \`${field}\` takes the rest of it, and \`${other}\` does not name it.`,
          hint: `Write \`${other}: \${audience.${name}}\` as well, or use an audience of its own for each.`,
          ...(isInherited ? { concerns: resource.address } : { address: resource.address }),
          ...places,
        },
      ];
    });
  });
}

function isBoth({ attributes: { emails, userGroups } }: Audience): boolean {
  return [emails, userGroups].every((list) => list !== undefined && list !== null);
}
