// The page: its head, its look, and its sections in the order people ask.

import { command } from '../../model/values/command.ts';
import { countOf, grouped } from '../../model/values/words.ts';
import { htmlPage } from '../../report/html-page.ts';
import { escapeHtml } from '../../report/print-html.ts';
import { isPerson } from './hide-people.ts';
import { dateWords } from './html-parts.ts';
import { failing, type PageAsked, type PageModel, pausedAmong } from './page-model.ts';
import { pageScript } from './page-script.ts';
import {
  dashboardSection,
  failingSection,
  outsideSection,
  pausedSection,
  peopleSection,
  permissionsSection,
  recipientsIn,
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

// The look of the page, in the colours of every page: one column on a phone, and A4 on paper.

const pageStyle = `
html { scroll-padding-top: calc(var(--bar, 0px) + .5rem); }
header, main, form { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; margin: 0 0 .35rem; }
h2 { font-size: 1.3rem; line-height: 1.25; letter-spacing: -.005em; margin: 0; }
h3 { font-size: 1rem; line-height: 1.4; margin: 0; }
h4 { font-size: .8125rem; font-weight: 600; color: var(--quiet); margin: .6rem 0 .15rem; }
p { margin: 0; }
header p, .about { color: var(--quiet); max-width: 46rem; }
a, h3, small, .pair, .tag { unicode-bidi: isolate; }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
small { font-size: .8125rem; font-weight: 400; color: var(--quiet); }
ul { list-style: none; margin: 0; padding: 0; }
a { text-decoration-thickness: 1px; text-underline-offset: .15em; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: 0; z-index: 2; }
#old { color: var(--amber); background: var(--amber-back); border-radius: 8px; padding: .5rem .8rem; margin-top: .8rem; font-weight: 600; }
header nav ul { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.2rem; }
header nav li { display: flex; }
header nav a { display: flex; align-items: baseline; align-content: center; gap: .35em; padding: .45rem .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; color: var(--text); text-decoration: none; }
header nav a:hover { border-color: var(--blue); }
header nav strong { font-size: 1.15rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
header nav .out { color: var(--amber); background: var(--amber-back); }
header nav .off { color: var(--quiet); background: var(--gray-back); }
header nav .bad { color: var(--red); background: var(--red-back); }
form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; padding-top: .8rem; padding-bottom: .8rem; background: var(--page); }
form label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input { flex: 1 1 18rem; max-width: 34rem; min-width: 0; font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--quiet); border-radius: 8px; padding: .55rem .8rem; }
input::placeholder { color: var(--quiet); opacity: 1; }
output { color: var(--quiet); font-variant-numeric: tabular-nums; }
[hidden] { display: none !important; }
section { margin: 2.25rem 0; }
section > h2 { margin-bottom: .25rem; }
section > .about { margin-bottom: .9rem; }
section > p:not(.about) { margin-top: .3rem; }
.badge { display: inline-block; vertical-align: .05em; font-size: .75rem; line-height: 1.45; font-weight: 600; padding: 0 .45rem; border-radius: 99px; white-space: nowrap; }
.badge.out { color: var(--amber); background: var(--amber-back); }
.badge.off { color: var(--quiet); background: var(--gray-back); }
.badge.bad { color: var(--red); background: var(--red-back); }
.badge.info { color: var(--blue); background: var(--blue-back); white-space: normal; border-radius: 6px; }
.strip { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: .35rem; margin: .2rem 0 1rem; }
.strip a { display: flex; flex-direction: column; align-items: center; padding: .4rem .1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; color: var(--text); text-decoration: none; }
.strip a:hover { border-color: var(--blue); }
.strip a > span { font-weight: 600; font-size: .9rem; text-align: center; }
.strip small { display: block; }
.strip strong { font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.day { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1.25rem; padding: .9rem 0; border-top: 1px solid var(--line); }
.day h3 small { display: block; }
.day > div > :first-child > h4 { margin-top: .1rem; }
.slot { display: grid; grid-template-columns: 10.5rem minmax(0, 1fr); gap: 0 1rem; padding: .15rem 0; }
h5 { font-size: 1rem; font-weight: 600; margin: 0; font-variant-numeric: tabular-nums; }
.slot ul { columns: 15rem 3; column-gap: 1.5rem; }
.slot li { break-inside: avoid; padding-bottom: .1rem; }
.searching .strip, .part:not(.day) > :is(h3, h4) > small, .part > summary small { display: none; }
.none { color: var(--quiet); }
summary h4 { display: inline; }
#ways { display: flex; flex-wrap: wrap; gap: .1rem 1rem; flex-basis: 100%; font-size: .9375rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .875rem; }
article { display: grid; grid-template-columns: minmax(0, 22rem) minmax(0, 1fr); gap: .6rem 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem; margin-top: .6rem; }
article h3 { font-size: 1.0625rem; margin-bottom: .2rem; }
article p small { display: block; }
article strong { font-weight: 600; }
.place { font: .75rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--quiet); margin-top: .4rem; }
:is(article, .grid > .group):target { outline: 2px solid var(--blue); outline-offset: -1px; }
dl { margin: 0; display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: .15rem .75rem; align-content: start; }
dt { color: var(--quiet); font-size: .875rem; line-height: 1.7; }
dd { margin: 0; }
.pair { display: block; }
i { font-style: normal; color: var(--quiet); }
.tag { display: inline-block; background: var(--gray-back); border-radius: 4px; padding: 0 .4rem; font-size: .8125rem; }
.grid { margin-top: .6rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .6rem; align-items: start; }
.grid > .group, section > .group:not(.day) { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem; }
section > .group:not(.day) { margin-top: .6rem; }
.grid li, section > .group:not(.day) li { padding: .2rem 0; line-height: 1.4; }
.grid li small { display: block; }
#paused li p { font-size: .8125rem; color: var(--quiet); }
.many :is(article, .grid > .group, .day) { content-visibility: auto; contain-intrinsic-size: auto 9rem; }
 @media (max-width: 45rem) {
  header { padding-top: 1.2rem; }
  h1 { font-size: 1.4rem; }
  article, .day { grid-template-columns: minmax(0, 1fr); }
  article { padding: .8rem .9rem; }
  .day h3 small { display: inline; }
  #paused li small { display: block; }
  .day h3, .slot h5 { position: sticky; background: var(--page); }
  .day h3 { top: var(--bar, 0px); padding-bottom: .2rem; }
  .slot h5 { top: calc(var(--bar, 0px) + 1.6rem); }
  .strip { gap: .2rem; }
  .strip small span { display: none; }
  .strip strong { font-size: 1rem; }
  .slot { grid-template-columns: minmax(0, 1fr); padding: .25rem 0; }
  dl { grid-template-columns: 4.2rem minmax(0, 1fr); }
}
 @page { size: A4; margin: 14mm; }
 @media print {
  body { background: #fff; font-size: 10pt; }
  form, .skip { display: none !important; }
  header, main { max-width: none; padding: 0; }
  a { color: inherit; text-decoration: none; }
  .many :is(article, .grid > .group, .day) { content-visibility: visible; }
  article, .grid > .group { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; }
}
`;
