// `almanac show [PLANFILE]`: a saved plan, or the state.

import { openSavedPlan } from '../../engine/propose/saved-plan.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Run } from '../base/run.ts';
import { publishPlan } from '../plan/publish-plan.ts';
import { stateShow } from '../state/show.ts';
import type { ShowOptions } from './command.ts';

export async function show(run: Run, options: ShowOptions, planFile: string | undefined): Promise<number> {
  const { format, resolved } = options;
  if (resolved !== undefined) {
    const { showResolved } = await import('./show-resolved.ts');
    return showResolved(run, options, resolved === true ? [] : resolved, planFile);
  }
  if (planFile === undefined) {
    if (format === 'text' || format === 'json') return stateShow(run, { ...options, format }, []);
    throw new Failure('usage', `The state can be shown as text or json, not as ${format}.`, {
      hint: 'To use another format, name a plan that almanac plan --out saved.',
    });
  }
  const workspace = await run.workspace();
  const document = await openSavedPlan(workspace, planFile);
  await publishPlan(run, { format }, { document });
  return 0;
}
