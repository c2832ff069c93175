// The log of a shared state on a branch of a git remote: a commit an entry, of which the newest holds all that a reader
// needs. An entry is written by a push that moves the branch from the commit that was seen to the new one, and that the
// server refuses if the branch is elsewhere by then. So of several writers exactly one wins, and who lost sees it.

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf, whyOf } from '../../files/file-system.ts';
import { baseEnvironment, type Git, type GitRun, inClone, inOwn, type RunGit, runGit } from '../../files/git.ts';
import { realPath, repositoryRoot } from '../../files/paths.ts';
import { readRepository } from '../../files/repository.ts';
import type { Clock, Variables } from '../../model/outside.ts';
import type { Mask } from '../../model/values/secret.ts';
import { oneLine } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type GitPlace, placeName, type SharedPlace } from '../../model/workspace/state-place.ts';
import { thisHost } from '../file/file-lock.ts';
import { type Access, inaccessible, interrupted, type LogOptions, retrying, unfit } from '../log/backend.ts';
import { rehearsal } from '../log/new-entry.ts';
import type { LogEntry, NewEntry, StateLog } from '../state-log.ts';
import { type CloneSettings, paceOf, readCloneSettings } from './clone.ts';
import { gitFailure, isLasting, maskOfGit } from './git-failure.ts';
import {
  entryPath,
  GitFailed,
  type LogCommit,
  makeRepository,
  type OwnRepository,
  stateFile,
} from './own-repository.ts';

export interface GitLogOptions extends LogOptions<GitPlace> {
  /** The milliseconds that a run of git that speaks with the remote may take. */
  readonly networkMs?: number;
  readonly run?: RunGit;
}

/** Longer than a push of a large state takes, and shorter than a lease. */
const networkLimitMs = 45_000;

/** Sends nothing yet. Throws Failure state-backend-missing, state-backend-unfit or state-unreadable. */
export async function openGitLog(options: GitLogOptions): Promise<StateLog> {
  const { place, root, clock } = options;
  if (readRepository(root)?.branch === place.branch) {
    const hint = 'Set `state.branch` in almanac.yaml to a branch that only Almanac writes.';
    throw unfit(`The branch ${place.branch}`, 'it is checked out here', hint);
  }
  const { settings, repositoryOf, folder, close } = await remoteOf(options);
  const paceMs = paceOf(settings.address);
  const ref = refOf(place);
  return new BranchLog({
    name: placeName(place),
    ref,
    repository: repositoryOf(ref),
    clock,
    mask: maskOfGit([...settings.secrets, folder]),
    paceMs,
    pace: makePace(paceMs, clock),
    close,
  });
}

function refOf({ branch }: GitPlace): string {
  return `refs/heads/${branch}`;
}

/** A remote, with a repository of our own through which its branches are reached. */
interface Remote {
  readonly settings: CloneSettings;
  readonly folder: string;
  readonly repositoryOf: (ref: string) => OwnRepository;
  /** Removes the folder with the last of its branches. */
  readonly close: () => Promise<void>;
}

/** The remotes of places that are read together, by the name of the remote. */
const remotesTogether = new WeakMap<readonly SharedPlace[], Map<string, Promise<Remote>>>();

function remoteOf(options: GitLogOptions): Promise<Remote> {
  const { place, together } = options;
  if (together === undefined) return openRemote(options, [place]);
  const remotes = remotesTogether.get(together) ?? new Map<string, Promise<Remote>>();
  remotesTogether.set(together, remotes);
  const branches = together.filter((each): each is GitPlace => each.backend === 'git' && each.remote === place.remote);
  const opened = remotes.get(place.remote) ?? openRemote(options, branches);
  remotes.set(place.remote, opened);
  return opened;
}

async function openRemote(options: GitLogOptions, branches: readonly GitPlace[]): Promise<Remote> {
  const { place, root, environment, signal, networkMs = networkLimitMs, run = runGit } = options;
  const folder = await ownFolder();
  let open = 0;
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const base = baseEnvironment(environment, folder);
    const clone = repositoryRoot(realPath(root));
    const gitWith =
      (environment: Variables): Git =>
      (args, options) =>
        run(args, { ...options, folder, environment });
    const inside = gitWith(inClone(base));
    const git: Git = (args, more) => inside(args, { signal, ...more });
    await requireGit(git);
    const settings = await readCloneSettings({ remote: place.remote, clone, git });
    const { address, variables } = settings;
    const protocols = address.isHttp ? 'https:ssh:file:http' : 'https:ssh:file';
    const own = gitWith(inOwn({ ...base, ...variables, GIT_ALLOW_PROTOCOL: protocols }, settings.settings));
    const repository = { folder: join(folder, 'own.git'), networkMs, git: own };
    const reached = await makeRepository(repository, branches.map(refOf), settings);
    const repositoryOf = (ref: string) => {
      open += 1;
      return reached(ref);
    };
    const close = async () => {
      open -= 1;
      if (open === 0) await remove();
    };
    return { settings, folder, repositoryOf, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

const minVersion = [2, 32] as const;

/** Throws Failure state-backend-missing without a git, or with one that is too old to take all its settings from the environment. */
async function requireGit(git: Git): Promise<void> {
  const [a, b] = minVersion;
  const { stdout } = await git(['--version']).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new Failure(
      'state-backend-missing',
      'The state is kept on a git branch, and there is no git on this machine.',
      { hint: `Install git ${a}.${b} or later, and check that it is on the PATH.` },
    );
  });
  const [, major = '', minor = ''] = /^git version (\d+)\.(\d+)/.exec(stdout.toString('utf8')) ?? [];
  if (Number(major) > a || (Number(major) === a && Number(minor) >= b)) return;
  const found = major === '' ? 'a version that cannot be read' : `${major}.${minor}`;
  throw new Failure(
    'state-backend-missing',
    `The state is kept on a git branch, which needs git ${a}.${b} or later; this is ${found}.`,
    { hint: 'Update git.' },
  );
}

/**
 * A temporary folder for a repository of our own, by its real path: git compares the folders of its configuration with
 * such. Throws Failure state-unreadable.
 */
async function ownFolder(): Promise<string> {
  const parent = tmpdir();
  const space = /\d+/.exec((await thisHost.pidSpace()) ?? '')?.[0] ?? '0';
  await removeLeft(parent, space);
  try {
    return realPath(await mkdtemp(join(parent, `almanac-git-${space}-${thisHost.pid}-`)));
  } catch (error) {
    throw new Failure(
      'state-unreadable',
      `Git needs a temporary folder, and none can be made in ${parent}: ${whyOf(error)}.`,
      {
        hint: 'Free disk space, or set TMPDIR to a folder that can be written.',
      },
    );
  }
}

const longLeftMs = 86_400_000;

/**
 * Folders of this user whose run was killed: they hold a copy of the state. One that this machine cannot ask about, such as
 * of a container with the same temporary folder, goes after a day.
 */
async function removeLeft(parent: string, space: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const found = /^almanac-git-(?:(\d+)-(\d+)-)?[a-z\d]{6}$/i.exec(name);
    if (found === null) continue;
    const path = join(parent, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) continue;
    const [, ofSpace, pid] = found;
    const hasEnded = ofSpace === space && !thisHost.isAlive(Number(pid));
    if (hasEnded || (ofSpace !== space && Date.now() - stats.mtimeMs > longLeftMs))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

const maxAtOnce = 6;

/** Six at once, then one each time the pace allows. Resolves when the next one may go, or at once when the signal aborts. */
function makePace(paceMs: number, clock: Clock): (signal?: AbortSignal) => Promise<void> {
  /** The time when the bucket will be full again. */
  let fullAt = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    if (paceMs === 0) return;
    const now = clock.monotonic();
    fullAt = Math.max(fullAt, now) + paceMs;
    const wait = fullAt - maxAtOnce * paceMs - now;
    if (wait > 0) await clock.sleep(wait, signal);
  };
}

// The entries of a state branch. Tells what is known of its newest commit, how an entry is read from it, and how one is added.

interface BranchLogOptions {
  /** `git branch almanac-state of origin`. */
  readonly name: string;
  /** The full name of the branch. */
  readonly ref: string;
  readonly repository: OwnRepository;
  readonly clock: Clock;
  readonly mask: Mask;
  readonly paceMs: number;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
}

const firstPauseMs = 1000;
const triesToRead = 3;
const triesToWrite = 6;

class BranchLog implements StateLog {
  readonly name: string;
  readonly paceMs: number;
  readonly #options: BranchLogOptions;
  /** The newest commit that was seen or written; undefined before the first look, null if there is no branch. */
  #tip: LogCommit | null | undefined;
  #hasHistory = false;
  /** One thing at a time: each changes the repository. */
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: BranchLogOptions) {
    this.#options = options;
    this.name = options.name;
    this.paceMs = options.paceMs;
  }

  readonly packs = true;
  readonly unasked = 'hooks and rules of the server, branches that it hides, and how large a push may be';

  /** A push that the server answers but does not carry out: all that it tells is who may push. */
  probe(signal?: AbortSignal): Promise<void> {
    return this.#next('read', async () => {
      const { repository, clock } = this.#options;
      await this.#refresh(signal);
      const tip = this.#tip ?? undefined;
      const [entry] = rehearsal(clock).slice(-1) as [NewEntry];
      const { id } = await this.#build((tip?.high ?? 0) + 1, entry, tip);
      const run = await repository.push(tip?.id, id, { dryRun: true });
      if (run.code !== 0 && !isOvertaken(run)) throw gitFailure('write', run, this.#options);
    });
  }

  read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    return this.#next('read', async () => {
      await this.#refresh(signal);
      const tip = this.#tip;
      if (!tip || after >= tip.high) return [];
      const first = Math.max(after + 1, tip.low);
      const all = await this.#options.repository.blobs(tip.blobs.slice(first - tip.low));
      return all.map((bytes, index) => ({ n: first + index, bytes }));
    });
  }

  entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    return this.#next('read', async () => {
      if (!this.#tip || n > this.#tip.high) await this.#refresh(signal);
      return this.#entry(n, signal);
    });
  }

  append(n: number, entry: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    return this.#next('write', async () => {
      if (this.#tip === undefined || (this.#tip?.high ?? 0) < n - 1) await this.#refresh(signal);
      const tip = this.#tip ?? undefined;
      const newest = tip?.high ?? 0;
      if (newest >= n) return this.#whose(n, entry, signal);
      if (newest < n - 1) {
        const hint = 'If the branch was set back, restore its newest commit.';
        throw inaccessible('write', this.name, `entry ${n} cannot follow entry ${newest}, its newest one`, hint);
      }
      return this.#add(n, entry, tip, signal);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#queue.then(() => this.#options.close()).catch(() => undefined);
    return this.#closing;
  }

  /** Builds the commit, and pushes it until it is known whose the entry is. */
  async #add(
    n: number,
    entry: NewEntry,
    tip: LogCommit | undefined,
    signal: AbortSignal | undefined,
  ): Promise<'written' | 'taken'> {
    const made = await this.#build(n, entry, tip);
    const { clock, pace, repository } = this.#options;
    const tried = await retrying({ clock, tries: triesToWrite, firstPauseMs, signal }, async () => {
      await pace(signal);
      if (signal?.aborted) throw interrupted();
      const run = await repository.push(tip?.id, made.id);
      const branchPosition = run.code === 0 ? 'ours' : await this.#whereAfter(made.id);
      const isSettled =
        branchPosition === 'ours' || branchPosition === 'moved' || (branchPosition === 'unmoved' && isLasting(run));
      return { value: { run, seen: branchPosition }, mayRetry: !isSettled };
    });
    if (tried.seen === 'moved') return this.#whose(n, entry, signal);
    if (tried.seen !== 'ours') throw new GitFailed(tried.run);
    this.#tip = made;
    return 'written';
  }

  /** Finds where the branch is after a push that failed. It is asked also after an interruption: the answer counts. */
  async #whereAfter(written: string): Promise<'ours' | 'moved' | 'unmoved' | 'unknown'> {
    try {
      const remote = await this.#options.repository.look();
      if (remote === written) return 'ours';
      if (remote === this.#tip?.id) return 'unmoved';
      await this.#follow(remote, undefined);
      return 'moved';
    } catch (error) {
      if (error instanceof GitFailed) return 'unknown';
      throw error;
    }
  }

  /** An entry that is there already is ours if it has our bytes, which hold an id that no other has. */
  async #whose(n: number, entry: NewEntry, signal: AbortSignal | undefined): Promise<'written' | 'taken'> {
    const there = await this.#entry(n, signal);
    return there !== undefined && Buffer.compare(there.bytes, entry.bytes) === 0 ? 'written' : 'taken';
  }

  async #build(n: number, entry: NewEntry, tip: LogCommit | undefined): Promise<LogCommit> {
    const isStart = entry.kind === 'commit';
    const state =
      entry.snapshot === undefined ? [] : [{ path: stateFile, bytes: new TextEncoder().encode(entry.snapshot) }];
    const { id, blobs } = await this.#options.repository.write({
      files: [{ path: entryPath(n), bytes: entry.bytes }, ...state],
      message: messageOf(entry.title),
      parent: tip?.id,
      fresh: isStart,
      at: this.#seconds(),
    });
    const blob = blobs[0] as string;
    if (isStart || tip === undefined) return { id, low: n, high: n, blobs: [blob] };
    return { id, low: tip.low, high: n, blobs: [...tip.blobs, blob] };
  }

  /** Learns what the newest commit is, and refuses a branch that cannot be or is no longer the one of the state. */
  async #refresh(signal: AbortSignal | undefined): Promise<void> {
    const { repository } = this.#options;
    await this.#follow(await this.#patiently(() => repository.look(signal), signal), signal);
  }

  async #follow(remote: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    const { repository } = this.#options;
    const before = this.#tip;
    if (before && remote === undefined) throw setBack(this.name);
    if (remote === undefined) {
      this.#tip = null;
      return;
    }
    if (remote === before?.id) return;
    const isThere = await this.#patiently(() => repository.fetch(before ? 'added' : 'newest', signal), signal);
    if (!isThere) {
      this.#tip = null;
      return;
    }
    const found = await repository.readFetched(this.name);
    if (before && (found.high < before.high || !(await repository.follows(found.id, before.id))))
      throw setBack(this.name);
    this.#tip = found;
  }

  /** Reads an entry from the newest commit, or else from the whole history, which is then fetched. */
  async #entry(n: number, signal: AbortSignal | undefined): Promise<LogEntry | undefined> {
    const tip = this.#tip;
    if (!tip || !Number.isInteger(n) || n < 1 || n > tip.high) return undefined;
    const { repository } = this.#options;
    const near = tip.blobs[n - tip.low];
    if (near !== undefined) return { n, bytes: (await repository.blobs([near]))[0] as Uint8Array };
    if (!this.#hasHistory) await this.#patiently(() => repository.fetch('all', signal), signal);
    this.#hasHistory = true;
    const bytes = await repository.older(tip.id, entryPath(n));
    if (bytes !== undefined) return { n, bytes };
    throw new Failure('state-unreadable', `The history of ${this.name} is incomplete: entry ${n} is missing.`);
  }

  /** Tries again what only reads, while the remote may come back. */
  async #patiently<T>(what: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { clock } = this.#options;
    const found = await retrying<T | GitFailed>({ clock, tries: triesToRead, firstPauseMs, signal }, async () => {
      try {
        return { value: await what(), mayRetry: false };
      } catch (error) {
        if (!(error instanceof GitFailed)) throw error;
        return { value: error, mayRetry: !isLasting(error.run) };
      }
    });
    if (!(found instanceof GitFailed)) return found;
    if (signal?.aborted) throw interrupted();
    throw found;
  }

  #next<T>(access: Access, what: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new Error(`${this.name} was closed.`));
    const result = this.#queue.then(what).catch((error) => {
      throw error instanceof GitFailed ? gitFailure(access, error.run, this.#options) : error;
    });
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #seconds(): number {
    return Math.max(0, Math.floor(this.#options.clock.now() / 1000));
  }
}

/** Somebody else was first, which says nothing about permissions. */
function isOvertaken({ stderr }: GitRun): boolean {
  return /stale info|fetch first|non-fast-forward|cannot lock ref/i.test(stderr);
}

const maxTitleLength = 200;

/** A message on one line. CI systems start nothing for a commit that says so. */
function messageOf(title: string): string {
  return `${oneLine(title).slice(0, maxTitleLength)} [skip ci]\n`;
}

/** A commit that this run knew is gone. */
function setBack(name: string): Failure {
  return new Failure(
    'state-conflict',
    `${name} was set back: a commit that was there is no longer part of the branch.`,
    {
      hint: 'Somebody deleted the branch or pushed to it by force. Restore its newest commit before the next apply.',
    },
  );
}
