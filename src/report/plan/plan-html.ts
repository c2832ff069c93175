// A plan as a page of its own: what a comment says, with more detail, and the week of deliveries that it changes.

import { actionNames } from '../../model/plan/action.ts';
import { dim, type Words } from '../doc.ts';
import { htmlPage } from '../html-page.ts';
import { printHtml } from '../print-html.ts';
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

/** Without a script. Ends with a newline. */
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
  const body = `<main>\n${parts.filter((each) => each !== '').join('\n')}\n</main>`;
  return htmlPage({ title, style: htmlStyle, body });
}
