// Runs the git binary: without a shell, without a terminal, in a group of its own that ends as a whole, and with a time
// limit. What it prints is collected; nothing of it is shown. What users set for connections stays in its environment, what
// points it at another repository or makes it run programs goes. Settings are handed over there too, because the list of
// processes shows every argument.

import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { errnoOf } from '../../files/file-system.ts';
import { type Mask, makeMask } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type Environment, environmentForPrograms } from '../file/file-lock.ts';
import { type Access, inaccessible, interrupted } from '../log/backend.ts';
import { maskLogin } from './clone.ts';

export interface GitRun {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly timedOut: boolean;
}

interface RunOptions {
  readonly folder: string;
  readonly environment: Environment;
  readonly input?: Iterable<Uint8Array | string>;
  readonly limitMs?: number;
  /** Bytes that it may print. */
  readonly mostOutput?: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunGit = (args: readonly string[], options: RunOptions) => Promise<GitRun>;

/** In one folder, with one environment. */
export type Git = (args: readonly string[], options?: Omit<RunOptions, 'folder' | 'environment'>) => Promise<GitRun>;

/** What a program without network may take. */
const localLimitMs = 60_000;
/** More than any answer to what is asked without a limit of its own. */
const mostPrinted = 32_000_000;
const mostErrors = 64 * 1024;
/** A connection that ssh keeps open for later holds the output for errors open after git has ended. */
const lingerMs = 300;
const isPosix = process.platform !== 'win32';

/** Throws Failure state-backend-missing if there is no git, and `interrupted` if the signal aborts. */
export const runGit: RunGit = (args, options) =>
  new Promise((resolve, reject) => {
    const { folder, environment, input = [], limitMs = localLimitMs, mostOutput = mostPrinted, signal } = options;
    if (signal?.aborted) {
      reject(interrupted());
      return;
    }
    // In a group of its own, Ctrl-C does not end it in the middle of a push, and nothing below it can ask for a password.
    const child = spawn('git', args, { cwd: folder, env: { ...environment }, detached: isPosix, windowsHide: true });
    const out: Buffer[] = [];
    let outLength = 0;
    let errors = '';
    let timedOut = false;
    let failure: unknown;
    const end = (): void => {
      killGroup(child.pid);
      child.stdout.destroy();
    };
    const abort = (): void => {
      failure = interrupted();
      end();
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, limitMs);
    signal?.addEventListener('abort', abort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      outLength += chunk.length;
      if (outLength <= mostOutput) out.push(chunk);
      else {
        failure = tooLarge();
        end();
      }
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      if (errors.length < mostErrors) errors += text.slice(0, mostErrors);
    });
    // It may end before it has read everything; its exit code says why.
    child.stdin.on('error', () => undefined);
    for (const chunk of input) child.stdin.write(chunk);
    child.stdin.end();

    let settled = false;
    const settle = (code: number | null): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      child.stderr.destroy();
      if (failure === undefined) resolve({ code, stdout: Buffer.concat(out), stderr: errors, timedOut });
      else reject(failure);
    };
    child.on('error', (error) => {
      failure ??= errnoOf(error) === 'ENOENT' ? missing() : error;
      settle(null);
    });
    child.on('close', (code) => settle(code));
    // What it printed is waited for, however late: half of a list would be taken for all of it.
    const printed = new Promise<void>((done) => child.stdout.once('close', done));
    child.on('exit', (code) => void printed.then(() => setTimeout(() => settle(code), lingerMs)));
  });

/** Ends a program and everything it has started. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(isPosix ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function tooLarge(): Failure {
  return new Failure('state-unreadable', 'The state branch holds more than Almanac reads.', {
    hint: 'No Almanac wrote so much. Restore the last good commit of the branch.',
  });
}

function missing(): Failure {
  return new Failure(
    'state-backend-missing',
    'The state is kept on a git branch, and there is no git on this machine.',
    {
      hint: 'Install git 2.32 or later, and check that it is on the PATH.',
    },
  );
}

const leastVersion = [2, 32] as const;

/** Throws Failure state-backend-missing for a git that is too old to take all its settings from the environment. */
export function checkVersion(printed: string): void {
  const [, major = '', minor = ''] = /^git version (\d+)\.(\d+)/.exec(printed) ?? [];
  const [a, b] = leastVersion;
  if (Number(major) > a || (Number(major) === a && Number(minor) >= b)) return;
  const found = major === '' ? 'a version that cannot be read' : `${major}.${minor}`;
  throw new Failure(
    'state-backend-missing',
    `The state is kept on a git branch, which needs git ${a}.${b} or later; this is ${found}.`,
    {
      hint: 'Update git.',
    },
  );
}

export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** Of git's own variables, those about connections and about where its configuration is. */
const kept =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;
const handedOver = /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)$/;

/** Set for every run, after all others. */
const safeSettings: readonly Setting[] = [
  { key: 'core.hooksPath', value: '/dev/null' },
  { key: 'core.fsmonitor', value: 'false' },
  { key: 'safe.bareRepository', value: 'explicit' },
  { key: 'fetch.fsckObjects', value: 'true' },
  { key: 'fetch.recurseSubmodules', value: 'false' },
  { key: 'fetch.writeCommitGraph', value: 'false' },
  { key: 'fetch.prune', value: 'false' },
  { key: 'transfer.bundleURI', value: 'false' },
  { key: 'submodule.recurse', value: 'false' },
  { key: 'push.recurseSubmodules', value: 'no' },
  { key: 'push.gpgSign', value: 'false' },
  { key: 'push.followTags', value: 'false' },
  { key: 'push.negotiate', value: 'false' },
  // Empties the list of options that the user's own configuration would send.
  { key: 'push.pushOption', value: '' },
  { key: 'gc.auto', value: '0' },
  { key: 'maintenance.auto', value: 'false' },
];

/** Without git's variables about a repository, and with answers that are always in English. */
export function baseEnvironment(environment: Environment, folder: string): Environment {
  const inherited = Object.entries(environmentForPrograms(environment)).filter(
    ([name]) => !name.startsWith('GIT_') || kept.test(name),
  );
  return {
    GCM_INTERACTIVE: 'never',
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'https:ssh:file',
    // Nothing is taken for a repository because it is above the temporary folder.
    GIT_CEILING_DIRECTORIES: dirname(folder),
  };
}

/** For the clone: with its own settings, and ours after those that the environment already holds. */
export function inClone(base: Environment): Environment {
  const count = Number(base['GIT_CONFIG_COUNT'] || '0');
  return withSettings(base, safeSettings, Number.isInteger(count) && count > 0 ? count : 0);
}

/** For a repository of our own: with these settings and ours, and no others of this machine. */
export function inOwn(base: Environment, settings: readonly Setting[]): Environment {
  const others = Object.entries(base).filter(([name]) => !handedOver.test(name));
  const alone = { ...Object.fromEntries(others), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return withSettings(alone, [...settings, ...safeSettings], 0);
}

/** Numbered from `first` on: the later ones are the last word. */
function withSettings(environment: Environment, settings: readonly Setting[], first: number): Environment {
  const added = settings.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...environment, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(first + settings.length) };
}

// Why git could not read or write the state branch, in words for users. Git has no codes for that, so the reason is
// recognised in its English text. Nothing else depends on it than the words, and whether trying again may help. What git and
// the server say is shown without credentials, without control characters, and short.

const notVisible = 'there is no such repository, or it is not visible to this user';
const readingHint =
  'Check that `git fetch` works in this clone. On GitHub, the job needs `permissions: contents: read`; actions/checkout must keep its credentials.';
const pushingHint =
  'On GitHub, give the job `permissions: contents: write`. On GitLab, turn on "Allow Git push requests to the repository" for job tokens (Settings, CI/CD), or use a project access token.';
const rulesHint =
  'Exempt the state branch from rules that cover all branches. It needs new commits without a signature; it never needs a force push or a deletion.';
const networkHint =
  'Check the network and the address of the remote: `git ls-remote` in the clone does the same. Then try again.';

type Words = readonly [why: string, hint: string];

interface Reason {
  readonly sign: RegExp;
  /** Whether the same would surely fail again. */
  readonly lasting: boolean;
  readonly read: Words;
  /** Undefined: as for reading. */
  readonly write?: Words;
}

const unreached: Words = ['the server cannot be reached', networkHint];
const unknown: Words = ['git failed', networkHint];

/** The first that matches. */
const reasons: readonly Reason[] = [
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
    sign: /transport '.*' not allowed/i,
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
    sign: /error: 403|permission to .* denied|write access|not allowed to|read[- ]only|deploy key|access denied|insufficient permission|unable to create temporary|permission denied|unpacker error|service not enabled/i,
    lasting: true,
    read: ['git is not logged in there, or may not read the repository', readingHint],
    write: ['git may read the repository, and may not push to it', pushingHint],
  },
  {
    sign: /repository .*not found|does not appear to be a git repository|error: 404|could not be found|project you were looking for/i,
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

function reasonOf({ stderr, timedOut }: GitRun): Reason | undefined {
  return timedOut ? undefined : reasons.find(({ sign }) => sign.test(stderr));
}

/** Whether the same would surely fail again. */
export function isLasting(run: GitRun): boolean {
  return reasonOf(run)?.lasting === true;
}

/** Why the branch could not be read or written. */
export function gitFailure(
  access: Access,
  run: GitRun,
  { name, mask }: { readonly name: string; readonly mask: Mask },
): Failure {
  const { read = unknown, write = read } = reasonOf(run) ?? {};
  const late: Words = ['the server did not answer in time', networkHint];
  const [why, hint] = run.timedOut ? late : access === 'read' ? read : write;
  return inaccessible(access, name, `${why}${excerpt(run.stderr, mask)}`, hint);
}

/** A shorter one would blank out ordinary words. */
const shortest = 6;
const mostLines = 4;
const longestLine = 200;

/** Also hides what looks like a credential: what a helper gave is not known here. */
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
    .map((line) => line.replace(/[\p{Cc}\p{Cf}]/gu, '').trim())
    .filter((line) => /^(?:remote:|fatal:|error:|!)/.test(line) && !/^remote:\W*$/.test(line))
    .map((line) => line.replace(/^(?:remote|fatal|error):\s*/, '').slice(0, longestLine));
  const chosen = [...new Set(lines)].slice(0, mostLines);
  return chosen.length === 0 ? '' : ` (git says ${chosen.map((line) => `"${line}"`).join(', ')})`;
}
