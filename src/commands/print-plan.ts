// A plan as text: what is said of the files to stderr, the plan itself to stdout.

import type { FindingSource } from '../model/failure.ts';
import type { PlanDocument } from '../model/plan.ts';
import type { CronWords } from '../render/cron-text.ts';
import { renderPlanText } from '../render/plan-text.ts';
import type { GlobalOptions } from './options.ts';
import { pageOf } from './page.ts';
import { diagnosticsText } from './print-diagnostics.ts';
import type { World } from './world.ts';

export interface PrintedPlan {
  readonly document: PlanDocument;
  readonly source?: FindingSource;
  readonly cron: CronWords;
}

export function printPlan(world: World, options: GlobalOptions, { document, source, cron }: PrintedPlan): void {
  const shown = options.quiet ? [] : document.diagnostics;
  if (shown.length > 0) world.stderr.write(`${diagnosticsText(shown, source, pageOf(world.stderr, world, options))}\n`);
  world.stdout.write(renderPlanText(document, { ...pageOf(world.stdout, world, options), cron }));
}
