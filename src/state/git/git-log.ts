// The log of a shared state on a branch of a git remote: a commit an entry, of which the newest holds all that a reader
// needs. An entry is written by a push that moves the branch from the commit that was seen to the new one, and that the
// server refuses if the branch is elsewhere by then. So of several writers exactly one wins, and who lost sees it.

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf, whyOf } from '../../files/file-system.ts';
import { baseEnvironment, type Git, inClone, inOwn, type RunGit, runGit } from '../../files/git.ts';
import { realPath, repositoryRoot } from '../../files/paths.ts';
import { readRepository } from '../../files/repository.ts';
import type { Clock, Variables } from '../../model/outside.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type GitPlace, placeName, type SharedPlace } from '../../model/workspace/state-place.ts';
import { thisHost } from '../file/holder.ts';
import { type LogOptions, unfit } from '../log/backend.ts';
import type { StateLog } from '../state-log.ts';
import { BranchLog } from './branch-log.ts';
import { type CloneSettings, paceOf, readCloneSettings } from './clone.ts';
import { maskOfGit } from './git-failure.ts';
import { makeRepository, type OwnRepository } from './own-repository.ts';

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
