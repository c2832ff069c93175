// A plan as a page of its own: the content of a comment, with more detail.

import { actionNames } from '../../model/plan/action.ts';
import { type Doc, dim, type Words } from '../doc.ts';
import { htmlPage } from '../html-page.ts';
import { printHtml } from '../print-html.ts';
import type { Wording } from '../wording.ts';
import { planCounts } from './plan-counts.ts';
import { dangerDoc } from './plan-findings.ts';
import { planDetails, planSummary } from './plan-markdown.ts';
import type { TimedPlan } from './timed-plan.ts';

/** The page has no script. Ends with a newline. */
export function renderPlanHtml(plan: TimedPlan, wording?: Wording): string {
  const title = `Almanac plan: ${planCounts(plan) || 'no changes'}`;
  const counts = actionNames
    .filter((action) => plan.summary[action] > 0)
    .map((action): Words => [{ role: action, of: `${plan.summary[action]} to ${action}` }, ' ']);
  const leftWords = plan.summary.left > 0 && { role: 'warning' as const, of: `${plan.summary.left} left` };
  const heading = { heading: plan.changes.length === 0 ? title : 'Almanac plan' };
  const head = [heading, [...counts, leftWords], dim(planSummary(plan)), dangerDoc(plan.dangers)];
  return renderPlanPage(title, [...head, ...planDetails(plan, 'page')], wording);
}

export function renderPlanPage(title: string, doc: Doc, wording?: Wording): string {
  return htmlPage({ title, style: htmlStyle, body: `<main>\n${printHtml(doc, wording)}\n</main>` });
}

const htmlStyle = `
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
p { margin: .4rem 0; }
code, .value, .address { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em; }
.quiet { color: var(--quiet); font-size: .875rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem; margin: .5rem 0; }
.danger { border-left: 4px solid var(--amber); }
.danger h3 { font-size: 1rem; margin: 0; color: var(--amber); }
.danger.grave { border-color: var(--red); background: var(--red-back); }
.danger.grave h3 { color: var(--red); }
.card ul { margin: .4rem 0 0; padding-left: 1.1rem; }
details.card { padding: 0; }
summary { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: baseline; padding: .6rem .75rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "+"; color: var(--quiet); width: .7em; flex: none; }
details[open] > summary::before { content: "\\2212"; }
summary .about { flex: 1; min-width: 9rem; }
summary .address { font-weight: 600; }
summary .quiet { flex-basis: 100%; padding-left: 1.3em; }
.inside summary, .card > details > summary, .danger summary { flex-wrap: nowrap; padding: .4rem 0 0; color: var(--quiet); font-size: .875rem; }
.inside { padding: 0 .75rem .75rem; border-top: 1px solid var(--line); }
.badge { display: inline-block; white-space: nowrap; border-radius: 4px; padding: 0 .4rem; font-size: .8125rem; font-weight: 600; background: var(--blue-back); color: var(--blue); }
.badge.create, .badge.run { background: var(--green-back); color: var(--green); }
.badge.update, .badge.forget, .badge.replace, .badge.warning, .badge.strong { background: var(--amber-back); color: var(--amber); }
.badge.delete, .badge.error { background: var(--red-back); color: var(--red); }
.notice { border-radius: 6px; padding: .4rem .6rem; margin: .6rem 0 0; background: var(--blue-back); color: var(--blue); }
.notice.error, .notice.warning { background: var(--amber-back); color: var(--amber); }
dl { margin: .5rem 0 0; }
dl > div { padding: .35rem 0; border-bottom: 1px solid var(--line); }
dl > div:last-child { border-bottom: 0; }
dt { font-size: .875rem; color: var(--quiet); }
dd { margin: .15rem 0 0; }
.value { display: block; white-space: pre-wrap; text-decoration: none; padding: .05rem .4rem .05rem 1.5rem; text-indent: -1.1rem; border-radius: 4px; }
.value::before { display: inline-block; width: 1.1rem; text-indent: 0; content: " "; }
del.value { background: var(--red-back); color: var(--red); }
del.value::before { content: "\\2212"; }
ins.value { background: var(--green-back); color: var(--green); }
ins.value::before { content: "+"; }
`;
