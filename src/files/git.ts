// Runs the git binary: without a shell, without a terminal, in a group of its own that ends as a whole, and with a time
// limit. What it prints is collected; nothing of it is shown. What users set for connections stays in its environment, what
// points it at another repository or makes it run programs goes. Settings are handed over there too, because the list of
// processes shows every argument.

import { dirname, parse } from 'node:path';
import type { Variables } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface GitRun {
  /** Null if a signal ended it, or Almanac. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** The reason why Almanac ended it, if it did. */
  readonly cut?: 'time' | 'size' | undefined;
}

interface RunOptions {
  readonly folder: string;
  readonly environment: Variables;
  readonly input?: Iterable<Uint8Array | string> | undefined;
  readonly limitMs?: number;
  /** Bytes that it may print. */
  readonly mostOutput?: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunGit = (args: readonly string[], options: RunOptions) => Promise<GitRun>;

export type Git = (args: readonly string[], options?: Omit<RunOptions, 'folder' | 'environment'>) => Promise<GitRun>;

/** The time that a program without network may take. */
const localLimitMs = 60_000;
/** More than any answer to what is asked without a limit of its own. */
const maxPrinted = 32_000_000;
const maxErrors = 64 * 1024;
/** A connection that ssh keeps open for later holds the output for errors open after git has ended. */
const lingerMs = 300;
const isPosix = process.platform !== 'win32';

/** Throws the system's error ENOENT if there is no git, and Failure interrupted if the signal aborts. */
export const runGit: RunGit = async (args, options) => {
  // Most plans start no program, and Node loads fifteen modules for it.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const { folder, environment, input = [], limitMs = localLimitMs, mostOutput = maxPrinted, signal } = options;
    if (signal?.aborted) {
      reject(new Failure('interrupted', 'Interrupted while git was running.'));
      return;
    }
    // Its own group keeps Ctrl-C from ending it in a push, and all below it from asking for a password.
    const child = spawn('git', args, { cwd: folder, env: { ...environment }, detached: isPosix, windowsHide: true });
    const out: Buffer[] = [];
    let outLength = 0;
    let errors = '';
    let cut: GitRun['cut'];
    let failure: unknown;
    const end = (): void => {
      killGroup(child.pid);
      child.stdout.destroy();
    };
    const abort = (): void => {
      failure = new Failure('interrupted', 'Interrupted while git was running.');
      end();
    };
    const timer = setTimeout(() => {
      cut = 'time';
      end();
    }, limitMs);
    signal?.addEventListener('abort', abort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      outLength += chunk.length;
      if (outLength <= mostOutput) out.push(chunk);
      else {
        cut = 'size';
        end();
      }
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      if (errors.length < maxErrors) errors += text.slice(0, maxErrors);
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
      // It may have ended well all the same, but what it printed is not all of it.
      const ended = cut === undefined ? code : null;
      if (failure === undefined) resolve({ code: ended, stdout: Buffer.concat(out), stderr: errors, cut });
      else reject(failure);
    };
    child.on('error', (error) => {
      failure ??= error;
      settle(null);
    });
    child.on('close', (code) => settle(code));
    // The output is waited for, however late: half of a list would be taken for all of it.
    const printed = new Promise<void>((done) => child.stdout.once('close', done));
    child.on('exit', (code) => void printed.then(() => setTimeout(() => settle(code), lingerMs)));
  });
};

/** Ends a program and everything it has started. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(isPosix ? -pid : pid, 'SIGKILL');
  } catch {
    // The program has ended.
  }
}

export interface GitSetting {
  readonly key: string;
  readonly value: string;
}

/**
 * The variables that git, ssh and credential helpers need to find their files, agents, proxy and certificates, and to
 * sign in: a job may keep a secret under any other name. Of git's own variables, those about connections and about
 * where its configuration is. TOKEN_FOR_STATE is the name for a helper that none of the others is for: `almanac ci
 * apply` writes such a helper, and docs/state-backends.md offers the name to those of users.
 */
const keptNames = String.raw`
  PATH HOME USER LOGNAME SHELL TERM TZ LANG LANGUAGE LC_\w+ XDG_\w+ TMPDIR TMP TEMP CI
  LD_LIBRARY_PATH LD_PRELOAD NSS_WRAPPER_\w+ DEVELOPER_DIR SECURITYSESSIONID
  PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC OS USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH
  (?:LOCAL)?APPDATA PROGRAM(?:DATA|W6432|FILES(?:\(X86\))?)
  (?:HTTPS?|ALL|NO)_PROXY (?:NIX_)?SSL_CERT_(?:FILE|DIR) CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS
  GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|EXEC_PATH)
  GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)
  SSH_(?:AUTH_SOCK|AGENT_PID|ASKPASS|ASKPASS_REQUIRE|SK_\w+|TTY|CLIENT|CONNECTION) KRB5\w+
  DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS
  GNUPGHOME GPG_TTY PASSWORD_STORE_\w+ GCM_\w+ VSCODE_GIT_\w+ REMOTE_CONTAINERS\w*
  GH_\w+ GITHUB_TOKEN GITLAB_TOKEN CI_JOB_TOKEN TOKEN_FOR_STATE
`;
const keptVariables = new RegExp(`^(?:${keptNames.trim().split(/\s+/).join('|')})$`, 'i');
const handedOver = /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)$/;

/** Set for every run, after all others. */
const safeSettings: readonly GitSetting[] = [
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

/** An environment in which answers are always in English. */
export function baseEnvironment(environment: Variables, folder: string): Variables {
  const inherited = Object.entries(environment).filter(([name]) => keptVariables.test(name));
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

/** The environment for a clone: with its own settings, and ours after those that the environment already holds. */
export function inClone(base: Variables): Variables {
  return { ...base, ...settingsAfter(base, safeSettings) };
}

/** The time that a question about a clone may take, which is answered from its own files. */
const questionMs = 10_000;

/**
 * Asks git about a clone. Nothing is fetched for the answer, and what its configuration would run is off, for a git too that
 * is too old to take settings from the environment. Throws as `runGit` does.
 */
export function askClone(
  root: string,
  { environment, signal, input }: Pick<RunOptions, 'environment' | 'signal' | 'input'>,
  ...args: readonly string[]
): Promise<GitRun> {
  const alone = { ...inClone(baseEnvironment(environment, root)), GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' };
  const off = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  // Git is not started in the clone: a PATH with a relative folder would find a git of its files there.
  const options = { folder: parse(root).root, environment: alone, limitMs: questionMs, signal, input };
  return runGit(['-C', root, ...off, ...args], options);
}

/**
 * Runs git in a clone so that it may ask a remote, with the clone's own credentials. Throws Failure interrupted if the signal
 * aborts, and the system's error if there is no git.
 */
export function withAskedRemote(
  root: string,
  { environment, ...options }: Omit<RunOptions, 'folder'>,
  ...args: readonly string[]
): Promise<GitRun> {
  const ofClone = inClone(baseEnvironment(environment, root));
  // Git is not started in the clone, as above.
  return runGit(['-C', root, ...args], { ...options, folder: parse(root).root, environment: ofClone });
}

/** The environment for a repository of our own: with these settings and ours, and no others of this machine. */
export function inOwn(base: Variables, settings: readonly GitSetting[]): Variables {
  const others = Object.entries(base).filter(([name]) => !handedOver.test(name));
  const alone = { ...Object.fromEntries(others), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return { ...alone, ...settingsAfter(alone, [...settings, ...safeSettings]) };
}

/** The variables that hold these settings, after those that the environment already holds: the later ones are the last word. */
export function settingsAfter(
  environment: Variables,
  settings: readonly GitSetting[],
): Readonly<Record<string, string>> {
  const count = Number(environment['GIT_CONFIG_COUNT'] || '0');
  const first = Number.isInteger(count) && count > 0 ? count : 0;
  const added = settings.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(first + settings.length) };
}
