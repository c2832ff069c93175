// A proof for people: each dashboard's worst on a terminal, all of it in Markdown.

import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countList, countOf, maxEqual, maxListed } from '../../model/values/words.ts';
import {
  type Block,
  code,
  type Doc,
  fewOf,
  item,
  joined,
  part,
  section,
  strong,
  type Words,
} from '../../report/doc.ts';
import { printMarkdown } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import type { Page, Role } from '../../report/text/theme.ts';
import type { Wording } from '../../report/wording.ts';
import type { Proof } from './make-proof.ts';
import {
  type DashboardRow,
  type ProveDocument,
  type Reason,
  type ReportRow,
  type TileRow,
  type Verdict,
  verdicts,
} from './prove-document.ts';

const badges: Readonly<Record<Verdict, readonly [words: string, role: Role]>> = {
  'shows-others': ['shows others', 'error'],
  'not-limited': ['not limited', 'error'],
  failed: ['failed', 'warning'],
  busy: ['busy, not tried', 'warning'],
  'too-large': ['too large, not judged', 'warning'],
  'cannot-tell': ['cannot tell', 'warning'],
  empty: ['empty in both', 'warning'],
  limited: ['limited', 'dim'],
  shared: ['shared', 'dim'],
};

/** Tiles that a terminal only counts, unless there is something else to report about them. */
const fine: readonly Verdict[] = ['limited', 'shared'];

/** The words, after their number, for reports that are not proven. */
const reasonWords: Readonly<Record<Reason, string>> = {
  'other-filters': 'Omni does not keep the filters that are declared, so others may see these rows',
  tiles: 'a tile is not limited, is empty, or could not be judged',
  failed: 'Omni rendered no file',
  busy: 'busy: another download of the dashboard was in the way for two minutes',
  'too-large': 'too large, not judged',
  'cannot-tell': 'it is not known what it shows',
  'not-rendered': 'not rendered: another report of the same tiles was, and --each renders all',
  stopped: 'not rendered: --most allowed no further request',
  'every-row': 'its receivers may see every row',
  'no-filter': 'no filter limits it',
  kind: 'no schedule, and Omni renders only schedules',
  png: 'a PNG, which may ignore filters',
  link: 'a link, behind which each reader has their own rights',
  pdf: 'a PDF: the tiles of its first page were judged, by CSV',
  'pdf-pages': 'a PDF: all tiles were judged, by CSV, because Omni does not say which are on its first page',
  'fan-out': 'each recipient gets what their own rights allow (fanOut)',
  rights: 'not rendered with the rights of its owner',
  'not-applied': 'declared, not applied',
};

/** Ends with a newline. */
export function renderProofText({ document, othersOf }: Proof, page: Page): string {
  const doc: Doc = [
    strong(firstLine(document)),
    ...document.dashboards.flatMap((dashboard) => dashboardText(dashboard, othersOf, page)),
    part(...reasonsDoc(document, page)),
  ];
  return printText(doc, page);
}

function firstLine({ summary: { proven, reports, provenDashboards, dashboards } }: ProveDocument): string {
  return `Proven: ${proven} of ${countOf(reports, 'report')} on ${provenDashboards} of ${countOf(dashboards, 'dashboard')}`;
}

function titleOf({ identifier, name }: DashboardRow): Words {
  return [code(identifier), name !== undefined && ` ${name}`];
}

function dashboardText(dashboard: DashboardRow, othersOf: Proof['othersOf'], { showsAll }: Page): Doc {
  const { tiles, problem } = dashboard;
  if (tiles.length === 0 && problem === undefined) return [];
  const worst = inOrder(tiles);
  const isShown = (tile: TileRow) =>
    showsAll || !fine.includes(tile.verdict) || tile.spelledOtherwise > 0 || tile.firstRows !== undefined;
  const others = fine.map((verdict) => [countOfVerdict(worst, verdict, isShown), badges[verdict][0]] as const);
  const counts = countList(others.map(([count, words]) => [count, `${count === 1 ? 'tile' : 'tiles'} ${words}`]));
  return [
    section(titleOf(dashboard), [
      problem !== undefined && item(problem),
      { entries: worst.filter(isShown).map((tile) => entryOf(dashboard, tile, othersOf)), most: maxListed },
      counts !== '' && `${counts}.`,
    ]),
  ];
}

function countOfVerdict(tiles: readonly TileRow[], verdict: Verdict, isShown: (tile: TileRow) => boolean): number {
  return tiles.filter((tile) => tile.verdict === verdict && !isShown(tile)).length;
}

function inOrder(tiles: readonly TileRow[]): readonly TileRow[] {
  const place = ({ verdict }: TileRow) => verdicts.indexOf(verdict);
  return tiles.toSorted((a, b) => place(a) - place(b));
}

function entryOf({ identifier }: DashboardRow, tile: TileRow, othersOf: Proof['othersOf']) {
  const [words, role] = badges[tile.verdict];
  const of = tileWords(tile, othersOf[`${identifier}/${tile.tile}`] ?? []);
  return { badge: { role, of: words }, cells: [[tile.name, ' (', code(tile.tile), ')'], of], line: of };
}

function tileWords(tile: TileRow, known: readonly string[]): Words {
  const { verdict, message, others = 0, blanks, totals, firstRows, spelledOtherwise } = tile;
  const named = joined(known.slice(0, maxEqual).map((value) => ({ value })));
  const ofOthers = [countOf(others, 'value'), ' of others', named.length > 0 && [': ', named]];
  return joined(
    [
      verdict === 'not-limited' && 'has rows with a value that nobody has',
      others > 0 && ['shows ', ofOthers],
      verdict === 'empty' && 'has no rows for the receivers that were tried',
      message,
      spelledOtherwise > 0 &&
        `${countOf(spelledOtherwise, 'value is', 'values are')} spelled differently than in the table`,
      blanks > 0 && `${countOf(blanks, 'row')} without a value`,
      totals > 0 && countOf(totals, 'total'),
      firstRows !== undefined && `first ${countOf(firstRows, 'row')}`,
    ],
    '; ',
  );
}

/** One line for all reports that are not proven for the same reason. */
function reasonsDoc(
  { dashboards, withoutDashboard }: ProveDocument,
  { showsAll }: Pick<Page, 'showsAll'>,
): readonly Block[] {
  const reports = [...dashboards.flatMap((each) => each.reports), ...withoutDashboard];
  const open = reports.filter(({ proven }) => !proven);
  if (reports.length === 0) return ['`safety.rows` judges no report of these, so nothing was rendered.'];
  const messagesAbove = new Set(
    dashboards.flatMap(({ problem, tiles }) => [problem, ...tiles.map(({ message }) => message)]),
  );
  const untold = ({ reason, message }: ReportRow) =>
    message === undefined || reason === 'stopped' || messagesAbove.has(message) ? '' : message;
  const groups = [...groupBy(open, (report) => `${report.reason} ${untold(report)}`).values()];
  return [
    open.length > 0 && strong('Not proven'),
    ...groups.flatMap((same) =>
      same.slice(0, 1).map((first) => {
        const message = untold(first);
        const addresses = same.map(({ address }) => code(address));
        return item([`${reasonOf(first)}: `, fewOf(addresses, { showsAll }), message !== '' && `. ${message}`]);
      }),
    ),
    open.some(({ reason }) => reason === 'not-applied') && `\`${command('apply')}\` sends what is declared.`,
  ];
}

function reasonOf({ reason = 'cannot-tell' }: Pick<ReportRow, 'reason'>): string {
  return reasonWords[reason];
}

/** All tiles and all reports, for an auditor. Ends with a newline. */
export function renderProofMarkdown({ document, othersOf }: Proof, wording?: Wording): string {
  const { at, organization, commit, table, dashboards, withoutDashboard } = document;
  const rows: readonly (readonly Words[])[] = [
    ['date', at],
    ['organization', code(organization)],
    ['commit', commit === undefined ? 'unknown' : code(commit)],
    ['table of permissions', [code(table.file), ', SHA-256 ', code(table.digest)]],
  ];
  const doc: Doc = [
    { heading: firstLine(document) },
    { head: [{ title: 'what' }, { title: 'which' }], rows },
    ...dashboards.map((dashboard) => dashboardMarkdown(dashboard, othersOf)),
    withoutDashboard.length > 0 && section('Routines and AI jobs', [reportsTable(withoutDashboard)]),
    section('What this does not say', [
      item('what a delivery in another format than CSV shows beyond the same tiles, such as the text of a PDF'),
      item(
        `whether Omni keeps the filters of reports that were not rendered: \`${command('drift', '--deep')}\` compares them`,
      ),
      item('what a report shows tomorrow: the dashboard may be changed'),
      item('what readers see in Omni'),
    ]),
  ];
  return printMarkdown(doc, { limit: Number.POSITIVE_INFINITY, wording });
}

function dashboardMarkdown(dashboard: DashboardRow, othersOf: Proof['othersOf']): Block {
  const { tiles, problem, reports } = dashboard;
  const head = ['verdict', 'tile', 'what was found'].map((title) => ({ title }));
  return section(titleOf(dashboard), [
    problem !== undefined && item(problem),
    { head, entries: inOrder(tiles).map((tile) => entryOf(dashboard, tile, othersOf)) },
    reportsTable(reports),
  ]);
}

function reportsTable(reports: readonly ReportRow[]): Block {
  const head = ['report', 'format', 'proven', 'rendered with the rights of'].map((title) => ({ title }));
  const rows = reports.map(({ address, format = '', proven, reason, message, rights = '' }): readonly Words[] => [
    code(address),
    format,
    proven ? 'yes' : ['no: ', joined([reasonOf({ reason }), message], '. ')],
    rights === '' ? 'not rendered' : rights,
  ]);
  return { head, rows };
}
