// Words that others wrote, for the middle of a sentence of ours: on one line and not long, so that they cannot pass for
// a sentence of their own.

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
