// Recognises a resource in a row of a list. An empty or unknown text may stand for any.

import { isUuid } from '../fields/ids.ts';
import type { Json, JsonObject } from '../values/json.ts';
import { sensitive } from '../values/secret.ts';
import type { ListedSchedule } from './remote.ts';

/** Names that differ only in blanks around them, or in how their letters are composed, are the same. */
export function plainName(name: string): string {
  return name.normalize().trim();
}

/** True if a row may be the schedule of that name on that dashboard: an empty text may stand for any. */
export function mayBeNamed(
  row: Pick<ListedSchedule, 'identifier' | 'name'>,
  identifier: string,
  name: string,
): boolean {
  return (
    (row.identifier === identifier || row.identifier === '') &&
    (plainName(row.name) === plainName(name) || row.name === '')
  );
}

/** The values, recorded or declared, that tell schedules or routines apart. */
export interface IdentityOfRow {
  /** The dashboard or model that it is on. */
  readonly identifier?: Json | undefined;
  readonly name?: Json | undefined;
  /** The membership id of the owner for whom it was made, where only a list of their own shows it. */
  readonly madeBy?: string | undefined;
}

/** True if a row is surely on another dashboard: both ids are known, and both are UUIDs or short ids. */
export function isElsewhere(
  { identifier: listed }: Pick<ListedSchedule, 'identifier'>,
  { identifier }: IdentityOfRow,
): boolean {
  return isDifferent(listed, identifier) && isUuid(listed) === isUuid(String(identifier));
}

export function isAnother(row: Pick<ListedSchedule, 'identifier' | 'name'>, named: IdentityOfRow): boolean {
  return isElsewhere(row, named) || isDifferent(row.name, named.name);
}

function isDifferent(listed: string, known: Json | undefined): boolean {
  const isKnown = typeof known === 'string' && known !== sensitive;
  return isKnown && listed !== '' && spelled(listed) !== spelled(known);
}

/** Omni takes a UUID in capitals for the same one. */
function spelled(text: string): string {
  return isUuid(text) ? text.toLowerCase() : plainName(text);
}

/** True if a row certainly has the dashboard, the name and the kind of destination that are recorded. */
export function isRecorded(
  row: Pick<ListedSchedule, 'identifier' | 'name' | 'destinationType'>,
  recorded: JsonObject,
): boolean {
  return (['identifier', 'name', 'destinationType'] as const).every((field) => {
    const [listed, known] = [row[field], recorded[field]];
    return listed !== '' && typeof known === 'string' && known !== sensitive && !isDifferent(listed, known);
  });
}
