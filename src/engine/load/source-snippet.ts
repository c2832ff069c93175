// The lines around a diagnostic as they may be shown: what stands under the name of a secret field is blotted out, and
// so is every literal secret that is known. Works on text, because a file with a syntax error has nothing else.

import { secretFieldsOf } from '../../model/fields/fields.ts';

const secretFields = [...new Set(Object.values(secretFieldsOf).flat())];
const secretKeyLine = new RegExp(`^(.*?)(['"]?(?:${secretFields.join('|')})['"]?\\s*:)(.*)$`);
const blot = '•••';

export interface Snippet {
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** A file from which lines may be shown; made once for all its diagnostics, of which there may be thousands. */
export interface ShowableFile {
  readonly lines: readonly string[];
  /** Texts to be blotted out of them, the longest first. */
  readonly hidden: readonly string[];
}

export function showableFile(text: string, secrets: readonly string[]): ShowableFile {
  const literals = new Set(secrets.flatMap((secret) => secret.split(/\r?\n/)));
  const lines = maskSecretFields(text.split(/\r?\n/), (literal) => literals.add(literal));
  const hidden = [...literals].filter((literal) => literal.trim().length >= shortest && text.includes(literal));
  return { lines, hidden: hidden.sort((a, b) => b.length - a.length) };
}

/** The line (from 1), and one before it. */
export function snippetAt({ lines, hidden }: ShowableFile, line: number): Snippet {
  const firstLine = Math.max(1, line - 1);
  const shown = lines.slice(firstLine - 1, line);
  return { firstLine, lines: shown.map((each) => maskTexts(maskCredentials(each), hidden)) };
}

/** Shorter texts would blot out half of a file, and are no secrets. */
const shortest = 4;
const reference = /^\s*["']?(?:\$\{env\.[A-Za-z_][A-Za-z0-9_]*\})?["']?\s*$/;

/** Masks the rest of a line after a secret field's name, and the deeper lines that follow it; tells what stood there. */
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
    if (reference.test(value)) return line;
    found(bare(value));
    return `${before}${key} ${blot}`;
  });
}

/** A value without the quotes, brackets and commas around it. */
function bare(value: string): string {
  return value.replace(/^[\s"'[{|>-]+|[\s"'\]},]+$/g, '');
}

/** What stands before the host of a URL. */
function maskCredentials(line: string): string {
  return line.replaceAll(/:\/\/[^\s/@"']{1,256}@/g, `://${blot}@`);
}

function maskTexts(line: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, blot) : shown), line);
}
