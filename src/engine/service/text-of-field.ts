// A field of a declaration as text, secret or not; for comparing and asking, never for showing.

import { Secret } from '../../model/values/secret.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';

export function textOfField(attributes: DeclaredObject | undefined, field: string): string | undefined {
  const value = attributes?.[field];
  if (value instanceof Secret) return value.reveal();
  return typeof value === 'string' ? value : undefined;
}
