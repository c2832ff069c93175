// Whether any reader of a path could take one of its segments for "the folder above". Storage gateways, proxies and
// file systems each decode a little differently, so all the disguises they see through are taken off first.

// A path that is still encoded after this many rounds is an attack; decoding further would only take time.
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
  // Some readers treat the text after a semicolon or a control character as a parameter, others stop there.
  const [name = ''] = segment.trim().split(/[;\p{Cc}]/u);
  return name.trim() === '..';
}

function decode(text: string): string {
  return text
    .replace(/%u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?:%[\da-f]{2})+/gi, (run) => decodeBytes(Buffer.from(run.replaceAll('%', ''), 'hex')))
    .normalize('NFKC');
}

/** Lenient UTF-8, as careless readers decode it: accepts characters with more bytes than they need. */
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
