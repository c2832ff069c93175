// Where the token comes from, and of which kind it is. Says nothing about its text.

import { isOrganizationKey, organizationKeyPrefix } from '../../model/values/organization-key.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { TokenSource } from '../service/service.ts';
import { passed, type Verdict, warned } from './verdict.ts';

export function checkToken({ variable, token }: TokenSource, resources: readonly Resource[]): Verdict {
  const isKey = isOrganizationKey(token);
  const found = `${variable} holds ${isKey ? 'an organization key' : 'a personal token'}.`;
  const acting = resources.filter(({ attributes }) => attributes['userId'] !== undefined).length;
  if (acting === 0 || isKey) return passed(found);
  return warned(
    `${found} ${countOf(acting, 'resource')} ${acting === 1 ? 'names' : 'name'} a userId, which needs an organization key.`,
    `Use an organization key (it begins with ${organizationKeyPrefix}), or remove userId.`,
  );
}
