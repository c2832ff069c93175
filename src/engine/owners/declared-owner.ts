// The owners that schedules declare, and the place of a finding about one.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';

export interface Declared {
  readonly resource: Resource;
  /** An address or a membership id. */
  readonly owner: string;
}

export function declaredOwners(resources: readonly Resource[]): readonly Declared[] {
  return resources.flatMap((resource) => {
    const { owner } = resource.attributes;
    return resource.kind === 'schedule' && typeof owner === 'string' ? [{ resource, owner }] : [];
  });
}

export function placedAtOwner(words: Pick<Finding, 'code' | 'message' | 'hint'>, resource: Resource): Finding {
  const { isInherited, ...places } = placeOfField(resource, '/owner');
  return { ...words, ...(isInherited ? {} : { address: resource.address }), ...places };
}
