// The step that runs Almanac: runs the requested command, and writes the outputs, the job summary and, for a plan, the
// text of the comment on the pull request.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyWorkspace, prepareApply } from './commands/apply.mjs';
import { check } from './commands/check.mjs';
import { checkReadiness } from './commands/doctor.mjs';
import { planWorkspace } from './commands/plan.mjs';
import { validateWorkspace } from './commands/validate.mjs';
import { readEvent } from './runner/event.mjs';
import { addToSummary, annotate, setOutputs } from './runner/files.mjs';
import { Refusal, readChoice, readEnvironment, readExpect, readFolder, readOptions } from './runner/inputs.mjs';
import { parsed } from './runner/json.mjs';
import { runInStep } from './runner/program.mjs';
import { maskInLog, redactor, secretValues } from './runner/secrets.mjs';

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

// An apply must finish even if nobody reads the log any more.
process.stdout.on('error', () => {});

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  annotate('error', error.message);
  addToSummary(`## Almanac did not run\n\n${error.message}`);
  process.exitCode = 1;
}

async function main() {
  const command = readChoice('command', process.env.ALMANAC_COMMAND, Object.keys(carryOut));
  if (command === 'apply') checkBranch();
  const folder = readFolder();
  const environment = readEnvironment();
  const secrets = secretValues();
  maskInLog(secrets);
  const redact = redactor(secrets);
  const reports = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-'));
  const always = ['--no-color', ...(environment === '' ? [] : [`--env=${environment}`])];
  const almanac = (args, options) => runInStep([...always, ...args], { cwd: folder.path, redact, ...options });
  const isSecond = Boolean(process.env.ALMANAC_PREPARED);
  if (['apply', 'drift', 'status'].includes(command) && !isSecond && !process.env.OMNI_BASE_URL)
    annotate('warning', unpinned);
  const carryOutNow = process.env.ALMANAC_PREPARE === 'true' ? prepareApply : carryOut[command];
  return carryOutNow({
    command,
    folder,
    environment,
    almanac,
    redact,
    reports,
    detailedExitcode:
      readChoice('detailed-exitcode', process.env.ALMANAC_DETAILED_EXITCODE, ['false', 'true']) === 'true',
    expect: readExpect(),
    prepared: process.env.ALMANAC_PREPARED || '',
    head: process.env.ALMANAC_HEAD || '',
    base: {
      branch: process.env.ALMANAC_BASE_BRANCH || '',
      folder: process.env.ALMANAC_BASE_FOLDER || '',
      failed: process.env.ALMANAC_BASE_UNREAD === 'true',
    },
    rules: parsed(process.env.ALMANAC_RULES || ''),
    options: readOptions(),
    setOutputs,
    addToSummary: (markdown) => addToSummary(redact(markdown)),
    annotate: (level, message) => annotate(level, redact(message)),
  });
}

/** To apply another branch would skip the review that the default branch asks for. */
function checkBranch() {
  const applied = readEvent().repository?.default_branch;
  if (typeof applied === 'string' && process.env.GITHUB_REF !== `refs/heads/${applied}`)
    throw new Refusal(`Only the default branch, ${applied}, is applied. Start the workflow on that branch.`);
}
