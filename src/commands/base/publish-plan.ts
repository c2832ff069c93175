// A plan as it is published, in any format, made from the one document. What Omni wrote is masked; what is declared is not,
// because a reviewer approves it: a variable that happens to hold somebody's address must not hide that address. The
// secrets of declarations are sealed anyway.

import type { Shown } from '../../apply/propose/fingerprint-secrets.ts';
import { comingRuns } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import type { KeptFiles, Workspace } from '../../declare/workspace.ts';
import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { memoize } from '../../model/values/memoize.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import { renderPlanText } from '../../report/plan/plan-text.ts';
import type { CronWords } from '../../report/text/cron-text.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { safeText, withoutWorkflowCommands } from '../../report/text/terminal-text.ts';
import { colourTheme, type Page, plainTheme } from '../../report/text/theme.ts';
import type { GlobalOptions, PlanReportFormat } from './command.ts';
import type { ReportFile } from './option-values.ts';
import { planDiagnosticsText } from './print-diagnostics.ts';
import type { Run } from './run.ts';
import type { Output, World } from './world.ts';

interface PublishedPlan {
  /** Masked already. */
  readonly document: PlanDocument;
  /** Undefined for a saved plan, whose files may have changed since. */
  readonly source?: FindingSource;
  readonly refreshOnly?: boolean | undefined;
  readonly untrackedCount?: number | undefined;
  /** Of the apply that is about to begin. */
  readonly cost?: RunCost | undefined;
}

interface Formats {
  readonly format: PlanReportFormat;
  readonly report?: readonly ReportFile<PlanReportFormat>[] | undefined;
}

/** The diagnostics are in the document; for people they go to stderr as well, and stand at the head of a text file. */
export async function publishPlan(run: Run, formats: Formats, plan: PublishedPlan): Promise<void> {
  if (formats.format !== 'json') reportDiagnostics(run, 'plan', plan);
  await run.publish(formats, async (format, page, isFile) => {
    if (format !== 'text' || !isFile) return renderPlan(format, plan, page, run.clock.now());
    const said = planDiagnosticsText(plan.document, 'plan', plan.source, page);
    const whole = await planText({ document: plan.document }, { ...page, showsAll: true }, run.clock.now());
    return `${said}${said === '' ? '' : '\n'}${whole}`;
  });
}

/** As text, on stdout, or on stderr where stdout carries a document. */
export async function printPlan(run: Run, plan: PublishedPlan, output: Output = run.stdout): Promise<void> {
  reportDiagnostics(run, 'plan', plan);
  output.write(await planText(plan, run.page(output), run.clock.now()));
}

/** On stderr, unless --quiet. */
export function reportDiagnostics(
  run: Run,
  of: 'plan' | 'drift',
  { document, source }: Pick<PublishedPlan, 'document' | 'source'>,
): void {
  if (run.options.quiet) return;
  const said = planDiagnosticsText(document, of, source, run.page(run.stderr));
  if (said !== '') run.stderr.write(`${said}\n`);
}

/** What a format needs is loaded when that format is asked for. */
async function renderPlan(format: PlanReportFormat, plan: PublishedPlan, page: Page, now: number): Promise<string> {
  const { document } = plan;
  switch (format) {
    case 'json':
      return renderJson(document);
    case 'markdown':
      return (await import('../../report/plan/plan-markdown.ts')).renderPlanMarkdown(document, {
        cron: await cronWords(now, document),
      });
    case 'html':
      return (await import('../../report/plan/plan-html.ts')).renderPlanHtml(document, {
        cron: await cronWords(now, document),
        now,
      });
    case 'gitlab':
      return (await import('../../report/plan/plan-text.ts')).renderGitlabWidget(document);
    case 'text':
      return planText(plan, page, now);
  }
}

async function planText(plan: PublishedPlan, page: Page, now: number): Promise<string> {
  const { document, refreshOnly = false, untrackedCount = 0, cost } = plan;
  return renderPlanText(document, { ...page, cron: await cronWords(now, document), refreshOnly, untrackedCount, cost });
}

export function shownPlan(document: PlanDocument, shown: Shown): PlanDocument {
  const { changes, dangers, ...rest } = document;
  return {
    // First, because it decides the order in which the document is printed.
    ...document,
    ...shown(rest),
    dangers: dangers.map((danger) => (aboutDeclared.test(danger.code) ? danger : shown(danger))),
    changes: changes.map((change) => shownChange(change, shown)),
  };
}

function shownChange(change: Change, shown: Shown): Change {
  const { before, diff, ownedBy, blocked } = change;
  return {
    ...change,
    before: shown(before),
    diff: diff.map((each) => (each.before === undefined ? each : { ...each, before: shown(each.before) })),
    ownedBy: ownedBy && shown(ownedBy),
    blocked: blocked && shown(blocked),
    // The state alone is brought in line with what was observed.
    ...(change.reason === 'refreshed' ? shown({ after: change.after, diff }) : {}),
  };
}

/** Recipients, hosts, owners and variables that are declared are named in full. */
const aboutDeclared = /^(?:outside|inside|new)-|^recipient-added$|^secret-elsewhere$/;

/** The words and the next run of what a document changes: where that is nothing, no words are asked for, and none are loaded. */
export async function cronWords(now: number, { changes }: Pick<PlanDocument, 'changes'>): Promise<CronWords> {
  const words = changes.length === 0 ? (expression: string) => expression : memoize(await loadCronWords());
  const next = memoize((expression) => {
    const { cron } = parseCron(expression);
    return memoize((zone) => (cron === undefined ? undefined : comingRuns(cron, zone, now).next().value?.local));
  });
  return { words, nextRun: (expression, zone) => next(expression)(zone) };
}

interface Published<F extends string> {
  readonly format: F;
  readonly report?: readonly ReportFile<F>[] | undefined;
}

type Renderer<F> = (format: F, page: Page, isFile: boolean) => string | Promise<string>;

export type Publishes = ReturnType<typeof makePublishing>;

/** How a command prints its result: on stdout, as text or as a document, and into the files of --report. */
export function makePublishing(
  world: World,
  options: GlobalOptions,
  workspace: () => Promise<Workspace>,
  kept: () => Promise<KeptFiles>,
) {
  /** Before the work. Throws Failure usage if two results go to one file, or if a file cannot or must not be written. */
  const checkFiles = async (files: readonly string[]): Promise<void> => {
    const named = new Map<string, string>();
    for (const file of files) {
      const target = await (await workspace()).findWritable(file, await kept());
      const other = named.get(target);
      if (other !== undefined) throw writtenTwice(other, file);
      named.set(target, file);
    }
  };
  /** Of stdout, or another. */
  const page = (output: Output = world.stdout): Page => pageOf(output, world, options);
  /** A sentence on stdout, or on another output. What it names may hold anything: nothing of it acts on a terminal. */
  const say = (words: string, output: Output = world.stdout): void => output.write(`${safeText(words)}\n`);
  /** A document for programs with `--format json`; otherwise its text. */
  const print = (format: string, document: object, text: (page: Page) => string): void => {
    if (format === 'json') world.stdout.data(renderJson(document));
    else world.stdout.write(text(page()));
  };
  /** Those of `publish` that go into files. */
  const writeReports = async <F extends string>(
    { report = [] }: Pick<Published<F>, 'report'>,
    render: Renderer<F>,
  ): Promise<void> => {
    for (const { format, file } of report) {
      const text = await render(format, { theme: plainTheme, width: 80 }, true);
      // A job may print the file.
      await (await workspace()).writeOutside(file, isForPeople(format) ? withoutWorkflowCommands(text) : text);
    }
  };
  /**
   * The result on stdout, and in the file of each `--report`, where nothing is cut. `render` ends each with a newline.
   */
  const publish = async <F extends string>(asked: Published<F>, render: Renderer<F>): Promise<void> => {
    await writeReports(asked, render);
    const text = await render(asked.format, page(), false);
    if (isForPeople(asked.format)) world.stdout.write(text);
    else world.stdout.data(text);
  };
  return { checkFiles, page, say, print, writeReports, publish };
}

/** The others are for programs, and leave byte for byte. */
const isForPeople = (format: string) => format === 'text' || format === 'markdown';

function writtenTwice(first: string, second: string): Failure {
  const to = first === second ? first : `one file: ${first} and ${second}`;
  return new Failure('usage', `Two results would be written to ${to}.`, { hint: 'Give each result its own file.' });
}

/**
 * A log or a pipe has no edge, so nothing is cut there; prose is wrapped all the same. NO_COLOR and --no-color remove colours; FORCE_COLOR adds them without a terminal (https://no-color.org).
 */
export function pageOf(output: Output, world: World, { color = true, verbose }: Partial<GlobalOptions>): Page {
  const theme = isColoured(output, world, color) ? colourTheme : plainTheme;
  const { isTerminal, width } = output;
  return { theme, width, room: isTerminal ? width : Number.POSITIVE_INFINITY, showsAll: verbose === true };
}

/** Whether a line can be drawn over again. Where it cannot, what happens is said in lines of its own. */
export function redraws({ isTerminal }: Output, { environment }: World): boolean {
  return isTerminal && environment('TERM') !== 'dumb';
}

function isColoured(output: Output, world: World, color: boolean): boolean {
  const forced = world.environment('FORCE_COLOR');
  if (!color || world.environment('NO_COLOR')) return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return redraws(output, world);
}
