// Secret values. A Secret holds the plain text where nothing prints it by accident: JSON, template strings and
// console show a mask. Only the wire (adapters) and the fingerprint (engine) call reveal(). A sealed secret is what
// the state and the planner see instead: a fingerprint, or null where the value is known only at apply.

import { isJsonObject, type Json } from './json.ts';

export const sensitive = '(sensitive)';
export const knownAtApply = '(known at apply)';

/** Masking shorter parts would hide half of every text; they are not secrets. */
const shortestPart = 4;

export class Secret {
  readonly #text: string | undefined;
  readonly #parts: readonly string[];
  /** The environment variables it is made of; empty for a literal, and where a reference could not be resolved. */
  readonly variables: readonly string[];

  /** `parts`: the values of those variables, where the text has something around them. */
  constructor(text: string | undefined, variables: readonly string[], parts: readonly string[] = []) {
    this.#text = text;
    this.#parts = parts.filter((part) => part.length >= shortestPart);
    this.variables = variables;
  }

  get known(): boolean {
    return this.#text !== undefined;
  }

  /** The plain text; undefined where an environment variable is missing, or where a reference could not be resolved. */
  reveal(): string | undefined {
    return this.#text;
  }

  /** What a mask must cover: the text and its secret parts, since a message may quote only a part. */
  revealAll(): readonly string[] {
    return this.#text === undefined ? this.#parts : [this.#text, ...this.#parts];
  }

  toString(): string {
    return this.known ? sensitive : knownAtApply;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The key that marks a sealed secret; users' data may not contain it. */
export const secretKey = '$secret';

/** `text` is the text as declared, with the names of its variables; a state of version 1 has none. */
export type SealedSecret = { readonly [secretKey]: string | null; readonly text?: string };

export function sealedSecret(fingerprint: string | null): SealedSecret {
  return { [secretKey]: fingerprint };
}

export function isSealedSecret(value: unknown): value is SealedSecret {
  if (!isJsonObject(value) || !Object.hasOwn(value, secretKey)) return false;
  return Object.entries(value).every(
    ([key, entry]) => key === secretKey || (key === 'text' && typeof entry === 'string'),
  );
}

/** A copy with something else in place of every sealed secret. */
export function mapSealed(value: Json, replace: (secret: SealedSecret) => Json): Json {
  if (isSealedSecret(value)) return replace(value);
  if (Array.isArray(value)) return value.map((entry: Json) => mapSealed(entry, replace));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapSealed(entry, replace)]));
}

/** A sealed value as people may see it. */
export function maskSealed(value: Json): Json {
  return mapSealed(value, ({ [secretKey]: fingerprint }) => (fingerprint === null ? knownAtApply : sensitive));
}
