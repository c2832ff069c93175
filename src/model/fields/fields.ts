// The three tables of fields by kind, and which of a table's fields apply to a given format and destination.

import type { Kind } from '../values/address.ts';
import { type Pointer, pointerSegments } from '../values/pointer.ts';
import { aiJobFields } from './ai-job-fields.ts';
import { commonFields } from './common-fields.ts';
import { dashboardFields } from './dashboard-fields.ts';
import type { Field, Fields } from './field.ts';
import { scheduleFields } from './schedule-fields.ts';

export const fieldsOf: Readonly<Record<Kind, Fields>> = {
  schedule: scheduleFields,
  dashboard: dashboardFields,
  aiJob: aiJobFields,
};

/** The fields that only Almanac reads: a change in nothing else reaches the state alone. */
export const stateOnlyFields: readonly string[] = Object.entries<Field>(commonFields)
  .filter(([, { sent }]) => sent === 'never')
  .map(([name]) => name);

/** Those that decide nothing: only people and `validate` read them, so nobody has to review a change in them alone. */
const remarks: readonly string[] = ['accept', 'meta'];

/** Whether a place in the attributes is a remark. */
export function isRemark(pointer: Pointer): boolean {
  return remarks.includes(pointerSegments(pointer)[0] ?? '');
}

/** The names of the fields that are always secret. */
export const secretFieldsOf: Readonly<Record<Kind, readonly string[]>> = {
  schedule: secretFields(scheduleFields),
  dashboard: secretFields(dashboardFields),
  aiJob: secretFields(aiJobFields),
};

function secretFields(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.secret);
}

/** Where a value may hold secrets: it is one as a whole, in any part of its text, or behind the host of a URL. */
export type RoomForSecrets = 'whole' | NonNullable<Field['secretsIn']>;

/** Undefined where secrets do not belong. `pointer` is the place in the resource. */
export function roomForSecrets(kind: Kind, pointer: Pointer): RoomForSecrets | undefined {
  const [name = ''] = pointerSegments(pointer);
  const fields = fieldsOf[kind];
  // Nobody knows what a field is for that does not exist, and that is an error of its own.
  if (!Object.hasOwn(fields, name)) return 'whole';
  return fields[name]?.secret ? 'whole' : fields[name]?.secretsIn;
}

/** Whether a field is a URL, which is sent with its host in ASCII. */
export function isUrl({ shape }: Field): boolean {
  return shape.type === 'string' && shape.code === 'invalid-url';
}

/** Whether a field is allowed in a declaration with these attributes; unknown formats and destinations exclude nothing. */
export function fieldApplies(field: Field, attributes: Readonly<Record<string, unknown>>): boolean {
  return (
    excludes(field.destinations, attributes['destinationType']) !== true &&
    excludes(field.formats, attributes['format']) !== true
  );
}

function excludes(allowed: readonly string[] | undefined, value: unknown): boolean {
  return allowed !== undefined && typeof value === 'string' && !allowed.includes(value);
}
