// Reads CSV row by row from its bytes: a download may have millions of rows.

/** One row; the reader fills the same object again for the next one. */
export class CsvRow {
  readonly #bytes: Buffer;
  /** The number of its cells. */
  count = 0;
  /** Where each cell begins, within its quotes. */
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** Equal for cells in ASCII that differ only in case and blanks. */
  hashes = new Int32Array(64);
  /** Facts about each cell that its hash does not tell: `beyondAscii`, `doubled`, `isLink`, or several of them. */
  marks = new Uint8Array(64);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(cell: number): string {
    const [start, end, marks] = [this.starts[cell] ?? 0, this.ends[cell] ?? 0, this.marks[cell] ?? 0];
    const text = this.#bytes.toString((marks & beyondAscii) === 0 ? 'latin1' : 'utf8', start, end);
    return (marks & doubled) === 0 ? text : text.replaceAll('""', '"');
  }

  /** True if a cell has exactly these bytes of the file. */
  hasBytesOf(cell: number, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let own = this.starts[cell] ?? 0;
    if ((this.ends[cell] ?? 0) - own !== end - start) return false;
    for (let at = start; at < end; at += 1, own += 1) if (bytes[at] !== bytes[own]) return false;
    return true;
  }

  texts(): readonly string[] {
    return Array.from({ length: this.count }, (_, cell) => this.text(cell));
  }

  add(start: number, end: number, hash: number, marks: number): void {
    const at = this.count;
    if (at === this.starts.length) this.#grow();
    this.starts[at] = start;
    this.ends[at] = end;
    this.hashes[at] = hash;
    this.marks[at] = marks;
    this.count = at + 1;
  }

  #grow(): void {
    const larger = <T extends Int32Array | Uint8Array>(to: T, from: T) => {
      to.set(from);
      return to;
    };
    const size = 2 * this.starts.length;
    this.starts = larger(new Int32Array(size), this.starts);
    this.ends = larger(new Int32Array(size), this.ends);
    this.hashes = larger(new Int32Array(size), this.hashes);
    this.marks = larger(new Uint8Array(size), this.marks);
  }
}

export const beyondAscii = 1;
const doubled = 2;
export const isLink = 4;

export const separators = [',', ';', '\t'] as const;
export type Separator = (typeof separators)[number];

const [quote, lineFeed, carriageReturn, colon, slash] = [0x22, 0x0a, 0x0d, 0x3a, 0x2f];

/** A byte as it counts for a hash: 0 for a blank, a capital as its small letter. */
const counted = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte <= 0x20) return 0;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

const seed = 0x811c_9dc5 | 0;

/** The hash of a cell with this text, if the text is ASCII. */
export function hashOf(text: string): number {
  let hash = seed;
  for (const byte of Buffer.from(text)) hash = hashed(hash, byte);
  return hash;
}

function hashed(hash: number, byte: number): number {
  const value = counted[byte] ?? 0;
  return value === 0 ? hash : Math.imul(hash ^ value, 0x0100_0193);
}

/**
 * Visits the rows until a visit returns false. `broken`: a quote is not closed where a cell ends. `cut`: the file ends
 * within quotes, or within a row.
 */
export function visitRows(
  bytes: Buffer,
  separator: Separator,
  visit: (row: CsvRow) => boolean,
): 'whole' | 'broken' | 'cut' {
  const row = new CsvRow(bytes);
  const [end, between] = [bytes.length, separator.charCodeAt(0)];
  let at = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xef_bb_bf ? 3 : 0;
  let cellsBefore = 0;
  while (at < end) {
    row.count = 0;
    for (;;) {
      let [hash, marks] = [seed, 0];
      const isQuoted = bytes[at] === quote;
      if (isQuoted) at += 1;
      const start = at;
      for (; at < end; at += 1) {
        const byte = bytes[at] as number;
        if (isQuoted) {
          if (byte === quote) {
            if (bytes[at + 1] !== quote) break;
            marks |= doubled;
            at += 1;
          }
        } else if (byte === between || byte === lineFeed || byte === carriageReturn) break;
        if (byte >= 0x80) marks |= beyondAscii;
        else if (byte === colon && bytes[at + 1] === slash) marks |= isLink;
        const value = counted[byte] as number;
        if (value !== 0) hash = Math.imul(hash ^ value, 0x0100_0193);
      }
      row.add(start, at, hash, marks);
      if (isQuoted) {
        if (at >= end) return 'cut';
        at += 1;
      }
      if (at >= end || bytes[at] !== between) break;
      at += 1;
    }
    const [next, isLast] = [bytes[at], at >= end];
    if (!isLast && next !== lineFeed && next !== carriageReturn) return 'broken';
    if (isLast && row.count < cellsBefore) return 'cut';
    at += next === carriageReturn && bytes[at + 1] === lineFeed ? 2 : 1;
    cellsBefore = row.count;
    if (!visit(row)) return 'whole';
  }
  return 'whole';
}
