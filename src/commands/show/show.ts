// `almanac show [PLANFILE]`: a saved plan, or the state.

import { openSavedPlan } from '../../engine/propose/saved-plan.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { openWorkspace } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { writePlan } from '../plan/plan.ts';
import { stateShow } from '../state/show.ts';
import type { ShowOptions } from './command.ts';

export async function show(world: World, options: ShowOptions, planFile: string | undefined): Promise<number> {
  const { format, resolved } = options;
  if (resolved !== undefined) {
    const { showResolved } = await import('./show-resolved.ts');
    return showResolved(world, options, resolved === true ? [] : resolved, planFile);
  }
  if (planFile === undefined) {
    if (format === 'text' || format === 'json') return stateShow(world, { ...options, format }, []);
    throw new Failure('usage', `The state can be shown as text or json, not as ${format}.`, {
      hint: 'To use another format, name a plan that almanac plan --out saved.',
    });
  }
  const workspace = await openWorkspace(world, options);
  const document = await openSavedPlan(workspace, planFile);
  await writePlan(world, options, format, { document, now: world.clock.now() });
  return 0;
}
