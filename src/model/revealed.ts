// A declaration as validation sees it: secrets in plain text, with the places where they stand. It is looked at and
// dropped; what goes on is the declaration with its Secrets.

import { define, type Json, type JsonObject } from './json.ts';
import { type Pointer, pointerTo } from './pointer.ts';
import type { Declared, DeclaredObject } from './resource.ts';
import { knownAtApply, Secret } from './secret.ts';

export interface Revealed {
  readonly value: JsonObject;
  /** Where a value is secret; `known` is false where an environment variable is missing. */
  readonly secrets: readonly { readonly pointer: Pointer; readonly known: boolean }[];
}

export function reveal(attributes: DeclaredObject): Revealed {
  const secrets: { pointer: Pointer; known: boolean }[] = [];
  const plain = (value: Declared, pointer: Pointer): Json => {
    if (value instanceof Secret) {
      secrets.push({ pointer, known: value.known });
      return value.reveal() ?? knownAtApply;
    }
    if (typeof value !== 'object' || value === null) return value;
    let changed = false;
    const visit = (entry: Declared, segment: string | number): Json => {
      if (typeof entry !== 'object' || entry === null) return entry;
      const result = plain(entry, pointer + pointerTo(segment));
      if (result !== entry) changed = true;
      return result;
    };
    if (Array.isArray(value)) {
      const items = value.map(visit);
      return changed ? items : (value as readonly Json[]);
    }
    const object: Record<string, Json> = {};
    for (const [key, entry] of Object.entries(value)) define(object, key, visit(entry as Declared, key));
    return changed ? object : (value as unknown as JsonObject);
  };
  return { value: plain(attributes, '') as JsonObject, secrets };
}
