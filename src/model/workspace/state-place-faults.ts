// What the parts of a place for the state must look like before Almanac uses them. No text repeats a URL: it may hold a
// password.

import { parseUrl } from '../values/parse-url.ts';
import { isLoopback } from './base-url-fault.ts';

/** The message is the end of a sentence whose subject is the value. */
export interface PlaceFault {
  readonly message: string;
  readonly hint: string;
}

const writeRemote =
  'Write the name of a remote, such as origin, or a URL that begins with https://, ssh:// or file:///.';
const writeSsh = 'Write it as ssh://USER@HOST/PATH, with a slash in place of the colon, or write the name of a remote.';
const noCredentials =
  'Remove it. Git finds the credentials of this clone, and the AWS variables hold those of a bucket. If it was committed, replace it: others may have read it.';

/** The name of a remote, or a URL without credentials. */
export function remoteFault(remote: string): PlaceFault | undefined {
  if (remote.startsWith('-'))
    return { message: 'begins with a hyphen, so git would read it as an option.', hint: writeRemote };
  if (remote.includes('::'))
    return { message: 'contains `::`, with which git starts another program.', hint: writeRemote };
  if (/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/.test(remote) && branchFault(remote) === undefined) return undefined;
  const url = remote.includes('://') ? parseUrl(remote) : undefined;
  if (url === undefined) {
    // `git@example.com:acme/reports.git`, as git hosts show it.
    const isShortSsh = /^[^/:@\s]+@[^/:@\s]+:[^:@]+$/.test(remote);
    return { message: 'is neither the name of a remote nor a URL.', hint: isShortSsh ? writeSsh : writeRemote };
  }
  const { protocol, hostname, username, password } = url;
  // The user of SSH is no secret: it is `git` nearly everywhere.
  if (password !== '' || (username !== '' && protocol !== 'ssh:')) {
    return { message: 'contains a user name or a password.', hint: noCredentials };
  }
  if (protocol === 'http:' && !isLoopback(hostname))
    return { message: 'is not encrypted.', hint: 'Write it with https://.' };
  if (!['https:', 'http:', 'ssh:', 'file:'].includes(protocol))
    return { message: 'has a protocol that Almanac does not use.', hint: writeRemote };
  return hasMore(url, remote);
}

/** The URL of a server that is compatible with S3. */
export function endpointFault(endpoint: string): PlaceFault | undefined {
  const url = parseUrl(endpoint);
  const hint = 'Write the URL of a server, such as https://s3.example.com.';
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    return { message: 'is not a URL that begins with https://.', hint };
  if (url.username !== '' || url.password !== '')
    return { message: 'contains a user name or a password.', hint: noCredentials };
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return { message: 'is not encrypted.', hint: 'Write it with https://.' };
  return hasMore(url, endpoint);
}

function hasMore({ search, hash }: URL, text: string): PlaceFault | undefined {
  if (search === '' && hash === '' && !/[?#]/.test(text)) return undefined;
  return { message: 'contains a query or a fragment.', hint: 'Remove what begins with ? or #.' };
}

/** What `git check-ref-format --branch` refuses. https://git-scm.com/docs/git-check-ref-format */
export function branchFault(branch: string): PlaceFault | undefined {
  const why = branchWords(branch);
  return why === undefined ? undefined : { message: why, hint: 'Write a name such as almanac-state.' };
}

function branchWords(branch: string): string | undefined {
  if (branch === 'HEAD' || branch === '@') return 'is not the name of a branch.';
  if (branch.startsWith('refs/')) return 'is a whole reference; a branch is named without `refs/heads/`.';
  if (branch.startsWith('-')) return 'begins with a hyphen.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the rule is about
  if (/[\u0000-\u0020\u007f~^:?*[\\]/.test(branch))
    return 'contains a space, a control character or one of ~ ^ : ? * [ \\, which no branch can have in its name.';
  if (branch.includes('..') || branch.includes('@{'))
    return 'contains `..` or `@{`, which no branch can have in its name.';
  const parts = branch.split('/');
  if (parts.includes('')) return 'begins or ends with a slash, or has two in a row.';
  if (branch.endsWith('.') || parts.some((part) => part.startsWith('.') || part.endsWith('.lock')))
    return 'ends with a dot, or has a part that begins with a dot or ends with `.lock`.';
  return undefined;
}
