// `almanac plan`: what would change. Writes nothing but the files it is asked for, and sends nothing but the look at the
// service that --refresh or --online asks for.

import { savedPlan } from '../engine/propose.ts';
import { renderJson } from '../render/plan-json.ts';
import { cronWords } from './cron-words.ts';
import { makeProposal } from './make-proposal.ts';
import { type GlobalOptions, type OnlineFlags, type PlanShape, refreshOf, type TextOrJson } from './options.ts';
import { printPlan } from './print-plan.ts';
import { openSession } from './session.ts';
import type { World } from './world.ts';

export interface PlanOptions extends GlobalOptions, OnlineFlags, PlanShape {
  readonly format: TextOrJson;
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** With --detailed-exitcode: there are changes. */
const withChanges = 2;

export async function plan(world: World, options: PlanOptions): Promise<number> {
  const session = await openSession(world, options);
  const refresh = refreshOf(options);
  const proposal = await makeProposal(world, options, session, refresh);
  const { document } = proposal;
  if (options.out !== undefined)
    await session.workspace.writeOutside(options.out, renderJson(savedPlan(proposal, refresh)));
  if (options.format === 'json') world.stdout.write(renderJson(document));
  else printPlan(world, options, { document, source: session.loaded, cron: await cronWords(world.clock.now()) });
  if (options.out !== undefined && !options.quiet)
    world.stderr.write(`Saved the plan to ${options.out}. To apply exactly it: almanac apply ${options.out}\n`);
  return options.detailedExitcode && document.changes.length > 0 ? withChanges : 0;
}
