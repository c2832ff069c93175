import { pushAll } from '../../model/values/many.ts';

// Decodes repeatedly, until nothing changes, every encoding that can hide a character of a path: percent-encoding (of
// percent-encoding, too), `%uXXXX`, UTF-8 of any length (overlong forms included), and the compatibility forms that
// NFKC folds (a full-width dot, digit or percent sign).
//
// Repeated passes would need one pass per layer, and a hostile text of 100 kB has tens of thousands of layers. Instead,
// the text is read once onto a stack whose content is always fully decoded. When the pushed character completes an
// encoding with those before it, they are popped and the decoded character is pushed, which may complete another
// encoding. The encodings do not overlap (a percent sign, or a byte that begins a UTF-8 sequence, occurs only at the
// beginning of one), so the order does not matter and the result is the same.

/** Added to a byte that came from percent-encoding and is not (yet) part of a UTF-8 sequence. */
const lone = 0x11_0000;

const percent = 0x25;
const replacement = 0xff_fd;

export function decodeFully(text: string): string {
  const settled: number[] = [];
  const waiting: number[] = [];
  for (const character of text) {
    waiting.push(codePoint(character));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) settle(next, settled, waiting);
  }
  // A byte that fits no UTF-8 is read as Latin-1, as lenient decoders do.
  return settled.map((code) => String.fromCodePoint(code >= lone ? code - lone : code)).join('');
}

interface Encoding {
  /** How many settled characters before the last one belong to it. */
  readonly length: number;
  readonly means: number;
}

function settle(code: number, settled: number[], waiting: number[]): void {
  const encoding =
    utf8EndingWith(code, settled) ?? looseUtf8EndingWith(code, settled) ?? escapeEndingWith(code, settled);
  if (encoding !== undefined) {
    settled.length -= encoding.length;
    waiting.push(encoding.means);
    return;
  }
  const folded = code < 0x80 || code >= lone ? undefined : compatibilityForm(code);
  if (folded === undefined) settled.push(code);
  else pushAll(waiting, folded.reverse());
}

function utf8EndingWith(code: number, settled: readonly number[]): Encoding | undefined {
  if (!isContinuation(code)) return undefined;
  let means = code & 0x3f;
  for (let length = 1; length <= 5; length += 1) {
    const byte = (settled.at(-length) ?? 0) - lone;
    if (byte < 0x80 || byte > 0xfd) return undefined;
    if (byte < 0xc0) {
      means += (byte & 0x3f) * 2 ** (6 * length);
      continue;
    }
    if (bytesAfter(byte) !== length) return undefined;
    means += (byte & (0x3f >> length)) * 2 ** (6 * length);
    return { length, means: means > 0x10_ffff ? replacement : means };
  }
  return undefined;
}

/** Whether a code is a byte that continues a UTF-8 sequence, and so begins none. */
function isContinuation(code: number): boolean {
  return code >= lone + 0x80 && code < lone + 0xc0;
}

function bytesAfter(lead: number): number {
  if (lead < 0xe0) return 1;
  if (lead < 0xf0) return 2;
  if (lead < 0xf8) return 3;
  return lead < 0xfc ? 4 : 5;
}

/** Overlong dots and slashes with ASCII in them, as in `%c0%2e`: some decoders don't check the bytes after the first. */
function looseUtf8EndingWith(code: number, settled: readonly number[]): Encoding | undefined {
  if (code >= 0x80 && !isContinuation(code)) return undefined;
  const [third, second] = [(settled.at(-2) ?? 0) - lone, settled.at(-1) ?? 0];
  const twoBytes = second === lone + 0xc0 || second === lone + 0xc1;
  const threeBytes = third === 0xe0 && (second < 0x80 || second >= lone) && (second & 0x3f) <= 1;
  if (!twoBytes && !threeBytes) return undefined;
  const means = ((second & 1) << 6) | (code & 0x3f);
  return './\\'.includes(String.fromCodePoint(means)) ? { length: twoBytes ? 1 : 2, means } : undefined;
}

/** `%XX` gives a byte, `%uXXXX` a character. */
function escapeEndingWith(code: number, settled: readonly number[]): Encoding | undefined {
  const last = hexDigit(code);
  const before = hexDigit(settled.at(-1));
  if (last === undefined || before === undefined) return undefined;
  if (settled.at(-2) === percent) {
    const byte = before * 16 + last;
    return { length: 2, means: byte < 0x80 ? byte : lone + byte };
  }
  const [first, second] = [hexDigit(settled.at(-3)), hexDigit(settled.at(-2))];
  const u = settled.at(-4);
  if (first === undefined || second === undefined || (u !== 0x75 && u !== 0x55) || settled.at(-5) !== percent)
    return undefined;
  return { length: 5, means: first * 0x10_00 + second * 0x1_00 + before * 16 + last };
}

function hexDigit(code: number | undefined): number | undefined {
  if (code === undefined) return undefined;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

/** The NFKC form of one character; undefined if it is the same. No ASCII character results from two others. */
function compatibilityForm(code: number): number[] | undefined {
  const character = String.fromCodePoint(code);
  const folded = character.normalize('NFKC');
  return folded === character ? undefined : [...folded].map(codePoint);
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? replacement;
}
