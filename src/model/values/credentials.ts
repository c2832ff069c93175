// Finds credentials that no log may show: tokens of Omni, and secret parts of URLs. Whoever knows the secrets of a
// workspace masks them by their texts (secret.ts); this file knows only how credentials look.

import { secretsInUrl, type UrlSecret } from './url-secrets.ts';
import { replaceUrls } from './urls.ts';

export const blot = '•••';

const mayBeToken = /\bomni_([a-z]+)_([\w-]+)/g;
/** Others are not documented, so any word of this form counts that is as long as a token and has a digit. */
const tokenKinds = ['osk', 'pat'];
const shortestToken = 16;

/** A text in which credentials are blotted out. */
export function withoutCredentials(text: string): string {
  return blottedOut(text, () => {});
}

/** The pieces that would be blotted out, and the parts of them that tell as much. */
export function credentialsIn(text: string): readonly string[] {
  const found: string[] = [];
  blottedOut(text, (piece, part) => found.push(piece, part));
  return [...new Set(found)];
}

/** True if a text has a token, or a URL with a password or a key in it; a path may be secret, and need not. */
export function holdsKey(text: string): boolean {
  let hasKey = false;
  blottedOut(text, (_piece, _part, kind) => {
    hasKey ||= kind !== 'hook' && kind !== 'random';
  });
  return hasKey;
}

type Found = (piece: string, part: string, kind?: UrlSecret['kind']) => void;

/** It names a secret, and does not hold one. */
const reference = /^\$\{[^}]*\}$/;

function blottedOut(text: string, tell: Found): string {
  const found: Found = (piece, part, kind) => {
    if (!reference.test(part)) tell(piece, part, kind);
  };
  if (!text.includes('omni_') && !text.includes('://')) return text;
  const withoutTokens = text.replace(mayBeToken, (word, kind: string, rest: string) => {
    if (!tokenKinds.includes(kind) && !(rest.length >= shortestToken && /\d/.test(rest))) return word;
    found(word, rest);
    return blot;
  });
  const withoutSecrets = (url: string) =>
    secretsInUrl(url).reduceRight((shown, { kind, start, end }) => {
      const piece = url.slice(start, end);
      found(piece, passwordIn(piece), kind);
      return shown.slice(0, start) + blot + shown.slice(end);
    }, url);
  // A text that no parser takes for a URL may have a password all the same.
  return replaceUrls(withoutTokens, withoutSecrets).replaceAll(/:\/\/([^\s/@"']{1,256})@/g, (_, user: string) => {
    if (user !== blot) found(user, passwordIn(user));
    return `://${blot}@`;
  });
}

/** The password in `user:password`, or the whole text. */
function passwordIn(piece: string): string {
  return piece.slice(piece.indexOf(':') + 1);
}
