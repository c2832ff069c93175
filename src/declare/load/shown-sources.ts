// The parts of source files that may be shown: their lines, and words about them. Values of secret fields, all known
// literal secrets and apparent credentials are masked in both. Works on text, because a file with a syntax error has no
// other form.

import { secretFieldsOf } from '../../model/fields/fields.ts';
import { memoize, once } from '../../model/values/collections.ts';
import { blot, credentialsIn, withoutCredentials } from '../../model/values/credentials.ts';
import { trimEndOf } from '../../model/values/words.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { secretsIn } from '../../model/workspace/resource.ts';

export interface Snippet {
  /** Counted from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

export interface ShownSources {
  /** The line (counted from 1) and the line before it. */
  readonly linesAt: (file: string, line: number) => Snippet | undefined;
  readonly wordsOf: (words: string, files: readonly string[]) => string;
}

/** A file is prepared once for all its findings: there may be thousands. */
export function shownSources({ desired, fileNamed }: FindingSource): ShownSources {
  const secrets = once(() => {
    const all = secretsIn(desired.resources.map(({ attributes }) => attributes));
    return [...new Set(all.flatMap((secret) => secret.revealAll()))];
  });
  const prepared = memoize((file: string) => {
    const text = fileNamed(file)?.text;
    return text === undefined ? undefined : showableFile(text, secrets());
  });
  return {
    linesAt: (file, line) => {
      const { lines, hidden } = prepared(file) ?? {};
      if (lines === undefined || hidden === undefined) return undefined;
      const firstLine = Math.max(1, line - 1);
      const shown = lines.slice(firstLine - 1, line);
      return { firstLine, lines: shown.map((each) => maskTexts(withoutCredentials(each), hidden)) };
    },
    wordsOf: (words, files) =>
      files.reduce((masked, file) => maskQuoted(masked, prepared(file)?.hidden ?? []), withoutCredentials(words)),
  };
}

interface ShowableFile {
  readonly lines: readonly string[];
  /** Texts to mask in the lines, longest first. */
  readonly hidden: readonly string[];
}

function showableFile(text: string, secrets: readonly string[]): ShowableFile {
  const literals = new Set(secrets.flatMap((secret) => secret.split(/\r?\n/)));
  const mayHaveSecrets = secretFields.some((name) => text.includes(name));
  const lines = text.split(/\r?\n/);
  const shown = mayHaveSecrets ? maskSecretFields(lines, (literal) => literals.add(literal)) : lines;
  for (const credential of credentialsIn(text)) literals.add(credential);
  const hidden = [...literals].filter((literal) => literal.trim().length >= shortest && text.includes(literal));
  return { lines: shown, hidden: hidden.sort((a, b) => b.length - a.length) };
}

const secretFields = [...new Set(Object.values(secretFieldsOf).flat())];
const secretKeyLine = new RegExp(`^(.*?)(['"]?(?:${secretFields.join('|')})['"]?\\s*:)(.*)$`, 's');
/** Shorter texts are not secrets, and masking them would hide half of the file. */
const shortest = 4;
const reference = /^["']?(?:\$\{env\.[A-Za-z_][A-Za-z0-9_]*\})?["']?$/;

/** Masks the value of a secret field and the deeper lines that follow it. Calls `found` with each masked text. */
function maskSecretFields(lines: readonly string[], found: (literal: string) => void): string[] {
  let deeperThan: number | undefined;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (deeperThan !== undefined && (indent < 0 || indent > deeperThan)) {
      found(bare(line));
      return indent < 0 ? line : ' '.repeat(indent) + blot;
    }
    deeperThan = undefined;
    const [, before, key, value = ''] = secretKeyLine.exec(line) ?? [];
    if (before === undefined || key === undefined) return line;
    deeperThan = /^[\s-]*$/.test(before) ? before.length : indent;
    if (reference.test(value.trim())) return line;
    found(bare(value));
    return `${before}${key} ${blot}`;
  });
}

/** A value without the quotes, brackets and commas around it. */
function bare(value: string): string {
  return trimEndOf(value.replace(/^[\s"'[{|>-]+/, ''), /[\s"'\]},]/);
}

function maskTexts(line: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, blot) : shown), line);
}

/** A shorter text may be an ordinary word; if a sentence quotes it, it is the secret. */
const shortestInWords = 8;

function maskQuoted(words: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => {
    if (secret.length >= shortestInWords) return maskAnyCase(masked, secret);
    return masked.replaceAll(`\`${secret}\``, `\`${blot}\``).replaceAll(`"${secret}"`, `"${blot}"`);
  }, words);
}

/** A hint may propose a text in small letters. */
function maskAnyCase(words: string, secret: string): string {
  const parts = words.toLowerCase().split(secret.toLowerCase());
  if (parts.length === 1) return words;
  let at = 0;
  const shown = parts.map((part) => {
    const text = words.slice(at, at + part.length);
    at += part.length + secret.length;
    return text;
  });
  return shown.join(blot);
}
