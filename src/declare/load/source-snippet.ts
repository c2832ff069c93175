// The lines around a diagnostic, made safe to show: values of secret fields and all known literal secrets are masked.
// Works on text, because a file with a syntax error has no other form.

import { secretFieldsOf } from '../../model/fields/fields.ts';
import { secretsInUrl } from '../../model/values/urls.ts';
import { trimEndOf } from '../../model/values/words.ts';

const secretFields = [...new Set(Object.values(secretFieldsOf).flat())];
const secretKeyLine = new RegExp(`^(.*?)(['"]?(?:${secretFields.join('|')})['"]?\\s*:)(.*)$`, 's');
const blot = '•••';

export interface Snippet {
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** A file prepared for snippets, once for all its diagnostics: there may be thousands. */
export interface ShowableFile {
  readonly lines: readonly string[];
  /** Texts to mask in the lines, longest first. */
  readonly hidden: readonly string[];
}

export function showableFile(text: string, secrets: readonly string[]): ShowableFile {
  const literals = new Set(secrets.flatMap((secret) => secret.split(/\r?\n/)));
  const lines = maskSecretFields(text.split(/\r?\n/), (literal) => literals.add(literal));
  const hidden = [...literals].filter((literal) => literal.trim().length >= shortest && text.includes(literal));
  return { lines, hidden: hidden.sort((a, b) => b.length - a.length) };
}

/** The line (counted from 1) and the line before it. */
export function snippetAt({ lines, hidden }: ShowableFile, line: number): Snippet {
  const firstLine = Math.max(1, line - 1);
  const shown = lines.slice(firstLine - 1, line);
  return { firstLine, lines: shown.map((each) => maskTexts(maskCredentials(each), hidden)) };
}

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

/** Masks the tokens of Omni, and the secret parts of URLs. */
function maskCredentials(line: string): string {
  return line
    .replaceAll(/\bomni_[a-z]+_[\w-]+/g, blot)
    .replaceAll(/\bhttps?:\/\/[^\s"'<>]+/gi, maskedUrl)
    .replaceAll(/:\/\/[^\s/@"']{1,256}@/g, `://${blot}@`);
}

function maskedUrl(url: string): string {
  return secretsInUrl(url).reduceRight((text, { start, end }) => text.slice(0, start) + blot + text.slice(end), url);
}

function maskTexts(line: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, blot) : shown), line);
}
