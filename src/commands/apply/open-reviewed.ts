// What was reviewed, as the command line names it: a saved plan, the digest of a plan, or a list of digests of changes.

import { openSavedPlan } from '../../engine/propose/saved-plan.ts';
import type { SavedPlan } from '../../model/plan/plan.ts';
import { Failure, splitIndexHint } from '../../model/workspace/failure.ts';
import { parseDigests } from '../../parse/parse-digests.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { PlanShape } from '../base/command.ts';
import type { ApplyOptions } from './command.ts';

export interface Reviewed {
  readonly saved: SavedPlan | undefined;
  /** The digest of a plan. */
  readonly expect: string | undefined;
  /** Digests of changes. */
  readonly expectChanges: ReadonlySet<string> | undefined;
}

/** Throws Failure usage where a file cannot be read, and what openSavedPlan throws. */
export async function openReviewed(
  workspace: Workspace,
  planFile: string | undefined,
  { expect, expectChanges, ...options }: ApplyOptions,
): Promise<Reviewed> {
  if (planFile !== undefined) refuseShape(options);
  return {
    saved: planFile === undefined ? undefined : await openSavedPlan(workspace, planFile),
    expect,
    expectChanges: expectChanges === undefined ? undefined : await readList(workspace, expectChanges),
  };
}

async function readList(workspace: Workspace, file: string): Promise<ReadonlySet<string>> {
  if (!workspace.isTracked(file)) return parseDigests(await workspace.readOutside(file), file);
  throw new Failure('refused', `${file} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it from git (\`git rm --cached ${file}\`), and write it where the apply runs. ${splitIndexHint}`,
  });
}

/** The shape of a saved plan was decided when it was made. */
function refuseShape({ target, select, replace, allowEmpty, refresh, refreshOnly }: PlanShape): void {
  const given = {
    '--target': target,
    '--select': select,
    '--replace': replace,
    '--allow-empty': allowEmpty,
    '--refresh': refresh,
    '--refresh-only': refreshOnly,
  };
  const name = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (name === undefined) return;
  throw new Failure('usage', `A saved plan is applied as it is, so ${name} cannot change it.`, {
    hint: `Run almanac plan with ${name}, and save that plan.`,
  });
}
