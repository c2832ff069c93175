// Publishes a plan in any format, made from one document. Texts from Omni are masked; declarations are not, because a
// reviewer approves them: a variable that happens to hold somebody's address must not hide that address. The secrets of
// declarations are sealed anyway.

import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { once } from '../../model/values/collections.ts';
import type { Failure, FindingSource } from '../../model/workspace/failure.ts';
import { type FindingsReport, findingsOfPlan } from '../../report/diagnostics/findings-doc.ts';
import { dangerDoc } from '../../report/plan/plan-findings.ts';
import { renderPlanText } from '../../report/plan/plan-text.ts';
import { type TimedPlan, timePlan } from '../../report/plan/timed-plan.ts';
import { printText } from '../../report/print-text.ts';
import { type Page, plainTheme } from '../../report/text/theme.ts';
import type { PlanReportFormat } from './command.ts';
import { cronWordsAt } from './cron-words.ts';
import type { ReportFile } from './option-values.ts';
import { planDiagnosticsText } from './print-diagnostics.ts';
import { wordingIn } from './publishing.ts';
import { failureDocument } from './report-failure.ts';
import type { Run } from './run.ts';
import type { MaskTexts } from './shown-texts.ts';
import type { Output } from './world.ts';

interface PublishedPlan {
  /** Masked already. */
  readonly document: PlanDocument;
  /** Undefined for a saved plan, because its files may have changed since. */
  readonly source?: FindingSource;
  readonly refreshOnly?: boolean | undefined;
  readonly untrackedCount?: number | undefined;
  readonly cost?: RunCost | undefined;
}

interface TimedOnce extends PublishedPlan {
  readonly timed: () => Promise<TimedPlan>;
}

interface Formats {
  readonly format: PlanReportFormat;
  readonly report?: readonly ReportFile<PlanReportFormat>[] | undefined;
}

/** The document contains the diagnostics; for people they also go to stderr, and to the head of a text file. */
export async function publishPlan(run: Run, formats: Formats, plan: PublishedPlan): Promise<void> {
  if (formats.format !== 'json') reportDiagnostics(run, findingsOfPlan, plan);
  const { document } = plan;
  // Each format shows the same times, and loads its printer only when asked for.
  const timedPlan = once(() => timed(document, run.clock.now()));
  // A log and a file that show all show the same: most of the time of a long plan goes into this text.
  const texts = new Map<string, Promise<string>>();
  const textOn = (page: Page): Promise<string> => {
    const key = `${page.theme === plainTheme} ${page.width} ${page.room} ${page.showsAll === true}`;
    const text = texts.get(key) ?? planText({ ...plan, timed: timedPlan }, page);
    texts.set(key, text);
    return text;
  };
  await run.publish<PlanReportFormat>(formats, {
    json: document,
    text: async (page, isFile) => {
      if (!isFile) return textOn(page);
      const said = planDiagnosticsText(document, findingsOfPlan, plan.source, page);
      return `${said}${said === '' ? '' : '\n'}${await textOn({ ...page, room: Number.POSITIVE_INFINITY, showsAll: true })}`;
    },
    markdown: async ({ wording }) =>
      (await import('../../report/plan/plan-markdown.ts')).renderPlanMarkdown(await timedPlan(), { wording }),
    html: async ({ wording }) =>
      (await import('../../report/plan/plan-html.ts')).renderPlanHtml(await timedPlan(), wording),
    gitlab: async () => (await import('../../report/plan/plan-counts.ts')).renderGitlabWidget(document),
  });
}

/** Publishes the dangers of a plan that is refused, in every format but that of the widget, which only counts. */
export async function publishRefused(run: Run, { format, report = [] }: Formats, refused: Failure): Promise<void> {
  const title = 'Almanac plan: refused';
  const first = dangerDoc(refused.dangers ?? []);
  const printers = {
    json: await failureDocument(refused, wordingIn(run, run.options)),
    text: (page: Page) => printText([first], page),
    markdown: async ({ wording }: Page) =>
      (await import('../../report/print-markdown.ts')).printMarkdown([{ heading: title }, first], { wording }),
    html: async ({ wording }: Page) =>
      (await import('../../report/plan/plan-html.ts')).renderPlanPage(title, [{ heading: title }, first], wording),
  };
  await run.writeReports<keyof typeof printers>(
    { report: report.flatMap(({ format: each, file }) => (each === 'gitlab' ? [] : { format: each, file })) },
    printers,
  );
  const page = run.page(run.stderr);
  if (format === 'text') run.stderr.write(`${printers.text(page)}\n`);
  else if (format === 'markdown') run.stdout.write(await printers.markdown(page));
  else if (format === 'html') run.stdout.data(await printers.html(page));
}

/** Prints the plan as text to stdout, or to stderr if stdout carries a document. */
export async function printPlan(run: Run, plan: PublishedPlan, output: Output = run.stdout): Promise<void> {
  reportDiagnostics(run, findingsOfPlan, plan);
  output.write(await planText({ ...plan, timed: () => timed(plan.document, run.clock.now()) }, run.page(output)));
}

/** Prints the plan's findings on stderr, unless --quiet. */
export function reportDiagnostics(
  run: Run,
  of: FindingsReport,
  { document, source }: Pick<PublishedPlan, 'document' | 'source'>,
): void {
  if (run.options.quiet) return;
  const said = planDiagnosticsText(document, of, source, run.page(run.stderr));
  if (said !== '') run.stderr.write(`${said}\n`);
}

async function planText(plan: Pick<TimedOnce, 'timed'> & Partial<TimedOnce>, page: Page): Promise<string> {
  const { refreshOnly = false, untrackedCount = 0, cost } = plan;
  return renderPlanText(await plan.timed(), { ...page, refreshOnly, untrackedCount, cost });
}

export function shownPlan(document: PlanDocument, shown: MaskTexts): PlanDocument {
  const { changes, dangers, ...rest } = document;
  return {
    // First, because it decides the order in which the document is printed.
    ...document,
    ...shown(rest),
    dangers: dangers.map((danger) => (aboutDeclared.test(danger.code) ? danger : shown(danger))),
    changes: changes.map((change) => shownChange(change, shown)),
  };
}

function shownChange(change: Change, shown: MaskTexts): Change {
  const { before, diff, ownedBy, blocked, left } = change;
  return {
    ...change,
    before: shown(before),
    diff: diff.map((each) => (each.before === undefined ? each : { ...each, before: shown(each.before) })),
    ownedBy: ownedBy && shown(ownedBy),
    blocked: blocked && shown(blocked),
    left: left && shown(left),
    // Only the state is updated to what was observed.
    ...(change.reason === 'refreshed' ? shown({ after: change.after, diff }) : {}),
  };
}

/** Recipients, hosts, owners and variables that are declared are named in full. */
const aboutDeclared = /^(?:new|base)-|^(?:reaches-outside|outside-owner|secret-elsewhere)$/;

/** Adds times to a plan; one without changes loads nothing. */
async function timed(document: PlanDocument, now: number): Promise<TimedPlan> {
  return document.changes.length === 0 ? document : timePlan(document, await cronWordsAt(now));
}
