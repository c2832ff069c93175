// The step that runs Almanac: runs the requested command, and writes the outputs, the job summary and, for a plan, the
// text of the comment on the pull request.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../../model/values/json.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Check } from '../../doctor/doctor-document.ts';
import { readEvent } from '../runner/event.ts';
import { addToSummary, annotate, type Level, type Outputs, setOutputs } from '../runner/files.ts';
import { type Folder, readChoice, readEnvironment, readExpect, readFolder, readOptions } from '../runner/inputs.ts';
import { type Almanac, runInStep } from '../runner/output.ts';
import { maskInLog, type Redact, redactor, secretValues } from '../runner/secrets.ts';
import type { RunningStep } from '../step.ts';
import { applyWorkspace, prepareApply } from './apply.ts';
import { check, validateWorkspace } from './check.ts';
import { checkReadiness } from './doctor.ts';
import { commentWithoutPlan, planWorkspace } from './plan.ts';

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
    addToSummary(step, `## Almanac did not run\n\n${error.message}`);
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
