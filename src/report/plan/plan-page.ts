// A plan as comments on a pull request and as a page: dangers first, a row for each change or for many equal ones, and the
// details folded.

import { actionNames } from '../../model/plan/action.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import { planFindings } from '../../model/workspace/fold-findings.ts';
import { type Block, code, type Doc, dim, isEmpty, item, section, type Words } from '../doc.ts';
import { printHtml } from '../print-html.ts';
import { printMarkdown } from '../print-markdown.ts';
import type { CronWords } from '../text/cron-text.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { truncate } from '../text/terminal-text.ts';
import { changeEntries } from './change-entries.ts';
import { dangerDoc } from './danger-report.ts';
import { driftEntries } from './drift-doc.ts';
import { findingsDoc } from './findings-doc.ts';
import { htmlStyle } from './html-style.ts';
import { htmlWeek } from './html-week.ts';
import { placeWords, planCounts, requestCount, sinkWords } from './plan-headline.ts';
import { weekOfDeliveries } from './week-of-deliveries.ts';

export interface PlanMarkdownOptions {
  readonly cron: CronWords;
  /** The most characters of a comment. */
  readonly limit?: number;
}

/** Ends with a newline. Of several comments, `nextComment` stands between two. */
export function renderPlanMarkdown(plan: PlanDocument, { cron, limit }: PlanMarkdownOptions): string {
  const heading = { heading: `Almanac plan: ${planCounts(plan) || 'no changes'}` };
  return printMarkdown(
    [heading, summary(plan), ...dangerDoc(plan.dangers, { isFolded: true }), ...details(plan, cron, false)],
    limit,
  );
}

function summary(plan: PlanDocument): Words {
  const { length } = plan.changes;
  const place = [placeWords(plan), '.', length > 0 && ` ${requestCount(plan)}.`];
  const sink = sinkWords(plan);
  return [length === 0 && 'The declarations match the state. ', place, !isEmpty(sink) && [' ', sink]];
}

function details(plan: PlanDocument, cron: CronWords, isPage: boolean): Doc {
  return [
    section('Changes', [changeEntries(plan, cron, isPage)]),
    section('Unresolved', plan.unresolved.map(unresolvedItem)),
    ...driftEntries(plan, { cron }),
    findingsDoc(planFindings(plan), 'plan', { hasHints: isPage }),
    plan.changes.length > 0 && [
      'Digest ',
      code(plan.digest),
      `, by almanac ${truncate(plan.toolVersion, 40)}. \`almanac apply --expect DIGEST\` applies only this plan.`,
    ],
  ];
}

function unresolvedItem({ address, action, since, lookedFor }: PlanDocument['unresolved'][number]): Block {
  const way = lookedFor
    ? '`almanac apply` looks for it in Omni first, and goes on'
    : 'check in Omni whether it was carried out, then record the answer with `almanac state resolve`';
  const when = [` (${action}, since `, code(since), '): '];
  return item([code(address), when, `the outcome of an earlier apply is not known; ${way}`]);
}

export interface PlanHtmlOptions {
  readonly cron: CronWords;
  /** When the week begins: epoch milliseconds. */
  readonly now: number;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** One self-contained file: no script, nothing fetched, and a policy that forbids both. Ends with a newline. */
export function renderPlanHtml(plan: PlanDocument, { cron, now }: PlanHtmlOptions): string {
  const title = `Almanac plan: ${planCounts(plan) || 'no changes'}`;
  const counts = actionNames
    .filter((action) => plan.summary[action] > 0)
    .map((action): Words => [{ role: action, of: `${plan.summary[action]} to ${action}` }, ' ']);
  const heading = { heading: plan.changes.length === 0 ? title : 'Almanac plan' };
  const parts = [
    printHtml([heading, counts, dim(summary(plan)), ...dangerDoc(plan.dangers, { isFolded: true })]),
    htmlWeek(weekOfDeliveries(plan, now)),
    printHtml(details(plan, cron, true)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<main>
${parts.filter((each) => each !== '').join('\n')}
</main>
</body>
</html>
`;
}
