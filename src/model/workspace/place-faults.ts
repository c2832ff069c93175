// What the parts of a place for the state must look like before Almanac uses them. No text repeats a URL: it may hold a
// password.

import { isLoopback, parseUrl } from '../values/urls.ts';

/** The message is the end of a sentence whose subject is the value. */
export interface PlaceFault {
  readonly message: string;
  readonly hint: string;
}

const addRemote =
  'Add the repository to the clone with `git remote add state URL`, and write the name of that remote: `remote: state`.';
const noCredentials =
  'Remove it. Git finds the credentials of this clone, and the AWS variables hold those of a bucket. If it was committed, replace it: others may have read it.';

/** The name of a remote of the clone: what a commit can change must not say where git connects to. */
export function remoteFault(remote: string): PlaceFault | undefined {
  if (/:\/\/[^/@:]*:[^/@]*@|^https?:\/\/[^/]*@/i.test(remote))
    return { message: 'contains a user name or a password.', hint: `${noCredentials} ${addRemote}` };
  if (remote.includes(':') || /^[./~]/.test(remote))
    return { message: 'is an address and not the name of a remote.', hint: addRemote };
  if (/^[A-Za-z0-9_][A-Za-z0-9._/+-]*$/.test(remote) && !remote.includes('..')) return undefined;
  return { message: 'is not the name of a remote.', hint: addRemote };
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
  if (!/[?#]/.test(endpoint)) return undefined;
  return { message: 'contains a query or a fragment.', hint: 'Remove what begins with ? or #.' };
}

const plainBranch = /^[A-Za-z0-9_][A-Za-z0-9._+@-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+@-]*)*$/;
const longestBranch = 200;

/** It becomes part of a refspec, so only plain names are allowed. https://git-scm.com/docs/git-check-ref-format */
export function branchFault(branch: string): PlaceFault | undefined {
  const why = branchWords(branch);
  return why === undefined ? undefined : { message: why, hint: 'Write a name such as almanac-state.' };
}

function branchWords(branch: string): string | undefined {
  if (branch.length > longestBranch) return `has more than ${longestBranch} characters.`;
  if (/^refs(?:\/|$)/.test(branch)) return 'is a whole reference; a branch is named without `refs/heads/`.';
  if (!plainBranch.test(branch) || /\.\.|@\{|\.(?:$|\/)|\.lock(?:$|\/)/.test(branch))
    return 'is not a name that a state branch can have: letters, digits and `-`, `_`, `.` and `/` between them.';
  if (branch === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(branch))
    return 'has a name that git would take for something else.';
  return undefined;
}
