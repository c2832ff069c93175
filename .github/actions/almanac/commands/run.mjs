// The step that runs Almanac: runs the requested command, and writes the outputs, the job summary and, for a plan, the
// text of the comment on the pull request.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvent } from '../runner/event.mjs';
import { addToSummary, annotate, setOutputs } from '../runner/files.mjs';
import { Refusal, readChoice, readEnvironment, readExpect, readFolder, readOptions } from '../runner/inputs.mjs';
import { parsed } from '../runner/json.mjs';
import { runInStep } from '../runner/program.mjs';
import { maskInLog, redactor, secretValues } from '../runner/secrets.mjs';
import { applyWorkspace, prepareApply } from './apply.mjs';
import { check } from './check.mjs';
import { checkReadiness } from './doctor.mjs';
import { commentWithoutPlan, planWorkspace } from './plan.mjs';
import { validateWorkspace } from './validate.mjs';

/** Each command resolves to the exit code of the step. The first is the default. */
const carryOut = {
  plan: planWorkspace,
  validate: validateWorkspace,
  drift: check,
  apply: applyWorkspace,
  doctor: checkReadiness,
  status: check,
};

const unpinned =
  'OMNI_BASE_URL is not set, so the files alone decide where the token goes. Set it from a variable of the repository.';

export async function main(step) {
  try {
    return await run(step);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    annotate(step, 'error', error.message);
    addToSummary(step, `## Almanac did not run\n\n${error.message}`);
    const { ALMANAC_COMMAND: command = '', ALMANAC_HEAD: head, ALMANAC_BASE_BRANCH: branch } = step.env;
    const planned = { head, branch, commit: step.env.ALMANAC_BASE_COMMIT };
    if (['', 'plan'].includes(command)) setOutputs(step, commentWithoutPlan(step, planned, error.message));
    return 1;
  }
}

async function run(step) {
  const { env } = step;
  const command = readChoice('command', env.ALMANAC_COMMAND, Object.keys(carryOut));
  if (command === 'apply') checkBranch(step);
  const folder = readFolder(step);
  const environment = readEnvironment(step);
  const secrets = secretValues(step);
  maskInLog(step, secrets);
  const redact = redactor(secrets);
  const reports = mkdtempSync(join(env.RUNNER_TEMP || tmpdir(), 'almanac-'));
  const always = ['--no-color', ...(environment === '' ? [] : [`--env=${environment}`])];
  const almanac = (args, options) => runInStep(step, [...always, ...args], { cwd: folder.path, redact, ...options });
  const isSecond = Boolean(env.ALMANAC_PREPARED);
  if (['apply', 'drift', 'status'].includes(command) && !isSecond && !env.OMNI_BASE_URL)
    annotate(step, 'warning', unpinned);
  const carryOutNow = env.ALMANAC_PREPARE === 'true' ? prepareApply : carryOut[command];
  return carryOutNow({
    step,
    command,
    folder,
    environment,
    almanac,
    redact,
    reports,
    detailedExitcode: readChoice('detailed-exitcode', env.ALMANAC_DETAILED_EXITCODE, ['false', 'true']) === 'true',
    expect: readExpect(step),
    prepared: env.ALMANAC_PREPARED || '',
    head: env.ALMANAC_HEAD || '',
    base: {
      branch: env.ALMANAC_BASE_BRANCH || '',
      commit: env.ALMANAC_BASE_COMMIT || '',
      folder: env.ALMANAC_BASE_FOLDER || '',
      unread: env.ALMANAC_BASE_UNREAD || '',
    },
    rules: parsed(env.ALMANAC_RULES || ''),
    hasFailed: env.ALMANAC_JOB_STATUS === 'failure' || readEvent(step).workflow_run?.conclusion === 'failure',
    options: readOptions(step),
    setOutputs: (outputs) => setOutputs(step, outputs),
    addToSummary: (markdown) => addToSummary(step, redact(markdown)),
    annotate: (level, message) => annotate(step, level, redact(message)),
  });
}

/** To apply another branch would skip the review that the default branch asks for. */
function checkBranch(step) {
  const applied = readEvent(step).repository?.default_branch;
  if (typeof applied === 'string' && step.env.GITHUB_REF !== `refs/heads/${applied}`)
    throw new Refusal(`Only the default branch, ${applied}, is applied. Start the workflow on that branch.`);
}
