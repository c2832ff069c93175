// The commands that only look. `command: validate`: findings in the log, in the summary, and as annotations on the lines of
// the files. `command: drift`: what differs in Omni from what was applied, and what is untracked. `command: status`: which
// deliveries failed, were missed or stopped. Other steps show the same reports where people look for them, such as in an
// issue.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf } from '../../../model/values/words.ts';
import { fence } from '../comments/markdown.ts';
import { type CheckDocument, isBeforeFirstApply, isError, type SubjectName, subjects } from '../issues/issue.ts';
import { type RunReport, reported, shownReports } from './reports.ts';
import type { ActionRun } from './run.ts';
import { failureWords, reportFailure, workspaceWords } from './summary-words.ts';

/** The findings for which a step may fail, as the log words them. */
const checks: Readonly<Record<SubjectName, (document: CheckDocument) => readonly string[]>> = {
  drift: ({ drift = [], diagnostics = [] }) => [
    ...counted(drift.length, 'Drift', 'resource'),
    ...counted(diagnostics.filter(isError).length, 'About who receives something', 'error'),
  ],
  status: ({ summary: { failed = 0, missed = 0, stopped = 0 } = {}, gone = [], notReadBack = [] }) => [
    ...counted(notReadBack.length, 'Not read back as sent', 'report'),
    ...counted(failed + missed + stopped, 'Failed, missed or stopped', 'schedule'),
    ...counted(gone.length, 'Gone from Omni, or not seen by this token', 'schedule'),
  ],
};

function counted(count: number, what: string, one: string): readonly string[] {
  return count === 0 ? [] : [`${what}: ${countOf(count, one)}.`];
}

/** Findings fail the step only if detailed-exitcode is set. */
export async function check(run: ActionRun, command: SubjectName): Promise<number> {
  const found = await reported<CheckDocument>(
    run,
    [command, ...subjects[command].options],
    run.options,
    isBeforeFirstApply,
  );
  run.setOutputs({ exitcode: found.exitCode });
  if (found.failed) return reportFailure(run, command, found);
  if (found.exitCode === 1) return sayNothingApplied(run, found);
  const failing = checks[command](found.document);
  // With a personal token, missing resources are not findings, and status exits with 0.
  run.setOutputs({ changes: failing.length > 0 && found.exitCode !== 0 });
  run.addToSummary(shownReports(found, 'The same as text', run));
  for (const words of failing) run.annotate('warning', words);
  const untracked = found.document.untracked?.length ?? 0;
  if (untracked > 0) run.annotate('notice', `Untracked: ${countOf(untracked, 'schedule')} in Omni.`);
  return run.detailedExitcode ? found.exitCode : 0;
}

/** Before the first apply there is nothing to look at, and nobody to wake up. */
function sayNothingApplied(run: ActionRun, found: RunReport<CheckDocument>): number {
  run.setOutputs({ changes: false });
  run.addToSummary(shownReports(found, 'The same as text', run));
  run.annotate('notice', 'Nothing was compared, because this workspace has no state yet. The first apply creates it.');
  return 0;
}

/** Every prefix of an annotation; a report contains no other workflow command. */
const annotation = /^::(?:error|warning|notice) /;

export async function validateWorkspace(run: ActionRun): Promise<number> {
  const report = join(run.reports, 'annotations.txt');
  const checked = await run.almanac(['validate', `--report=github=${report}`, ...run.options]);
  run.setOutputs({ exitcode: checked.code });
  if (existsSync(report)) {
    const lines = run.redact(readFileSync(report, 'utf8')).split('\n');
    for (const line of lines) if (annotation.test(line)) run.step.say(`${line}\n`);
  }
  run.addToSummary(
    checked.code === 0
      ? `## Almanac: the declarations are valid\n\n${workspaceWords(run)}${fence(checked.log)}`
      : failureWords('validate', { exitCode: checked.code, log: checked.log }, run),
  );
  return checked.code;
}
