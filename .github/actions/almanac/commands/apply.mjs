// `command: apply`: shows the plan in the log and in the outputs, then applies it. The job summary comes from the
// document that the apply prints. With `expect: reviewed` the plan is made first, by itself: another step then reads on
// GitHub what was reviewed.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, folded } from '../comments/markdown.mjs';
import { notReviewedWords } from '../reviews/words.mjs';
import { openGit } from '../runner/git.mjs';
import { Refusal } from '../runner/inputs.mjs';
import { parsed } from '../runner/json.mjs';
import { placeOf } from './place.mjs';
import { planned, planSummary, reportsIn } from './reports.mjs';
import { errorText, reportFailure, workspaceWords } from './summary-words.mjs';

/** The options that shape a plan; all others are only for the apply. */
const shaping = /^--(?:target|replace|allow-empty|refresh|refresh-only)(?:=|$)/;
const mostRows = 500;

export async function applyWorkspace(run) {
  const plan = run.expect === 'reviewed' ? readPrepared(run) : await makePlan(run);
  if (plan.failed) return 1;
  // Another apply may have done it already: two merges in quick succession are applied together.
  if (!isPending(plan)) {
    run.setOutputs({ changes: false, exitcode: 0 });
    run.addToSummary(nothingToDo(run));
    return 0;
  }
  return carryOut(run, plan);
}

/** The first of two steps: the plan, in the folder of the reports. */
export async function prepareApply(run) {
  const plan = await makePlan(run);
  if (plan.failed) return 1;
  run.setOutputs({ pending: isPending(plan), prepared: run.reports });
  return 0;
}

const isPending = ({ document }) => document.changes.length > 0;

function nothingToDo(run) {
  return `## Almanac apply: nothing to do\n\n${workspaceWords(run)}The declarations match the state.`;
}

function readPrepared(run) {
  if (run.prepared === '') throw new Refusal('There is no plan to compare with what was reviewed.');
  const paths = reportsIn(run.prepared, 'plan');
  return { failed: false, document: JSON.parse(readFileSync(paths.json, 'utf8')), paths };
}

async function makePlan(run) {
  await checkPlace(run);
  const args = run.options.filter((option) => shaping.test(option));
  const plan = await planned(run, args);
  if (plan.failed) {
    run.setOutputs({ changes: false, exitcode: plan.exitCode });
    reportFailure(run, 'plan', plan);
  }
  return plan;
}

/** A shared place keeps the state by itself. */
async function checkPlace(run) {
  const { file } = await placeOf(run.folder.checkout, run);
  if (file === undefined) return;
  const wayOut = 'Keep the state in a branch: `state: { backend: git }` in almanac.yaml.';
  if (run.expect === 'reviewed' && isTracked(run, file))
    throw new Refusal(
      `The state is ${file}, a file that any pull request can edit and so hide changes from its plan: with \`reviewed\`, nothing is applied. ${wayOut}`,
    );
  run.annotate(
    'warning',
    `The state is ${file}, and is lost when the job ends unless a later step keeps it. ${wayOut}`,
  );
}

function isTracked({ step, folder }, file) {
  return (
    openGit(step, folder.checkout).tryGit(['ls-files', '--error-unmatch', '--', `:(literal)${file}`]) !== undefined
  );
}

async function carryOut(run, plan) {
  const args = ['apply', '--auto-approve', '--format=json', ...expectation(run), ...run.options];
  const { code: exitCode, stdout, log } = await run.almanac(args, { capture: true });
  const document = parsed(stdout);
  const changes = document?.results?.some(({ status }) => status === 'applied') ?? false;
  run.setOutputs({ exitcode: exitCode, changes });
  const shown = `\n\n${folded('The plan', planSummary(plan, run))}`;
  if (run.expect === 'reviewed' && document?.error?.code === 'not-reviewed') {
    const reviews = JSON.parse(readFileSync(join(run.prepared, 'reviews.json'), 'utf8'));
    const words = notReviewedWords({ error: document.error, ...reviews, digest: plan.document.digest });
    run.annotate('error', words.text);
    run.addToSummary(`${words.markdown}${shown}`);
    return exitCode || 1;
  }
  if (document?.results === undefined) return reportFailure(run, 'apply', { exitCode, log, error: document?.error });
  run.addToSummary(document.results.length === 0 ? nothingToDo(run) : `${outcome(document, run)}${shown}`);
  const { applied = 0, failed = 0, skipped = 0, unknown = 0 } = document.summary ?? {};
  if (applied > 0) run.step.say(`Applied ${applied} ${applied === 1 ? 'change' : 'changes'}.\n`);
  if (exitCode !== 0)
    run.annotate('error', `Not everything was applied: ${failed} failed, ${skipped} skipped, ${unknown} unknown.`);
  return exitCode;
}

function expectation(run) {
  if (run.expect !== 'reviewed') return run.expect === '' ? [] : [`--expect=${run.expect}`];
  const list = join(run.prepared, 'reviewed.txt');
  if (!existsSync(list)) throw new Refusal('What was reviewed is not known, so nothing is applied.');
  return [`--expect-changes=${list}`];
}

function outcome({ results, summary, digest }, run) {
  const counts = Object.entries(summary).filter(([, count]) => count > 0);
  const rows = results.slice(0, mostRows).map(({ address, action, status, error }) => {
    const words = error === undefined ? '' : code(errorText(error));
    return `| ${code(String(status))} | ${code(String(action))} | ${code(String(address))} | ${words} |`;
  });
  return [
    `## Almanac apply: ${counts.map(([status, count]) => `${count} ${status}`).join(', ')}`,
    '',
    `${workspaceWords(run)}Digest ${code(String(digest))}.`,
    '',
    '| | action | resource | |',
    '|---|---|---|---|',
    ...rows,
    ...(results.length > mostRows ? ['', `… and ${results.length - mostRows} more.`] : []),
  ].join('\n');
}
