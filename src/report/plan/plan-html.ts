// A plan as a page of its own: what a comment says, with more detail, and the week of deliveries that it changes.

import { actionNames } from '../../model/plan/action.ts';
import { dim, type Words } from '../doc.ts';
import { escapeHtml, printHtml } from '../print-html.ts';
import type { Wording } from '../wording.ts';
import { dangerDoc } from './danger-report.ts';
import { htmlStyle } from './html-style.ts';
import { planCounts } from './plan-counts.ts';
import { planDetails, planSummary } from './plan-markdown.ts';
import type { TimedPlan } from './timed-plan.ts';
import { weekOfDeliveries } from './week-of-deliveries.ts';
import { htmlWeek } from './week-table.ts';

export interface PlanHtmlOptions {
  /** When the week begins: epoch milliseconds. */
  readonly now: number;
  readonly wording?: Wording | undefined;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** One self-contained file: no script, nothing fetched, and a policy that forbids both. Ends with a newline. */
export function renderPlanHtml(plan: TimedPlan, { now, wording }: PlanHtmlOptions): string {
  const title = `Almanac plan: ${planCounts(plan) || 'no changes'}`;
  const counts = actionNames
    .filter((action) => plan.summary[action] > 0)
    .map((action): Words => [{ role: action, of: `${plan.summary[action]} to ${action}` }, ' ']);
  const heading = { heading: plan.changes.length === 0 ? title : 'Almanac plan' };
  const parts = [
    printHtml([heading, counts, dim(planSummary(plan)), dangerDoc(plan.dangers)], wording),
    htmlWeek(weekOfDeliveries(plan, now)),
    printHtml(planDetails(plan, 'page'), wording),
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
