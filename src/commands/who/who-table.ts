// Recipients and their deliveries, a line for each delivery. It is a table for a terminal, or blocks if that is too
// narrow, and CSV for a spreadsheet.

import { viaWords } from '../../deliveries/who-words.ts';
import { groupBy } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import { type Doc, indented, part, strong } from '../../report/doc.ts';
import { linesOf } from '../../report/print-text.ts';
import type { CsvColumns } from '../../report/table/csv-text.ts';
import { isTableWhole, type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { ListedDelivery, Membership, Recipient } from './who-document.ts';

interface Line extends ListedDelivery, Pick<Recipient, 'recipient' | 'kind' | 'membership'> {
  /** Omni's name of a group that is known by its id. */
  readonly group?: string | undefined;
}

/** Ends with a newline. */
export function renderWhoTable(
  recipients: readonly Recipient[],
  cronWords: (expression: string) => string,
  page: Page,
): string {
  if (recipients.length === 0) return 'No recipients.\n';
  const lines = deliveriesTo(recipients);
  const account: TableColumn<Line> = { title: 'ACCOUNT', cell: ({ membership }) => accountWords(membership) };
  const columns: readonly TableColumn<Line>[] = [
    { title: 'RECIPIENT', cell: recipientName },
    ...(lines.some(({ membership }) => membership !== undefined) ? [account] : []),
    { title: 'RECEIVES', cell: receivedName },
    { title: 'WHAT AND WHEN', cell: (line) => whatWords(line, cronWords), least: 16 },
    { title: 'BECAUSE OF', cell: becauseOf },
  ];
  const shown = isTableWhole(page, columns, lines)
    ? tableLines(page, columns, lines)
    : linesOf(blocksOf(lines, cronWords), page);
  const receiving = new Set(lines.flatMap(({ address }) => address ?? [])).size;
  const others = new Set(lines.flatMap(({ managed, id, trackedBy }) => (managed || trackedBy ? [] : [id]))).size;
  const theirs = new Set(lines.flatMap(({ trackedBy }) => (trackedBy ? JSON.stringify(trackedBy) : []))).size;
  const what = [
    ...(receiving === 0 && others + theirs > 0 ? [] : [countOf(receiving, 'resource')]),
    ...(others === 0 ? [] : [`${countOf(others, 'schedule')} that Almanac does not manage`]),
    ...(theirs === 0 ? [] : [`${theirs} that neighbours track`]),
  ];
  const words = `${countOf(recipients.length, 'recipient')} of ${what.join(' and ')}.`;
  return `${[...shown, '', words].join('\n')}\n`;
}

/** The recipient, and below it each delivery with its description and place. */
function blocksOf(lines: readonly Line[], cronWords: (expression: string) => string): Doc {
  const byRecipient = groupBy(lines, ({ recipient, kind }) => JSON.stringify([recipient, kind]));
  return [...byRecipient.values()].map((each) => {
    const [first] = each as [Line];
    const account = accountWords(first.membership);
    return part(
      strong(recipientName(first) + (account === '' ? '' : ` (${account})`)),
      ...each.flatMap((line) => [
        indented(2, receivedName(line)),
        indented(4, whatWords(line, cronWords), becauseOf(line)),
      ]),
    );
  });
}

/** A group may have an id for a name. */
function recipientName({ kind, recipient, group }: Line): string {
  if (kind !== 'group') return recipient;
  return group === undefined ? `group ${recipient}` : `group ${recipient} (${group})`;
}

function receivedName({ address, name, id }: Line): string {
  return address ?? name ?? id ?? '';
}

export const csvColumns: CsvColumns<Line> = {
  recipient: ({ recipient }) => recipient,
  kind: ({ kind }) => kind,
  groupName: ({ group }) => group,
  address: ({ address }) => address,
  id: ({ id }) => id,
  name: ({ name }) => name,
  identifier: ({ identifier }) => identifier,
  dashboardName: ({ dashboardName }) => dashboardName,
  format: ({ format }) => format,
  schedule: ({ schedule }) => schedule,
  timezone: ({ timezone }) => timezone,
  paused: ({ paused }) => paused,
  kept: ({ kept = [] }) => kept.join(' '),
  managed: ({ managed }) => managed,
  sink: ({ sink }) => sink,
  via: ({ via, trackedBy }) => trackedWords(trackedBy) ?? (viaWords(via) || via.kind),
  file: ({ file }) => file,
  line: ({ line }) => line,
  membership: ({ membership }) => membership,
};

export function deliveriesTo(recipients: readonly Recipient[]): readonly Line[] {
  return recipients.flatMap(({ recipient, kind, name: group, membership, deliveries }) =>
    deliveries.map((delivery) => ({ ...delivery, recipient, kind, group, membership })),
  );
}

function accountWords(membership: Membership | undefined): string {
  if (membership === undefined) return '';
  return membership === 'email-only' ? 'e-mail only' : membership;
}

/** `csv, at 09:00 on Monday Europe/London`. */
function whatWords(
  { format, schedule, timezone, paused, kept = [], sink }: Line,
  cronWords: (expression: string) => string,
): string {
  const when = schedule === undefined ? '' : [cronWords(schedule), timezone ?? ''].join(' ').trim();
  const asApplied = kept.length === 0 ? '' : `kept as applied last: ${kept.join(', ')}`;
  const instead = sink === undefined ? '' : `to the sink of ${sink} instead`;
  return [format ?? '', when, paused ? 'paused' : '', asApplied, instead].filter((part) => part !== '').join(', ');
}

function becauseOf({ via, file, line, managed, trackedBy }: Line): string {
  const place = file === undefined ? 'in Omni' : fileAndLine({ file, line });
  const isInState = via.kind === 'applied' || via.kind === 'unresolved';
  const untracked = trackedWords(trackedBy) ?? 'untracked';
  return [isInState ? '' : managed ? place : untracked, viaWords(via)].filter((part) => part !== '').join(', ');
}

function trackedWords(trackedBy: Line['trackedBy']): string | undefined {
  return trackedBy && `tracked by ${trackedBy.who}, as ${trackedBy.address}`;
}
