// The fields in which declarations differ.

import { canonicalJson } from '../../../model/values/json.ts';
import type { Member } from './choose-groups.ts';

/** In the order in which the first member has them. All members have the same fields. */
export function differingFields(members: readonly Member[]): readonly string[] {
  const [first] = members;
  return Object.keys(first?.fields ?? {}).filter((name) => {
    const value = canonicalJson(first?.fields[name] ?? null);
    return members.some(({ fields }) => canonicalJson(fields[name] ?? null) !== value);
  });
}
