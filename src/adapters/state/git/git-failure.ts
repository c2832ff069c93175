// Why git could not read or write the state branch, in words for users. Git has no codes for that, so the reason is
// recognised in its English text. Nothing else depends on it than the words, and whether trying again may help.

import type { Failure } from '../../../model/workspace/failure.ts';
import { type Access, inaccessible } from '../place-failures.ts';
import type { GitRun } from './git-process.ts';
import { excerpt, type Mask } from './mask-text.ts';

type Reason =
  | 'throttled'
  | 'protected'
  | 'hook'
  | 'login'
  | 'forbidden'
  | 'owner'
  | 'nothing-there'
  | 'protocol'
  | 'unreachable'
  | 'unknown';

/** The first that matches. */
const signs: readonly (readonly [reason: Reason, sign: RegExp])[] = [
  ['throttled', /rate limit|too many requests|error: 429|abuse detection|try again later/i],
  [
    'protected',
    /GH006|GH013|protected branch|rule violations|refusing to update checked out|deny(?:ing)? (?:updat|creat)|branch is protected/i,
  ],
  ['hook', /hook declined|pre-receive|GL-HOOK-ERR/i],
  ['owner', /dubious ownership/i],
  ['protocol', /transport '.*' not allowed/i],
  [
    'login',
    /could not read (?:username|password)|authentication failed|error: 401|terminal prompts disabled|permission denied \(|host key verification failed|http basic/i,
  ],
  [
    'forbidden',
    /error: 403|permission to .* denied|write access|not allowed to|read[- ]only|deploy key|access denied|insufficient permission|unable to create temporary|permission denied|unpacker error|service not enabled/i,
  ],
  [
    'nothing-there',
    /repository .*not found|does not appear to be a git repository|error: 404|could not be found|project you were looking for/i,
  ],
  [
    'unreachable',
    /could not resolve|failed to connect|connection (?:refused|reset|timed out|closed)|could not connect|timed out|network is unreachable|no route to host|error: 5\d\d|early eof|hung up|rpc failed|empty reply|ssl|tls|certificate|kex_exchange|unexpected disconnect/i,
  ],
];

const lasting: ReadonlySet<Reason> = new Set([
  'protected',
  'hook',
  'login',
  'forbidden',
  'owner',
  'nothing-there',
  'protocol',
]);

function reasonOf({ stderr, timedOut }: GitRun): Reason {
  if (timedOut) return 'unreachable';
  return signs.find(([, sign]) => sign.test(stderr))?.[0] ?? 'unknown';
}

/** Whether the same would surely fail again. */
export function isLasting(run: GitRun): boolean {
  return lasting.has(reasonOf(run));
}

export interface Told {
  /** `git branch almanac-state of origin`. */
  readonly name: string;
  readonly mask: Mask;
}

/** Why the branch could not be read or written. */
export function gitFailure(access: Access, run: GitRun, { name, mask }: Told): Failure {
  const [why, hint] = access === 'read' ? whyUnread(run) : whyUnwritten(run);
  return inaccessible(access, name, `${why}${excerpt(run.stderr, mask)}`, hint);
}

type Words = readonly [why: string, hint: string];

function whyUnread(run: GitRun): Words {
  switch (reasonOf(run)) {
    case 'login':
    case 'forbidden':
      return ['git is not logged in there, or may not read the repository', readingHint];
    case 'nothing-there':
      return [notVisible, readingHint];
    case 'owner':
      return [
        'the repository belongs to another user of this machine',
        'If you trust it, add it to `safe.directory` with `git config --global`.',
      ];
    case 'protocol':
      return ['the address leads to a protocol that is not allowed', 'Use https, ssh or a file URL.'];
    default:
      return whyUnreached(run);
  }
}

function whyUnwritten(run: GitRun): Words {
  switch (reasonOf(run)) {
    case 'login':
      return ['git is not logged in there, or may not push', pushingHint];
    case 'forbidden':
      return ['git may read the repository, and may not push to it', pushingHint];
    case 'protected':
      return ['a rule of the repository protects the branch', rulesHint];
    case 'hook':
      return ['a hook of the server refused the push', rulesHint];
    case 'owner':
    case 'nothing-there':
      return [notVisible, pushingHint];
    default:
      return whyUnreached(run);
  }
}

function whyUnreached(run: GitRun): Words {
  switch (reasonOf(run)) {
    case 'throttled':
      return ['the server asks for a pause', 'Try again in a minute.'];
    case 'unreachable':
      return [run.timedOut ? 'the server did not answer in time' : 'the server cannot be reached', networkHint];
    default:
      return ['git failed', networkHint];
  }
}

const notVisible = 'there is no such repository, or it is not visible to this user';
const readingHint =
  'Check that `git fetch` works in this clone. On GitHub, the job needs `permissions: contents: read`; actions/checkout must keep its credentials.';
const pushingHint =
  'On GitHub, give the job `permissions: contents: write`. On GitLab, turn on "Allow Git push requests to the repository" for job tokens (Settings, CI/CD), or use a project access token.';
const rulesHint =
  'Exempt the state branch from rules that cover all branches. It needs new commits without a signature; it never needs a force push or a deletion.';
const networkHint =
  'Check the network and the address of the remote: `git ls-remote` in the clone does the same. Then try again.';
