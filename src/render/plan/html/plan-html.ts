// A plan as one self-contained HTML file: no script, nothing fetched, and a policy that forbids both. Dangers come first,
// then a week of deliveries, then the changes, folded if there are many.

import { actionNames } from '../../../model/plan/action.ts';
import type { Danger } from '../../../model/plan/danger.ts';
import type { PlanDocument } from '../../../model/plan/plan.ts';
import { planFindings } from '../../../model/plan/plan-findings.ts';
import { countResources } from '../../fields/count-resources.ts';
import { countOf } from '../../text/count-words.ts';
import type { CronWords } from '../../text/cron-text.ts';
import { escapeHtml, htmlCode, htmlProse } from '../../text/escape-html.ts';
import { dangersTitle, mostNamed } from '../danger-text.ts';
import { isGone } from '../drift-text.ts';
import { type FoldedDrift, foldDrift } from '../folds/fold-changes.ts';
import { placeWords, planCounts, requestCount, sinkWords } from '../plan-headline.ts';
import { changeCards } from './html-changes.ts';
import { htmlFieldDiff } from './html-fields.ts';
import { findingCards } from './html-findings.ts';
import { htmlStyle } from './html-style.ts';
import { htmlWeek } from './html-week.ts';
import { weekOfDeliveries } from './week-of-deliveries.ts';

export interface PlanHtmlOptions {
  readonly cron: CronWords;
  /** When the week begins: epoch milliseconds. */
  readonly now: number;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Ends with a newline. */
export function renderPlanHtml(plan: PlanDocument, options: PlanHtmlOptions): string {
  const title = `Almanac plan: ${planCounts(plan) || 'no changes'}`;
  const parts = [
    headOf(plan),
    list(dangersTitle, plan.dangers.map(dangerCard)),
    htmlWeek(weekOfDeliveries(plan, options.now)),
    list('Changes', changeCards(plan, options.cron)),
    list('Unresolved', plan.unresolved.map(unresolvedCard)),
    list(
      'Changed outside of Almanac',
      foldDrift(plan.drift).map((drift) => driftCard(drift, options)),
    ),
    list('Findings', findingCards(planFindings(plan))),
    footOf(plan),
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
${parts.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

function list(title: string, cards: readonly string[]): string {
  return cards.length === 0 ? '' : `<h2>${title}</h2>\n${cards.join('\n')}`;
}

function headOf(plan: PlanDocument): string {
  const { summary, changes } = plan;
  const sink = plan.sink === undefined ? '' : ` ${sinkWords(plan, htmlCode)}.`;
  const place = placeWords(plan, htmlCode);
  if (changes.length === 0)
    return `<h1>Almanac plan: no changes</h1>\n<p>The declarations match the state.</p>\n<p class="quiet">${place}.${sink}</p>`;
  const badges = actionNames
    .filter((action) => summary[action] > 0)
    .map((action) => `<span class="badge ${action}">${summary[action]} to ${action}</span>`);
  return `<h1>Almanac plan</h1>
<p>${badges.join(' ')}</p>
<p class="quiet">${place}. ${requestCount(plan)}.${sink}</p>`;
}

function dangerCard({ gravity, title, items }: Danger): string {
  const lines = items.map(({ subject, detail }) =>
    detail === undefined ? `<li>${htmlCode(subject)}</li>` : `<li>${htmlCode(subject)} (${htmlProse(detail)})</li>`,
  );
  const [shown, others] = [lines.slice(0, mostNamed), lines.slice(mostNamed)];
  const named = shown.length === 0 ? '' : `<ul>${shown.join('')}</ul>`;
  const folded =
    others.length === 0
      ? ''
      : `<details><summary>and ${others.length} more</summary><ul>${others.join('')}</ul></details>`;
  return `<section class="card danger ${gravity}"><h3>${escapeHtml(title)}</h3>${named}${folded}</section>`;
}

const lookedForWay = '`almanac apply` looks for it in Omni first, and goes on.';
const checkWay = 'Check in Omni whether it was carried out, then record the answer with `almanac state resolve`.';

function unresolvedCard({ address, action, since, lookedFor }: PlanDocument['unresolved'][number]): string {
  return `<div class="card"><p>${htmlCode(address)} (${action}, since ${escapeHtml(since)}): an earlier apply ended before the outcome was known. ${htmlProse(lookedFor ? lookedForWay : checkWay)}</p></div>`;
}

function driftCard({ kind, addresses, diff }: FoldedDrift, { cron }: PlanHtmlOptions): string {
  const fields = isGone(diff) ? '' : htmlFieldDiff({ kind, diff, before: null, after: null, cron });
  if (addresses.length === 1)
    return `<div class="card"><p>${htmlCode(addresses[0])} ${isGone(diff) ? 'is gone' : 'has drifted'}</p>${fields}</div>`;
  const count = countResources(kind, addresses);
  const names = addresses.map((address) => `<li>${htmlCode(address)}</li>`).join('');
  const which = `<details><summary>Which ${count}</summary><ul>${names}</ul></details>`;
  return `<div class="card"><p>${count} ${isGone(diff) ? 'are gone' : 'have drifted'}</p>${fields}${which}</div>`;
}

function footOf({ digest, changes, toolVersion }: PlanDocument): string {
  if (changes.length === 0) return '';
  const by = `By almanac ${escapeHtml(toolVersion)}, ${countOf(changes.length, 'change')}.`;
  return `<h2>Digest</h2>\n<p>${htmlCode(digest)}</p>\n<p class="quiet">${by} <code>almanac apply --expect DIGEST</code> applies only this plan.</p>`;
}
