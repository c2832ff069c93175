// What a row of the list of routines means as the fields of a declaration. The row is whole, so every field is compared.

import type { ListedRoutine } from '../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { asSet, type FoundResource, readable } from './observed.ts';

/** `resolved`: addresses of the applied destination by those that Omni shows in their place; without one for nobody's. */
export function observedRoutine(row: ListedRoutine, applied: JsonObject, secret: ReadonlySet<string>): FoundResource {
  const { resource } = readable(
    'routine',
    {
      modelId: row.modelId,
      branchId: row.branchId,
      // Omni chooses the topic of a routine that names none.
      topicName: applied['topicName'] === undefined ? undefined : row.topicName,
      name: row.name,
      description: row.description === '' ? null : row.description,
      prompt: row.prompt,
      schedule: row.schedule,
      timezone: row.timezone,
      destination: destinationIn(row, applied['destination']),
    },
    applied,
    secret,
  );
  return { ...resource, updatedAt: row.updatedAt };
}

/** As it was applied where only the order, or the case of an address, differs. */
function destinationIn({ destination: found }: ListedRoutine, applied: Json | undefined): Json | undefined {
  if (found === undefined) return undefined;
  const before = isJsonObject(applied) && applied['type'] === found.type ? applied : {};
  if (found.type !== 'email') return found as JsonObject;
  const sets = (['recipientEmails', 'userGroupIds'] as const).flatMap((name) => {
    const set = asSet(found[name] ?? [], before[name] ?? []);
    return before[name] === undefined && Array.isArray(set) && set.length === 0 ? [] : [[name, set] as const];
  });
  return { type: found.type, ...Object.fromEntries(sets) };
}
