// `almanac plan`: what would change. Writes only the files that it is asked for, and sends only the requests that --refresh
// or --online asks for.

import { savedPlan } from '../../engine/propose/propose.ts';
import { renderJson } from '../../render/text/render-json.ts';
import type { GlobalOptions } from '../base/command.ts';
import { cronWords } from '../base/cron-words.ts';
import type { PlanFormat } from '../base/formats.ts';
import { refreshOf } from '../base/refresh-of.ts';
import { checkFiles } from '../base/report-files.ts';
import { openSession } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { PlanOptions } from './command.ts';
import { type ReportedPlan, renderPlan } from './plan-reports.ts';
import { type PrintedPlan, printPlan, reportDiagnostics } from './print-plan.ts';
import { requestProposal } from './request-proposal.ts';
import { shownPlan } from './shown-plan.ts';

/** With --detailed-exitcode: there are changes. */
const withChanges = 2;

export async function plan(world: World, options: PlanOptions): Promise<number> {
  const { format, out, report: reports = [] } = options;
  await checkFiles(world, options, [...(out === undefined ? [] : [out]), ...reports.map(({ file }) => file)]);
  const session = await openSession(world, options);
  const refresh = refreshOf(options);
  const proposal = await requestProposal(world, options, session, refresh);
  const { document } = proposal;
  const { workspace, loaded } = session;
  const planned: ReportedPlan = {
    document: shownPlan(document, session.shown),
    source: loaded,
    now: world.clock.now(),
  };
  if (out !== undefined) {
    await workspace.writeOutside(out, renderJson(savedPlan(proposal, refresh)), { isPrivate: true });
  }
  for (const report of reports) await workspace.writeOutside(report.file, await renderPlan(report.format, planned));
  const untrackedCount = proposal.untracked?.schedules.length ?? 0;
  await writePlan(world, options, format, { ...planned, refreshOnly: options.refreshOnly, untrackedCount });
  if (out !== undefined && !options.quiet) {
    // In a log nobody is there to run it.
    const next = world.stderr.isTerminal ? ` To apply exactly this plan: almanac apply ${out}` : '';
    world.stderr.write(`Saved the plan to ${out}.${next}\n`);
  }
  return options.detailedExitcode && document.changes.length > 0 ? withChanges : 0;
}

/** On stdout. The diagnostics are in the document; for people they go to stderr as well. */
export async function writePlan(
  world: World,
  options: GlobalOptions,
  format: PlanFormat,
  planned: ReportedPlan & Pick<PrintedPlan, 'refreshOnly' | 'untrackedCount'>,
): Promise<void> {
  if (format === 'text')
    return printPlan(world, options, { ...planned, cron: await cronWords(planned.now, planned.document) });
  if (format !== 'json') reportDiagnostics(world, options, planned.document, planned);
  world.stdout.data(await renderPlan(format, planned));
}
