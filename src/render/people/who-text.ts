// Who receives what, a line for each delivery: a table for a terminal, and CSV for a spreadsheet.

import type { Delivery, DeliveryVia, Recipient } from '../../model/people/who-document.ts';
import { type CsvColumns, csvText } from '../table/csv-text.ts';
import { type TableColumn, tableLines } from '../table/table-lines.ts';
import { countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import type { Page } from '../text/field-lines.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { safeText } from '../text/terminal-text.ts';
import { viaWords } from './via-words.ts';

interface Line extends Delivery, Pick<Recipient, 'recipient' | 'kind'> {}

/** Ends with a newline. */
export function renderWhoTable(recipients: readonly Recipient[], cron: Pick<CronWords, 'words'>, page: Page): string {
  if (recipients.length === 0) return 'Nobody.\n';
  const columns: readonly TableColumn<Line>[] = [
    { title: 'RECIPIENT', cell: ({ recipient }) => safeText(recipient) },
    { title: 'RECEIVES', cell: ({ address }) => safeText(address) },
    { title: 'WHAT AND WHEN', cell: (line) => whatWords(line, cron), least: 16 },
    { title: 'BECAUSE OF', cell: becauseOf },
  ];
  const lines = linesOf(recipients);
  const receiving = new Set(lines.map(({ address }) => address)).size;
  const words = `${countOf(recipients.length, 'recipient')} of ${countOf(receiving, 'resource')}.`;
  return `${[...tableLines(page, columns, lines), '', words].join('\n')}\n`;
}

export function renderWhoCsv(recipients: readonly Recipient[]): string {
  return csvText(csvColumns, linesOf(recipients));
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
};

function linesOf(recipients: readonly Recipient[]): readonly Line[] {
  return recipients.flatMap(({ recipient, kind, deliveries }) =>
    deliveries.map((delivery) => ({ ...delivery, recipient, kind })),
  );
}

/** `csv, at 09:00 on Monday Europe/London`. */
function whatWords({ format, schedule, timezone, paused, sink }: Line, cron: Pick<CronWords, 'words'>): string {
  const when =
    schedule === undefined ? '' : [safeText(cron.words(schedule)), safeText(timezone ?? '')].join(' ').trim();
  const instead = sink === undefined ? '' : `to the sink of ${safeText(sink)} instead`;
  return [safeText(format ?? ''), when, paused ? 'paused' : '', instead].filter((part) => part !== '').join(', ');
}

function becauseOf({ via, ...place }: Pick<Line, 'file' | 'line'> & { readonly via: DeliveryVia }): string {
  return [safeText(fileAndLine(place)), viaWords(via)].filter((part) => part !== '').join(', ');
}
