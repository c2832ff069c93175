// Every report once, with everything that the page knows of it.

import { groupBy } from '../../model/values/collections.ts';
import { escapeHtml } from '../../report/print-html.ts';
import { badge, badgesOf, dashboardId, dateWords, inOmni, timeWords } from './html-parts.ts';
import type { PageReceiver, PageReport, PageSubject } from './page-model.ts';
import { writtenName } from './recipient-kinds.ts';

/** More receivers of one list are folded. */
const maxShown = 12;

export function reportCard(report: PageReport): string {
  const { id, label, when, what, way, condition, subject, owner, account, filters, tags, note, place, health } = report;
  const asApplied = [report.keptAsApplied, report.stillInOmni].filter((words) => words !== undefined);
  const next = when?.next === undefined ? '' : `<p>Next: <strong>${escapeHtml(timeWords(when.next))}</strong>`;
  const never = when !== undefined && when.next === undefined && !report.paused ? '<p>It does not run again.' : '';
  const last = health?.lastCompletedAt;
  const rows = [
    row('To', receiverLines(report.receivers)),
    row(
      'What',
      [escapeHtml(what) + subjectWords(subject), ...[way, condition ?? ''].map(escapeHtml)].filter(Boolean).join(', '),
    ),
    row(
      'Filters',
      filters
        .map((each) => `<span class="pair"><i>${escapeHtml(each.name)}:</i> ${escapeHtml(each.words)}</span>`)
        .join(''),
    ),
    row('Owner', ownerWords(owner, account)),
    row('Note', note === undefined ? '' : escapeHtml(note)),
    row('Last run', last === undefined ? '' : `ended ${escapeHtml(`${dateWords(last)}, ${last.slice(11, 16)}`)} UTC`),
    row('Tags', tags.map((tag) => `<span class="tag">${escapeHtml(tag)}</span>`).join(' ')),
  ];
  return `<article id="${escapeHtml(id)}"><div><h3>${escapeHtml(label)}${badgesOf(report)}</h3>
<p>${when === undefined ? 'Once, when it is applied' : `${escapeHtml(when.words)} <small>${escapeHtml(when.timezone)}</small>`}
${next}${never}${asApplied.map((words) => `<p>${escapeHtml(words)}.`).join('')}
<p class="place">${escapeHtml(place)}${inOmni(report.link)}</div>
<dl>${rows.filter((each) => each !== '').join('\n')}</dl></article>`;
}

function row(name: string, content: string): string {
  return content === '' ? '' : `<dt>${name}<dd>${content}`;
}

function subjectWords(subject: PageSubject | undefined): string {
  return subject === undefined
    ? ''
    : ` of <a href="#${escapeHtml(dashboardId(subject))}">${escapeHtml(subject.name)}</a>`;
}

function ownerWords(owner: string | undefined, account: string | undefined): string {
  if (account === undefined) return owner === undefined ? '' : escapeHtml(owner);
  return owner === undefined
    ? escapeHtml(account)
    : `${escapeHtml(owner)} <small>in Omni ${escapeHtml(account)}</small>`;
}

/** A line for each list or group through which somebody receives it, and of each for those outside. */
function receiverLines(receivers: readonly PageReceiver[]): string {
  return [...groupBy(receivers, ({ via, isOutside }) => `${via}\n${isOutside}`).values()]
    .map((same) => {
      const [{ via, isOutside }] = same as [PageReceiver];
      const through = via === '' ? '' : `<i>${escapeHtml(via)}:</i> `;
      const outside = isOutside ? `${badge('out', 'outside')} ` : '';
      return `<span class="pair">${outside}${through}${folded(same.map((receiver) => escapeHtml(writtenName(receiver))))}</span>`;
    })
    .join('');
}

function folded(names: readonly string[]): string {
  if (names.length <= maxShown + 1) return names.join(', ');
  const rest = names.slice(maxShown);
  return `${names.slice(0, maxShown).join(', ')}<details><summary>and ${rest.length} more</summary>${rest.join(', ')}</details>`;
}
