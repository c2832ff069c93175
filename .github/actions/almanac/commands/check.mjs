// `command: drift`: what differs in Omni from what was applied, and what is untracked. `command: status`: which deliveries
// failed, were missed or stopped. Other steps show the same reports where people look for them, such as in an issue.

import { subjects } from '../issues/issue.mjs';
import { reported, shownReports } from './reports.mjs';
import { countOf, reportFailure } from './summary-words.mjs';

/** What each found that a step may fail for, and how the log says it. */
const checks = {
  drift: {
    failing: ({ drift = [] }) => drift.length,
    words: (count) => `Drift: ${countOf(count, 'resource')}.`,
  },
  status: {
    failing: ({ summary: { failed = 0, missed = 0, stopped = 0 } = {} }) => failed + missed + stopped,
    words: (count) => `Failed, missed or stopped: ${countOf(count, 'schedule')}.`,
  },
};

/** The step fails for what was found only if detailed-exitcode is set. */
export async function check(run) {
  const { command } = run;
  const { failing, words } = checks[command];
  const found = await reported(run, [command, ...subjects[command].options], run.options);
  run.setOutputs({ exitcode: found.exitCode });
  if (found.failed) return reportFailure(run, command, found);
  const count = failing(found.document);
  run.setOutputs({ changes: count > 0 });
  run.addToSummary(shownReports(found, 'The same as text', run));
  if (count > 0) run.annotate('warning', words(count));
  const untracked = found.document.untracked?.length ?? 0;
  if (untracked > 0) run.annotate('notice', `Untracked: ${countOf(untracked, 'schedule')} in Omni.`);
  return run.detailedExitcode ? found.exitCode : 0;
}
