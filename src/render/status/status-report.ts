// The status of the schedules: what needs attention, one by one, and a count of the others.

import {
  type Health,
  needsAttention,
  type ScheduleStatus,
  type StatusDocument,
} from '../../model/deliveries/status-document.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { type Block, code, type Doc, firstFew, indented, joined, part } from '../report/doc.ts';
import { printMarkdown } from '../report/print-markdown.ts';
import { printText } from '../report/print-text.ts';
import { countOf } from '../text/count-words.ts';
import { displayWidth, pad } from '../text/terminal-text.ts';
import type { Page, Role } from '../text/theme.ts';
import { goneWords, peopleWords, statusWords, summaryWords, titleOf, zoneOf, zoneWords } from './status-words.ts';

/** In this order. The others than those that need attention are only listed with -v. */
const labels: Readonly<Record<Health, readonly [label: string, role: Role]>> = {
  failed: ['FAILED', 'error'],
  missed: ['MISSED', 'warning'],
  stopped: ['STOPPED', 'error'],
  'never-ran': ['new', 'dim'],
  'condition-unmet': ['unmet', 'dim'],
  paused: ['paused', 'dim'],
  fine: ['fine', 'dim'],
};

const widestTitle = 32;

/** Ends with a newline. With -v every schedule has a line. */
export function renderStatusText(document: StatusDocument, page: Page): string {
  const shown = document.schedules.filter(({ health }) => page.showsAll || needsAttention(health));
  const groups = groupBy(shown, ({ health }) => health);
  const times = { at: document.at, zone: zoneOf(document) };
  const space = Math.min(widestTitle, Math.max(0, ...shown.map((each) => displayWidth(titleOf(each)))));
  const lists = Object.entries(labels).flatMap(([health, [label, role]]) => {
    const mark = { role, of: label.padEnd('STOPPED  '.length) };
    const lineOf = (status: ScheduleStatus): Block => {
      const title = titleOf(status);
      const words = joined([statusWords(status, times), ...peopleWords(status)]);
      if (displayWidth(title) > space) return { mark, of: title, below: [indented(2, words)] };
      return { mark: [mark, pad(title, space + 2)], of: words };
    };
    return firstFew(groups.get(health as Health) ?? [], lineOf, page, (more) => ({ mark, of: more }));
  });
  return printText([part(...lists), part(...countsOf(document, shown))], page);
}

/** More would not fit into a comment. */
const mostRows = 200;

/** For a job summary, an issue or a chat. Ends with a newline. */
export function renderStatusMarkdown(document: StatusDocument): string {
  const attention = document.schedules.filter(({ health }) => needsAttention(health));
  const zone = zoneOf(document);
  const rows = attention.slice(0, mostRows).map((status) => {
    const { health, owner, metaOwner } = status;
    // Whom to ask is code, so that nobody is mentioned.
    const people = joined([owner, metaOwner !== undefined && ['ask ', code(metaOwner)]]);
    return [health, code(titleOf(status)), statusWords(status, { zone }), people];
  });
  const found = attention.length === 0 ? 'nothing is failing' : `${countOf(attention.length, 'schedule')} to look at`;
  return printMarkdown([
    { heading: `Almanac status: ${found}` },
    rows.length > 0 && { head: ['health', 'schedule', 'last run', 'owner'].map((title) => ({ title })), rows },
    attention.length > mostRows && `And ${attention.length - mostRows} more.`,
    ...countsOf(document, attention),
  ]);
}

function countsOf(document: StatusDocument, shown: readonly ScheduleStatus[]): Doc {
  return [summaryWords(document), goneWords(document), zoneWords(shown, zoneOf(document))];
}
