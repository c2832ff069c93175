// Whether the declared owners are people of the organization: asked of the whole list, a hundred a request, because only
// an address can be asked for alone. Nothing of it is kept: it is about people.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { CallOptions } from '../api.ts';
import { membersAmong, type People, unlessRefused } from './owners.ts';

interface Declared {
  readonly resource: Resource;
  /** An address or a membership id. */
  readonly owner: string;
}

interface Asking {
  api(): Promise<People>;
  readonly call: CallOptions;
}

/** Sends nothing where no owner is declared. */
export async function checkOwners(resources: readonly Resource[], service: Asking): Promise<readonly Finding[]> {
  const owned = declaredOwners(resources);
  const [first] = owned;
  if (first === undefined) return [];
  const users = await unlessRefused((await service.api()).listUsers({}, service.call));
  if (users === undefined) return [placedAtOwner(notChecked, first.resource)];
  const memberOf = membersAmong(users);
  return owned.flatMap(({ resource, owner }) => {
    const user = memberOf(owner);
    return user?.active ? [] : [placedAtOwner(user === undefined ? unknown(owner) : inactive(owner), resource)];
  });
}

type Words = Pick<Finding, 'code' | 'message' | 'hint'>;

const notChecked: Words = {
  code: 'not-observed',
  message: 'The owners could not be checked: the token may not ask for the people of the organization.',
  hint: 'Use an organization key.',
};

function unknown(owner: string): Words {
  return {
    code: 'owner-unknown',
    message: `Nobody in the organization is ${owner}.`,
    hint: 'Write the address with which the person signs in to Omni, or their membership id.',
  };
}

function inactive(owner: string): Words {
  return {
    code: 'owner-inactive',
    message: `The account of ${owner} is deactivated, so nothing can be transferred to it.`,
    hint: 'Declare another owner.',
  };
}

function declaredOwners(resources: readonly Resource[]): readonly Declared[] {
  return resources.flatMap((resource) => {
    const { owner } = resource.attributes;
    return resource.kind === 'schedule' && typeof owner === 'string' ? [{ resource, owner }] : [];
  });
}

function placedAtOwner(words: Words, resource: Resource): Finding {
  const { isInherited, ...places } = placeOfField(resource, '/owner');
  return { ...words, address: isInherited ? undefined : resource.address, ...places };
}
