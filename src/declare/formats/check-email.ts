// An e-mail address as mail systems accept it: the addr-spec of RFC 5321 in its everyday form. Rejected, although the
// RFC allows them: quoted local parts (receivers read them differently, which has misrouted mail), address literals
// such as `[192.0.2.1]`, domains without a dot, and letters beyond ASCII (RFC 6531, which a server must announce).

import { asciiHost } from '../../model/values/urls.ts';
import { codePointName, quote } from '../../model/values/words.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { hostNameFault } from './check-url.ts';

const example = 'Write an address such as `ana@example.com`.';

const maxLocalPartLength = 64;
const maxDomainLength = 254;

const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const refusedInLocalPart = /[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/u;

export function checkEmail(value: string): readonly FindingWords[] {
  const found = wholeFault(value) ?? partsFault(value);
  return found === undefined ? [] : [{ code: 'invalid-email', message: found.message, hint: found.hint ?? example }];
}

type EmailFault = Omit<FindingWords, 'code'>;

function wholeFault(value: string): EmailFault | undefined {
  if (value.trim() === '') return { message: 'The address is empty.' };
  if (/[\r\n]/.test(value)) {
    return {
      message: 'The address contains a line break: the text after it would become a header of the e-mail.',
      hint: 'Write one address on one line.',
    };
  }
  const hidden = unseen.exec(value)?.[0];
  if (hidden !== undefined) {
    return {
      message: `The address contains ${codePointName(hidden)}, an invisible character, so no mail system delivers to it.`,
      hint: 'Type the address again instead of pasting it.',
    };
  }
  return severalFault(value) ?? nameFault(value) ?? spaceFault(value);
}

/** Covers a list item that is indented deeper than the one before it, which YAML reads as one text. */
function severalFault(value: string): EmailFault | undefined {
  const parts = value.split(/\s+(?:-\s+)?|[,;|]\s*/).filter((part) => part.includes('@'));
  if (parts.length < 2) return trailingFault(value);
  const isContinued = /\s-\s/.test(value);
  return {
    message: `${quote(value)} contains more than one address.`,
    hint: `Write each address as a separate entry of the list.${isContinued ? ' A line that is indented deeper continues the text above it.' : ''}`,
  };
}

function trailingFault(value: string): EmailFault | undefined {
  const [sign] = /[,;]\s*$/.exec(value) ?? [];
  if (sign === undefined) return undefined;
  const message = `${quote(value)} ends in ${quote(sign.trim())}, which does not belong to an address.`;
  return { message, hint: `Leave out the ${quote(sign.trim())}.` };
}

function nameFault(value: string): EmailFault | undefined {
  const open = value.indexOf('<');
  const close = value.indexOf('>', open);
  if (open === -1 || close === -1) return undefined;
  const inner = value.slice(open + 1, close).trim();
  return {
    message: `${quote(value)} contains more than the address: leave out display names and angle brackets.`,
    hint: checkEmail(inner).length === 0 ? `Write ${quote(inner)}.` : undefined,
  };
}

function spaceFault(value: string): EmailFault | undefined {
  if (!value.includes(' ')) return undefined;
  const bare = value.trim();
  return {
    message: `${quote(value)} contains a space; addresses have no spaces.`,
    hint: bare.includes(' ') ? undefined : 'Remove the space around the address.',
  };
}

function partsFault(value: string): EmailFault | undefined {
  const at = value.lastIndexOf('@');
  if (at === -1) return { message: `${quote(value)} has no \`@\`.` };
  return localPartFault(value.slice(0, at)) ?? domainFault(value.slice(at + 1));
}

function localPartFault(localPart: string): EmailFault | undefined {
  if (localPart === '') return { message: 'Nothing comes before the `@`.' };
  if (localPart.startsWith('"')) {
    return {
      message: `${quote(localPart)} is quoted. Mail systems read quoted names differently, so the e-mail may be misrouted or rejected.`,
    };
  }
  if (localPart.toLowerCase().startsWith('mailto:')) {
    return { message: `${quote(localPart)} begins like a link, not like an address.`, hint: 'Leave out `mailto:`.' };
  }
  const refused = refusedInLocalPart.exec(localPart)?.[0];
  if (refused !== undefined) {
    return {
      message: `${quote(localPart)}, before the \`@\`, contains ${quote(refused)}; only ASCII letters, digits, dots and a few signs are allowed there.`,
    };
  }
  if (localPart.length > maxLocalPartLength) {
    return {
      message: `${localPart.length} characters come before the \`@\`; at most ${maxLocalPartLength} are allowed.`,
    };
  }
  if (localPart.split('.').includes('')) {
    return { message: `${quote(localPart)}, before the \`@\`, begins or ends with a dot or has two in a row.` };
  }
  return undefined;
}

function domainFault(domain: string): EmailFault | undefined {
  if (domain === '') return { message: 'Nothing comes after the `@`.' };
  if (domain.startsWith('[')) {
    return {
      message: `${quote(domain)} is an IP address; mail systems reject mail to IP addresses.`,
      hint: 'Write the domain name.',
    };
  }
  if (/[^!-~]/.test(domain)) {
    const stranger = domain
      .split('.')
      .map(mixedLetter)
      .find((letter) => letter !== undefined);
    if (stranger !== undefined) return mixedFault(domain, stranger);
    const ascii = asciiHost(domain);
    return {
      message: `The domain ${quote(domain)} contains letters beyond ASCII, which not all mail systems accept.`,
      hint: ascii && `Write ${quote(ascii)}, the same domain in ASCII.`,
    };
  }
  const fault = hostNameFault(domain, { longest: maxDomainLength, underscores: false });
  if (fault !== undefined) return { message: `The domain is not valid. ${fault}` };
  const labels = domain.split('.');
  if (labels.length === 1) {
    return {
      message: `The domain ${quote(domain)} has no dot. The service cannot reach a name of a private network.`,
    };
  }
  if (/^[0-9]+$/.test(labels.at(-1) ?? '')) {
    return {
      message: `The domain ${quote(domain)} ends in a number; no domain does.`,
      hint: 'Write the domain name, not an IP address.',
    };
  }
  return undefined;
}

/** The first letter of a label that is of another script than the Latin letters beside it. */
function mixedLetter(label: string): string | undefined {
  return /[A-Za-z]/.test(label) ? /(?!\p{Script=Latin})\p{L}/u.exec(label)?.[0] : undefined;
}

/** No hint names the domain in ASCII: it would be that of somebody else. */
function mixedFault(domain: string, letter: string): EmailFault {
  return {
    message: `The domain ${quote(domain)} has ${quote(letter)} (${codePointName(letter)}) among Latin letters. The domain looks like a different one.`,
    hint: 'Type the domain again instead of pasting it.',
  };
}
