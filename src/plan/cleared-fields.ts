// Fields that an update clears: they were applied, are no longer declared, and have a value that means none. The vendor's
// sources disagree on whether the service keeps a field that an update leaves out.

import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { DeclaredObject } from '../model/workspace/resource.ts';

export function clearedFields(before: JsonObject | undefined, declared: DeclaredObject): JsonObject {
  if (before === undefined) return {};
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(declared, name));
  const cleared = removed.flatMap((name) => {
    const field = Object.hasOwn(fieldsOf.schedule, name) ? fieldsOf.schedule[name] : undefined;
    return field?.cleared === undefined || !fieldApplies(field, declared) ? [] : [[name, field.cleared] as const];
  });
  return Object.fromEntries(cleared);
}
