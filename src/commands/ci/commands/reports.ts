// Runs almanac with one report for each format, and shows the reports. The files are in the folder of this run; the
// outputs and the summary of the action show them.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanDocument } from '../../../model/plan/plan.ts';
import { fence, folded } from '../comments/markdown.ts';
import { isDigest } from '../runner/inputs.ts';
import { redactedJson } from '../runner/secrets.ts';
import type { ActionRun } from './run.ts';
import { type Workspace, workspaceWords } from './summary-words.ts';

export interface ReportPaths {
  readonly text: string;
  readonly markdown: string;
  readonly json: string;
}

export function reportsIn(folder: string, command: string): ReportPaths {
  return {
    text: join(folder, `${command}.txt`),
    markdown: join(folder, `${command}.md`),
    json: join(folder, `${command}.document.json`),
  };
}

export interface FailedRun {
  readonly failed: true;
  readonly exitCode: number;
  readonly log: string;
  /** The dangers that a refused plan shows first, as Markdown and as its document. */
  readonly markdown?: string;
  readonly document?: { readonly dangers?: PlanDocument['dangers'] };
}

export interface RunReport<T> {
  readonly failed: false;
  readonly exitCode: number;
  readonly log: string;
  readonly paths: ReportPaths;
  readonly document: T;
}

export type PlanReport = Pick<RunReport<ShownPlanDocument>, 'document' | 'paths'>;

/** The parts of a plan document that are read here: a test's program may write less. */
export type ShownPlanDocument = Pick<PlanDocument, 'digest' | 'changes' | 'baseUrl' | 'state'> & Partial<PlanDocument>;

/**
 * `failed` means that almanac failed or left a report out; otherwise `document` is the content of the JSON report.
 * `isExpected` judges the report of an almanac that ended with 1, which may not be a failure.
 */
export async function reported<T>(
  run: ActionRun,
  [command, ...own]: readonly [string, ...string[]],
  options: readonly string[],
  isExpected?: (document: T) => boolean,
): Promise<RunReport<T> | FailedRun> {
  const paths = reportsIn(run.reports, command);
  const reports = Object.entries(paths).map(([format, path]) => `--report=${format}=${path}`);
  const { code: exitCode, log } = await run.almanac([command, ...own, ...reports, ...options]);
  const isWritten = Object.values(paths).every((path) => existsSync(path));
  const failed: FailedRun = { failed: true, exitCode: exitCode || 1, log };
  if (exitCode === 1 && isExpected === undefined && isWritten) {
    const [markdown, json] = [paths.markdown, paths.json].map((path) => readFileSync(path, 'utf8')) as [string, string];
    return { ...failed, markdown: `${run.redact(markdown)}\n`, document: JSON.parse(redactedJson(json, run.redact)) };
  }
  const mayBeDone = exitCode === 0 || exitCode === 2 || exitCode === 1;
  if (!mayBeDone || !isWritten) return failed;
  const document = JSON.parse(readFileSync(paths.json, 'utf8')) as T;
  // Masks secrets in the reports too, because they are uploaded or shown. The document itself is for programs.
  for (const path of Object.values(paths)) {
    const report = readFileSync(path, 'utf8');
    writeFileSync(path, path === paths.json ? redactedJson(report, run.redact) : run.redact(report));
  }
  if (exitCode === 1 && !isExpected?.(document)) return failed;
  run.setOutputs({ 'markdown-plan-path': paths.markdown, 'json-plan-path': paths.json });
  return { failed: false, exitCode, log, paths, document };
}

/** The Markdown report, followed by the text report in a fold. */
export function shownReports({ paths }: { readonly paths: ReportPaths }, title: string, run: Workspace): string {
  const text = folded(title, fence(readFileSync(paths.text, 'utf8')));
  return `${workspaceWords(run)}${readFileSync(paths.markdown, 'utf8')}\n${text}`;
}

/** Makes the plan, and writes its reports and the saved plan, whose path it returns. */
export async function planned(
  run: ActionRun,
  options: readonly string[],
): Promise<(RunReport<ShownPlanDocument> & { readonly saved: string }) | FailedRun> {
  const saved = join(run.reports, 'plan.json');
  // Readers of the log must see the applied changes, and not only that they can be requested.
  const plan = await reported<ShownPlanDocument>(
    run,
    ['plan', '--verbose', `--out=${saved}`],
    ['--detailed-exitcode', ...options],
  );
  if (plan.failed) return plan;
  // Outputs for programs are only digests and paths.
  const digest = String(plan.document.digest);
  run.setOutputs({ digest: isDigest(digest) ? digest : '', 'saved-plan-path': saved });
  return { ...plan, saved };
}

export function planSummary(plan: PlanReport, run: Workspace): string {
  return shownReports(plan, 'The full plan as text', run);
}
