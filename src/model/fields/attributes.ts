// Reads and replaces `paused` and `userGroups` in the attributes of a resource.

import type { JsonObject } from '../values/json.ts';

export function isPaused(attributes: JsonObject | undefined): boolean {
  return attributes?.['paused'] === true;
}

export function withPaused({ paused: _, ...rest }: JsonObject, paused: boolean): JsonObject {
  return paused ? { ...rest, paused: true } : rest;
}

/** The groups as they are declared: names or ids. */
export function userGroupsIn({ userGroups }: JsonObject): readonly string[] {
  return Array.isArray(userGroups) ? userGroups.filter((each): each is string => typeof each === 'string') : [];
}

export function withUserGroups({ userGroups: _, ...rest }: JsonObject, names: readonly string[]): JsonObject {
  return names.length === 0 ? rest : { ...rest, userGroups: names };
}
