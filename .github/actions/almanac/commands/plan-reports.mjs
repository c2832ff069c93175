// Runs `almanac plan` with reports, and shows them in the outputs and the summary of the action.

import { isDigest } from '../runner/inputs.mjs';
import { reported, reportsIn, shownReports } from './reports.mjs';
import { workspaceWords } from './summary-words.mjs';

const files = { text: 'plan.txt', markdown: 'plan.md', json: 'plan.document.json' };
const counted = ['create', 'update', 'replace', 'delete'];

/** The paths of the reports of a plan in a folder, by format. */
export function planReportsIn(folder) {
  return reportsIn(folder, files);
}

/** Plans and writes the reports. `saved` is the path of the saved plan. */
export async function planned(run, { args, saved }) {
  const plan = await reported(run, files, (reports) => [
    'plan',
    // Whoever reads the log must see what is applied, and not only that it can be asked for.
    '--verbose',
    `--out=${saved}`,
    ...reports,
    '--detailed-exitcode',
    ...args,
  ]);
  if (!plan.failed) run.setOutputs({ ...outputsOf(plan.document), 'saved-plan-path': saved });
  return plan;
}

/** Outputs for programs are only numbers and digests. */
export function outputsOf({ summary, digest }) {
  const counts = counted.map((name) => [name, Number.isSafeInteger(summary?.[name]) ? summary[name] : 0]);
  return { ...Object.fromEntries(counts), digest: isDigest(String(digest)) ? digest : '' };
}

export function planSummary(plan, run) {
  return `${workspaceWords(run)}${shownReports(plan, 'The full plan as text')}`;
}
