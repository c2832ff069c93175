// `command: drift`: what differs in Omni from what was applied, and what is untracked. Other steps show the same
// reports where people look for them, such as in an issue.

import { reported, shownReports } from './reports.mjs';
import { countOf, failureWords, workspaceWords } from './summary-words.mjs';

const files = { text: 'drift.txt', markdown: 'drift.md', json: 'drift.json' };

export async function driftWorkspace(run) {
  const deep = run.deep ? ['--deep'] : [];
  const found = await reported(run, files, (reports) => ['drift', ...deep, '--untracked', ...reports, ...run.options]);
  const { exitCode } = found;
  run.setOutputs({ exitcode: exitCode });
  if (found.failed) {
    run.addToSummary(failureWords('drift', found, run));
    return 1;
  }
  const { drift = [], untracked = [] } = found.document;
  run.setOutputs({ changes: drift.length > 0, untracked: untracked.length });
  run.addToSummary(`${workspaceWords(run)}${shownReports(found, 'The same as text')}`);
  if (drift.length > 0) run.annotate('warning', `Drift: ${countOf(drift.length, 'resource')}.`);
  if (untracked.length > 0) run.annotate('notice', `Untracked: ${countOf(untracked.length, 'schedule')} in Omni.`);
  return run.detailedExitcode ? exitCode : 0;
}
