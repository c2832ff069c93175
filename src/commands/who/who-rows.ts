// `almanac who --rows`: which rows each receiver gets that needs a line in the table of permissions, as that table says it. As CSV
// it is the first table of a workspace, for whoever will own it: what no filter limits has no value, because nobody has decided
// that every row may go there. For an auditor it says as well which reports a line is from.

import type { Loaded } from '../../declare/load/load.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import {
  divisionOf,
  isShared,
  judgedReceivers,
  needsLine,
  type RowRules,
  shownRows,
} from '../../declare/rows/judge-rows.ts';
import { type auditColumns, receiverText } from '../../declare/rows/permissions.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import { type State, trackedAt } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { type CsvColumns, csvText, exactCsvText } from '../../report/table/csv-text.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import type { Run } from '../base/run.ts';

/** What a receiver gets, and from which resources. */
interface RowsLine {
  /** A value; nothing where no filter limits what it gets. */
  readonly shows: string;
  /** The filter may be the dashboard's, and so another value tomorrow. */
  readonly isUnread: boolean;
  readonly receiver: string;
  readonly reports: readonly Address[];
  /** A value of its filter is `*`, which the table would take for every row. */
  readonly isSign: boolean;
}

const csvColumns: CsvColumns<RowsLine> = {
  shows: ({ shows }) => shows,
  receiver: ({ receiver }) => receiver,
};

const csvForAudit = {
  value: csvColumns['shows'],
  receiver: csvColumns['receiver'],
  report: ({ reports }) => reports.join(' '),
} as CsvColumns<RowsLine> satisfies Readonly<Record<(typeof auditColumns)[number], unknown>>;

const columns: readonly TableColumn<RowsLine>[] = [
  {
    title: 'SHOWS',
    cell: ({ shows, isUnread }) =>
      shows === '' ? '(no filter limits it)' : isUnread ? `${shows} (may be the dashboard's)` : shows,
  },
  { title: 'RECEIVER', cell: ({ receiver }) => receiver },
  { title: 'REPORT', cell: ({ reports }) => nameSome(reports) },
];

interface RowsOptions {
  readonly format: 'table' | 'csv' | 'json';
  readonly forAudit?: boolean | undefined;
  readonly online?: boolean | undefined;
  readonly external?: boolean | undefined;
}

export function printRows(
  run: Run,
  { format, forAudit, online, external }: RowsOptions,
  words: readonly string[],
  declared: DeclaredRows,
) {
  if (online || external || words.length > 0 || format === 'json')
    throw new Failure('usage', '--rows lists all that the table of permissions is about, as a table or as CSV.', {
      hint: 'Use it alone, or with `--format csv`.',
    });
  const lines = rowsLines(declared);
  if (forAudit) run.stdout.data(csvText(csvForAudit, lines));
  else if (format === 'csv') run.stdout.data(exactCsvText(csvColumns, lines));
  else run.stdout.write(lines.length === 0 ? 'Nobody.\n' : `${tableLines(run.page(), columns, lines).join('\n')}\n`);
  if (format !== 'csv' || forAudit) return;
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

interface DeclaredRows {
  readonly loaded: Loaded;
  readonly state: State | undefined;
}

/** What the table itself would fix is not in the way. */
const ofRows: readonly Code[] = ['rows-of-others', 'rows-table', 'recipient-not-inside'];

/** Throws Failure invalid-workspace, and usage where almanac.yaml does not say which filters divide the rows. */
function rowsLines({ loaded, state }: DeclaredRows): readonly RowsLine[] {
  const { config, findings, desired, rows } = loaded;
  const others = findings.filter(({ code }: Finding) => !ofRows.includes(code));
  if (config === undefined || hasErrors(others))
    throw invalidWorkspace('The declarations have errors.', others, loaded);
  const { rows: divided, internalDomains } = config.safety;
  if (divided === undefined)
    throw new Failure('usage', 'almanac.yaml does not say which filters divide the rows.', {
      hint: 'Write `safety: { internalDomains: [example.com], rows: { filters: [customer], allow: tenants.csv } }`; the table need not be there yet.',
    });
  const division = divisionOf(divided, desired.resources, internalDomains);
  const found = new Map<string, Omit<RowsLine, 'reports'> & { readonly reports: Address[] }>();
  const add = (
    shows: string,
    receiver: string,
    address: Address,
    { isSign = false, isUnread = false }: Partial<Pick<RowsLine, 'isSign' | 'isUnread'>> = {},
  ) => {
    const key = JSON.stringify([shows, receiver, isSign, isUnread]);
    const line = found.get(key) ?? { shows, receiver, isSign, isUnread, reports: [] };
    found.set(key, line);
    if (line.reports.at(-1) !== address) line.reports.push(address);
  };
  const shared: (readonly [receiver: string, address: Address])[] = [];
  for (const resource of desired.resources) {
    const { kind, address } = resource;
    const delivery = deliveryOf(kind, declaredAttributes(resource));
    const limited = shownRows(kind, delivery, division);
    const shown = 'shown' in limited ? limited.shown : [{ value: '', filter: '' }];
    const isSign = 'unlimited' in limited && limited.unlimited.why === 'sign';
    const { unread = [] } = trackedAt(state, address) ?? {};
    const isUnread = (filter: string) => unread.includes(pointerTo('filterConfig', filter));
    for (const receiver of receiversOf(resource, { ...division, permissions: rows?.rules.permissions })) {
      const text = receiverText(receiver);
      if (isShared(delivery, division)) shared.push([text, address]);
      else for (const { value, filter } of shown) add(value, text, address, { isSign, isUnread: isUnread(filter) });
    }
  }
  // Any line is enough for a shared dashboard.
  const named = new Set([...found.values()].map(({ receiver }) => receiver));
  for (const [receiver, address] of shared) if (!named.has(receiver)) add('', receiver, address);
  return [...found.values()].sort((a, b) => byCodeUnit(a.shows, b.shows) || byCodeUnit(a.receiver, b.receiver));
}

type Known = Omit<RowRules, 'permissions'> & Partial<Pick<RowRules, 'permissions'>>;

/** Those who need a line, and those who have one already. */
function receiversOf(resource: Resource, { permissions, ...division }: Known): readonly Receiver[] {
  const { kind } = resource;
  const delivery = deliveryOf(kind, declaredAttributes(resource));
  const all =
    permissions === undefined
      ? [...delivery.to, ...delivery.inExtra].filter((each) => division.isOutside(each) && needsLine(kind, each))
      : judgedReceivers(kind, delivery, { ...division, permissions }).map(({ receiver }) => receiver);
  return all.filter(({ isHidden }) => !isHidden);
}
