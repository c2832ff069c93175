// The workspace's known secrets. Omni may quote any of them in any text, so every text from Omni is masked with all of
// them.

import type { Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import { once } from '../../model/values/collections.ts';
import { define, isJsonObject, type Json } from '../../model/values/json.ts';
import { isSealedSecret, makeMaskOfLong, shortestPart, variablesIn } from '../../model/values/secret.ts';
import { parseUrl } from '../../model/values/urls.ts';
import { tokensIn } from '../../observe/token-source.ts';
import { secretsOf } from '../../plan/fingerprints.ts';
import type { StoredState } from '../../state/state-store.ts';

/**
 * The tokens, the variables that files name for any environment or that a state names for resources no longer declared,
 * and the secrets that are written in declarations.
 */
export function knownSecrets(
  { config, desired, files, fileNamed }: Loaded,
  environment: Environment,
  states: readonly StoredState[],
): readonly string[] {
  const inFiles = files.concat(config?.file ?? []).map((path) => fileNamed(path)?.text ?? '');
  const texts = [...inFiles, ...sealedTexts(states)];
  const values = [...new Set(texts.flatMap(variablesIn))].flatMap((name) => environment(name) ?? []);
  const written = secretsOf(desired).flatMap((secret) => secret.revealAll());
  const known = [...values.filter((value) => value.length >= shortestPart), ...written];
  return [...(config === undefined ? [] : tokensIn(config, environment)), ...known.flatMap(withoutOrigin)];
}

function sealedTexts(value: unknown, texts = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return texts;
  if (isSealedSecret(value)) return value.text === undefined ? texts : texts.add(value.text);
  // Iterates by key, without a list of the values: a state has thousands of objects.
  for (const key in value) sealedTexts((value as Readonly<Record<string, unknown>>)[key], texts);
  return texts;
}

/** The host of a URL is not secret, and other URLs have it too. */
function withoutOrigin(text: string): readonly string[] {
  const origin = parseUrl(text)?.origin;
  // `null` is the origin of a URL whose scheme has none.
  if (origin === undefined || origin === 'null' || !text.startsWith(origin)) return [text];
  const rest = text.slice(origin.length);
  return rest.length >= shortestPart ? [rest] : [];
}

export type MaskTexts = <T>(document: T) => T;

/** Masks the secrets in every text of a document, or of another JSON value. */
export function shownWithout(secrets: () => readonly string[]): MaskTexts {
  const mask = once(() => makeMaskOfLong(secrets()));
  return (document) => mapTexts(document as Json, mask()) as typeof document;
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry: Json) => mapTexts(entry, change));
  if (!isJsonObject(value)) return value;
  const mapped: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) define(mapped, change(key), mapTexts(entry, change));
  return mapped;
}
