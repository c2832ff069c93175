// The lines around a diagnostic as they may be shown: what stands under the name of a secret field is blotted out, and
// so is every literal secret that is known. Works on text, because a file with a syntax error has nothing else.

import { fieldsOf } from '../model/fields.ts';

const secretFields = [
  ...new Set(
    Object.values(fieldsOf).flatMap((fields) =>
      Object.entries(fields)
        .filter(([, field]) => field.secret)
        .map(([name]) => name),
    ),
  ),
];
const secretKeyLine = new RegExp(`^(.*?)(['"]?(?:${secretFields.join('|')})['"]?\\s*:)(.*)$`);
const blot = '•••';

export interface Snippet {
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** Up to one line before the given one, and the line itself. */
export function sourceSnippet(text: string, line: number, secrets: readonly string[]): Snippet {
  const lines = maskSecretFields(text.split(/\r?\n/, line));
  const firstLine = Math.max(1, line - 1);
  return { firstLine, lines: lines.slice(firstLine - 1, line).map((shown) => maskTexts(shown, secrets)) };
}

/** Masks the rest of a line after a secret field's name, and the deeper lines that follow it. */
function maskSecretFields(lines: readonly string[]): string[] {
  let deeperThan: number | undefined;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (deeperThan !== undefined && (indent < 0 || indent > deeperThan))
      return indent < 0 ? line : ' '.repeat(indent) + blot;
    deeperThan = undefined;
    const [, before, key, value] = secretKeyLine.exec(line) ?? [];
    if (before === undefined || key === undefined) return line;
    deeperThan = before.length === 0 || /^[\s-]*$/.test(before) ? before.length : indent;
    return /^\s*(?:\$\{env\.[A-Za-z_][A-Za-z0-9_]*\}|["']\$\{env\.[A-Za-z_][A-Za-z0-9_]*\}["'])?\s*$/.test(value ?? '')
      ? line
      : `${before}${key} ${blot}`;
  });
}

function maskTexts(line: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret.length < 4 ? shown : shown.replaceAll(secret, blot)), line);
}
