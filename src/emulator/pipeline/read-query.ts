// The query string of a request: only known parameters, each at most once.

import { Rejection } from './answer.ts';
import { refuseUnknownKeys } from './fields.ts';

export function readQuery<Name extends string>(
  query: URLSearchParams,
  known: readonly Name[],
  prefix = '',
): Partial<Record<Name, string>> {
  refuseUnknownKeys([...new Set(query.keys())], known, `${prefix}formErrors: `);
  const values: Partial<Record<Name, string>> = {};
  for (const name of known) {
    const [value, second] = query.getAll(name);
    if (second !== undefined) throw new Rejection(400, `${prefix}${name}: Expected string, received array`);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
