// `almanac who --rows`: the rows of each receiver, by the table of permissions. Lists those who need a line, and
// everybody else who gets a value of a filter that divides the rows. As CSV it is the first table of a workspace, for
// its future owner: rows that no filter limits have no value, because nobody has decided that every row may go there.
// For an auditor it adds the line, the report, and whether that is declared, applied and in Omni.

import { didYouMean } from '../../declare/findings/suggest.ts';
import type { Loaded, SoundLoaded } from '../../declare/load/load.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import {
  type Division,
  divisionOf,
  isShared,
  type JudgedDelivery,
  judgedReceivers,
  needsLine,
  shownRows,
} from '../../declare/rows/judge-rows.ts';
import { type Permissions, receiverText } from '../../declare/rows/permissions.ts';
import { type auditColumns, unusedLines } from '../../declare/rows/read-permissions.ts';
import type { RowsInOmni, ScheduleInOmni } from '../../deliveries/read-rows-in-omni.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import { trackedAt } from '../../model/plan/state.ts';
import type { Kind } from '../../model/values/address.ts';
import { groupBy, memoize } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { wildcard } from '../../model/values/wildcard.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes } from '../../model/workspace/resource.ts';
import type { AppliedState } from '../../plan/applied.ts';
import { isSelector, meaningsOf, resolve } from '../../plan/select.ts';
import { type CsvColumns, csvText, exactCsvText } from '../../report/table/csv-text.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import type { Run } from '../base/run.ts';
import type { MaskTexts } from '../base/shown-texts.ts';
import type { WhoOptions } from './who-command.ts';
import { choiceIn } from './who-receives.ts';

type Side = 'declared' | 'applied' | 'omni';

interface RowsOfReport {
  /** A value; empty if no filter limits the rows. */
  readonly shows: string;
  /** True if the filter may be the dashboard's, and so another value tomorrow. */
  readonly isUnread: boolean;
  readonly receiver: Receiver;
  /** True if it needs no line. */
  readonly isInside: boolean;
  /** An address, or the name of an untracked schedule and its id. */
  readonly report: string;
  readonly kind: Kind;
  /** True if a value of its filter is `*`, which the table would take for every row. */
  readonly isSign: boolean;
  readonly isShared: boolean;
  readonly sides: Set<Side>;
}

interface RowsLine extends Pick<RowsOfReport, 'shows' | 'isUnread' | 'isSign' | 'isInside'> {
  readonly receiver: string;
  readonly reports: readonly string[];
}

const csvColumns: CsvColumns<RowsLine> = {
  shows: ({ shows }) => shows,
  receiver: ({ receiver }) => receiver,
};

const csvForAudit = {
  value: ({ shows }: RowsOfReport) => shows,
  receiver: ({ receiver }: RowsOfReport) => receiverText(receiver),
  report: ({ report }: RowsOfReport) => report,
} satisfies Readonly<Record<(typeof auditColumns)[number], unknown>>;

const columns: readonly TableColumn<RowsLine>[] = [
  {
    title: 'SHOWS',
    cell: ({ shows, isUnread }) =>
      shows === '' ? '(no filter limits it)' : isUnread ? `${shows} (may be the dashboard's)` : shows,
  },
  { title: 'RECEIVER', cell: ({ receiver, isInside }) => (isInside ? `${receiver} (internal)` : receiver) },
  { title: 'REPORT', cell: ({ reports }) => nameSome(reports) },
];

export interface RowSources {
  readonly loaded: SoundLoaded;
  readonly applied: AppliedState;
  /** Undefined if Omni was not asked. */
  readonly inOmni?: RowsInOmni | undefined;
}

/** Errors that the table itself would fix do not stop this. */
const ofRows: readonly Code[] = ['rows-of-others', 'rows-table', 'recipient-not-inside'];

/**
 * The declarations, if they are sound enough for the rows: Omni and an auditor's lines are compared with the table, so
 * an unreadable table is an error there. Throws Failure invalid-workspace, and usage if almanac.yaml does not say which
 * filters divide the rows.
 */
export function soundForRows(
  loaded: Loaded,
  { online, forAudit }: Pick<WhoOptions, 'online' | 'forAudit'>,
): SoundLoaded {
  const { config } = loaded;
  const compares = online === true || forAudit === true;
  const findings = loaded.findings.filter(
    ({ code }: Finding) => !ofRows.includes(code) || (compares && code === 'rows-table'),
  );
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors.', findings, loaded);
  if (config.safety.rows === undefined)
    throw new Failure('usage', 'almanac.yaml does not say which filters divide the rows.', {
      hint: 'Write `safety: { internalDomains: [example.com], rows: { filters: [customer], allow: tenants.csv } }`; the table need not be there yet.',
    });
  return { ...loaded, config, findings };
}

/** Throws Failure usage for a format without rows, and for a word that is not a selector. */
export function checkRowsAsked(
  { format }: WhoOptions,
  words: readonly string[],
  known: Pick<RowSources, 'loaded' | 'applied'>,
): void {
  if (format === 'json')
    throw new Failure('usage', '--rows lists all that the table of permissions is about, as a table or as CSV.', {
      hint: 'Write `--format csv`.',
    });
  const receiver = words.find((word) => !isSelector(word) && meaningsOf(word, choiceIn(known)).length === 0);
  if (receiver !== undefined)
    throw new Failure('usage', `With --rows, \`${receiver}\` is not a selector.`, {
      hint: `Did you mean \`to:${receiver}\` for what somebody receives, or \`shows:${receiver}\` for a value?`,
    });
}

export function printRows(
  run: Run,
  { format, forAudit }: WhoOptions,
  words: readonly string[],
  known: RowSources,
  shown: MaskTexts,
): void {
  const all = rowsOfReports(known, forAudit === true).map((row) =>
    row.sides.has('omni')
      ? { ...row, shows: shown(row.shows), report: shown(row.report), receiver: shown(row.receiver) }
      : row,
  );
  const found = chosen(all, words, known).toSorted(
    (a, b) =>
      byCodeUnit(a.shows, b.shows) ||
      byCodeUnit(receiverText(a.receiver), receiverText(b.receiver)) ||
      byCodeUnit(a.report, b.report),
  );
  if (forAudit) {
    const permissions = known.loaded.rows?.rules.permissions;
    run.stdout.data(csvText(auditCsv(permissions, known.inOmni !== undefined), found));
    return;
  }
  const isTable = format === 'csv';
  const lines = linesOf(isTable ? found.filter(({ isInside }) => !isInside) : found);
  if (isTable) run.stdout.data(exactCsvText(csvColumns, lines));
  else
    run.stdout.write(
      lines.length === 0 ? 'No recipients.\n' : `${tableLines(run.page(), columns, lines).join('\n')}\n`,
    );
  const isWhole = words.length === 0 && known.inOmni === undefined;
  if (run.options.quiet) return;
  for (const { message } of isWhole ? unusedLines(known.loaded) : []) run.say(message, run.stderr);
  if (isTable) sayOfTable(run, lines);
  else if (known.loaded.rows !== undefined && known.loaded.config.api.operations === 'full')
    run.say(`\`${command('prove')}\` shows whether a dashboard limits its rows by these filters.`, run.stderr);
}

function sayOfTable(run: Run, lines: readonly RowsLine[]): void {
  const open = lines.filter(({ shows, isSign }) => shows === '' && !isSign).length;
  if (open > 0)
    run.say(
      `${open} of ${lines.length} lines have no value, because no filter limits what is received, as far as Almanac can tell: limit it, or write \`*\`.`,
      run.stderr,
    );
  const signed = [...new Set(lines.flatMap(({ isSign, reports }) => (isSign ? reports : [])))];
  if (signed.length > 0)
    run.say(
      `\`*\` is a value of a filter in ${nameSome(signed)}. Correct that filter first: in the table it stands for every row.`,
      run.stderr,
    );
  const unread = lines.filter(({ isUnread }) => isUnread).length;
  if (unread > 0)
    run.say(
      `${unread} of ${lines.length} lines show a filter that may be the dashboard's: the next update of the report makes the filter its own.`,
      run.stderr,
    );
}

/** Includes all columns of the table's line, prefixed with `line.`: no other column can be taken for one of them. */
function auditCsv(permissions: Permissions | undefined, isOnline: boolean): CsvColumns<RowsOfReport> {
  // Every column asks for these lines.
  const linesOfRow = memoize(({ receiver, shows }: RowsOfReport) => permissions?.linesAllowing(receiver, shows) ?? []);
  const otherColumns = (permissions?.otherColumns ?? []).map((name) => [
    `line.${name}`,
    (row: RowsOfReport) =>
      linesOfRow(row)
        .map(({ cells }) => cells.get(name) ?? '')
        .join('; '),
  ]);
  const isSo = (side: Side) => (row: RowsOfReport) => (row.sides.has(side) ? 'yes' : 'no');
  return {
    ...csvForAudit,
    line: (row) =>
      linesOfRow(row)
        .map(({ line }) => `${permissions?.file}:${line}`)
        .join('; '),
    ...Object.fromEntries(otherColumns),
    declared: isSo('declared'),
    applied: isSo('applied'),
    // Omni lists schedules.
    omni: (row) => (isOnline && row.kind === 'schedule' ? isSo('omni')(row) : ''),
  };
}

interface ReportRows {
  readonly report: string;
  readonly kind: Kind;
  readonly delivery: JudgedDelivery;
  readonly side: Side;
  /** True if a filter may be the dashboard's. */
  readonly isUnread: (filter: string) => boolean;
}

/** `audited` includes applied reports, whatever is declared. */
function rowsOfReports({ loaded, applied, inOmni }: RowSources, audited: boolean): readonly RowsOfReport[] {
  const { config, desired, rows } = loaded;
  const { rows: divided, internalDomains } = config.safety;
  if (divided === undefined) throw new Error('nothing divides the rows');
  const division = divisionOf(divided, desired.resources, internalDomains);
  const permissions = rows?.rules.permissions;
  const { state } = applied;
  const declared = desired.resources.map((resource): ReportRows => {
    const { unread = [] } = trackedAt(state, resource.address) ?? {};
    return {
      report: resource.address,
      kind: resource.kind,
      delivery: deliveryOf(resource.kind, declaredAttributes(resource)),
      side: 'declared',
      isUnread: (filter) => unread.includes(pointerTo('filterConfig', filter)),
    };
  });
  const running = (audited ? applied.running : []).map(
    ({ address, kind, attributes }): ReportRows => ({
      report: address,
      kind,
      delivery: deliveryOf(kind, attributes),
      side: 'applied',
      isUnread: () => false,
    }),
  );
  const reportsInOmni = (inOmni?.schedules ?? []).map(
    ({ row: { id, name }, delivery, maybeOfDashboard }: ScheduleInOmni): ReportRows => ({
      report: applied.addressOf(id) ?? `${name} (id ${id})`,
      kind: 'schedule',
      delivery,
      side: 'omni',
      isUnread: (filter) => applied.addressOf(id) === undefined && maybeOfDashboard.has(filter),
    }),
  );
  const found = new Map<string, RowsOfReport>();
  for (const each of [...declared, ...running, ...reportsInOmni])
    for (const row of rowsOf(each, division, permissions)) {
      const { shows, receiver, report, isSign } = row;
      const key = JSON.stringify([shows, receiverText(receiver), report, isSign]);
      const known = found.get(key);
      if (known === undefined) found.set(key, row);
      else known.sides.add(each.side);
    }
  return [...found.values()];
}

function rowsOf(
  { report, kind, delivery, side, isUnread }: ReportRows,
  division: Division,
  permissions: Permissions | undefined,
): readonly RowsOfReport[] {
  const limited = shownRows(kind, delivery, division);
  const values = 'shown' in limited ? limited.shown : [];
  const all = values.length === 0 ? [{ value: '', filter: '' }] : values;
  const isSign = 'unlimited' in limited && limited.unlimited.why === 'sign';
  const isOfAll = isShared(delivery, division);
  const named = new Set(receiversOf(kind, delivery, division, permissions));
  const receivers = [...delivery.to, ...delivery.inExtra].filter(({ isHidden }) => !isHidden);
  return receivers.flatMap((receiver) => {
    const isInside = !named.has(receiver);
    // Insiders may see every row, so only those who get a value are of interest.
    if (isInside && (values.length === 0 || isOfAll)) return [];
    return (isOfAll ? [{ value: '', filter: '' }] : all).map(({ value: shows, filter }) => ({
      shows,
      isUnread: isUnread(filter),
      receiver,
      isInside,
      report,
      kind,
      isSign,
      isShared: isOfAll,
      sides: new Set([side]),
    }));
  });
}

/** The receivers who need a line, and those who have one already. */
function receiversOf(
  kind: Kind,
  delivery: JudgedDelivery,
  division: Division,
  permissions: Permissions | undefined,
): readonly Receiver[] {
  return permissions === undefined
    ? [...delivery.to, ...delivery.inExtra].filter((each) => division.isOutside(each) && needsLine(kind, each))
    : judgedReceivers(kind, delivery, { ...division, permissions }).map(({ receiver }) => receiver);
}

const label = 'shows:';

/** The lines that the words choose: any of the values, in any of the reports. Throws Failure usage. */
function chosen(
  found: readonly RowsOfReport[],
  words: readonly string[],
  known: Pick<RowSources, 'loaded' | 'applied'>,
): readonly RowsOfReport[] {
  const askedValues = words.flatMap((word) => (word.startsWith(label) ? word.slice(label.length) : []));
  const otherWords = words.filter((word) => !word.startsWith(label));
  const matchers = askedValues.map((value) => ({ value, matches: wildcard(value) }));
  const missed = matchers.find(({ matches }) => !found.some(({ shows }) => shows !== '' && matches(shows)));
  if (missed !== undefined)
    throw new Failure('usage', `No recipient gets \`${missed.value}\`.`, {
      hint:
        didYouMean(`${label}${missed.value}`, [...new Set(found.map(({ shows }) => `${label}${shows}`))]) ??
        'Write a value of a filter of `safety.rows.filters`.',
    });
  const reports = otherWords.length === 0 ? undefined : resolve(otherWords, choiceIn(known)).addresses;
  return found.filter(
    ({ shows, report }) =>
      (matchers.length === 0 || matchers.some(({ matches }) => matches(shows))) &&
      (reports === undefined || reports.has(report)),
  );
}

/** In their order. */
function linesOf(found: readonly RowsOfReport[]): readonly RowsLine[] {
  // Any line is enough for a shared dashboard.
  const named = new Set(found.flatMap(({ isShared: isOfAll, receiver }) => (isOfAll ? [] : receiverText(receiver))));
  const wanted = found.filter(({ isShared: isOfAll, receiver }) => !isOfAll || !named.has(receiverText(receiver)));
  const groups = groupBy(wanted, ({ shows, receiver, isSign, isUnread }) =>
    JSON.stringify([shows, receiverText(receiver), isSign, isUnread]),
  );
  return [...groups.values()].map((same) => ({
    ...same[0],
    receiver: receiverText(same[0].receiver),
    reports: [...new Set(same.map(({ report }) => report))],
  }));
}
