// The page: its head, and the sections in the order in which people ask.

import { command } from '../../model/values/command.ts';
import { countOf, grouped } from '../../model/values/words.ts';
import { htmlPage } from '../../report/html-page.ts';
import { escapeHtml } from '../../report/print-html.ts';
import { dateWords } from './html-parts.ts';
import { failing, type PageAsked, type PageModel, pausedAmong } from './page-model.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { recipientsIn } from './people.ts';
import { isPerson } from './recipient-kinds.ts';
import {
  dashboardSection,
  failingSection,
  outsideSection,
  pausedSection,
  peopleSection,
  permissionsSection,
  reportsSection,
  weekSection,
} from './sections.ts';

/** Tells a later run that it may replace the file. */
const generator = '<meta name="generator" content="Almanac page">';

export function isPage(text: string): boolean {
  return text.startsWith('<!doctype html>') && text.slice(0, 4096).includes(generator);
}

/** With more, the browser lays out only the near ones. */
const fewReports = 100;

/** Ends with a newline. */
export function renderPage(model: PageModel): string {
  const sections = [
    failingSection,
    permissionsSection,
    weekSection,
    outsideSection,
    pausedSection,
    reportsSection,
    peopleSection,
    dashboardSection,
  ]
    .map((render) => render(model))
    .filter((each) => each !== '');
  return htmlPage({
    title: titleOf(model),
    style: pageStyle,
    script: pageScript,
    head: ['<meta name="robots" content="noindex, nofollow">', generator],
    look: model.reports.length > fewReports ? 'many' : undefined,
    body: `<a class="skip" href="#reports">Skip to all reports</a>
<header>
${headOf(model)}
</header>
<form id="search" role="search" hidden>
<label for="words">Search</label>
<input id="words" type="search" autocomplete="off" spellcheck="false" placeholder="Name, person, dashboard, day" aria-describedby="found">
<output id="found" for="words" aria-live="polite"></output>
<a id="clear" href="#search" hidden>Clear the search</a>
<nav id="ways" aria-label="Where it was found" hidden></nav>
</form>
<main>
${sections.join('\n')}
</main>`,
  });
}

function titleOf({ host }: PageModel): string {
  return host === undefined ? 'Scheduled reports' : `Scheduled reports of ${host}`;
}

function headOf(model: PageModel): string {
  const { madeAt, commit, environment, selectors, knowsInside, canProve, isMasked } = model;
  const made = `Made on <time datetime="${escapeHtml(madeAt)}">${dateWords(madeAt)}, ${madeAt.slice(11, 16)} UTC</time>`;
  const from = commit === undefined ? '' : ` from commit <code>${escapeHtml(commit.slice(0, 12))}</code>`;
  const where = environment === undefined ? '' : `, environment <code>${escapeHtml(environment)}</code>`;
  const notes = [
    selectors.length > 0 && `Only the reports that these select: ${selectors.join(', ')}.`,
    isMasked && 'Persons are counted and not named.',
    canProve && `The command ${command('prove')} shows whether somebody can see the rows of others.`,
    !knowsInside && 'It is not known who is outside the company: almanac.yaml lists no safety.internalDomains.',
  ].filter((each) => each !== false);
  return `<h1>${escapeHtml(titleOf(model))}</h1>
<p>${made}${from}${where}.${notes.map((words) => ` ${escapeHtml(words)}`).join('')}</p>
<p id="old" role="status" hidden></p>
<nav aria-label="Sections"><ul>${tilesOf(model).join('\n')}</ul></nav>`;
}

function tilesOf(model: PageModel): readonly string[] {
  const { reports, knowsInside, isMasked, online, permissions } = model;
  const outside = reports.filter(({ receivers }) => receivers.some(({ isOutside }) => isOutside)).length;
  const people = isMasked ? 0 : recipientsIn(reports).filter(isPerson).length;
  const dashboards = new Set(reports.flatMap(({ subject }) => subject?.key ?? [])).size;
  const failed = failing(model).length;
  const paused = pausedAmong(reports).length;
  return [
    tile('reports', reports.length, countOf(reports.length, 'report')),
    ...(online === undefined ? [] : [failedTile(failed, online)]),
    ...(permissions.length === 0 ? [] : [permissionsTile(permissions)]),
    tile('week', undefined, 'The next seven days'),
    ...(knowsInside
      ? [tile('outside', outside, `${outside} ${outside === 1 ? 'goes' : 'go'} outside`, outside > 0 ? 'out' : '')]
      : []),
    tile('paused', paused, `${paused} paused`, paused > 0 ? 'off' : ''),
    ...(people === 0 ? [] : [tile('people', people, countOf(people, 'person', 'people'))]),
    ...(dashboards === 0 ? [] : [tile('dashboards', dashboards, countOf(dashboards, 'dashboard'))]),
  ];
}

function permissionsTile(permissions: PageModel['permissions']): string {
  const over = permissions.filter(({ isOver }) => isOver).length;
  const words = over > 0 ? `${countOf(over, 'permission')} ended` : 'Permissions that end';
  return tile('permissions', over, words, over > 0 ? 'bad' : '');
}

function failedTile(failed: number, { hasRun }: PageAsked): string {
  if (!hasRun) return tile('failed', undefined, 'No delivery yet');
  return tile('failed', failed, `${failed} failed`, failed > 0 ? 'bad' : '');
}

function tile(id: string, count: number | undefined, words: string, tone = ''): string {
  const [, rest = words] = /^[\d,]+ (.*)$/.exec(words) ?? [];
  const number = count === undefined ? '' : `<strong>${grouped(count)}</strong> `;
  return `<li><a${tone === '' ? '' : ` class="${tone}"`} href="#${id}">${number}${rest}</a>`;
}
