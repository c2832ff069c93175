// Whether the declared owners are people of the organization: asked of the whole list, a hundred a request, because only
// an address can be asked for alone. Nothing of it is kept: it is about people.

import type { RemoteUser } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import { isSameId } from './owner-id.ts';

/** Sends nothing where no owner is declared. */
export async function checkOwners(
  resources: readonly Resource[],
  service: { api(): Promise<Pick<Api, 'listUsers'>>; readonly call: CallOptions },
): Promise<readonly Finding[]> {
  const owned = resources.flatMap((resource) => {
    const { owner } = resource.attributes;
    return resource.kind === 'schedule' && typeof owner === 'string' ? [{ resource, owner }] : [];
  });
  const [first] = owned;
  if (first === undefined) return [];
  const users = await usersOf(service);
  if (users === undefined) return [placed(notChecked, first.resource)];
  return owned.flatMap(({ resource, owner }) => {
    const user = users.find(({ id, email }) => isSameId(id, owner) || isSameId(email, owner));
    if (user?.active) return [];
    return [placed(user === undefined ? unknown(owner) : inactive(owner), resource)];
  });
}

/** Undefined where the token may not ask. */
async function usersOf({ api, call }: Parameters<typeof checkOwners>[1]): Promise<readonly RemoteUser[] | undefined> {
  try {
    return await (await api()).listUsers({}, call);
  } catch (error) {
    if (![403, 404, 405].includes(statusOf(error) ?? 0)) throw error;
    return undefined;
  }
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

function placed(words: Words, resource: Resource): Finding {
  const { isInherited, partOf: _, ...places } = placeOfField(resource, '/owner');
  return { ...words, ...(isInherited ? {} : { address: resource.address }), ...places };
}
