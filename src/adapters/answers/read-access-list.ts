// Reads a page of the access list of a document. The vendor's specification does not type its entries; what is read
// here follows the example of the vendor's documentation: `{id, name, email, type: user | userGroup, role, …}`, where the
// id of a user is assumed to be the membership id. An entry of another kind makes the list incomplete and is no error.

import type { AccessList, Principal } from '../../model/service/service-view.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Reading } from './read-created.ts';
import { notAnObject, textIn, textsIn } from './read-fields.ts';

export interface AccessPage extends AccessList {
  /** Where to go on; undefined on the last page. */
  readonly nextCursor?: string;
}

export function readAccessPage(answer: Json | undefined): Reading<AccessPage> {
  if (!isJsonObject(answer)) return notAnObject;
  const { principals: entries, pageInfo } = answer;
  if (!Array.isArray(entries) || !isJsonObject(pageInfo)) return { value: { principals: [], isWhole: false } };
  const read = entries.map(principalIn);
  const principals = read.filter((principal) => principal !== undefined);
  const hasNextPage = pageInfo['hasNextPage'] !== false;
  const nextCursor = hasNextPage ? textIn(pageInfo, 'nextCursor') : undefined;
  const isWhole = principals.length === read.length && (!hasNextPage || nextCursor !== undefined);
  return { value: { principals, isWhole, nextCursor } };
}

/** Undefined for what names nobody, or for a principal of another type. */
function principalIn(entry: Json): Principal | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { type } = entry;
  if (type !== 'user' && type !== 'userGroup') return undefined;
  const { id, email, name } = textsIn(entry, ['id', 'email', 'name']);
  // A name alone tells which group is meant, but not which user.
  const isNamed = id !== undefined || email !== undefined || (type === 'userGroup' && name !== undefined);
  return isNamed ? { type, id, email, name } : undefined;
}
