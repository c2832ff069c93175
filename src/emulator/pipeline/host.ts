// Whether a text is a host name (RFC 1123, with underscores) or an IP address, and nothing else.

import { isIP } from 'node:net';

export function isHost(text: string): boolean {
  // IPv6 with a zone, or with IPv4 at its end, means something else on each machine.
  if (isIP(text) !== 0) return isIP(text) === 4 || /^[^%.]*$/.test(text);
  const labels = text.split('.');
  const isLabel = (label: string) => /^\w[\w-]*$/.test(label) && !label.endsWith('-');
  return text.length <= 253 && labels.every(isLabel) && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
}
