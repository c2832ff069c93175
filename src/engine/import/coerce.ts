// Values of the service in the type that a declaration has: its examples write "22" for a port and "false" for a flag.

import type { Shape } from '../../model/fields/field.ts';
import type { Json } from '../../model/values/json.ts';

/** The very same value where it can't be read as the shape: validation says so. */
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
