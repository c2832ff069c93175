// A plan as a page of its own: what a comment says, with more detail.

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

/** Without a script. Ends with a newline. */
export function renderPlanHtml(plan: TimedPlan, wording?: Wording): string {
  const title = `Almanac plan: ${planCounts(plan) || 'no changes'}`;
  const counts = actionNames
    .filter((action) => plan.summary[action] > 0)
    .map((action): Words => [{ role: action, of: `${plan.summary[action]} to ${action}` }, ' ']);
  const leftWords = plan.summary.left > 0 && { role: 'warning' as const, of: `${plan.summary.left} left` };
  const heading = { heading: plan.changes.length === 0 ? title : 'Almanac plan' };
  const head = [heading, [...counts, leftWords], dim(planSummary(plan)), dangerDoc(plan.dangers)];
  const body = `<main>\n${printHtml([...head, ...planDetails(plan, 'page')], wording)}\n</main>`;
  return htmlPage({ title, style: htmlStyle, body });
}
