// Reports a resource that takes only addresses or only groups of an audience. An audience may have both, which two
// fields of a schedule take. Whoever takes one of the two mostly means all of its people.

import { destinationOf, receiversAt } from '../../model/fields/delivery.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import type { Audience, Audiences, Resource } from '../../model/workspace/resource.ts';

export function audiencesInPart(resource: Resource, audiences: Audiences): readonly Finding[] {
  const { kind, origins } = resource;
  const { email, group } = receiversAt(kind);
  if (audiences.size === 0) return [];
  if (origins === undefined || email === undefined || group === undefined || destinationOf(resource) !== 'email')
    return [];
  const parts = [
    { field: email, otherField: group, lackingWords: 'user groups' },
    { field: group, otherField: email, lackingWords: 'e-mail addresses' },
  ];
  return parts.flatMap(({ field, otherField, lackingWords }) => {
    const taken = new Set(audiencesIn(origins, otherField));
    const inPart = new Set(audiencesIn(origins, field));
    const [taking, lacking] = [field, otherField].map((pointer) => pointerSegments(pointer).join('.'));
    return [...inPart].flatMap((name): readonly Finding[] => {
      const audience = audiences.get(name);
      if (audience === undefined || taken.has(name) || !isBoth(audience)) return [];
      return [
        {
          code: 'audience-in-part',
          message: `The ${lackingWords} of the audience \`${name}\` receive nothing: \`${taking}\` takes the rest of the audience, and \`${lacking}\` does not name the audience.`,
          hint: `Write \`${lacking}: \${audience.${name}}\` as well, or use an audience of its own for each.`,
          ...findingAt(resource, field),
        },
      ];
    });
  });
}

function isBoth({ attributes: { emails, userGroups } }: Audience): boolean {
  return [emails, userGroups].every((list) => list !== undefined && list !== null);
}
