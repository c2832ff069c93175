// `command: plan`: the plan with every report, and the text of the comment on the pull request. A comment always
// belongs to the last push, so one is written even if something failed before the plan.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, withoutMarks } from '../../../model/values/command.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { code, fence } from '../comments/markdown.ts';
import { firstLine, markerOf } from '../comments/marker.ts';
import { readEnvironment, readFolder } from '../runner/inputs.ts';
import { redactor, secretValues } from '../runner/secrets.ts';
import type { Step } from '../step.ts';
import { type PlanReport, planned, planSummary, type ShownPlanDocument } from './reports.ts';
import type { ActionRun, Base } from './run.ts';
import { baseWords, failureWords, workspaceWords } from './summary-words.ts';

/** The parts of a plan document that a reviewer should see. */
const reviewed = ['changes', 'dangers', 'diagnostics', 'drift', 'orphans', 'unresolved'] as const;

export async function planWorkspace(run: ActionRun): Promise<number> {
  const { commit, unread } = run.base;
  if (unread !== '') run.annotate('warning', `${unread}, so nothing was compared with the base branch.`);
  const first = `${await failedWords(run)}${baseWords(unread)}`;
  const plan = await planned(run, [...(unread === '' && commit !== '' ? [`--base=${commit}`] : []), ...run.options]);
  for (const { code, title } of plan.document?.dangers ?? [])
    if (code.startsWith('base-')) run.annotate('warning', title);
  if (plan.failed) {
    const words = `${first}${plan.markdown ?? ''}${failureWords('plan', plan, run)}`;
    run.setOutputs({ exitcode: plan.exitCode, ...commentOutput(run, words, { digest: '', changes: [] }) });
    run.addToSummary(words);
    return 1;
  }
  const { document } = plan;
  const differs = document.changes.length > 0;
  const exitCode = differs ? 2 : 0;
  const comment = commentOutput(run, `${first}${commentWords(plan, run)}`, document);
  run.setOutputs({ changes: differs, exitcode: exitCode, ...comment });
  run.addToSummary(`${first}${planSummary(plan, run)}`);
  return run.detailedExitcode ? exitCode : 0;
}

/** Describes the failure in this job before the plan, or in the fork's run that this one follows; '' without one. */
async function failedWords(run: ActionRun): Promise<string> {
  if (!run.hasFailed) return '';
  const format = await run.almanac(['fmt', '--check']);
  const [title, said] =
    format.code === 0
      ? ['Another step of this check failed: see its log.', '']
      : [
          `Another step of this check failed, and \`${withoutMarks(command('fmt', '--check'))}\` fails.`,
          `${fence(format.log)}\n\n`,
        ];
  return `> [!WARNING]\n> **${title}** The check stays red.\n\n${said}`;
}

/** A pull request that changes nothing in Omni gets one short paragraph, which records that as well. */
function commentWords({ document, paths }: PlanReport, run: ActionRun): string {
  const isCalm = reviewed.every((part) => (document[part] ?? []).length === 0);
  if (!isCalm) return `${workspaceWords(run)}${readFileSync(paths.markdown, 'utf8')}`;
  const at = document.baseUrl ? ` at ${code(String(document.baseUrl))}` : '';
  return `${workspaceWords(run)}**Almanac plan: no changes**${at}. Merging this applies nothing.\n`;
}

/**
 * The outputs of a step that ended without a plan of the commit `head`, for the reason `message`; {} if not even the
 * workspace is known.
 */
export function commentWithoutPlan(
  step: Step,
  {
    head = '',
    branch = '',
    commit = '',
  }: { readonly head?: string | undefined; readonly branch?: string | undefined; readonly commit?: string | undefined },
  message: string,
): Readonly<Record<string, string>> {
  try {
    const redact = redactor(secretValues(step));
    const run = {
      environment: readEnvironment(step),
      folder: readFolder(step, { mayBeMissing: true }),
      options: [],
      head,
      base: { branch, commit },
      reports: mkdtempSync(join(step.env['RUNNER_TEMP'] || tmpdir(), 'almanac-')),
      redact,
    };
    const words = `## Almanac did not run\n\n${workspaceWords(run)}There is no plan of this push.\n\n${fence(message)}\n`;
    return commentOutput(run, words, { digest: '', changes: [] });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {};
  }
}

/** Masks only the text that Almanac printed: programs read the first line. */
function commentOutput(
  run: Pick<ActionRun, 'environment' | 'folder' | 'options' | 'head' | 'reports' | 'redact'> & {
    readonly base: Pick<Base, 'branch' | 'commit'>;
  },
  markdown: string,
  document: SilentDocument & { readonly digest: string },
): Readonly<Record<string, string>> {
  const identity = markerOf({ environment: run.environment, directory: run.folder.name });
  const { digest, changes } = document;
  const { branch: base, commit: onto } = run.base;
  const first = firstLine(identity, { digest, head: run.head, base, onto, ...silence(document, run.options), changes });
  const path = join(run.reports, 'comment.md');
  writeFileSync(path, `${first}\n${run.redact(markdown)}`);
  return { 'comment-path': path };
}

/** The options with which a plan omits open changes. */
const partial = /^--(?:target|replace|refresh-only)(?:=|$)/;
/** Findings about a resource that was not compared, or that is left as it is. */
const notCompared: readonly string[] = ['missing-variable', 'secret-waits', 'not-read', 'entry-left-as-is'];

interface AddressesOfEntry {
  readonly address?: string;
  readonly previousAddress?: string;
  readonly addresses?: readonly string[];
}

/** The parts of a plan document that name the addresses which it leaves open. */
type SilentDocument = Pick<ShownPlanDocument, 'changes' | 'unresolved' | 'orphans' | 'drift' | 'diagnostics'>;

/** The addresses that a plan says nothing about, so that its silence withdraws no review of them. */
export function silence(
  { changes, unresolved = [], orphans = [], drift = [], diagnostics = [] }: SilentDocument,
  options: readonly string[],
): { readonly isWhole: boolean; readonly named: readonly string[] } {
  const open = changes.filter(({ digest, blocked }) => digest === undefined || blocked !== undefined);
  const left = diagnostics.filter(({ code }) => notCompared.includes(code));
  const all: readonly AddressesOfEntry[] = [...open, ...unresolved, ...orphans, ...drift, ...left];
  const named = all.flatMap(({ address, previousAddress, addresses = [] }) =>
    [address, previousAddress, ...addresses].flatMap((each) => each ?? []),
  );
  // A change that another run is making right now is neither open nor done.
  const isUnderWay = diagnostics.some(({ code }) => code === 'run-under-way');
  return { isWhole: !isUnderWay && !options.some((option) => partial.test(option)), named };
}
