// Compares what the service returns of fields that are secret, such as the address of a webhook. Its text is known here
// and must not leave this file: it is compared by its fingerprint, and what takes its place says no more than the host.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { Address } from '../../model/values/address.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { parseUrl } from '../../model/values/parse-url.ts';
import { isSealedSecret, type SealedSecret, sealedSecret, secretKey, sensitive } from '../../model/values/secret.ts';

export interface SecretFields {
  /** Fields that are secret in the declaration, or in what may have been sent. */
  readonly of: (address: Address) => ReadonlySet<string>;
  /** The values of a field, secrets sealed, that are declared or may have been sent. */
  readonly valuesOf: (address: Address, field: string) => readonly Json[];
  /** Null where none can be made that may be compared. */
  readonly fingerprint: (text: string) => Promise<string | null>;
}

export interface ComparedSecrets {
  /** By field, sealed: as it was applied, as it is declared, or as something else. */
  readonly attributes: JsonObject;
  /** Some could not be compared. */
  readonly isIncomplete: boolean;
}

/** `found`: the texts that the service returned, by field. */
export async function compareSecrets(
  found: Readonly<Record<string, string>>,
  applied: JsonObject,
  address: Address,
  { valuesOf, fingerprint }: SecretFields,
): Promise<ComparedSecrets> {
  const attributes: Record<string, Json> = {};
  let isIncomplete = false;
  for (const [field, text] of Object.entries(found)) {
    const before = applied[field];
    const candidates = [...(before === undefined ? [] : [before]), ...valuesOf(address, field)];
    const print = await fingerprint(text);
    const same = candidates.find((each) => (isSealedSecret(each) ? isPrintOf(each, print) : each === text));
    // What was applied as plain text stays as it is in the state.
    if (typeof same === 'string' && same === before) continue;
    if (same !== undefined) attributes[field] = same;
    else if (print === null || isUnknown(before)) isIncomplete = true;
    else attributes[field] = sealedSecret(print, shownText(field, text));
  }
  return { attributes, isIncomplete };
}

function isPrintOf({ [secretKey]: known }: SealedSecret, print: string | null): boolean {
  return print !== null && known === print;
}

/** Whether nothing can be compared with what was applied: it was never sent, or fingerprinted with another key. */
function isUnknown(applied: Json | undefined): boolean {
  return isSealedSecret(applied) && !applied[secretKey];
}

/** Of a URL its host, which says who receives something. */
function shownText(field: string, text: string): string {
  const url = fieldsOf.schedule[field]?.secretsIn === 'path-and-query' ? parseUrl(text) : undefined;
  return url === undefined || url.host === '' ? sensitive : `${url.protocol}//${url.host}/${sensitive}`;
}
