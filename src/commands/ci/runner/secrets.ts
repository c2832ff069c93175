// Masks the secrets of the job in the log, reports, summary and comment. Almanac prints no secrets, so this is a second
// safeguard.

import { nextComment } from '../../../report/text/markdown-parts.ts';
import type { Step } from '../step.ts';

const nameOfSecret = /TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|HOOK/i;
/** Masking shorter values would hide ordinary words. */
const shortest = 8;
const mask = '***';

/** Values whose variable name looks secret, and each part of a list or of a text with several lines. */
export function secretValues({ env }: Pick<Step, 'env'>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => (nameOfSecret.test(name) ? [value] : []));
  const parts = values.flatMap((value) => [value, ...value.split(/[,\n]/)]).map((value) => value.trim());
  return [...new Set(parts)].filter((value) => value.length >= shortest).sort((a, b) => b.length - a.length);
}

/** Masks these values in a text. The lines that divide a plan are read again, so they stay. */
export type Redact = (text: string) => string;

export function redactor(values: readonly string[]): Redact {
  const masked = (text: string) => values.reduce((left, value) => left.replaceAll(value, mask), text);
  return (text) => text.split(nextComment).map(masked).join(nextComment);
}

/**
 * Masks the values in the text of a JSON document: in its strings, however they are written, and in the keys that a
 * user chose. A key that is one word is part of the format. Every other text stays as it is written.
 */
export function redactedJson(text: string, redact: Redact): string {
  // A JSON string never spans lines, and one without a backslash is written as it reads.
  const isPlain = (line: string) => !line.includes('\\') && redact(line) === line;
  return text
    .split('\n')
    .map((line) => (isPlain(line) ? line : redactedLine(line, redact)))
    .join('\n');
}

function redactedLine(line: string, redact: Redact): string {
  return line.replace(/"((?:[^"\\]|\\.)*)(?:"(:?)|\\?$)/gs, (written: string, inside: string, colon?: string) => {
    if (colon === undefined || (colon === ':' && /^[a-z]+$/i.test(inside))) return written;
    const said = JSON.parse(`"${inside}"`) as string;
    const shown = redact(said);
    return shown === said ? written : JSON.stringify(shown) + colon;
  });
}

/** Asks the runner to mask the values too, in all later output of the job. The runner does not print these lines. */
export function maskInLog(step: Pick<Step, 'say'>, values: readonly string[]): void {
  for (const value of values) {
    for (const line of value.split(/\r?\n/)) {
      if (line.length >= shortest) step.say(`::add-mask::${escapeData(line)}\n`);
    }
  }
}

/** Escapes the text after the second `::` of a workflow command. */
export function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
