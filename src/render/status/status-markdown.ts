// The status of the schedules for a job summary, an issue or a chat: what needs attention as a table, and a count.

import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../model/deliveries/status-document.ts';
import { countOf } from '../text/count-words.ts';
import { escapeMarkdown, markdownCode, markdownProse } from '../text/escape-markdown.ts';
import { attentionOf, goneWords, statusWords, summaryWords, titleOf, zoneOf, zoneWords } from './status-words.ts';

/** More would not fit into a comment. */
const mostRows = 200;

/** Ends with a newline. */
export function renderStatusMarkdown(document: StatusDocument): string {
  const attention = attentionOf(document);
  const zone = zoneOf(document);
  const rows = attention.slice(0, mostRows).map((status) => {
    const cells = [status.health, markdownCode(titleOf(status)), escapeMarkdown(statusWords(status, { zone }))];
    return `| ${[...cells, peopleCell(status)].join(' | ')} |`;
  });
  const table = rows.length === 0 ? [] : ['', '| health | schedule | last run | owner |', '|---|---|---|---|', ...rows];
  const more = attention.length > mostRows ? ['', `And ${attention.length - mostRows} more.`] : [];
  const summary = summaryWords(document);
  const gone = goneWords(document);
  const times = zoneWords(attention, zone);
  return `${[
    `## Almanac status: ${headline(document)}`,
    ...table,
    ...more,
    ...(summary === '' ? [] : ['', escapeMarkdown(summary)]),
    ...(gone === undefined ? [] : ['', markdownProse(gone)]),
    ...(times === '' ? [] : ['', escapeMarkdown(times)]),
  ].join('\n')}\n`;
}

/** Whom to ask is code, so that nobody is mentioned. */
function peopleCell({ owner, metaOwner }: ScheduleStatus): string {
  const asked = metaOwner === undefined ? [] : [`ask ${markdownCode(metaOwner)}`];
  return [...(owner === undefined ? [] : [escapeMarkdown(owner)]), ...asked].join(', ');
}

function headline({ schedules }: StatusDocument): string {
  const count = schedules.filter(({ health }) => needsAttention(health)).length;
  return count === 0 ? 'nothing is failing' : `${countOf(count, 'schedule')} to look at`;
}
