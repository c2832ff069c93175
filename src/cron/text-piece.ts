// A piece of the expression with its position, so that a problem deep in a field still has its place.

export interface TextPiece {
  readonly text: string;
  readonly start: number;
}

/** The place of a piece as a problem wants it; an empty piece takes the separator before it. */
export function spanOf(piece: TextPiece): { start: number; end: number } {
  if (piece.text === '' && piece.start > 0) return { start: piece.start - 1, end: piece.start };
  return { start: piece.start, end: piece.start + piece.text.length };
}

/**
 * Cuts at every separator (one character); like `split`, it gives empty pieces too. An empty first piece is put behind
 * its separator, so that every empty piece has the separator before it to point at.
 */
export function splitPiece(piece: TextPiece, separator: string): TextPiece[] {
  let start = piece.start;
  return piece.text.split(separator).map((text) => {
    const part = { text, start: text === '' && start === piece.start ? start + separator.length : start };
    start += text.length + 1;
    return part;
  });
}

/** The words of a text between blanks. */
export function splitWords(text: string): TextPiece[] {
  return Array.from(text.matchAll(/\S+/g), (match) => ({ text: match[0], start: match.index }));
}
