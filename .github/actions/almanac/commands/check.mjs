// `command: drift`: what differs in Omni from what was applied, and what is untracked. `command: status`: which deliveries
// failed, were missed or stopped. Other steps show the same reports where people look for them, such as in an issue.

import { reported, shownReports } from './reports.mjs';
import { countOf, failureWords, workspaceWords } from './summary-words.mjs';

/** What each looks for, and how the log says what was found. */
const checks = {
  drift: {
    args: ['--deep', '--untracked'],
    failing: ({ drift = [] }) => drift.length,
    words: (count) => `Drift: ${countOf(count, 'resource')}.`,
  },
  status: {
    args: [],
    failing: ({ summary: { failed = 0, missed = 0, stopped = 0 } = {} }) => failed + missed + stopped,
    words: (count) => `Failed, missed or stopped: ${countOf(count, 'schedule')}.`,
  },
};

/** The step fails for what was found only if detailed-exitcode is set. */
export async function check(run) {
  const { command } = run;
  const { args, failing, words } = checks[command];
  const files = { text: `${command}.txt`, markdown: `${command}.md`, json: `${command}.json` };
  const found = await reported(run, files, (reports) => [command, ...args, ...reports, ...run.options]);
  run.setOutputs({ exitcode: found.exitCode });
  if (found.failed) {
    run.addToSummary(failureWords(command, found, run));
    return 1;
  }
  const { document, exitCode } = found;
  const count = failing(document);
  run.setOutputs({ changes: count > 0 });
  run.addToSummary(`${workspaceWords(run)}${shownReports(found, 'The same as text')}`);
  if (count > 0) run.annotate('warning', words(count));
  const untracked = document.untracked?.length ?? 0;
  if (untracked > 0) run.annotate('notice', `Untracked: ${countOf(untracked, 'schedule')} in Omni.`);
  return run.detailedExitcode ? exitCode : 0;
}
