// Whether any reader of a path could take one of its segments for "the folder above". Storage gateways, proxies and
// file systems each decode a little differently, so all the disguises they see through are taken off first.

// A path that is still encoded after so many rounds is a trick, and decoding on would only take time.
const maxRounds = 1_000;

export function leavesItsFolder(path: string): boolean {
  let plain = path.normalize('NFKC');
  for (let round = 0; round < maxRounds; round++) {
    const decoded = decode(plain);
    if (decoded === plain) return plain.split(/[/\\]/).some(isParent);
    plain = decoded;
  }
  return true;
}

function isParent(segment: string): boolean {
  // What follows a semicolon or a control character is a parameter to some readers and the end to others.
  const [name = ''] = segment.trim().split(/[;\p{Cc}]/u);
  return name.trim() === '..';
}

function decode(text: string): string {
  return text
    .replace(/%u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?:%[\da-f]{2})+/gi, (run) => decodeBytes(Buffer.from(run.replaceAll('%', ''), 'hex')))
    .normalize('NFKC');
}

/** UTF-8 as the careless read it: a character may be written in more bytes than it needs. */
function decodeBytes(bytes: Buffer): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index] ?? 0;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    const following = [...bytes.subarray(index + 1, index + length)];
    const isWhole = following.length === length - 1 && following.every((byte) => (byte & 0xc0) === 0x80);
    const code = following.reduce(
      (sum, byte) => (sum << 6) | (byte & 0x3f),
      length === 1 ? first : first & (0x7f >> length),
    );
    const isCharacter = isWhole && code <= 0x10ffff && (length > 1 || first < 0x80);
    text += isCharacter ? String.fromCodePoint(code) : '\ufffd';
    index += isWhole ? length : 1;
  }
  return text;
}
