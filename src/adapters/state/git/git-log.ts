// The log of a shared state on a branch of a git remote: a commit an entry, of which the newest holds all that a reader
// needs. An entry is written by a push that moves the branch from the commit that was seen to the new one, and that the
// server refuses if the branch is elsewhere by then. So of several writers exactly one wins, and who lost sees it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../model/workspace/failure.ts';
import { type GitPlace, placeName } from '../../../model/workspace/state-place.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { StateLog } from '../../../ports/state-log.ts';
import { whyOf } from '../../files/file-system.ts';
import { isInside, realAncestor, realPath } from '../../files/real-path.ts';
import { readRepository } from '../../files/repository.ts';
import { repositoryRoot } from '../../files/repository-root.ts';
import type { LogOptions } from '../log-options.ts';
import { BranchLog } from './branch-log.ts';
import { readCloneSettings } from './clone-settings.ts';
import { refuseCheckedOut } from './fit-branch.ts';
import { baseEnvironment, safeSettings, withSettings } from './git-environment.ts';
import { checkVersion, type RunGit, runGit } from './git-process.ts';
import { makeMask } from './mask-text.ts';
import { OwnRepository } from './own-repository.ts';
import { isAddress, isGitlab, paceOf, type RemoteAddress } from './remote-address.ts';

export interface GitLogOptions extends LogOptions<GitPlace> {
  /** How long a run of git that speaks with the remote may take. */
  readonly networkMs?: number;
  readonly run?: RunGit;
}

/** Longer than a push of a large state takes, and shorter than a lease. */
const networkLimitMs = 45_000;

/** Sends nothing yet. Throws Failure state-backend-missing, state-backend-unfit or state-unreadable. */
export async function openGitLog(options: GitLogOptions): Promise<StateLog> {
  const { place, root, clock, environment, networkMs = networkLimitMs, run = runGit } = options;
  const name = placeName(place);
  const ref = checkBranch(place.branch);
  isAddress(place.remote);
  if (readRepository(root)?.branch === place.branch) refuseCheckedOut(place.branch);
  const folder = await ownFolder();
  try {
    const base = baseEnvironment(environment, folder);
    const clone = repositoryRoot(realPath(root));
    const quiet = withSettings(base, safeSettings);
    checkVersion((await run(['--version'], { folder, environment: quiet })).stdout.toString('utf8'));
    const settings = await readCloneSettings({ remote: place.remote, clone, folder, run, environment: quiet });
    const { address, variables } = settings;
    refusePlanted({ remote: place.remote, address, root: clone ?? realPath(root) });
    const protocols = address.protocol === 'http' ? 'https:ssh:file:http' : 'https:ssh:file';
    const repository = new OwnRepository({
      folder,
      ref,
      run,
      networkMs,
      environment: withSettings({ ...base, ...variables, GIT_ALLOW_PROTOCOL: protocols }, [
        ...settings.settings,
        ...safeSettings,
      ]),
    });
    return new BranchLog({
      name,
      ref,
      repository,
      clock,
      mask: makeMask([...settings.secrets, folder]),
      paceMs: paceOf(address),
      pace: makePace(paceOf(address), clock),
      pushOptions: isGitlab(address, environment) ? ['ci.skip'] : [],
      becomesDefault: !address.loopback,
      objectFormat: settings.objectFormat,
      close: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const plainBranch = /^[A-Za-z0-9_][A-Za-z0-9._+@-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+@-]*)*$/;
const longestBranch = 200;

/** The full name of the branch. It becomes part of a refspec, so only plain names are allowed. Throws Failure state-backend-unfit. */
function checkBranch(branch: string): string {
  const fault = faultOf(branch);
  if (fault === undefined) return `refs/heads/${branch}`;
  throw new Failure(
    'state-backend-unfit',
    `The state branch ${JSON.stringify(branch.slice(0, longestBranch))} ${fault}`,
    {
      hint: 'Name it `state.branch` in almanac.yaml, such as almanac-state.',
    },
  );
}

function faultOf(branch: string): string | undefined {
  if (branch.length > longestBranch) return `has a name of more than ${longestBranch} characters.`;
  if (!plainBranch.test(branch) || /\.\.|@\{|\.(?:$|\/)|\.lock(?:$|\/)/.test(branch) || branch === '@')
    return 'is not a name that a state branch can have: letters, digits and - _ . / only.';
  if (/^refs(?:\/|$)/.test(branch)) return 'begins with refs/. Write the name of the branch alone.';
  if (branch === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(branch))
    return 'has a name that git would take for something else.';
  return undefined;
}

interface NamedRemote {
  /** `state.remote`. The remotes of a clone are in its own configuration, which no commit can change. */
  readonly remote: string;
  readonly address: RemoteAddress;
  /** The root of the clone or else of the workspace, its links followed. */
  readonly root: string;
}

/**
 * Refuses a repository that came along with the files of the workspace: a commit can bring a whole bare repository, whose
 * settings and hooks git runs when something is pushed to it. Throws Failure state-backend-unfit.
 */
function refusePlanted({ remote, address, root }: NamedRemote): void {
  if (address.protocol !== 'file' || !isAddress(remote)) return;
  const path = pathOf(address.url);
  // Behind a link, the parent is another folder than the one that is written.
  const isPlain = path !== undefined && !/\p{Cc}/u.test(path) && !path.split(/[\\/]/).includes('..');
  if (isPlain && !isInside(root, realAncestor(path))) return;
  throw new Failure(
    'state-backend-unfit',
    isPlain
      ? `The remote ${JSON.stringify(remote)} is among the files of this workspace, so a pull request can bring it along, with programs that git would run.`
      : `The remote ${JSON.stringify(remote)} is not the plain path of a repository.`,
    { hint: 'Set `state.remote` in almanac.yaml to a repository outside of the clone, such as origin.' },
  );
}

/** As git reads it: percent signs encode, and nothing else is resolved. */
function pathOf(url: string): string | undefined {
  const path = url.replace(/^file:\/\//i, '');
  try {
    return decodeURIComponent(process.platform === 'win32' ? path.replace(/^\/(?=[A-Za-z]:)/, '') : path);
  } catch {
    return undefined;
  }
}

/**
 * A temporary folder for a repository of our own, by its real path: git compares the folders of its configuration with
 * such. Throws Failure state-unreadable.
 */
async function ownFolder(): Promise<string> {
  const parent = tmpdir();
  try {
    return realPath(await mkdtemp(join(parent, 'almanac-git-')));
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

const mostAtOnce = 6;

/** Six at once, then one each time the pace allows. Resolves when the next one may go, or at once when the signal aborts. */
function makePace(paceMs: number, clock: Clock): (signal?: AbortSignal) => Promise<void> {
  /** When the bucket will be full again. */
  let fullAt = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    if (paceMs === 0) return;
    const now = clock.monotonic();
    fullAt = Math.max(fullAt, now) + paceMs;
    const wait = fullAt - mostAtOnce * paceMs - now;
    if (wait > 0) await clock.sleep(wait, signal);
  };
}
