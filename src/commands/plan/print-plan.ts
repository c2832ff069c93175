// A plan as text, and the diagnostics of its files.

import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { renderPlanText } from '../../render/plan/plan-text.ts';
import type { CronWords } from '../../render/text/cron-text.ts';
import type { GlobalOptions } from '../base/command.ts';
import { pageOf } from '../base/page.ts';
import { planDiagnosticsText } from '../base/print-diagnostics.ts';
import type { Output, World } from '../base/world.ts';

export interface PrintedPlan {
  readonly document: PlanDocument;
  readonly source?: FindingSource;
  readonly cron: CronWords;
  readonly refreshOnly?: boolean | undefined;
  readonly untrackedCount?: number;
  /** Of the apply that is about to begin. */
  readonly cost?: RunCost | undefined;
}

/** On stdout, or on stderr when stdout carries a document. */
export function printPlan(
  world: World,
  options: GlobalOptions,
  { document, source, cron, refreshOnly = false, untrackedCount = 0, cost }: PrintedPlan,
  output: Output = world.stdout,
): void {
  reportDiagnostics(world, options, document, { source });
  const page = { ...pageOf(output, world, options), cron, refreshOnly, untrackedCount, cost };
  output.write(renderPlanText(document, page));
}

/** On stderr, unless --quiet. */
export function reportDiagnostics(
  world: World,
  options: GlobalOptions,
  document: PlanDocument,
  { source, of = 'plan' }: { readonly source?: FindingSource | undefined; readonly of?: 'plan' | 'drift' },
): void {
  if (options.quiet) return;
  const said = planDiagnosticsText(document, of, source, pageOf(world.stderr, world, options));
  if (said !== '') world.stderr.write(`${said}\n`);
}
