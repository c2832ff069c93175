// A list of digests, one a line. What it lists may be applied, so anything else in it is an error with its place.

import { digestForm } from '../model/values/schema.ts';
import { Failure } from '../model/workspace/failure.ts';

const isDigest = new RegExp(digestForm.pattern);

/** Blank lines are skipped. Throws Failure usage. */
export function parseDigests(text: string, name: string): ReadonlySet<string> {
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (isBlank(line) || isDigest.test(line)) continue;
    throw new Failure('usage', `${name}:${index + 1}:${columnOf(line)}: This line is not the digest of a change.`, {
      hint: 'Write one digest a line: 64 hexadecimal digits in lower case, as almanac plan --format json prints them for each change.',
    });
  }
  return new Set(lines.filter((line) => !isBlank(line)));
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The column, from 1, of the first character that is wrong or missing. */
function columnOf(line: string): number {
  const [digits = ''] = /^[0-9a-f]{0,64}/.exec(line) ?? [];
  return digits.length + 1;
}
