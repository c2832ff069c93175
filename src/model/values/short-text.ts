// Texts for messages: cut, in backticks, or decoded as far as that goes.

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

export function shortText(text: string, longest = 200): string {
  const line = text
    .slice(0, 8 * longest)
    .replace(unseen, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= longest && text.length <= 8 * longest
    ? line
    : `${characters.slice(0, longest).join('')}…`;
}

/**
 * A name in a sentence: between backticks, which reports show as code. As in Markdown, a name that holds backticks stands
 * between more of them.
 */
export function inBackticks(name: string): string {
  const runs = name.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${name}\``;
  const marks = '`'.repeat(1 + Math.max(...runs.map(({ length }) => length)));
  const space = /^`|`$/.test(name) ? ' ' : '';
  return `${marks}${space}${name}${space}${marks}`;
}

// A part of a URL without its percent signs.

/** The text itself where a percent sign encodes nothing. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
