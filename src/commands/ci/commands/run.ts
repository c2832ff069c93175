// The step that runs Almanac: runs the requested command, and writes the outputs, the job summary and, for a plan, the
// text of the comment on the pull request.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../../model/values/json.ts';
import { countOf } from '../../../model/values/words.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Check, CheckStatus, DoctorDocument } from '../../doctor/doctor-document.ts';
import { code, fence } from '../comments/markdown.ts';
import { type CheckDocument, isBeforeFirstApply, isError, type SubjectName, subjects } from '../issues/issue.ts';
import { addToSummary, annotate, type Level, type Outputs, setOutputs } from '../runner/files.ts';
import {
  type Folder,
  readChoice,
  readEnvironment,
  readEvent,
  readExpect,
  readFolder,
  readOptions,
} from '../runner/inputs.ts';
import { type Almanac, runInStep } from '../runner/output.ts';
import { maskInLog, type Redact, redactor, secretValues } from '../runner/secrets.ts';
import type { RunningStep } from '../step.ts';
import { applyWorkspace, prepareApply } from './apply.ts';
import { commentWithoutPlan, planWorkspace } from './plan.ts';
import { type RunReport, reported, shownReports } from './reports.ts';
import { errorText, failureWords, reportFailure, type Said, workspaceWords } from './summary-words.ts';

/** The commit of the base branch in the planned files; fields are '' if nothing is reviewed, or if unknown. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
  /** Says why nothing is compared with it. */
  readonly unread: string;
}

export interface ActionRun {
  readonly step: RunningStep;
  readonly command: CommandName;
  readonly folder: Folder;
  /** '' if there is none. */
  readonly environment: string;
  readonly almanac: Almanac;
  readonly redact: Redact;
  readonly reports: string;
  readonly detailedExitcode: boolean;
  readonly expect: string;
  readonly prepared: string;
  readonly head: string;
  readonly base: Base;
  readonly rules: Omit<Check, 'name'> | undefined;
  readonly hasFailed: boolean;
  readonly options: readonly string[];
  readonly setOutputs: (outputs: Outputs) => void;
  readonly addToSummary: (markdown: string) => void;
  readonly annotate: (level: Level, message: string) => void;
}

const commandNames = ['plan', 'validate', 'drift', 'apply', 'doctor', 'status'] as const;
type CommandName = (typeof commandNames)[number];

/** Each command resolves to the exit code of the step. */
const carryOut: Readonly<Record<CommandName, (run: ActionRun) => Promise<number>>> = {
  plan: planWorkspace,
  validate: validateWorkspace,
  drift: (run) => check(run, 'drift'),
  apply: applyWorkspace,
  doctor: checkReadiness,
  status: (run) => check(run, 'status'),
};

const unpinned =
  'OMNI_BASE_URL is not set, so the files alone decide where the token goes. Set it from a variable of the repository.';

export async function main(step: RunningStep): Promise<number> {
  try {
    return await run(step);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    annotate(step, 'error', error.message);
    addToSummary(step, `## Almanac did not run\n\n${fence(error.message)}`);
    const { ALMANAC_COMMAND: command = '', ALMANAC_HEAD: head, ALMANAC_BASE_BRANCH: branch } = step.env;
    const planned = { head, branch, commit: step.env['ALMANAC_BASE_COMMIT'] };
    if (['', 'plan'].includes(command)) setOutputs(step, commentWithoutPlan(step, planned, error.message));
    return 1;
  }
}

async function run(step: RunningStep): Promise<number> {
  const { env } = step;
  const command = readChoice('command', env['ALMANAC_COMMAND'], commandNames);
  if (command === 'apply') checkBranch(step);
  const folder = readFolder(step);
  const environment = readEnvironment(step);
  const secrets = secretValues(step);
  maskInLog(step, secrets);
  const redact = redactor(secrets);
  const reports = mkdtempSync(join(env['RUNNER_TEMP'] || tmpdir(), 'almanac-'));
  const always = ['--no-color', ...(environment === '' ? [] : [`--env=${environment}`])];
  const almanac: Almanac = (args, options) =>
    runInStep(step, [...always, ...args], { cwd: folder.path, redact, ...options });
  const isSecond = Boolean(env['ALMANAC_PREPARED']);
  if (['apply', 'drift', 'status'].includes(command) && !isSecond && !env['OMNI_BASE_URL'])
    annotate(step, 'warning', unpinned);
  const carryOutNow = env['ALMANAC_PREPARE'] === 'true' ? prepareApply : carryOut[command];
  return carryOutNow({
    step,
    command,
    folder,
    environment,
    almanac,
    redact,
    reports,
    detailedExitcode: readChoice('detailed-exitcode', env['ALMANAC_DETAILED_EXITCODE'], ['false', 'true']) === 'true',
    expect: readExpect(step),
    prepared: env['ALMANAC_PREPARED'] || '',
    head: env['ALMANAC_HEAD'] || '',
    base: {
      branch: env['ALMANAC_BASE_BRANCH'] || '',
      commit: env['ALMANAC_BASE_COMMIT'] || '',
      unread: env['ALMANAC_BASE_UNREAD'] || '',
    },
    rules: parseJson(env['ALMANAC_RULES'] || '') as ActionRun['rules'],
    hasFailed: env['ALMANAC_JOB_STATUS'] === 'failure' || readEvent(step).workflow_run?.conclusion === 'failure',
    options: readOptions(step),
    setOutputs: (outputs) => setOutputs(step, outputs),
    addToSummary: (markdown) => addToSummary(step, redact(markdown)),
    annotate: (level, message) => annotate(step, level, redact(message)),
  });
}

/** Applying another branch would skip the review that the default branch requires. */
function checkBranch(step: RunningStep): void {
  const applied = readEvent(step).repository?.default_branch;
  if (typeof applied === 'string' && step.env['GITHUB_REF'] !== `refs/heads/${applied}`)
    throw new Failure('usage', `Only the default branch, ${applied}, is applied. Start the workflow on that branch.`);
}

// The commands that only look. `command: validate`: findings in the log, in the summary, and as annotations on the lines of
// the files. `command: drift`: what differs in Omni from what was applied, and what is untracked. `command: status`: which
// deliveries failed, were missed or stopped. Other steps show the same reports where people look for them, such as in an
// issue.

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
async function check(run: ActionRun, command: SubjectName): Promise<number> {
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

async function validateWorkspace(run: ActionRun): Promise<number> {
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

// `command: doctor`: what an apply would lack, as annotations and as a table in the job summary. The step ends with the
// exit code of almanac, so nothing after it runs if a check failed.

/** A check's sign in the summary and the level of its annotation, keyed by its status. */
const looks: Readonly<Record<string, { readonly sign: string; readonly level?: Level }>> = {
  ok: { sign: '✅' },
  warning: { sign: '⚠️', level: 'warning' },
  failed: { sign: '❌', level: 'error' },
  skipped: { sign: '➖' },
};

async function checkReadiness(run: ActionRun): Promise<number> {
  const args = ['doctor', '--format=json', ...run.options];
  const { code: exitCode, stdout, log } = await run.almanac(args, { capture: true });
  run.setOutputs({ exitcode: exitCode });
  const { checks: found, error } = (parseJson(stdout) ?? {}) as Partial<DoctorDocument> & { readonly error?: Said };
  if (!Array.isArray(found)) return reportFailure(run, 'doctor', { exitCode, log, error });
  // Only GitHub knows who may write the branch of the state, and the step before this one asked.
  const checks = (found as readonly Check[]).map((check) =>
    check.name === 'state-branch' ? { name: check.name, ...(run.rules ?? check) } : check,
  );
  for (const check of checks) {
    const level = looks[check.status]?.level;
    if (level !== undefined) run.annotate(level, `${check.name}: ${errorText(check)}`);
  }
  run.addToSummary(table(checks, run));
  return exitCode;
}

function table(checks: readonly Check[], run: ActionRun): string {
  const rows = checks.map(({ name, status, message, hint }) => {
    const words = [message, ...(hint === undefined ? [] : [hint])].map((text) => code(String(text))).join('<br>');
    return `| ${looks[status]?.sign ?? code(String(status))} | ${code(String(name))} | ${words} |`;
  });
  return [
    `## Almanac doctor: ${ending(checks)}`,
    '',
    `${workspaceWords(run)}| | check | |`,
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function ending(checks: readonly Check[]): string {
  const count = (wanted: CheckStatus) => checks.filter(({ status }) => status === wanted).length;
  const [failed, warnings] = [count('failed'), count('warning')];
  const words = [
    ...(failed === 0 ? [] : [`${countOf(failed, 'check')} failed`]),
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ];
  return words.length === 0 ? 'everything is in place for an apply' : words.join(', ');
}
