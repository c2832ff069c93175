// A plan as a page of its own: what a comment says, with more detail, and the week of deliveries that it changes.

import { actionNames } from '../../model/plan/action.ts';
import { countKinds, kindsInWords } from '../../model/values/address.ts';
import { largest } from '../../model/values/collections.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { dim, type Words } from '../doc.ts';
import { htmlPage } from '../html-page.ts';
import { escapeHtml, htmlCode, printHtml } from '../print-html.ts';
import { shortCount, weekday } from '../text/words.ts';
import type { Wording } from '../wording.ts';
import { dangerDoc } from './danger-report.ts';
import { htmlStyle } from './html-style.ts';
import { planCounts } from './plan-counts.ts';
import { planDetails, planSummary } from './plan-markdown.ts';
import type { TimedPlan } from './timed-plan.ts';
import { type HourCounts, type WeekOfDeliveries, weekOfDeliveries } from './week-of-deliveries.ts';

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
  const leftWords = plan.summary.left > 0 && { role: 'warning' as const, of: `${plan.summary.left} left` };
  const heading = { heading: plan.changes.length === 0 ? title : 'Almanac plan' };
  const parts = [
    printHtml([heading, [...counts, leftWords], dim(planSummary(plan)), dangerDoc(plan.dangers)], wording),
    htmlWeek(weekOfDeliveries(plan, now)),
    printHtml(planDetails(plan, 'page'), wording),
  ];
  const body = `<main>\n${parts.filter((each) => each !== '').join('\n')}\n</main>`;
  return htmlPage({ title, style: htmlStyle, body });
}

const weekTitle = '<h2>A week of deliveries</h2>';

/** Empty where nothing is delivered, before and after, and nothing will be. */
function htmlWeek(week: WeekOfDeliveries): string {
  const { days, before, after } = week;
  const [was, becomes] = [total(before), total(after)];
  const range = `from ${days[0]} to ${days.at(-1)}`;
  const outside = outsideWords(week);
  if (was + becomes === 0)
    return outside === '' ? '' : `${weekTitle}\n<div class="card"><p>No deliveries ${range}.</p>${outside}</div>`;
  const hours = differingHours(week);
  if (hours.length === 0) {
    const same = `${countOf(was, 'delivery', 'deliveries')} ${range}, before and after, each in the same hour.`;
    return `${weekTitle}\n<div class="card"><p>${same}</p>${outside}<p class="quiet">${whatCounts(week)}</p></div>`;
  }
  return `${weekTitle}
<div class="card">
<p>${countOf(was, 'delivery', 'deliveries')} before, ${countOf(becomes, 'delivery', 'deliveries')} after, ${range}.</p>${outside}
${weekTable(week, hours)}
<p class="quiet">+2 means two more deliveries in that hour, \u22121 one fewer. Where a field is empty, nothing changes. ${clockWords(week)} ${whatCounts(week)}</p>
</div>`;
}

function outsideWords({ outside }: WeekOfDeliveries): string {
  const what = outside.length === 1 ? 'starts, stops or moves' : 'start, stop or move';
  const words = `${countKinds(outside)} ${what}`;
  return outside.length === 0 ? '' : `<p>${words} outside of this week.</p>`;
}

function whatCounts({ kinds }: WeekOfDeliveries): string {
  return `Only the ${kindsInWords(kinds, 'and', 's')} in this plan count, and the orphans that keep running.`;
}

function clockWords({ zones: [first = '', ...others], kinds }: WeekOfDeliveries): string {
  if (others.length === 0) return `The hours are those that clocks show in ${htmlCode(first)}.`;
  const named = nameSome([first, ...others].map((zone) => escapeHtml(zone)));
  return `Each ${kindsInWords(kinds, 'and')} counts at the hour that clocks show in its own time zone (${named}), so 09:00 is not the same moment for all of them.`;
}

/** From the first that differs on any day to the last, without gaps. */
function differingHours({ before, after }: WeekOfDeliveries): readonly number[] {
  const differs = (hour: number) => after.some((counts, day) => counts[hour] !== before[day]?.[hour]);
  const hours = [...Array(24).keys()];
  const [first, last] = [hours.findIndex(differs), hours.findLastIndex(differs)];
  return first < 0 ? [] : hours.slice(first, last + 1);
}

function weekTable({ days, before, after }: WeekOfDeliveries, hours: readonly number[]): string {
  const difference = (day: number, hour: number) => (after[day]?.[hour] ?? 0) - (before[day]?.[hour] ?? 0);
  const most = largest(
    0,
    days.flatMap((_, day) => hours.map((hour) => Math.abs(difference(day, hour)))),
  );
  const head = days.map((date) => `<th scope="col">${weekday(date)}<br>${date.slice(8)}</th>`).join('');
  const rows = hours.map((hour) => {
    const cells = days.map((_, day) => {
      const counts = `${before[day]?.[hour] ?? 0} before, ${after[day]?.[hour] ?? 0} after`;
      return cell(difference(day, hour), most, counts);
    });
    return `<tr><th scope="row">${String(hour).padStart(2, '0')}:00</th>${cells.join('')}</tr>`;
  });
  return `<table><caption>More and fewer deliveries</caption><thead><tr><td class="hour"></td>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

/** `most`: the largest difference, which has the deepest of three tints. */
function cell(difference: number, most: number, counts: string): string {
  if (difference === 0) return '<td></td>';
  const tint = Math.ceil((3 * Math.abs(difference)) / most);
  const [name, sign] = difference > 0 ? ['more', '+'] : ['fewer', '\u2212'];
  return `<td class="${name}${tint}" title="${counts}">${sign}${shortCount(Math.abs(difference))}</td>`;
}

function total(counts: HourCounts): number {
  return counts.flat().reduce((sum, count) => sum + count, 0);
}
