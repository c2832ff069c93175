// Quotes a part of a value in a message: in backticks, on one line, with invisible characters made visible and long
// strings truncated. If a value contains a secret, neither the message nor the hint of a check may be shown: both may quote
// it, as written or decoded.

const maxLength = 60;
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * maxLength)];
  const cut = characters.length > maxLength || text.length > 2 * maxLength;
  const shown = characters.slice(0, maxLength).join('').replaceAll(unseen, escaped).replaceAll('`', "'");
  return `\`${shown}${cut ? '…' : ''}\``;
}

/** The name of an invisible character in a sentence: `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
