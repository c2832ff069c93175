// Reads the saved plan that a command names. A plan that git tracks may have come with somebody's commit, so nobody
// reviewed it as the plan of this run.

import type { SavedPlan } from '../../model/plan/plan.ts';
import { Failure, splitIndexHint } from '../../model/workspace/failure.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { readSavedPlan } from './saved-plan.ts';

/** Throws Failure plan-unreadable, and usage if the file cannot be read. */
export async function openSavedPlan(workspace: Workspace, file: string): Promise<SavedPlan> {
  if (!workspace.isTracked(file)) return readSavedPlan(await workspace.readOutside(file), file);
  throw new Failure('plan-unreadable', `${file} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it from git (\`git rm --cached ${file}\`), ignore it in .gitignore, and save the plan again with almanac plan --out. ${splitIndexHint}`,
  });
}
