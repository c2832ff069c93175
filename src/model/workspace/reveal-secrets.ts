// A declaration as validation sees it: secrets in plain text, with their places. Validation reads and discards it; later
// stages use the declaration with its Secrets, and ask for the text of a field.

import type { JsonObject } from '../values/json.ts';
import type { Pointer } from '../values/pointer.ts';
import { knownAtApply, Secret } from '../values/secret.ts';
import { mapLeaves } from './map-leaves.ts';
import type { DeclaredObject } from './resource.ts';

export interface Revealed {
  readonly value: JsonObject;
  /** The place of a secret value; `known` is false if an environment variable is missing. */
  readonly secrets: readonly { readonly pointer: Pointer; readonly known: boolean }[];
}

export function revealSecrets(attributes: DeclaredObject): Revealed {
  const secrets: { pointer: Pointer; known: boolean }[] = [];
  const value = mapLeaves(attributes, (leaf, pointer) => {
    if (!(leaf instanceof Secret)) return leaf;
    secrets.push({ pointer: pointer(), known: leaf.known });
    return leaf.reveal() ?? knownAtApply;
  });
  return { value: value as JsonObject, secrets };
}

/** A field as text, secret or not; for comparing and asking, never for showing. */
export function textOfField(attributes: DeclaredObject | undefined, field: string): string | undefined {
  const value = attributes?.[field];
  if (value instanceof Secret) return value.reveal();
  return typeof value === 'string' ? value : undefined;
}
