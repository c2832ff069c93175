// Detects path segments that could be taken for "the folder above". Storage gateways, proxies and file systems each
// decode a little differently, so the disguises that they see through are removed first.

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
  return (
    text
      .replace(/%u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      // Dots and slashes with more bytes than they need, which careless readers decode.
      .replace(/%(?:c0|e0%80|f0%80%80)%(ae|af)/gi, (_, byte: string) => (byte.toLowerCase() === 'ae' ? '.' : '/'))
      .replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
      .normalize('NFKC')
  );
}
