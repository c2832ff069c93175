// Runs `almanac plan` with reports, and shows them in the outputs and the summary of the action.

import { isDigest } from '../runner/inputs.mjs';
import { reported, reportsIn, shownReports } from './reports.mjs';
import { workspaceWords } from './summary-words.mjs';

const files = { text: 'plan.txt', markdown: 'plan.md', json: 'plan.document.json' };

/** The paths of the reports of a plan in a folder, by format. */
export function planReportsIn(folder) {
  return reportsIn(folder, files);
}

/** Plans, and writes the reports and the saved plan. */
export async function planned(run, args) {
  const saved = run.reportFile('plan.json');
  const plan = await reported(run, files, (reports) => [
    'plan',
    // Whoever reads the log must see what is applied, and not only that it can be asked for.
    '--verbose',
    `--out=${saved}`,
    ...reports,
    '--detailed-exitcode',
    ...args,
  ]);
  if (!plan.failed) {
    // Outputs for programs are only digests and paths.
    const digest = String(plan.document.digest);
    run.setOutputs({ digest: isDigest(digest) ? digest : '', 'saved-plan-path': saved });
  }
  return plan;
}

export function planSummary(plan, run) {
  return `${workspaceWords(run)}${shownReports(plan, 'The full plan as text')}`;
}
