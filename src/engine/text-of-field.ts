// A field of a declaration as text, secret or not; for comparing and asking, never for showing.

import type { DeclaredObject } from '../model/resource.ts';
import { Secret } from '../model/secret.ts';

export function textOfField(attributes: DeclaredObject | undefined, field: string): string | undefined {
  const value = attributes?.[field];
  if (value instanceof Secret) return value.reveal();
  return typeof value === 'string' ? value : undefined;
}
