// Whether a text is a mail address: local part and domain by RFC 5321, letters beyond ASCII included (RFC 6531),
// no display name, no comment, nothing invisible.

const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const dotAtom = new RegExp(String.raw`^${atom}(?:\.${atom})*$`, 'u');
const quoted = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const literal = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]+)\]$/i;

export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (local.length > 64 || domain.length > 254) return false;
  return (dotAtom.test(local) || quoted.test(local)) && (literal.test(domain) || isDomainName(domain));
}

function isDomainName(domain: string): boolean {
  return domain.split('.').every((part) => part.length <= 63 && label.test(part));
}
