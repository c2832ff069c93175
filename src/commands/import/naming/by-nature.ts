// The order in which people sort names: letters whatever their case, and the numbers in them as numbers.

import { byCodeUnit, byLetters } from '../../../model/values/json.ts';

const piece = /\d+|\D+/g;

export function byNature(a: string, b: string): number {
  const [ours, theirs] = [piecesOf(a), piecesOf(b)];
  for (const [index, mine] of ours.entries()) {
    const other = theirs[index];
    if (other === undefined) return 1;
    const order = byPiece(mine, other);
    if (order !== 0) return order;
  }
  return ours.length - theirs.length || byLetters(a, b);
}

function piecesOf(text: string): readonly string[] {
  return plain(text).match(piece) ?? [];
}

/** Accents do not move a name to the end of a list. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}

function byPiece(a: string, b: string): number {
  const areNumbers = /^\d/.test(a) && /^\d/.test(b);
  if (!areNumbers) return byCodeUnit(a, b);
  const [first, second] = [withoutZeros(a), withoutZeros(b)];
  return first.length - second.length || byCodeUnit(first, second);
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
