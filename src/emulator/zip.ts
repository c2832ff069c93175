// A ZIP archive of a few small files, which are stored uncompressed.

interface ZippedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** 1 January 1980, the first day that the format knows: the same files make the same bytes. */
const firstDay = 0x21;
/** The version that can read it, and the flag for names in UTF-8. */
const [version, utf8] = [20, 0x800];

export function zipOf(files: readonly ZippedFile[]): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const title = Buffer.from(name);
    const common = numbers(
      [2, version],
      [2, utf8],
      [2, 0],
      [2, 0],
      [2, firstDay],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, title.length],
      [2, 0],
    );
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, bytes]);
    const places = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), numbers([2, version]), common, places, title);
    entries.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const count = files.length;
  const end = numbers([2, 0], [2, 0], [2, count], [2, count], [4, listed.length], [4, offset], [2, 0]);
  return Buffer.concat([...entries, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** Each with its number of bytes, the least significant first. */
function numbers(...sized: readonly (readonly [2 | 4, number])[]): Buffer {
  return Buffer.concat(
    sized.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}

/** The checksum of ZIP and PNG. Node's own is younger than the oldest Node that runs this. */
export function crc32(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
