// Where the tokens come from, how many there are, and of which kind. Says nothing about their text.

import { isOrganizationKey, organizationKeyPrefix } from '../../model/values/organization-key.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { TokenSource } from '../service/tokens.ts';
import { passed, type Verdict, warned } from './verdict.ts';

export function checkToken({ variable, tokens }: TokenSource, resources: readonly Resource[]): Verdict {
  const distinct = [...new Set(tokens)];
  const keys = distinct.filter(isOrganizationKey).length;
  const found = `${variable} holds ${kindsOf(keys, distinct.length - keys)}.`;
  const acting = resources.filter(({ attributes }) => attributes['userId'] !== undefined).length;
  if (acting === 0 || keys === distinct.length) return passed(found);
  return warned(
    `${found} ${countOf(acting, 'resource')} ${acting === 1 ? 'names' : 'name'} a userId, which needs an organization key.`,
    `Use an organization key (it begins with ${organizationKeyPrefix}), or remove userId.`,
  );
}

function kindsOf(keys: number, others: number): string {
  const kinds = [
    ...(keys === 0 ? [] : [keys === 1 ? 'an organization key' : `${keys} organization keys`]),
    ...(others === 0 ? [] : [others === 1 ? 'a personal token' : `${others} personal tokens`]),
  ];
  return kinds.join(' and ');
}
