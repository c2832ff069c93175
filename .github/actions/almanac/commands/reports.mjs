// Runs almanac with one report for each format, in the folder of the reports of this run, and shows them in the outputs and
// the summary of the action.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fence, folded } from '../comments/markdown.mjs';
import { isDigest } from '../runner/inputs.mjs';
import { redactedJson } from '../runner/secrets.mjs';
import { workspaceWords } from './summary-words.mjs';

/** The paths of the reports of a command in a folder, by format. */
export function reportsIn(folder, command) {
  return {
    text: join(folder, `${command}.txt`),
    markdown: join(folder, `${command}.md`),
    json: join(folder, `${command}.document.json`),
  };
}

/**
 * `failed` says that almanac failed or left a report out; else `document` is what the JSON report holds. `isExpected` judges
 * that of an almanac that ended with 1, where that may be no failure.
 */
export async function reported(run, [command, ...own], options, isExpected) {
  const paths = reportsIn(run.reports, command);
  const reports = Object.entries(paths).map(([format, path]) => `--report=${format}=${path}`);
  const { code: exitCode, log } = await run.almanac([command, ...own, ...reports, ...options]);
  const failed = { failed: true, exitCode: exitCode || 1, log };
  const mayBeDone = exitCode === 0 || exitCode === 2 || (exitCode === 1 && isExpected !== undefined);
  if (!mayBeDone || Object.values(paths).some((path) => !existsSync(path))) return failed;
  const document = JSON.parse(readFileSync(paths.json, 'utf8'));
  // Masks secrets in the reports too, because they are uploaded or shown. The document itself is for programs.
  for (const path of Object.values(paths)) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, path === paths.json ? redactedJson(text, run.redact) : run.redact(text));
  }
  if (exitCode === 1 && !isExpected(document)) return failed;
  run.setOutputs({ 'text-plan-path': paths.text, 'markdown-plan-path': paths.markdown, 'json-plan-path': paths.json });
  return { failed: false, exitCode, log, paths, document };
}

/** The report as Markdown, and folded the same as text. */
export function shownReports({ paths }, title, run) {
  const text = folded(title, fence(readFileSync(paths.text, 'utf8')));
  return `${workspaceWords(run)}${readFileSync(paths.markdown, 'utf8')}\n${text}`;
}

/** Plans, and writes the reports and the saved plan. */
export async function planned(run, options) {
  const saved = join(run.reports, 'plan.json');
  // Whoever reads the log must see what is applied, and not only that it can be asked for.
  const plan = await reported(run, ['plan', '--verbose', `--out=${saved}`], ['--detailed-exitcode', ...options]);
  if (!plan.failed) {
    // Outputs for programs are only digests and paths.
    const digest = String(plan.document.digest);
    run.setOutputs({ digest: isDigest(digest) ? digest : '', 'saved-plan-path': saved });
  }
  return plan;
}

export function planSummary(plan, run) {
  return shownReports(plan, 'The full plan as text', run);
}

// What one step of an apply leaves to the next, beside the plan.

/**
 * Where the workspace is and what it reads, and what is planned: `{ …place, planned: { changes, state } }`. Nothing of it is
 * masked: what was reviewed is found by addresses.
 */
export const writePlace = (prepared, place) => writeFileSync(join(prepared, 'place.json'), JSON.stringify(place));
export const readPlace = (prepared) => JSON.parse(readFileSync(join(prepared, 'place.json'), 'utf8'));

/** What was reviewed: a list for almanac, and for people why the rest is not in it. */
export function writeReviews(prepared, { digests, ...why }) {
  writeFileSync(join(prepared, 'reviews.json'), JSON.stringify(why));
  writeFileSync(reviewedList(prepared), digests.map((digest) => `${digest}\n`).join(''));
}

export const readReviews = (prepared) => JSON.parse(readFileSync(join(prepared, 'reviews.json'), 'utf8'));
export const reviewedList = (prepared) => join(prepared, 'reviewed.txt');
