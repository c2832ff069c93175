// A waiver of who may receive something, or which rows, is somebody's decision about one resource or one audience: a default would waive whatever
// is added later.

import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { isInherited, originOf, type Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf } from '../acceptances.ts';

export function waiversInDefaults(resources: readonly Resource[]): readonly Finding[] {
  return resources
    .filter((resource) => isInherited(resource, 'accept'))
    .flatMap((resource) => {
      const accepted = acceptancesOf(resource);
      return waived
        .filter(({ code }) => accepted.has(code))
        .map(
          ({ code, what, where }): Finding => ({
            code: 'waiver-in-defaults',
            message: `A default would let every resource that takes it over ${what}, also those that are added later.`,
            hint: `Write the entry in the resources${where} that it is about.`,
            concerns: [resource.address],
            place: placeOf(originOf(resource, 'accept'), 'key', code),
          }),
        );
    });
}

const waived = [
  { code: 'recipient-not-inside', what: 'deliver to any address outside', where: ', or in the audience,' },
  { code: 'rows-of-others', what: 'show anybody the rows of others', where: '' },
] as const;
