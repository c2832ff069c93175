// A proof for people: on a terminal the worst of each dashboard first, in Markdown all of it.

import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf, maxListed, nameSome } from '../../model/values/words.ts';
import {
  type Block,
  code,
  type Doc,
  fewOf,
  item,
  joined,
  part,
  type ReportEntry,
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
  type Comparison,
  type DashboardRow,
  openReasons,
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
  'names-others': ['names others', 'warning'],
  'not-compared': ['limited, values not compared', 'warning'],
  empty: ['empty in both', 'warning'],
  limited: ['limited', 'dim'],
  shared: ['shared', 'dim'],
};

const comparedWords: Readonly<Record<Comparison, string>> = {
  column: 'by each value',
  'values-of-the-table': 'by the values of the table',
  'nothing-to-compare': 'no column divides it',
  'not-compared': 'no value compared',
};

/** The words for reports that are not proven, and how that is repaired. */
const reasonWords: Readonly<Record<Reason, readonly [words: string, repair?: string]>> = {
  'sees-nothing': [
    'a receiver may see nothing of it today, because the line of the table has ended',
    'Pause the report or take the receiver off; if they may see it, whoever owns the table writes a later day',
  ],
  'other-filters': [
    'Omni does not keep the filters that are declared, so others may see these rows',
    `\`${command('apply', '--refresh=deep')}\` sends them again`,
  ],
  'shows-others': ['a tile shows others', 'Pause the report, and correct the tile in Omni'],
  'not-limited': ['a tile is not limited', 'Pause the report, and let the tile listen to the filter in Omni'],
  failed: ['Omni rendered no file', `\`${command('prove', '-v')}\` on a terminal shows what Omni said`],
  busy: ['busy: another download of the dashboard was in the way for two minutes', 'Run it again'],
  'too-large': ['too large, not judged', 'Set `maxRowLimit`, or send one tile'],
  stopped: ['not rendered: --most allowed no further request', 'Allow more'],
  'cannot-tell': ['it is not known what it shows', `Look at it: \`${command('preview')}\``],
  'names-others': [
    'a column of another field has values of others',
    'If these rows are not theirs, name the column in `safety.rows.shared`',
  ],
  'spelled-otherwise': [
    'a value differs from the table in case, blanks or form',
    'Whoever owns the table writes the value as Omni does',
  ],
  'values-not-compared': [
    'a tile is limited, but none of its values could be compared',
    'Give the column of the dividing field in Omni the name of that field',
  ],
  empty: ['a tile is empty for the receivers that were tried', `Try others with \`--each\`, or when there are rows`],
  shared: ['all of its tiles are shared', 'Remove one from `safety.rows.shared`'],
  'no-filter': ['no filter limits it', 'Set the filter in `filterConfig`'],
  'fan-out': ['each recipient gets what their own rights allow', 'Leave `fanOut` out'],
  pdf: ['a PDF, and Omni does not say which tiles are on its first page', 'Send it as xlsx, or one tile'],
  rights: [
    'not rendered with the rights of its owner',
    'Declare `owner`: it renders with the rights of that person, which needs an organization key',
  ],
  'not-rendered': ['more show the same tiles', '`--each` renders them'],
  'not-applied': ['declared, not applied', `\`${command('apply')}\` sends what is declared`],
  paused: ['paused'],
  'every-row': ['its receivers may see every row'],
  kind: ['no schedule, and Omni renders only schedules'],
  png: ['a PNG, which may ignore filters'],
  link: ['a link, behind which each reader has their own rights'],
};

/** Ends with a newline. `showsWords` shows what the service said. */
export function renderProofText({ document, itsWords }: Proof, page: Page, showsWords: boolean): string {
  const said = (message: string) => (showsWords ? (itsWords[message] ?? message) : message);
  const doc: Doc = [
    strong(firstLine(document)),
    ...document.dashboards.flatMap((dashboard) => dashboardText(dashboard, said)),
    part(...reasonsDoc(document, page, said)),
  ];
  return printText(doc, page);
}

function firstLine({ summary: { proven, byValues, byFirstPage, reports } }: ProveDocument): string {
  const others = proven - byValues;
  const parts = [
    `Proven: ${byValues} of ${countOf(reports, 'report')} by every value`,
    ...(others > 0 ? [`${others} more ${others === 1 ? 'has' : 'have'} only limited tiles`] : []),
    ...(byFirstPage > 0
      ? [`${byFirstPage} of the ${byValues} by the tiles of ${byFirstPage === 1 ? 'its' : 'their'} first page`]
      : []),
  ];
  return `${parts.join('; ')}.`;
}

function titleOf({ identifier, name }: DashboardRow): Words {
  return [code(identifier), name !== undefined && ` ${name}`];
}

type Said = (message: string) => string;

function dashboardText(dashboard: DashboardRow, said: Said): Doc {
  const { tiles, problem, reports } = dashboard;
  const selected = reports.filter((report) => report.selected);
  if (selected.length === 0) return [];
  return [
    section(titleOf(dashboard), [
      problem !== undefined && item(said(problem)),
      { entries: inOrder(tiles).map((tile) => tileEntry(dashboard, tile, said)), most: maxListed },
      { entries: selected.map(reportEntry), most: maxListed },
    ]),
  ];
}

function inOrder(tiles: readonly TileRow[]): readonly TileRow[] {
  const place = ({ verdict }: TileRow) => verdicts.indexOf(verdict);
  return tiles.toSorted((a, b) => place(a) - place(b));
}

function tileEntry({ identifier }: DashboardRow, tile: TileRow, said: Said): ReportEntry {
  const [words, role] = badges[tile.verdict];
  const of = tileWords(identifier, tile, said);
  return { badge: { role, of: words }, cells: [[tile.name, ' (', code(tile.tile), ')'], of], line: of };
}

function reportEntry(report: ReportRow): ReportEntry {
  const of = joined(
    [aboutWords(report), report.applied !== undefined && `applied ${report.applied.slice(0, 10)}`],
    ', ',
  );
  const badge = report.proven
    ? ({ role: 'dim', of: 'proven' } as const)
    : ({ role: 'warning', of: 'not proven' } as const);
  return { badge, cells: [code(report.address), of], line: of };
}

function aboutWords({ values, receivers, waived }: ReportRow): Words {
  return [
    joined(values.slice(0, maxListed).map((value) => ({ value }))),
    values.length > maxListed && ` and ${values.length - maxListed} more`,
    ` to ${nameSome(receivers)}`,
    waived === true && ', by a waiver in place of a line that has ended',
  ];
}

function tileWords(identifier: string, tile: TileRow, said: Said): Words {
  const { verdict, message, compared, rows, rowsForNobody, others = 0, named, blanks, totals, firstRows } = tile;
  const shown = valuesShown(tile.othersOfTable);
  return joined(
    [
      verdict === 'not-limited' && 'has rows with a value that nobody has',
      others > 0 && ['shows ', countOf(others, 'value'), ' of others', shown !== undefined && [': ', shown]],
      ...named.map(({ column, values }) => [
        `column ${column} has `,
        valuesShown(values),
        '; if that is not one of their rows, write ',
        code(`shared: [${identifier}/${tile.tile}:${column}]`),
      ]),
      verdict === 'empty' && 'has no rows for the receivers that were tried',
      message !== undefined && said(message).replace(/\.$/, ''),
      tile.spelledOtherwise > 0 &&
        `${countOf(tile.spelledOtherwise, 'value is', 'values are')} spelled differently than in the table`,
      blanks > 0 && `${countOf(blanks, 'row')} without a value`,
      totals > 0 && countOf(totals, 'total'),
      firstRows !== undefined && `first ${countOf(firstRows, 'row')}`,
      rows !== undefined &&
        `${countOf(rows, 'row')}, ${rowsForNobody === undefined ? '' : `${rowsForNobody} for nobody`}`,
      compared !== undefined && comparedWords[compared],
    ],
    '; ',
  );
}

function valuesShown(values: readonly string[]): Words | undefined {
  return values.length === 0 ? undefined : joined(values.map((value) => ({ value })));
}

/** One line for all reports that have the same reason. */
function reasonsDoc(
  { dashboards, withoutDashboard }: ProveDocument,
  { showsAll }: Pick<Page, 'showsAll'>,
  said: Said,
): readonly Block[] {
  const reports = [...dashboards.flatMap((each) => each.reports), ...withoutDashboard];
  if (reports.length === 0) return ['`safety.rows` judges no report of these, so nothing was rendered.'];
  const messagesAbove = new Set(
    dashboards.flatMap(({ problem, tiles }) => [problem, ...tiles.map(({ message }) => message)]),
  );
  const untold = ({ reason, message }: ReportRow) =>
    message === undefined || reason === 'stopped' || messagesAbove.has(message) ? '' : message;
  const linesOf = (of: readonly ReportRow[]) =>
    [...groupBy(of, (report) => JSON.stringify([report.reason, report.also, untold(report)])).values()].flatMap(
      (same) =>
        same.slice(0, 1).map((first) => {
          const addresses = same.map(({ address }) => code(address));
          const message = untold(first);
          const { words, repair } = reasonOf(first);
          return item([
            `${words}: `,
            fewOf(addresses, { showsAll }),
            message !== '' && `. ${said(message).replace(/\.$/, '')}`,
            repair !== '' && `. ${repair}.`,
          ]);
        }),
    );
  const [open, others] = [true, false].map((is) => reports.filter((row) => !row.proven && row.selected === is));
  return [
    ...(open === undefined || open.length === 0 ? [] : [strong('Not proven'), ...linesOf(open)]),
    ...(others === undefined || others.length === 0 ? [] : [part(strong('Not selected'), ...linesOf(others))]),
  ];
}

/** Names the reasons that `--allow unproven` takes. */
function reasonOf({ reason = 'cannot-tell', also = [] }: Pick<ReportRow, 'reason' | 'also'>) {
  const all = [reason, ...also].map((each) => {
    const [words, repair] = reasonWords[each];
    return { words: openReasons.some((open) => open === each) ? `${words} (${each})` : words, repair };
  });
  return {
    words: all.map(({ words }) => words).join('; '),
    repair: all.flatMap(({ repair = [] }) => repair).join('. '),
  };
}

/** All tiles and all reports, for an auditor. Ends with a newline. */
export function renderProofMarkdown({ document }: Proof, wording?: Wording): string {
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
    ...dashboards.map((dashboard) => dashboardMarkdown(dashboard)),
    withoutDashboard.length > 0 && section('Routines and AI jobs', [reportsTable(withoutDashboard)]),
    section('What this does not say', [
      item('what a delivery in another format than CSV shows beyond the same tiles, such as the text of a PDF'),
      item('whether a column of another field, or without a name, has values of others that the table does not have'),
      item(
        `whether Omni keeps the filters of reports that were not rendered: \`${command('drift', '--deep')}\` compares them`,
      ),
      item('what a report shows tomorrow: the dashboard may be changed'),
      item('what readers see in Omni'),
    ]),
  ];
  return printMarkdown(doc, { limit: Number.POSITIVE_INFINITY, wording });
}

function dashboardMarkdown(dashboard: DashboardRow): Block {
  const { tiles, problem, reports } = dashboard;
  const head = ['verdict', 'tile', 'what was found'].map((title) => ({ title }));
  return section(titleOf(dashboard), [
    problem !== undefined && item(problem),
    { head, entries: inOrder(tiles).map((tile) => tileEntry(dashboard, tile, (message) => message)) },
    reportsTable(reports),
  ]);
}

function reportsTable(reports: readonly ReportRow[]): Block {
  const titles = ['report', 'format', 'proven', 'rows and receivers', 'applied', 'rendered with the rights of'];
  const rows = reports.map((report): readonly Words[] => {
    const { address, format = '', proven, reason, also, message, applied = 'no', rights = '' } = report;
    return [
      code(address),
      format,
      proven ? 'yes' : ['no: ', joined([reasonOf({ reason, also }).words, message], '. ')],
      aboutWords(report),
      applied,
      rights === '' ? 'not rendered' : rights,
    ];
  });
  return { head: titles.map((title) => ({ title })), rows };
}
