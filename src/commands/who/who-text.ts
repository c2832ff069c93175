// Who receives what, a line for each delivery: a table for a terminal, or blocks where it is too narrow for a table, and
// CSV for a spreadsheet.

import type { Delivery, Membership, Recipient } from '../../model/people.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { countOf } from '../../model/values/words.ts';
import { type Doc, indented, part, strong } from '../../report/doc.ts';
import { linesOf } from '../../report/print-text.ts';
import { type CsvColumns, csvParts } from '../../report/table/csv-text.ts';
import { isTableWhole, type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import type { CronWords } from '../../report/text/cron-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import { viaWords } from '../base/people/people-words.ts';

interface Line extends Delivery, Pick<Recipient, 'recipient' | 'kind' | 'membership'> {}

/** Ends with a newline. */
export function renderWhoTable(recipients: readonly Recipient[], cron: Pick<CronWords, 'words'>, page: Page): string {
  if (recipients.length === 0) return 'Nobody.\n';
  const lines = [...deliveriesTo(recipients)];
  const account: TableColumn<Line> = { title: 'ACCOUNT', cell: ({ membership }) => accountWords(membership) };
  const columns: readonly TableColumn<Line>[] = [
    { title: 'RECIPIENT', cell: ({ recipient }) => recipient },
    ...(lines.some(({ membership }) => membership !== undefined) ? [account] : []),
    { title: 'RECEIVES', cell: receivedName },
    { title: 'WHAT AND WHEN', cell: (line) => whatWords(line, cron), least: 16 },
    { title: 'BECAUSE OF', cell: becauseOf },
  ];
  const shown = isTableWhole(page, columns, lines)
    ? tableLines(page, columns, lines)
    : linesOf(blocksOf(lines, cron), page);
  const receiving = new Set(lines.flatMap(({ address }) => address ?? [])).size;
  const others = new Set(lines.flatMap(({ managed, id }) => (managed ? [] : [id]))).size;
  const what = [
    ...(receiving === 0 && others > 0 ? [] : [countOf(receiving, 'resource')]),
    ...(others === 0 ? [] : [`${countOf(others, 'schedule')} that Almanac does not manage`]),
  ];
  const words = `${countOf(recipients.length, 'recipient')} of ${what.join(' and ')}.`;
  return `${[...shown, '', words].join('\n')}\n`;
}

/** The recipient, and below it each delivery with what it is and where it is written. */
function blocksOf(lines: readonly Line[], cron: Pick<CronWords, 'words'>): Doc {
  const byRecipient = groupBy(lines, ({ recipient, kind }) => JSON.stringify([recipient, kind]));
  return [...byRecipient.values()].map((each) => {
    const [{ recipient = '', membership = undefined } = {}] = each;
    const account = accountWords(membership);
    return part(
      strong(recipient + (account === '' ? '' : ` (${account})`)),
      ...each.flatMap((line) => [indented(2, receivedName(line)), indented(4, whatWords(line, cron), becauseOf(line))]),
    );
  });
}

function receivedName({ address, name, id }: Line): string {
  return address ?? name ?? id ?? '';
}

/** In parts of whole lines. */
export function renderWhoCsv(recipients: readonly Recipient[]): Iterable<string> {
  return csvParts(csvColumns, deliveriesTo(recipients));
}

const csvColumns: CsvColumns<Line> = {
  recipient: ({ recipient }) => recipient,
  kind: ({ kind }) => kind,
  address: ({ address }) => address,
  id: ({ id }) => id,
  name: ({ name }) => name,
  identifier: ({ identifier }) => identifier,
  format: ({ format }) => format,
  schedule: ({ schedule }) => schedule,
  timezone: ({ timezone }) => timezone,
  paused: ({ paused }) => paused,
  managed: ({ managed }) => managed,
  sink: ({ sink }) => sink,
  via: ({ via }) => viaWords(via) || via.kind,
  file: ({ file }) => file,
  line: ({ line }) => line,
  membership: ({ membership }) => membership,
};

function* deliveriesTo(recipients: readonly Recipient[]): Iterable<Line> {
  for (const { recipient, kind, membership, deliveries } of recipients) {
    for (const delivery of deliveries) yield { ...delivery, recipient, kind, membership };
  }
}

function accountWords(membership: Membership | undefined): string {
  if (membership === undefined) return '';
  return membership === 'email-only' ? 'e-mail only' : membership;
}

/** `csv, at 09:00 on Monday Europe/London`. */
function whatWords({ format, schedule, timezone, paused, sink }: Line, cron: Pick<CronWords, 'words'>): string {
  const when = schedule === undefined ? '' : [cron.words(schedule), timezone ?? ''].join(' ').trim();
  const instead = sink === undefined ? '' : `to the sink of ${sink} instead`;
  return [format ?? '', when, paused ? 'paused' : '', instead].filter((part) => part !== '').join(', ');
}

function becauseOf({ via, file, line, managed }: Line): string {
  const place = fileAndLine({ file, line });
  return [managed ? place : 'untracked', viaWords(via)].filter((part) => part !== '').join(', ');
}
