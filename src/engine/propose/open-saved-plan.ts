// Reads the saved plan that a command names. A plan that git tracks may have come with somebody's commit, so nobody
// reviewed it as the plan of this run.

import type { SavedPlan } from '../../model/plan/plan.ts';
import { Failure, splitIndexHint } from '../../model/workspace/failure.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { readSavedPlan } from './saved-plan.ts';

/** Throws Failure plan-unreadable, and usage if the file cannot be read. */
export async function openSavedPlan(workspace: Workspace, file: string): Promise<SavedPlan> {
  const text = await workspace.readOutside(file);
  if (/\.ya?ml$/i.test(file) && !text.includes('"formatVersion"')) throw notSaved(file);
  if (!workspace.isTracked(file)) return readSavedPlan(text, file);
  throw new Failure('plan-unreadable', `${file} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it from git (\`git rm --cached ${file}\`), ignore it in .gitignore, and save the plan again with almanac plan --out. ${splitIndexHint}`,
  });
}

function notSaved(file: string): Failure {
  return new Failure('plan-unreadable', `${file} is not a saved plan. It looks like a source file.`, {
    hint: 'Name no source file: `almanac apply` reads all of them, and `--target ADDRESS` chooses from what they declare. A saved plan is what `almanac plan --out FILE` writes.',
  });
}
