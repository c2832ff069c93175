// The reasons why git could not read or write the state branch. Git has no codes for that, so the reason is
// recognised in its English text. Nothing else depends on it than the words, and whether trying again may help. What git and
// the server say is shown without credentials, without control characters, and short.

import type { GitRun } from '../../files/git.ts';
import { type Mask, makeMask } from '../../model/values/secret.ts';
import { oneLine } from '../../model/values/words.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import { type Access, EntryTooLarge, inaccessible } from '../log/backend.ts';

const notVisible = 'there is no such repository, or it is not visible to this user';
const readingHint =
  'Check that `git fetch` works in this clone. On GitHub, the job needs `permissions: contents: read`; actions/checkout must keep its credentials.';
const pushingHint =
  'On GitHub, give the job `permissions: contents: write`. On GitLab, turn on "Allow Git push requests to the repository" for job tokens (Settings, CI/CD), or use a project access token.';
const rulesHint =
  'Exempt the state branch from rules that cover all branches. It needs new commits without a signature; it never needs a force push or a deletion.';
const networkHint =
  'Check the network and the address of the remote: `git ls-remote` in the clone does the same. Then try again.';
const sizeHint =
  'Raise the limit of the server, such as `client_max_body_size` of nginx or `receive.maxInputSize` of git, and run again. Or divide the workspace: each part has a state of its own.';
const formatHint =
  'The remote of the state must hash objects as this clone does, with SHA-1 or SHA-256: `git rev-parse --show-object-format` in a clone of each prints it.';

type WhyAndHint = readonly [why: string, hint: string];

interface KnownReason {
  readonly sign: RegExp;
  /** True if the same would certainly fail again. */
  readonly lasting: boolean;
  readonly read: WhyAndHint;
  /** Undefined if the words for reading also fit. */
  readonly write?: WhyAndHint;
}

const unreached: WhyAndHint = ['the server cannot be reached', networkHint];
const unknown: WhyAndHint = ['git failed', networkHint];

const tooLarge: KnownReason = {
  sign: /(?:error:|HTTP) 413|entity too large|exceeds?\b.{0,40}\b(?:size|limit)\b/i,
  lasting: true,
  read: ['the server takes no request of this size', sizeHint],
  write: ['the server takes no push of this size', sizeHint],
};

/** The known reasons; the first that matches counts. */
const reasons: readonly KnownReason[] = [
  tooLarge,
  {
    // An empty repository of the other format shows a null id of an unexpected length, in a line named capabilities^{}.
    sign: /hash algorithm|mismatched algorithms|object[ -]format|unexpected capabilities\^\{\}/i,
    lasting: true,
    read: ['its repository uses another object format (SHA-1 or SHA-256) than this clone', formatHint],
  },
  {
    sign: /rate limit|too many requests|error: 429|abuse detection|try again later/i,
    lasting: false,
    read: ['the server asks for a pause', 'Try again in a minute.'],
  },
  {
    sign: /GH006|GH013|protected branch|rule violations|refusing to update checked out|deny(?:ing)? (?:updat|creat)|branch is protected/i,
    lasting: true,
    read: unknown,
    write: ['a rule of the repository protects the branch', rulesHint],
  },
  {
    sign: /hook declined|pre-receive|GL-HOOK-ERR/i,
    lasting: true,
    read: unknown,
    write: ['a hook of the server refused the push', rulesHint],
  },
  {
    sign: /dubious ownership/i,
    lasting: true,
    read: [
      'the repository belongs to another user of this machine',
      'If you trust it, add it to `safe.directory` with `git config --global`.',
    ],
    write: [notVisible, pushingHint],
  },
  {
    sign: /transport '[^']*' not allowed/i,
    lasting: true,
    read: ['the address leads to a protocol that is not allowed', 'Use https, ssh or a file URL.'],
    write: unknown,
  },
  {
    sign: /could not read (?:username|password)|authentication failed|error: 401|terminal prompts disabled|permission denied \(|host key verification failed|http basic/i,
    lasting: true,
    read: ['git is not logged in there, or may not read the repository', readingHint],
    write: ['git is not logged in there, or may not push', pushingHint],
  },
  {
    sign: /error: 403|permission to \S+ denied|write access|not allowed to|read[- ]only|deploy key|access denied|denied by|insufficient permission|unable to create temporary|permission denied|unpacker error|service not enabled/i,
    lasting: true,
    read: ['git is not logged in there, or may not read the repository', readingHint],
    write: ['git may read the repository, and may not push to it', pushingHint],
  },
  {
    sign: /repository (?:'[^']*' |\S+ )?not found|does not appear to be a git repository|error: 404|could not be found|project you were looking for/i,
    lasting: true,
    read: [notVisible, readingHint],
    write: [notVisible, pushingHint],
  },
  {
    sign: /could not resolve|failed to connect|connection (?:refused|reset|timed out|closed)|could not connect|timed out|network is unreachable|no route to host|error: 5\d\d|early eof|hung up|rpc failed|empty reply|ssl|tls|certificate|kex_exchange|unexpected disconnect/i,
    lasting: false,
    read: unreached,
  },
];

const late: KnownReason = { sign: /./, lasting: false, read: ['the server did not answer in time', networkHint] };
const large: KnownReason = {
  sign: /./,
  lasting: true,
  read: ['it holds more than Almanac reads', 'No Almanac wrote so much. Restore the last good commit of the branch.'],
};

function reasonOf({ stderr, cut }: GitRun): KnownReason | undefined {
  if (cut !== undefined) return cut === 'time' ? late : large;
  return reasons.find(({ sign }) => sign.test(stderr));
}

/** True if the same would certainly fail again. */
export function isLasting(run: GitRun): boolean {
  return reasonOf(run)?.lasting === true;
}

/** The failure that says why the branch could not be read or written. */
export function gitFailure(
  access: Access,
  run: GitRun,
  { name, mask }: { readonly name: string; readonly mask: Mask },
): Failure {
  const reason = reasonOf(run);
  const { read = unknown, write = read } = reason ?? {};
  const [why, hint] = access === 'read' ? read : write;
  const failure = inaccessible(access, name, `${why}${excerpt(run.stderr, mask)}`, hint);
  return reason === tooLarge ? new EntryTooLarge(failure) : failure;
}

/** A shorter one would blank out ordinary words. */
const shortest = 6;
const maxLines = 4;
const maxLineLength = 200;

/** Hides also whatever looks like a credential: the credentials that a helper gave are not known here. */
export function maskOfGit(secrets: readonly string[]): Mask {
  const mask = makeMask(secrets.filter(({ length }) => length >= shortest));
  return (text) =>
    maskLogin(mask(text))
      .replace(/(authorization["']?\s*[:=]\s*)[^\r\n]+/gi, '$1***')
      .replace(/\b(basic|bearer)\s+(?=[a-z]*[\d+/=_])[\w+/=.~-]{8,}/gi, '$1 ***');
}

/** The lines that say what is wrong, quoted in parentheses for the end of a sentence; empty if there are none. */
function excerpt(stderr: string, mask: Mask): string {
  const lines = mask(stderr)
    .split(/[\r\n]+/)
    .map(oneLine)
    .filter((line) => /^(?:remote:|fatal:|error:|!)/i.test(line) && !/^remote:\W*$/.test(line))
    .map((line) => line.replace(/^(?:remote|fatal|error):\s*/i, '').slice(0, maxLineLength));
  const chosen = [...new Set(lines)].slice(0, maxLines);
  return chosen.length === 0 ? '' : ` (git says ${chosen.map((line) => `"${line}"`).join(', ')})`;
}

/** Hides the user information of a URL; the user name of ssh is not a secret. */
export function maskLogin(text: string): string {
  return text.replace(/\b(https?:\/\/)[^\s/@'"]*@/gi, '$1***@').replace(/(:\/\/[^\s/@:'"]*):[^\s/@'"]*@/g, '$1:***@');
}
