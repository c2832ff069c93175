// A waiver of `recipient-not-inside` is somebody's decision about one resource or one audience: a default would waive whatever
// is added later.

import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { isInherited, originOf, type Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf } from '../acceptances.ts';

export function waiversInDefaults(resources: readonly Resource[]): readonly Finding[] {
  return resources
    .filter((resource) => isInherited(resource, 'accept') && acceptancesOf(resource).has('recipient-not-inside'))
    .map((resource) => ({
      code: 'waiver-in-defaults',
      message:
        'A default would let every resource that takes it over deliver to any address outside, also those that are added later.',
      hint: 'Write the entry in the resources, or in the audience, that it is about.',
      concerns: [resource.address],
      place: placeOf(originOf(resource, 'accept'), 'key', 'recipient-not-inside'),
    }));
}
