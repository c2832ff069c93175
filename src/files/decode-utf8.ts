// Decodes bytes strictly as UTF-8: an invalid byte is reported with its position and never replaced.

export type Decoded = { readonly text: string } | { readonly problem: string; readonly at?: TextPosition };

/** Counted from 1; columns are UTF-16 code units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const wideMarks: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32 (little-endian)', [0xff, 0xfe, 0, 0]],
  ['UTF-32 (big-endian)', [0, 0, 0xfe, 0xff]],
  ['UTF-16 (little-endian)', [0xff, 0xfe]],
  ['UTF-16 (big-endian)', [0xfe, 0xff]],
];

const strict = new TextDecoder('utf-8', { fatal: true });

/** The text without its byte order mark, or a clause that says what is wrong with the file. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const wide = wideMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (wide !== undefined) return { problem: `it is ${wide[0]} text by its byte order mark` };
  const zero = bytes.indexOf(0);
  try {
    const text = strict.decode(bytes);
    if (zero === -1) return { text };
    const at = placeAfter(text.slice(0, text.indexOf('\0')));
    return { problem: `it has a NUL byte ${inWords(at)}, so it is not a text file`, at };
  } catch {
    const before = validStart(bytes);
    const offset = new TextEncoder().encode(before).length + (hasMark(bytes) ? 3 : 0);
    const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
    const words = zero === -1 ? '' : '; it also has NUL bytes, so it may not be a text file at all';
    const at = placeAfter(before);
    return { problem: `the byte 0x${byte} ${inWords(at)} is not UTF-8${words}`, at };
  }
}

export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The longest valid start, found by bisection: the decoder reports that a byte is bad, but not where it is. */
function validStart(bytes: Uint8Array): string {
  const decode = (length: number): string | undefined => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
    } catch {
      return undefined;
    }
  };
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decode(middle) === undefined) bad = middle;
    else good = middle;
  }
  return decode(good) ?? '';
}

function placeAfter(text: string): TextPosition {
  return { line: text.split('\n').length, column: text.length - text.lastIndexOf('\n') };
}

function inWords({ line, column }: TextPosition): string {
  return `at line ${line}, column ${column}`;
}
