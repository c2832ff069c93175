// Whether the machine that applies may take the state with it when it goes: a job of a CI system starts from a checkout.

import type { Workspace } from '../declare/workspace.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';

/** `file`: of a state in a file, with its absolute path and its name. Undefined where nothing is wrong. */
export function stateNotKept(
  file: { readonly path: string; readonly name: string },
  workspace: Workspace,
  environment: (name: string) => string | undefined,
): Finding | undefined {
  const ci = environment('CI') ?? '';
  if (ci === '' || ci === 'false' || workspace.repository()?.statusOf(file.path) !== 'untracked') return undefined;
  return {
    code: 'state-not-kept',
    message: `git does not track ${file.name}. If no later step of this job keeps it, the next run has no state and creates everything a second time.`,
    hint: 'Commit and push it after the apply, or keep the state in a place that many machines share: `state` in almanac.yaml.',
  };
}
