// Parts that sections of the page share: links to reports, badges, times.

import { escapeHtml } from '../../report/print-html.ts';
import { weekday } from '../../report/text/words.ts';
import { type PageReport, type PageSubject, type PageTiming, pausedAmong } from './page-model.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Turns `2026-11-23` into `23 Nov 2026`. */
export function dateWords(date: string): string {
  return `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1] ?? ''} ${date.slice(0, 4)}`;
}

/** Turns `2026-11-23T09:00` into `Mon 23 Nov 2026, 09:00`. */
export function timeWords(local: string): string {
  const date = local.slice(0, 10);
  return `${weekday(date)} ${dateWords(date)}, ${local.slice(11, 16)}`;
}

/** Turns `America/New_York` into `New York`. */
export function shortZone(timezone: string): string {
  return timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** The id of its card in the section by dashboard. */
export function dashboardId({ key }: PageSubject): string {
  return `dashboard-${key.replaceAll(/\s/g, '-')}`;
}

/** Empty if the page is not known. */
export function inOmni(link: string | undefined): string {
  return link === undefined ? '' : `<p><a href="${escapeHtml(link)}" rel="external">Open in Omni \u2197</a></p>`;
}

export function linkTo({ id, label }: PageReport): string {
  return `<a href="#${escapeHtml(id)}">${escapeHtml(label)}</a>`;
}

export type Tone = 'out' | 'off' | 'bad' | 'info';

export function badge(tone: Tone, words: string): string {
  return `<b class="badge ${tone}">${escapeHtml(words)}</b>`;
}

export function quiet(words: string): string {
  return words === '' ? '' : ` <small>${escapeHtml(words)}</small>`;
}

/** Everything that a reader must not miss about a report. */
export function badgesOf({ paused, isNew, isLeaving, receivers, health, sink }: PageReport): string {
  return [
    health !== undefined && health.words !== '' && badge(health.needsAttention ? 'bad' : 'off', health.words),
    paused && health?.words.startsWith('paused') !== true && badge('off', 'paused'),
    receivers.some(({ isOutside }) => isOutside) && badge('out', 'goes outside'),
    isNew && badge('info', 'not applied yet'),
    isLeaving && badge('info', 'no longer declared, still delivered'),
    sink !== undefined && badge('info', `to the test receivers of ${sink} instead`),
  ]
    .filter((each) => each !== false)
    .map((each) => ` ${each}`)
    .join('');
}

export function whenWords(when: PageTiming | undefined): string {
  return when === undefined ? 'Once, when it is applied' : `${when.words}, ${when.timezone}`;
}

/** A section of the page; empty without content. `about` appears below its heading. */
export function section(id: string, title: string, content: string, about = ''): string {
  if (content === '') return '';
  const words = about === '' ? '' : `\n<p class="about">${escapeHtml(about)}</p>`;
  return `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>${words}
${content}
</section>`;
}

/** A part that a search hides if it finds nothing there. Its heading belongs to everything in it. */
export function group(heading: string, content: string, id = ''): string {
  return `<div class="group"${id === '' ? '' : ` id="${escapeHtml(id)}"`}><h3>${heading}</h3>${content}</div>`;
}

export function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}`).join('\n')}</ul>`;
}

/** The rest of a longer list in a card is folded. */
const maxInCard = 10;

export function cardList(reports: readonly PageReport[]): string {
  const items = reports.map(lineOf);
  if (items.length <= maxInCard + 1) return list(items);
  const rest = reports.slice(maxInCard);
  const words = withPaused(`and ${rest.length} more`, rest, ', ');
  const fold = `<details class="fold"><summary>${words}</summary>${list(items.slice(maxInCard))}</details>`;
  return list(items.slice(0, maxInCard)) + fold;
}

function lineOf(report: PageReport): string {
  const { paused, when } = report;
  const words = when === undefined ? '' : `${when.words}, ${shortZone(when.timezone)}`;
  return `${linkTo(report)}${paused ? ` ${badge('off', 'paused')}` : ''}${quiet(words)}`;
}

/** `41 reports; 3 paused`. */
export function withPaused(words: string, reports: readonly PageReport[], between: string): string {
  const paused = pausedAmong(reports).length;
  return paused === 0 ? words : `${words}${between}${paused} paused`;
}
