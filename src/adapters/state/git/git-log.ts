// The log of a shared state on a branch of a git remote: a commit an entry, of which the newest holds all that a reader
// needs. An entry is written by a push that moves the branch from the commit that was seen to the new one, and that the
// server refuses if the branch is elsewhere by then. So of several writers exactly one wins, and who lost sees it.

import { rm } from 'node:fs/promises';
import { type GitPlace, placeName } from '../../../model/workspace/state-place.ts';
import type { StateLog } from '../../../ports/state-log.ts';
import { realPath } from '../../files/real-path.ts';
import { readRepository } from '../../files/repository.ts';
import { repositoryRoot } from '../../files/repository-root.ts';
import type { LogOptions } from '../log-options.ts';
import { BranchLog } from './branch-log.ts';
import { checkBranch } from './branch-name.ts';
import { readCloneSettings } from './clone-settings.ts';
import { refuseCheckedOut } from './fit-branch.ts';
import { baseEnvironment, safeSettings, withSettings } from './git-environment.ts';
import { checkVersion, type RunGit, runGit } from './git-process.ts';
import { makeMask } from './mask-text.ts';
import { ownFolder } from './own-folder.ts';
import { OwnRepository } from './own-repository.ts';
import { makePace } from './pace.ts';
import { refusePlanted } from './planted-repository.ts';
import { isAddress, isGitlab, paceOf } from './remote-address.ts';

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
