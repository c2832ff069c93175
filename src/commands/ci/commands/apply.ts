// `command: apply`: shows the plan in the log and in the outputs, then applies it. The job summary comes from the
// document that the apply prints. With `expect: reviewed` the plan is made first, by itself: another step then reads on
// GitHub what was reviewed.

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ApplyDocument } from '../../../model/plan/apply-outcome.ts';
import type { SavedPlan } from '../../../model/plan/plan.ts';
import { allowancesOf } from '../../../model/values/allowances.ts';
import { parseJson } from '../../../model/values/json.ts';
import { configPathsFrom } from '../../../model/workspace/config.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { usualFile } from '../../../model/workspace/state-place.ts';
import { code, folded } from '../comments/markdown.ts';
import { openHistory } from '../reviews/history.ts';
import { notReviewedWords } from '../reviews/words.ts';
import { openGit } from '../runner/git.ts';
import { type PlanReport, planned, planSummary, reportsIn, type ShownPlanDocument } from './reports.ts';
import type { ActionRun } from './run.ts';
import {
  errorText,
  readPlace,
  readReviews,
  reportFailure,
  reviewedList,
  type Said,
  workspaceWords,
  writePlace,
  writeReviews,
} from './summary-words.ts';

/** The options that shape a plan; all others are only for the apply. */
const shaping = /^--(?:target|replace|refresh|refresh-only)(?:=|$)/;
const maxRows = 500;

export async function applyWorkspace(run: ActionRun): Promise<number> {
  const plan = run.expect === 'reviewed' ? readPrepared(run) : await makePlan(run);
  if (plan.failed) return 1;
  // Another apply may have done it already: two merges in quick succession are applied together.
  if (!isPending(plan) && !outlivesReviews(run, plan)) {
    run.setOutputs({ changes: false, exitcode: 0 });
    run.addToSummary(nothingToDo(run));
    return 0;
  }
  return carryOut(run, plan);
}

export async function prepareApply(run: ActionRun): Promise<number> {
  const plan = await makePlan(run);
  if (plan.failed) return 1;
  if (!isPending(plan)) writeReviews(run.reports, { digests: [], open: [], gaps: [] });
  run.setOutputs({ pending: isPending(plan), prepared: run.reports });
  return 0;
}

/**
 * True if something that touches the workspace was merged since the commit of the state. Those reviews are either
 * applied or taken back, and an apply with nothing to do ends them, because it moves that commit.
 */
function outlivesReviews({ expect, prepared, step }: ActionRun, { document: { state } }: PlanReport): boolean {
  if (expect !== 'reviewed' || state?.lineage == null) return false;
  try {
    return openHistory(step, { since: state.commit, ...readPlace(prepared) }).touching.length > 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    step.say(`Reviews of what is applied are kept, because the history could not be read. ${error.message}\n`);
    return false;
  }
}

function shapingPart(option: string): readonly string[] {
  const [, list] = /^--allow=(.*)$/.exec(option) ?? [];
  if (list === undefined) return shaping.test(option) ? [option] : [];
  const ofPlan: readonly string[] = allowancesOf('plan');
  const names = list.split(',').filter((name) => ofPlan.includes(name.trim()));
  return names.length === 0 ? [] : [`--allow=${names.join(',')}`];
}

const isPending = ({ document }: PlanReport): boolean => document.changes.length > 0;

function nothingToDo(run: ActionRun): string {
  return `## Almanac apply: nothing to do\n\n${workspaceWords(run)}The declarations match the state.`;
}

function readPrepared(run: ActionRun): PlanReport & { readonly failed: false } {
  if (run.prepared === '') throw new Failure('usage', 'There is no plan to compare with what was reviewed.');
  const paths = reportsIn(run.prepared, 'plan');
  return { failed: false, document: JSON.parse(readFileSync(paths.json, 'utf8')) as ShownPlanDocument, paths };
}

async function makePlan(run: ActionRun) {
  const { checkout, name } = run.folder;
  const at = configPathsFrom(name).find(({ path }) => existsSync(join(checkout, path)))?.at ?? name;
  const plan = await planned(run, run.options.flatMap(shapingPart));
  if (plan.failed) {
    // A state that cannot be read fails the plan.
    const usual = posix.join(at, usualFile(run.environment || undefined));
    if (run.expect === 'reviewed' && plan.log.includes(usual)) refuseTracked(run, usual);
    run.setOutputs({ changes: false, exitcode: plan.exitCode });
    reportFailure(run, 'plan', plan);
    return plan;
  }
  const saved: Partial<SavedPlan> = existsSync(plan.saved) ? JSON.parse(readFileSync(plan.saved, 'utf8')) : {};
  const { stateFile, sources = ['**'], reads = [] } = saved.workspace ?? {};
  if (stateFile !== undefined) checkStateFile(run, posix.join(at, stateFile));
  if (run.expect === 'reviewed') {
    const { changes, state } = plan.document;
    writePlace(run.reports, { folder: join(checkout, at), sources, files: reads, planned: { changes, state } });
  }
  return plan;
}

const wayOut = 'Keep the state in a branch: `state: { backend: git }` in almanac.yaml.';

/** A shared place keeps the state by itself. */
function checkStateFile(run: ActionRun, file: string): void {
  if (run.expect === 'reviewed') refuseTracked(run, file);
  run.annotate(
    'warning',
    `The state is ${file}, and is lost when the job ends unless a later step keeps it. ${wayOut}`,
  );
}

function refuseTracked({ step, folder }: ActionRun, file: string): void {
  const asked = ['ls-files', '--error-unmatch', '--', `:(literal)${file}`];
  if (openGit(step, folder.checkout).tryGit(asked) === undefined) return;
  throw new Failure(
    'usage',
    `The state is ${file}, a file that any pull request can edit and so hide changes from its plan: with \`reviewed\`, nothing is applied. ${wayOut}`,
  );
}

/** The document of an apply with --format json, or the reason why it did not begin. */
type ApplyOutput = Partial<ApplyDocument> & {
  readonly error?: Said & { readonly code?: string; readonly addresses?: readonly string[] };
};

async function carryOut(run: ActionRun, plan: PlanReport): Promise<number> {
  const args = ['apply', '--auto-approve', '--format=json', ...expectation(run), ...run.options];
  const { code: exitCode, stdout, log } = await run.almanac(args, { capture: true });
  const document = (parseJson(stdout) ?? {}) as ApplyOutput;
  const changes = document.results?.some(({ status }) => status === 'applied') ?? false;
  run.setOutputs({ exitcode: exitCode, changes });
  const shown = `\n\n${folded('The plan', planSummary(plan, run))}`;
  if (run.expect === 'reviewed' && document.error?.code === 'not-reviewed') {
    const why = { ...readReviews(run.prepared), digest: plan.document.digest };
    const words = notReviewedWords({ error: document.error, ...why });
    run.annotate('error', words.text);
    run.addToSummary(`${words.markdown}${shown}`);
    return exitCode || 1;
  }
  if (document.results === undefined) return reportFailure(run, 'apply', { exitCode, log, error: document.error });
  run.addToSummary(
    document.results.length === 0
      ? nothingToDo(run)
      : `${outcome({ ...document, results: document.results }, run)}${shown}`,
  );
  const {
    applied = 0,
    failed = 0,
    skipped = 0,
    unknown = 0,
  }: Partial<ApplyDocument['summary']> = document.summary ?? {};
  if (applied > 0) run.step.say(`Applied ${applied} ${applied === 1 ? 'change' : 'changes'}.\n`);
  if (exitCode !== 0)
    run.annotate('error', `Not everything was applied: ${failed} failed, ${skipped} skipped, ${unknown} unknown.`);
  return exitCode;
}

function expectation(run: ActionRun): readonly string[] {
  if (run.expect !== 'reviewed') return run.expect === '' ? [] : [`--expect=${run.expect}`];
  const list = reviewedList(run.prepared);
  if (!existsSync(list)) throw new Failure('usage', 'What was reviewed is not known, so nothing is applied.');
  return [`--expect-changes=${list}`];
}

function outcome(
  { results, summary, digest }: Partial<ApplyDocument> & Pick<ApplyDocument, 'results'>,
  run: ActionRun,
): string {
  const counts = Object.entries(summary ?? {}).filter(([, count]) => count > 0);
  const rows = results.slice(0, maxRows).map(({ address, action, status, error }) => {
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
    ...(results.length > maxRows ? ['', `… and ${results.length - maxRows} more.`] : []),
  ].join('\n');
}
