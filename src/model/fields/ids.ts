// Ids of Omni. Upper and lower case are the same in a UUID, and differ in any other id, such as VRyUNQ7i. A user group
// is named by its name, by a UUID, or by `id:` and its id.

import * as patterns from './patterns.ts';

const uuid = new RegExp(patterns.uuid);

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** One form for all spellings of an id; also of whoever is named by an id or an e-mail address. */
export function idKey(text: string): string {
  return isUuid(text) || text.includes('@') ? text.toLowerCase() : text;
}

const prefix = 'id:';

/** The id that the text of a user group holds; undefined for a name. */
export function groupIdIn(text: string): string | undefined {
  if (isUuid(text)) return text.toLowerCase();
  return text.startsWith(prefix) && text.length > prefix.length ? idKey(text.slice(prefix.length)) : undefined;
}

export function isGroupId(text: string): boolean {
  return groupIdIn(text) !== undefined;
}

/** The form in which a declaration names the group with this id. */
export function groupById(id: string): string {
  return isUuid(id) ? id.toLowerCase() : prefix + id;
}
