// A plan as text, and what there is to say of its files.

import type { FindingSource } from '../model/failure.ts';
import type { PlanDocument } from '../model/plan.ts';
import type { CronWords } from '../render/cron-text.ts';
import { renderPlanText } from '../render/plan-text.ts';
import type { GlobalOptions } from './options.ts';
import { pageOf } from './page.ts';
import { diagnosticsText } from './print-diagnostics.ts';
import type { Output, World } from './world.ts';

export interface PrintedPlan {
  readonly document: PlanDocument;
  readonly source?: FindingSource;
  readonly cron: CronWords;
  readonly refreshOnly?: boolean | undefined;
}

/** On stdout, or where that is for a document, on stderr. */
export function printPlan(
  world: World,
  options: GlobalOptions,
  { document, source, cron, refreshOnly = false }: PrintedPlan,
  output: Output = world.stdout,
): void {
  tellDiagnostics(world, options, document, source);
  output.write(renderPlanText(document, { ...pageOf(output, world, options), cron, refreshOnly }));
}

/** On stderr, unless --quiet. */
export function tellDiagnostics(
  world: World,
  options: GlobalOptions,
  { diagnostics }: PlanDocument,
  source: FindingSource | undefined,
): void {
  if (options.quiet || diagnostics.length === 0) return;
  world.stderr.write(`${diagnosticsText(diagnostics, source, pageOf(world.stderr, world, options))}\n`);
}
