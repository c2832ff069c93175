// `almanac apply`: the plan's changes, after a confirmation.

import { checkCanFollow, followJobs } from '../../engine/ai-jobs/follow-jobs.ts';
import { apply as applyPlan } from '../../engine/apply/apply.ts';
import type { ApplyPorts } from '../../engine/apply/apply-request.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import { refreshOf } from '../base/refresh-of.ts';
import type { Run } from '../base/run.ts';
import { printPlan, shownPlan } from '../plan/publish-plan.ts';
import type { ApplyOptions } from './command.ts';
import { openReviewed, type Reviewed } from './open-reviewed.ts';
import { reportApplied } from './report-applied.ts';
import { warnIfNotKept } from './warn-not-kept.ts';

export async function apply(run: Run, options: ApplyOptions, planFile: string | undefined): Promise<number> {
  const { autoApprove, format, wait, waitTimeout, allowHttp = false, maxAttempts, maxWait } = options;
  const session = await run.load();
  const { loaded, shown, workspace } = session;
  const store = await run.store(session, 'changes');
  const reviewed = await openReviewed(workspace, planFile, options);
  if (!autoApprove && run.asker() === undefined) throw needsApproval(reviewed);
  await warnIfNotKept(run, options, session);
  if (wait) checkCanFollow(loaded.config);
  const asked = { loaded, reporter: progressReporter(run, shown), limits: { allowHttp, maxAttempts, maxWait } };
  const applied = await run.asking(asked, async (service, reporter) => {
    const confirm: ApplyPorts['confirm'] = async (document, cost) => {
      // Nobody can agree to a plan that is not shown: when stdout carries the document, the plan goes to stderr.
      const output = format === 'text' ? run.stdout : run.stderr;
      if (format === 'text' || !autoApprove)
        await printPlan(run, { document: shownPlan(document, shown), source: loaded, cost }, output);
      else if (cost !== undefined) reporter.emit({ type: 'expected', ...cost });
      return autoApprove === true || isConfirmed(run, `\nApply these changes to ${document.baseUrl}?`);
    };
    const ports = { ...run, store, service, reporter, confirm };
    const request = { ...options, ...reviewed, loaded, targets: options.target, refresh: refreshOf(options) };
    const done = await applyPlan(request, ports);
    if (!wait || done.document === undefined) return done;
    return { ...done, document: await followJobs(done.document, { ...ports, timeout: waitTimeout }) };
  });
  return reportApplied(run, options, session, applied);
}

function needsApproval({ saved, expect, expectChanges }: Reviewed): Error {
  const isReviewed = (saved ?? expect ?? expectChanges) !== undefined;
  return noTerminal(
    'nothing was applied',
    isReviewed
      ? 'Use --auto-approve. It applies only what was reviewed.'
      : 'Use --auto-approve. To apply only what was reviewed, add --expect DIGEST or --expect-changes FILE, or apply a saved plan.',
  );
}
