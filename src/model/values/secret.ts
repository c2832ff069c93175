// Secret values. A Secret holds the plain text where nothing prints it by accident: JSON, template strings and
// console show what people may see. Few files call reveal(), which the test of the architecture lists. A sealed secret
// is what the state and the planner see instead: a fingerprint, or null where the value is not known.
//
// What is secret is the value of a variable, not the text around it. So both carry a text for people: the declared one
// with the names of variables in place of their values, `https://hooks.example.com/${env.HOOK_KEY}`.

import { isJsonObject, type Json } from './json.ts';

/** The text of a secret that is written in a file, and of one whose text is not known. */
export const sensitive = '(sensitive)';
export const knownAtApply = '(known at apply)';

/** Masking shorter parts would hide half of every text; they are not secrets. */
export const shortestPart = 4;

export class Secret {
  readonly #text: string | undefined;
  readonly #parts: readonly string[];
  /** The environment variables it is made of; empty for a literal, and where a reference could not be resolved. */
  readonly variables: readonly string[];
  /** The text with the names of variables in place of their values; undefined where a reference could not be resolved. */
  readonly shown: string | undefined;

  /** `parts`: the values of those variables, where they are known. */
  constructor(text: string | undefined, variables: readonly string[], parts: readonly string[] = [], shown?: string) {
    this.#text = text;
    this.#parts = parts;
    this.variables = variables;
    this.shown = shown;
  }

  /** A secret that is written in a file. */
  static literal(text: string): Secret {
    return new Secret(text, [], [], sensitive);
  }

  /** A value of which nothing is known, because its reference is wrong. */
  static unknown(): Secret {
    return new Secret(undefined, []);
  }

  get known(): boolean {
    return this.#text !== undefined;
  }

  /** The plain text; undefined where an environment variable is missing, or where a reference could not be resolved. */
  reveal(): string | undefined {
    return this.#text;
  }

  /** What a mask must cover: the values of its variables; the whole text where it has none, or one is very short. */
  revealAll(): readonly string[] {
    const long = this.#parts.filter((part) => part.length >= shortestPart);
    const isCovered = this.#parts.length > 0 && long.length === this.#parts.length;
    return this.#text === undefined || isCovered ? long : [this.#text, ...long];
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

/** `text` is the text as declared, with the names of its variables. Where somebody took it out of a state, it differs from any. */
export type SealedSecret = { readonly [secretKey]: string | null; readonly text?: string };

/** Stands for a fingerprint that counts as equal to every other, because the secret must not be sent for it alone. */
export const anyFingerprint = '';

export function sealedSecret(fingerprint: string | null, text?: string): SealedSecret {
  return { [secretKey]: fingerprint, ...(text === undefined ? {} : { text }) };
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
  return mapSealed(value, shownText);
}

function shownText({ [secretKey]: fingerprint, text }: SealedSecret): string {
  return text ?? (fingerprint === null ? knownAtApply : sensitive);
}

/** The variables that the text of a secret names. */
export function variablesIn(text: string): readonly string[] {
  const named = [...text.matchAll(/\$\$\{|\$\{env\.([A-Za-z_][A-Za-z0-9_]*)\}/g)];
  return named.flatMap(([, name]) => name ?? []);
}
