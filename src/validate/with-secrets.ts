// Literal passwords are secrets from here on: nothing that comes later can show them.

import { secretFieldsOf } from '../model/fields/fields.ts';
import { Secret } from '../model/values/secret.ts';
import type { DeclaredObject, Resource } from '../model/workspace/resource.ts';
import type { RawResource } from '../parse/parse-resources.ts';

/** The resource with literal passwords also turned into Secrets. */
export function withSecrets(raw: RawResource): Resource {
  const { kind, attributes } = raw;
  const isLiteral = (name: string) => typeof attributes[name] === 'string';
  if (!secretFieldsOf[kind].some(isLiteral)) return raw;
  const literal = secretFieldsOf[kind].filter(isLiteral);
  const sealed: DeclaredObject = {
    ...attributes,
    ...Object.fromEntries(literal.map((name) => [name, Secret.literal(String(attributes[name]))])),
  };
  return { ...raw, attributes: sealed };
}
