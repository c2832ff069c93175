// Reads the table of permissions, and finds lines that end or are unused.

import { deliveryOf } from '../../model/fields/delivery.ts';
import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { endsSoon, isDay, isOver } from '../../model/values/day.ts';
import { domainKey, domainOf } from '../../model/values/domains.ts';
import { codeList, countOf, nameSome, quote } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import {
  type Finding,
  hasErrors,
  type SourceFile,
  type Span,
  type WithFindings,
} from '../../model/workspace/diagnostic.ts';
import { type Desired, declaredAttributes } from '../../model/workspace/resource.ts';
import { type Cell, parseTable, separatorHint, type Table, type TableRow } from '../../yaml/parse-table.ts';
import { dayHint, whyNoDay } from '../rules/acceptance-days.ts';
import { isShared, judgedReceivers, type RowRules, shownRows } from './judge-rows.ts';
import {
  everyRow,
  lineOf,
  type Permission,
  type Permissions,
  permissionsOf,
  receiverFault,
  shortLine,
} from './permissions.ts';
import type { JudgedRows } from './rows-of-others.ts';

/** The permissions of its right lines, and its mistakes: if there is one, the table's intention is not known. */
export function readPermissions(
  file: SourceFile,
  today: string,
  internalDomains: readonly string[] = [],
): WithFindings<Permissions> {
  const table = parseTable(file.text);
  const findings: Finding[] = [];
  const report = (message: string, hint: string, { start, end }: Span) =>
    findings.push({
      code: 'rows-table',
      message,
      hint,
      place: { file: file.path, span: { start, end: Math.max(end, start + 1) } },
    });
  const columns = columnsOf(table, report);
  const counting = { today, internalDomains };
  const lines = columns === undefined ? [] : table.rows.flatMap((row) => permissionIn(row, columns, counting, report));
  const names = table.header?.cells.map(({ text }) => text) ?? [];
  const value = permissionsOf({ file: file.path, names, today }, lines);
  return { value, findings: findings.length === 0 ? endNotes(file.path, lines, today) : findings };
}

/** One for all lines that end on the same day, at the first of them. */
function endNotes(file: string, lines: readonly Permission[], today: string): readonly Finding[] {
  const lastDays = new Map<string, string>();
  for (const line of lines) {
    const key = keyOf(line);
    if ((lastDays.get(key) ?? '') < (line.until ?? never)) lastDays.set(key, line.until ?? never);
  }
  const ending = lines.filter(
    (line) => line.until !== undefined && endsSoon(line.until, today) && lastDays.get(keyOf(line)) === line.until,
  );
  return [...groupBy(ending, ({ until = '' }) => until)].map(([until, same]): Finding => {
    const [line, whom] = same.length === 1 ? ['The line', 'the receiver'] : ['The lines', 'the receivers'];
    const { start, end } = same[0].row;
    return {
      code: 'permission-ends',
      message: `${line} ${nameSome(same.map((each) => quote(shortLine(each))))} ${same.length === 1 ? 'ends' : 'end'} on ${until}. After that day, an apply does not send what reaches ${whom}.`,
      hint: `Write a later day, or remove ${whom} from the reports.`,
      place: { file, span: { start, end } },
    };
  });
}

function keyOf({ shows, receiver }: Permission): string {
  return JSON.stringify([shows, receiver.toLowerCase()]);
}

const never = '9999-12-31';

type Report = (message: string, hint: string, span: Span) => void;

interface Columns {
  readonly shows: number;
  readonly receiver: number;
  /** -1 if there is none. */
  readonly until: number;
  readonly everybody: number;
  readonly names: readonly string[];
}

const columnHint = 'Its first line names its columns: `shows,receiver`, and if wanted `until`, `everybody` and others.';

function columnsOf({ header, problem }: Table, report: Report): Columns | undefined {
  if (problem !== undefined) {
    report(problem.message, problem.hint, problem.span);
    return undefined;
  }
  const names = header?.cells.map(({ text }) => text) ?? [];
  const missing = ['shows', 'receiver'].filter((name) => !names.includes(name));
  const read = ['shows', 'receiver', 'until', 'everybody'];
  const twice = read.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  const span = header ?? { start: 0, end: 0 };
  const otherCells = header?.cells.filter(({ text }) => !read.includes(text)) ?? [];
  const [lookalike] = otherCells.flatMap((cell) =>
    read.filter((name) => looksLike(cell.text, name)).map((name) => ({ cell, name })),
  );
  const limiting = otherCells.find(({ text }) => limitingWords.test(lettersOf(text)));
  const isAudit = missing.length > 0 && auditColumns.every((name) => names.includes(name));
  const separated = names.length === 1 ? separatorHint(names[0] ?? '') : undefined;
  if (isAudit) report(...auditWords, span);
  else if (missing.length > 0)
    report(`The table has no column ${codeList(missing)}.`, separated ?? nearHint(missing, names) ?? columnHint, span);
  else if (lookalike !== undefined)
    report(
      `The column ${quote(lookalike.cell.text)} is not read, and people may take this column for \`${lookalike.name}\`.`,
      `If \`${lookalike.name}\` is meant, rename the column to that. Otherwise give the column a less similar name.`,
      lookalike.cell,
    );
  else if (limiting !== undefined)
    report(
      `The column ${quote(limiting.text)} is not read: a line counts for every dashboard and each of \`safety.rows.filters\`.`,
      'Remove the column, or rename it to a word that suggests no limit, such as `note`.',
      limiting,
    );
  else if (twice.length > 0) report(`The table has two columns ${codeList(twice)}.`, 'Remove one of them.', span);
  else {
    const [shows = -1, receiver = -1, until = -1, everybody = -1] = read.map((name) => names.indexOf(name));
    return { shows, receiver, until, everybody, names };
  }
  return undefined;
}

/** Advice where a column has another case, or blanks around its name. */
function nearHint(missing: readonly string[], names: readonly string[]): string | undefined {
  const written = missing.map((name) => names.find((each) => each.trim().toLowerCase() === name));
  if (written.some((each) => each === undefined)) return undefined;
  const isSpaced = written.some((each) => each !== each?.trim());
  return `Write ${codeList(missing, 'and')} for ${codeList(written as readonly string[], 'and')}, in small letters${isSpaced ? ' and without blanks beside the commas, also in the lines' : ''}.`;
}

/** The columns of `who --rows --for-audit`. One has another name than in the table, so files cannot be confused. */
export const auditColumns = ['value', 'receiver', 'report'] as const;

const auditWords = [
  `This file is for an auditor: \`${command('who', '--rows', '--format', 'csv', '--for-audit')}\` wrote it, and an apostrophe keeps a spreadsheet from computing some of its values.`,
  `\`${command('who', '--rows', '--format', 'csv')}\` writes a table of permissions.`,
] as const;

/** People's words for the last day of something. */
const untilWords =
  /until|expir|^(?:valid|g\u00fcltig|gueltig)(?:to|till?|bis|thru|through)$|^(?:till?|bis|thru|through)$|^ends?(?:date|day|on|at)?$/;

/** Names of columns that suggest that a line counts only for some reports. */
const limitingWords = /^(?:dashboards?(?:id)?|filters?)$/;

const startWords = /^(?:valid|g\u00fcltig|gueltig)?(?:from|since|ab|von|starts?)(?:date|day|on|at)?$/;
const onWords = /^(?:is)?(?:active|enabled|status|effect|allowed|access|permission|aktiv)$/;
const offWords = /^(?:is)?(?:inactive|disabled|revoked|blocked|suspended|denied|deny)$/;
const noWords =
  /^(?:no|nein|false|0|off|inactive|disabled|revoked|blocked|suspended|deny|denied|closed|ended|expired|none)$/i;
const yesWords = /^(?:yes|ja|true|1|on|x)$/i;

/** True if a cell that nothing reads says that its line does not count today. */
function saysOff(column: string, text: string, today: string): boolean {
  const letters = lettersOf(column);
  if (startWords.test(letters)) return isDay(text) && text > today;
  return (onWords.test(letters) && noWords.test(text)) || (offWords.test(letters) && yesWords.test(text));
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');
}

/** True if a reader would confuse a column with one that is read. Letters of other scripts may look alike. */
function looksLike(text: string, name: string): boolean {
  const letters = lettersOf(text);
  if (name === 'until' && untilWords.test(letters)) return true;
  const sameLetters = [...letters].map((letter, index) => letter === name[index]);
  const mayBeSeen = [...letters].every((letter, index) => sameLetters[index] || letter > '\u007f');
  return letters.length === name.length && mayBeSeen && sameLetters.includes(true);
}

interface ReadingContext {
  readonly today: string;
  readonly internalDomains: readonly string[];
}

function permissionIn(row: TableRow, columns: Columns, context: ReadingContext, report: Report): readonly Permission[] {
  const { cells } = row;
  const fault = lineFault(row, columns, context);
  if (fault !== undefined) {
    report(...fault);
    return [];
  }
  const [shows, receiver] = [cells[columns.shows], cells[columns.receiver]] as [Cell, Cell];
  const until = cells[columns.until];
  const isMeant = cells[columns.everybody]?.text.trim() === 'yes';
  return [
    {
      row,
      shows: shows.text,
      receiver: receiver.text,
      text: lineOf(shows.text, receiver.text, until?.text, isMeant ? 'yes' : undefined),
      until: until?.text,
      isOver: until !== undefined && isOver(until.text, context.today),
      at: isMeant ? undefined : receiver,
    },
  ];
}

/** The first mistake of a line; undefined if it says who may see what. */
function lineFault(
  { cells, line }: TableRow,
  columns: Columns,
  { today, internalDomains }: ReadingContext,
): Parameters<Report> | undefined {
  const [shows, receiver] = [cells[columns.shows], cells[columns.receiver]] as [Cell, Cell];
  const [until, everybody] = [cells[columns.until], cells[columns.everybody]];
  const blank = [shows, receiver, until].find((cell) => cell?.text.trim() === '');
  if (cells.every(({ text }) => text.trim() === '')) return ['The line is blank.', `Remove line ${line}.`, shows];
  if (blank !== undefined)
    return [...blankWords(blank === shows ? 'shows' : blank === receiver ? 'receiver' : 'until', receiver), blank];
  const fault = receiverFault(receiver.text);
  if (fault !== undefined) return [`${quote(receiver.text)} names no receiver: ${fault}.`, receiverHint, receiver];
  const inside = insideOf(receiver.text, internalDomains);
  if (inside !== undefined)
    return [
      `${quote(inside)} is one of \`safety.internalDomains\`, so nothing compares what is sent there with this line.`,
      `If the rows of this receiver are limited, remove \`${inside}\` from \`safety.internalDomains\`. If the domain is yours, remove the line.`,
      receiver,
    ];
  if (until !== undefined && !isDay(until.text))
    return [
      `The day ${quote(until.text)} ${whyNoDay(until.text)}, so it is not known when the line ends.`,
      dayHint(until.text, 'it is the last one on which the line counts, and `9999-12-31` has no end'),
      until,
    ];
  if (everybody !== undefined && !['yes', ''].includes(everybody.text.trim()))
    return [
      `${quote(everybody.text)} does not say whether everybody of the domain is meant.`,
      'Write `yes`, or leave the cell empty.',
      everybody,
    ];
  const off = cells.find(({ text }, at) => saysOff(columns.names[at] ?? '', text.trim(), today));
  if (off === undefined) return undefined;
  return [
    `Nothing reads the column of ${quote(off.text)}, so the line counts today.`,
    `Remove line ${line} until it should count, or rename the column if it says something else. \`until\` is the column for the last day of a line.`,
    off,
  ];
}

function blankWords(column: 'shows' | 'receiver' | 'until', receiver: Cell): readonly [message: string, hint: string] {
  if (column === 'shows')
    return [
      `The line does not say what ${quote(receiver.text)} may see.`,
      'Write a value of the filter as it is sent, `*` for every row, or remove the line.',
    ];
  if (column === 'receiver') return ['The line names no receiver.', receiverHint];
  return [
    'The line does not say when it ends, although the table has a column for it.',
    'Write the last day on which it counts; `9999-12-31` has no end.',
  ];
}

const receiverHint =
  'Write an address, a domain such as `northpine.example`, the name of a user group, a host, a bucket, one of the last two with a path, such as `hooks.example/north`, or a user of an SFTP server: `north@files.example`.';

/** The internal domain of an address or a domain. A name like a host below it may be a bucket. */
function insideOf(text: string, internalDomains: readonly string[]): string | undefined {
  if (/[/?]/.test(text)) return undefined;
  const domain = domainOf(text);
  const key = domain ?? domainKey(text);
  return internalDomains.find(
    (each) => key === domainKey(each) || (domain !== undefined && key.endsWith(`.${domainKey(each)}`)),
  );
}

// Finds the lines of the table of permissions that nothing uses. Nobody gets rows by them, and a report that is added
// later needs no review of the table.

interface UsedPermissions {
  readonly config?: Pick<Config, 'environments'> | undefined;
  readonly desired: Pick<Desired, 'resources' | 'absent'>;
  readonly rows?: JudgedRows | undefined;
  readonly findings: readonly Finding[];
}

/** Enough to begin with. */
const maxNamed = 5;

/** Empty if other environments may use them, or if an error may be why nothing does. */
export function unusedLines({ config, desired, rows, findings }: UsedPermissions): readonly Finding[] {
  if (rows === undefined || desired.absent !== undefined || hasErrors(findings)) return [];
  const { permissions } = rows.rules;
  const used = usedLines(desired.resources, rows.rules);
  // The sinks of other environments need lines with `*`.
  const hasSinks = (config?.environments ?? []).length > 0;
  const unused = permissions.permissions().filter((each) => !used.has(each) && !(hasSinks && each.shows === everyRow));
  const [first] = unused;
  if (first === undefined) return [];
  const names = unused.map(({ text, row }) => `${quote(text)} (line ${row.line})`);
  const are = countOf(unused.length, 'line is', 'lines are');
  return [
    {
      code: 'rows-unused',
      message: `${are} used by no report: ${nameSome(names, names.length, maxNamed)}.`,
      hint: 'Remove the lines that are no longer agreed: they would allow a report that is added later without another review.',
      place: { file: permissions.file, line: first.row.line, column: 1 },
    },
  ];
}

function usedLines(resources: Desired['resources'], rules: RowRules): ReadonlySet<Permission> {
  const used = new Set<Permission>();
  for (const resource of resources) {
    const { kind } = resource;
    const delivery = deliveryOf(kind, declaredAttributes(resource));
    const judged = new Set(judgedReceivers(kind, delivery, rules).flatMap(({ allowed }) => allowed ?? []));
    if (judged.size === 0) continue;
    const rows = isShared(delivery, rules) ? undefined : shownRows(kind, delivery, rules);
    // If no filter limits them, any value may be shown.
    const values = rows !== undefined && 'shown' in rows ? new Set(rows.shown.map(({ value }) => value)) : undefined;
    for (const { lines } of judged)
      for (const line of lines)
        if (values === undefined || line.shows === everyRow || values.has(line.shows)) used.add(line);
  }
  return used;
}
