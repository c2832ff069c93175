// A sentence of ours split at its backticks, which enclose names from files.

export interface CodeSpan {
  readonly isCode: boolean;
  readonly text: string;
}

/** A last backtick without a partner is text. */
export function codeSpans(sentence: string): readonly CodeSpan[] {
  const parts = sentence.split('`');
  if (parts.length % 2 === 0) {
    const rest = parts.pop() ?? '';
    parts[parts.length - 1] += `\`${rest}`;
  }
  return parts.map((text, index) => ({ isCode: index % 2 === 1, text }));
}
