// Makes what git and the server say fit to be shown: without credentials, without control characters, and short.

import { maskLogin } from './remote-address.ts';

/** A shorter one would blank out ordinary words. */
const shortest = 6;
const mostLines = 4;
const longestLine = 200;

export type Mask = (text: string) => string;

export function makeMask(secrets: readonly string[]): Mask {
  const hidden = [...new Set(secrets.flatMap(formsOf))]
    .filter((text) => text.length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) =>
    maskLogin(hidden.reduce((masked, secret) => masked.replaceAll(secret, '***'), text))
      // What a credential helper gave is not known here.
      .replace(/(authorization["']?\s*[:=]\s*)[^\r\n]+/gi, '$1***')
      .replace(/\b(basic|bearer)\s+(?=[a-z]*[\d+/=_])[\w+/=.~-]{8,}/gi, '$1 ***');
}

/** A text as it is, in a URL, and in base64, as git and curl send it. */
function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}

/** The lines that say what is wrong, quoted in parentheses for the end of a sentence; empty if there are none. */
export function excerpt(stderr: string, mask: Mask): string {
  const lines = mask(stderr)
    .split(/[\r\n]+/)
    .map((line) => line.replace(/[\p{Cc}\p{Cf}]/gu, '').trim())
    .filter((line) => /^(?:remote:|fatal:|error:|!)/.test(line) && !/^remote:\W*$/.test(line))
    .map((line) => line.replace(/^(?:remote|fatal|error):\s*/, '').slice(0, longestLine));
  const chosen = [...new Set(lines)].slice(0, mostLines);
  return chosen.length === 0 ? '' : ` (git says ${chosen.map((line) => `"${line}"`).join(', ')})`;
}
