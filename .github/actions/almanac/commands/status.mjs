// `command: status`: which deliveries failed, were missed or stopped. The step fails only if detailed-exitcode is set.

import { reported, shownReports } from './reports.mjs';
import { countOf, failureWords, workspaceWords } from './summary-words.mjs';

const files = { text: 'status.txt', markdown: 'status.md', json: 'status.json' };

export async function checkDeliveries(run) {
  const found = await reported(run, files, (reports) => ['status', ...reports, ...run.options]);
  const { exitCode } = found;
  run.setOutputs({ exitcode: exitCode });
  if (found.failed) {
    run.addToSummary(failureWords('status', found, run));
    return 1;
  }
  const { failed = 0, missed = 0, stopped = 0 } = found.document.summary ?? {};
  const failing = failed + missed + stopped;
  run.setOutputs({ changes: failing > 0 });
  run.addToSummary(`${workspaceWords(run)}${shownReports(found, 'The same as text')}`);
  if (failing > 0) run.annotate('warning', `Failed, missed or stopped: ${countOf(failing, 'schedule')}.`);
  return run.detailedExitcode ? exitCode : 0;
}
