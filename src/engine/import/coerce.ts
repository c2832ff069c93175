// Converts values of the service to the types of a declaration: the service's examples write "22" for a port and
// "false" for a flag.

import type { Shape } from '../../model/fields/field.ts';
import type { Json } from '../../model/values/json.ts';

/** Returns a value unchanged if it cannot be converted; validation then reports it. */
export function coerce(value: Json, shape: Shape): Json {
  switch (shape.type) {
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'integer':
      return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    case 'string':
      return typeof value === 'number' ? String(value) : value;
    default:
      return value;
  }
}
