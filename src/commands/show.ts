// `almanac show [PLANFILE]`: a saved plan, or the state.

import { readSavedPlan } from '../engine/saved-plan.ts';
import { renderJson } from '../render/plan-json.ts';
import { cronWords } from './cron-words.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { printPlan } from './print-plan.ts';
import { openWorkspace } from './session.ts';
import { stateShow } from './state-show.ts';
import type { World } from './world.ts';

export interface ShowOptions extends GlobalOptions {
  readonly format: TextOrJson;
}

export async function show(world: World, options: ShowOptions, planFile: string | undefined): Promise<number> {
  if (planFile === undefined) return stateShow(world, options, undefined);
  const workspace = await openWorkspace(world, options);
  const plan = readSavedPlan(await workspace.readOutside(planFile), planFile);
  if (options.format === 'json') world.stdout.write(renderJson(plan));
  else printPlan(world, options, { document: plan, cron: await cronWords(world.clock.now()) });
  return 0;
}
