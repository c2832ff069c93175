// A plan as one self-contained HTML file: no script, nothing fetched, and a policy that forbids both. Dangers come first,
// then a week of deliveries, then the changes, folded if there are many.

import { actionNames } from '../../model/plan/action.ts';
import { bodyOf } from '../../model/plan/change-body.ts';
import type { Danger } from '../../model/plan/danger.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { kindOf } from '../../model/values/address.ts';
import { changedLeaves } from '../fields/field-paths.ts';
import { codeSpans } from '../text/code-spans.ts';
import { countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { gravityOf } from './change-gravity.ts';
import { changeNotices, reasonWords } from './change-notices.ts';
import { dangersTitle, mostNamed } from './danger-text.ts';
import { htmlDeclared, htmlFieldDiff } from './html-fields.ts';
import { htmlStyle } from './html-style.ts';
import { htmlWeek } from './html-week.ts';
import { placeWords, planCounts, requestCount } from './plan-headline.ts';
import { weekOfDeliveries } from './week-of-deliveries.ts';

export interface PlanHtmlOptions {
  readonly cron: CronWords;
  /** When the week begins: epoch milliseconds. */
  readonly now: number;
}

/** Up to this many changes are shown unfolded; beyond it, only the grave ones. */
const mostOpen = 10;
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Ends with a newline. */
export function renderPlanHtml(plan: PlanDocument, options: PlanHtmlOptions): string {
  const title = `Almanac plan: ${planCounts(plan.summary) || 'no changes'}`;
  const changes = [...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b));
  const parts = [
    headOf(plan),
    list(dangersTitle, plan.dangers.map(dangerCard)),
    htmlWeek(weekOfDeliveries(plan, options.now)),
    list(
      'Changes',
      changes.map((change) => changeCard(change, plan, options)),
    ),
    list('Unresolved', plan.unresolved.map(unresolvedCard)),
    list(
      'Changed outside of Almanac',
      plan.drift.map((drift) => driftCard(drift, options)),
    ),
    list('Findings', plan.diagnostics.map(diagnosticCard)),
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
  const place = placeWords(plan, code);
  if (changes.length === 0)
    return `<h1>Almanac plan: no changes</h1>\n<p>The declarations match the state.</p>\n<p class="quiet">${place}.</p>`;
  const badges = actionNames
    .filter((action) => summary[action] > 0)
    .map((action) => `<span class="badge ${action}">${summary[action]} to ${action}</span>`);
  return `<h1>Almanac plan</h1>
<p>${badges.join(' ')}</p>
<p class="quiet">${place}. ${requestCount(plan)}.</p>`;
}

function dangerCard({ gravity, title, items }: Danger): string {
  const lines = items.map(({ subject, detail }) =>
    detail === undefined ? `<li>${code(subject)}</li>` : `<li>${code(subject)} (${prose(detail)})</li>`,
  );
  const [shown, others] = [lines.slice(0, mostNamed), lines.slice(mostNamed)];
  const folded =
    others.length === 0
      ? ''
      : `<details><summary>and ${others.length} more</summary><ul>${others.join('')}</ul></details>`;
  return `<section class="card danger ${gravity}"><h3>${escapeHtml(title)}</h3><ul>${shown.join('')}</ul>${folded}</section>`;
}

function changeCard(change: Change, { changes, operations }: PlanDocument, { cron }: PlanHtmlOptions): string {
  const { action, address, blocked, lookedFor, id } = change;
  const isOpen = changes.length <= mostOpen || gravityOf(change) <= 3;
  const reason = reasonWords(change);
  const notices = changeNotices(change, operations).map(
    ({ role, text }) => `<p class="notice ${role}">${prose(text)}</p>`,
  );
  const about = [
    ...(reason === undefined ? [] : [`Because ${reason}.`]),
    ...(change.previousAddress === undefined ? [] : [`From ${code(change.previousAddress)}.`]),
    ...(id === undefined ? [] : [`Id ${code(id)}.`]),
  ];
  const inside = [
    ...notices,
    about.length === 0 ? '' : `<p class="quiet">${about.join(' ')}</p>`,
    bodyHtml(change, cron),
  ].join('');
  const flag =
    blocked === undefined ? '' : `<span class="badge ${lookedFor ? 'update">open' : 'blocked">blocked'}</span>`;
  return `<details class="card"${isOpen ? ' open' : ''}><summary><span class="badge ${action}">${action}</span>${flag}<span class="address">${escapeHtml(address)}</span>${line(change)}</summary><div class="inside">${inside}</div></details>`;
}

/** Its name or the fields that change, and where it is declared. */
function line(change: Change): string {
  const { kind, diff, before, after, file, line: number } = change;
  const fields = changedLeaves(kind, diff).map(({ segments }) => segments[0] ?? '');
  const name = (after ?? before)?.['name'];
  const what =
    bodyOf(change).shows === 'difference' ? [...new Set(fields)].join(', ') : typeof name === 'string' ? name : '';
  const place = file === undefined ? '' : number === undefined ? file : `${file}:${number}`;
  const words = [what, place].filter((part) => part !== '').map(escapeHtml);
  return words.length === 0 ? '' : `<span class="quiet">${words.join(' · ')}</span>`;
}

function bodyHtml(change: Change, cron: CronWords): string {
  const { kind, before, after } = change;
  const body = bodyOf(change);
  switch (body.shows) {
    case 'declaration':
      return htmlDeclared({ ...body, kind, cron });
    case 'difference':
      return htmlFieldDiff({ ...body, kind, before, after, cron });
    case 'names':
      return htmlDeclared({ ...body, kind, sign: ' ' });
  }
}

const lookedForWay = '`almanac apply` looks for it in Omni first, and goes on.';
const checkWay = 'Check in Omni whether it was carried out, then record the answer with `almanac state resolve`.';

function unresolvedCard({ address, action, since, lookedFor }: PlanDocument['unresolved'][number]): string {
  return `<div class="card"><p>${code(address)} (${action}, since ${escapeHtml(since)}): an earlier apply ended before the outcome was known. ${prose(lookedFor ? lookedForWay : checkWay)}</p></div>`;
}

function driftCard({ address, diff }: PlanDocument['drift'][number], { cron }: PlanHtmlOptions): string {
  const isGone = diff.some(({ path }) => path === '');
  const kind = kindOf(address) ?? 'schedule';
  const fields = isGone ? '' : htmlFieldDiff({ kind, diff, before: null, after: null, cron });
  return `<div class="card"><p>${code(address)} ${isGone ? 'is gone' : 'has drifted'}</p>${fields}</div>`;
}

function diagnosticCard(diagnostic: PlanDocument['diagnostics'][number]): string {
  const { severity, code: name, message, hint, file, line: number } = diagnostic;
  const place = file === undefined ? '' : ` in ${code(number === undefined ? file : `${file}:${number}`)}`;
  const way = hint === undefined ? '' : `<p class="quiet">Hint: ${prose(hint)}</p>`;
  const role = severity === 'error' ? 'blocked' : severity === 'warning' ? 'update' : 'move';
  return `<div class="card"><p><span class="badge ${role}">${severity}</span> ${code(name)}${place}</p><p>${prose(message)}</p>${way}</div>`;
}

function footOf({ digest, changes, toolVersion }: PlanDocument): string {
  if (changes.length === 0) return '';
  const by = `By almanac ${escapeHtml(toolVersion)}, ${countOf(changes.length, 'change')}.`;
  return `<h2>Digest</h2>\n<p>${code(digest)}</p>\n<p class="quiet">${by} <code>almanac apply --expect DIGEST</code> applies only this plan.</p>`;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** A sentence, in which backticks enclose code. */
function prose(text: string): string {
  return codeSpans(text)
    .map((span) => (span.isCode ? code(span.text) : escapeHtml(span.text)))
    .join('');
}
