// `almanac plan`: what would change. Sends nothing, writes nothing but the files it is asked for.

import { currentState } from '../engine/current-state.ts';
import { propose, savedPlan } from '../engine/propose.ts';
import { renderJson } from '../render/plan-json.ts';
import { cronWords } from './cron-words.ts';
import type { GlobalOptions, PlanShape, TextOrJson } from './options.ts';
import { printPlan } from './print-plan.ts';
import { openSession, openState } from './session.ts';
import type { World } from './world.ts';

export interface PlanOptions extends GlobalOptions, PlanShape {
  readonly format: TextOrJson;
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** With --detailed-exitcode: there are changes. */
const withChanges = 2;

export async function plan(world: World, options: PlanOptions): Promise<number> {
  const session = await openSession(world, options);
  const store = await openState(world, options, session);
  const state = currentState(await store.read(), store.name);
  const proposal = await propose({
    loaded: session.loaded,
    state,
    stateName: store.name,
    salt: state?.salt ?? world.randomness.bytes(16),
    toolVersion: world.version,
    targets: options.target,
    replace: options.replace ?? [],
    allowEmpty: options.allowEmpty === true,
  });
  const { document } = proposal;
  if (options.out !== undefined) await session.workspace.writeOutside(options.out, renderJson(savedPlan(proposal)));
  if (options.format === 'json') world.stdout.write(renderJson(document));
  else printPlan(world, options, { document, source: session.loaded, cron: await cronWords(world.clock.now()) });
  if (options.out !== undefined && !options.quiet)
    world.stderr.write(`Saved the plan to ${options.out}. To apply exactly it: almanac apply ${options.out}\n`);
  return options.detailedExitcode && document.changes.length > 0 ? withChanges : 0;
}
