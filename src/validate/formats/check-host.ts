// The server of an SFTP delivery: a host name or an IP address, and nothing around it, because port, user and path have
// fields of their own.

import type { FormatProblem } from '../findings/format-problem.ts';

/** The value is not quoted: a user name before a host may be followed by a password. */
export function checkHost(value: string): readonly FormatProblem[] {
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)?(.*)$/s.exec(value) ?? [];
  const user = rest.includes('@') ? 'a user' : undefined;
  const host = rest.slice(rest.lastIndexOf('@') + 1);
  const beside = [
    ...(scheme === undefined ? [] : [`\`${scheme}\``]),
    ...(user === undefined ? [] : [user]),
    ...(/^[^:/]*:\d+(?:\/|$)|\]:\d+/.test(host) ? ['a port'] : []),
    ...(host.includes('/') ? ['a path'] : []),
    ...(/\s/.test(value) ? ['a blank'] : []),
  ];
  if (beside.length === 0) return [];
  return [
    {
      code: 'invalid-host',
      message: `The address of a server is its name alone, and this holds ${beside.join(' and ')} as well.`,
      hint: 'Write the name, such as `sftp.example.com`. Its port, user and path have fields of their own.',
    },
  ];
}
