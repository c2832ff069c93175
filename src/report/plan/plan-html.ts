// A plan as a page of its own: what a comment says, with more detail, and the week of deliveries that it changes.

import { checkTimeZone } from '../../cron/check-time-zone.ts';
import { comingRuns } from '../../cron/coming-runs.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { dayMs } from '../../cron/time-zone.ts';
import { actionNames } from '../../model/plan/action.ts';
import { type Change, leavesOrphan, type PlanDocument } from '../../model/plan/plan.ts';
import { byCodeUnit, type JsonObject } from '../../model/values/json.ts';
import { largest } from '../../model/values/many.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { dim, type Words } from '../doc.ts';
import { escapeHtml, htmlCode, printHtml } from '../print-html.ts';
import type { CronWords } from '../text/cron-text.ts';
import { shortCount, weekday } from '../text/words.ts';
import { dangerDoc } from './danger-report.ts';
import { planDetails, planSummary } from './plan-markdown.ts';
import { planCounts } from './plan-text.ts';

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
    printHtml([heading, counts, dim(planSummary(plan)), ...dangerDoc(plan.dangers, { isFolded: true })]),
    htmlWeek(weekOfDeliveries(plan, now)),
    printHtml(planDetails(plan, cron, true)),
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

// The look of the HTML report: one column, from a phone's width up; the reader's own choice of light or dark. Every
// colour of text keeps a contrast of 4.5 to what is behind it; test/browser measures it.

const htmlStyle = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --line: #d5dae1; --text: #1b2028; --quiet: #545e6b;
  --red: #b3211b; --red-back: #fdecea; --green: #176b34; --green-back: #e6f5ea;
  --amber: #7d4e00; --amber-back: #fdf3dc; --blue: #1d5a96; --blue-back: #e8f1fb;
  --more1: #e2eefa; --more2: #c3dcf5; --more3: #93c1ec;
  --fewer1: #fbf0d9; --fewer2: #f5dfae; --fewer3: #ecc675;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121519; --card: #1b2026; --line: #373f49; --text: #e7ebf0; --quiet: #a6b0bc;
    --red: #ff9c94; --red-back: #3d1c1a; --green: #7fd79b; --green-back: #173322;
    --amber: #f0c368; --amber-back: #392c10; --blue: #8cc0f5; --blue-back: #16293d;
    --more1: #16293d; --more2: #1a3d5f; --more3: #205a8c;
    --fewer1: #332a15; --fewer2: #4f3d18; --fewer3: #75561a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
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
summary:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; border-radius: 8px; }
summary .about { flex: 1; min-width: 9rem; }
summary .address { font-weight: 600; }
a { color: var(--blue); }
a:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; border-radius: 2px; }
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
table { max-width: 40rem; border-collapse: separate; border-spacing: 2px; table-layout: fixed; width: 100%; font-size: .75rem; }
caption { text-align: left; font-weight: 600; font-size: .9375rem; padding-bottom: .3rem; }
thead td { background: none; }
th { font-weight: 400; color: var(--quiet); padding: 0; line-height: 1.2; }
tbody th { text-align: right; padding-right: .3rem; }
.hour { width: 3rem; }
td { height: 1.5rem; padding: 0; text-align: center; border-radius: 3px; background: var(--page); overflow: hidden; }
.more1 { background: var(--more1); } .more2 { background: var(--more2); } .more3 { background: var(--more3); }
.fewer1 { background: var(--fewer1); } .fewer2 { background: var(--fewer2); } .fewer3 { background: var(--fewer3); }
`;

// What a plan changes in a week of deliveries, as one table of hours and days: how many more or fewer there are. Fields
// in which nothing changes are empty; hours between the first and the last that differ all have a row.

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
    return `${weekTitle}\n<div class="card"><p>${same}</p>${outside}<p class="quiet">${whatCounts}</p></div>`;
  }
  return `${weekTitle}
<div class="card">
<p>${countOf(was, 'delivery', 'deliveries')} before, ${countOf(becomes, 'delivery', 'deliveries')} after, ${range}.</p>${outside}
${weekTable(week, hours)}
<p class="quiet">+2 means two more deliveries in that hour, \u22121 one fewer. Where a field is empty, nothing changes. ${clockWords(week)} ${whatCounts}</p>
</div>`;
}

function outsideWords({ outside }: WeekOfDeliveries): string {
  const words = countOf(outside, 'schedule starts, stops or moves', 'schedules start, stop or move');
  return outside === 0 ? '' : `<p>${words} outside of this week.</p>`;
}

const whatCounts = 'Only the schedules in this plan count, and the orphans that keep running.';

function clockWords({ zones: [first = '', ...others] }: WeekOfDeliveries): string {
  if (others.length === 0) return `The hours are those that clocks show in ${htmlCode(first)}.`;
  const named = nameSome([first, ...others].map((zone) => escapeHtml(zone)));
  return `Each schedule counts at the hour that clocks show in its own time zone (${named}), so 09:00 is not the same moment for all of them.`;
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

/**
 * How many deliveries fall into each hour of a week, before a plan and after it. Each schedule counts at the time that
 * the clocks in its own zone show. Only the plan document is used, so unchanged schedules are not counted.
 */
interface WeekOfDeliveries {
  /** Seven dates, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  readonly before: HourCounts;
  readonly after: HourCounts;
  /** Of the schedules that count. */
  readonly zones: readonly string[];
  /** How many schedules start, stop or move, and deliver on none of these days. */
  readonly outside: number;
}

/** By day and hour: `counts[day][hour]`, 7 by 24. */
export type HourCounts = readonly (readonly number[])[];

const daysInWeek = 7;

/** Of the seven days that begin with the day of `now` (epoch milliseconds) in UTC. */
export function weekOfDeliveries({ changes, operations }: PlanDocument, now: number): WeekOfDeliveries {
  const first = Math.floor(now / dayMs) * dayMs;
  const days = Array.from({ length: daysInWeek }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  );
  const [before, after] = [emptyCounts(), emptyCounts()];
  const known = new Map<string, HourCounts>();
  const count = (counts: number[][], attributes: JsonObject | null): Counted => {
    const timing = timingOf(attributes);
    if (timing === undefined) return nothing;
    const key = timing.join('\n');
    const hours = known.get(key) ?? hoursOf(timing, first, days);
    known.set(key, hours);
    hours.forEach((row, day) => {
      row.forEach((runs, hour) => {
        const counted = counts[day];
        if (counted !== undefined) counted[hour] = (counted[hour] ?? 0) + runs;
      });
    });
    return { key, isInside: hours.flat().some((runs) => runs > 0) };
  };
  let outside = 0;
  for (const change of changes) {
    if (change.kind !== 'schedule' || change.action === 'run') continue;
    const was = change.action === 'adopt' ? change.after : change.reason === 'missing' ? null : change.before;
    const earlier = count(before, was);
    // A schedule that is no longer tracked still delivers.
    const kept = leavesOrphan(change, operations) || keepsRunning(change) ? count(after, was) : nothing;
    const later = count(after, change.after);
    const isSame = later.key === earlier.key || (kept !== nothing && later === nothing);
    if (!isSame && !earlier.isInside && !later.isInside) outside += 1;
  }
  const zones = new Set([...known.keys()].map((key) => key.slice(key.indexOf('\n') + 1)));
  return { days, before, after, zones: [...zones].sort(byCodeUnit), outside };
}

interface Counted {
  readonly key: string;
  /** Whether it delivers on one of the days. */
  readonly isInside: boolean;
}

const nothing: Counted = { key: '', isInside: false };

function keepsRunning({ action, reason }: Change): boolean {
  return action === 'forget' && reason === 'removed';
}

type Timing = readonly [expression: string, zone: string];

/** Undefined for what doesn't deliver by itself. */
function timingOf(attributes: JsonObject | null): Timing | undefined {
  const { schedule, timezone, paused, testNow } = attributes ?? {};
  if (typeof schedule !== 'string' || typeof timezone !== 'string' || paused === true || testNow === true) return;
  return [schedule, timezone];
}

function hoursOf([expression, timezone]: Timing, first: number, days: readonly string[]): HourCounts {
  const counts = emptyCounts();
  const { cron } = parseCron(expression);
  const { zone } = checkTimeZone(timezone);
  if (cron === undefined || zone === undefined) return counts;
  const last = days.at(-1) ?? '';
  // No zone is further from UTC than a day.
  for (const { local } of comingRuns(cron, zone, first - dayMs)) {
    const [date = '', time = ''] = local.split('T');
    if (date > last) break;
    const hours = counts[days.indexOf(date)];
    const hour = Number(time.slice(0, 2));
    if (hours !== undefined) hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return counts;
}

function emptyCounts(): number[][] {
  return Array.from({ length: daysInWeek }, () => Array.from({ length: 24 }, () => 0));
}
