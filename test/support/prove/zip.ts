// ZIP archives as programs write them that learn sizes only afterwards. The files are compressed, with sizes behind
// each file and in the directory. Other archives are stored, or have sizes that are not true.

import { gzipSync } from 'node:zlib';

export interface Packed {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ZipOptions {
  /** Not compressed, and with the sizes before each file. */
  readonly isStored?: boolean;
  /** The size that is said to be unpacked, by the true one. */
  readonly claimed?: (size: number) => number;
}

const [utf8, sizesFollow] = [0x800, 8];
const firstDay = 0x21;

export function zipOf(
  files: readonly Packed[],
  { isStored = false, claimed = (size) => size }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const title = Buffer.from(name);
    // What it holds between its header and its end is what an archive holds, and its end has the checksum.
    const gzipped = gzipSync(bytes, { level: 1 });
    const data = isStored ? bytes : gzipped.subarray(10, -8);
    const sizes = [gzipped.subarray(-8, -4), long(data.length), long(claimed(bytes.length))];
    const flags = short(isStored ? utf8 : utf8 | sizesFollow);
    const common = [short(20), flags, short(isStored ? 0 : 8), short(0), short(firstDay)];
    const before = isStored ? sizes : [long(0), long(0), long(0)];
    const behind = isStored ? [] : [Buffer.from('PK\x07\x08', 'latin1'), ...sizes];
    const lengths = [short(title.length), short(0)];
    const entry = [Buffer.from('PK\x03\x04', 'latin1'), ...common, ...before, ...lengths, title, data, ...behind];
    const places = [short(0), short(0), short(0), long(0), long(at)];
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), short(20), ...common, ...sizes, ...lengths, ...places, title);
    parts.push(...entry);
    at += entry.reduce((sum, { length }) => sum + length, 0);
  }
  const listed = Buffer.concat(directory);
  const counts = [short(0), short(0), short(files.length), short(files.length)];
  const end = [Buffer.from('PK\x05\x06', 'latin1'), ...counts, long(listed.length), long(at), short(0)];
  return Buffer.concat([...parts, listed, ...end]);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
