// The status of the schedules for a terminal: a line for each that needs attention, and a count of the others.

import {
  type Health,
  needsAttention,
  type ScheduleStatus,
  type StatusDocument,
} from '../../model/deliveries/status-document.ts';
import { groupBy } from '../../model/values/group-by.ts';
import type { Page } from '../text/field-lines.ts';
import { firstLines, mostSingle } from '../text/more-words.ts';
import { displayWidth, pad, safeText, wrap } from '../text/terminal-text.ts';
import type { Theme } from '../text/theme.ts';
import {
  goneWords,
  peopleWords,
  type StatusTimes,
  statusWords,
  summaryWords,
  titleOf,
  zoneOf,
  zoneWords,
} from './status-words.ts';

const gap = '  ';
/** The column of the address. */
const margin = 'STOPPED'.length + gap.length;
const widestTitle = 32;

/** Ends with a newline. With -v every schedule has a line. */
export function renderStatusText(document: StatusDocument, page: Page): string {
  const shown = document.schedules.filter(({ health }) => page.showsAll || needsAttention(health));
  const space = Math.min(widestTitle, Math.max(0, ...shown.map((each) => displayWidth(safeText(titleOf(each))))));
  const times = { at: document.at, zone: zoneOf(document) };
  const most = page.showsAll ? Number.POSITIVE_INFINITY : mostSingle;
  const order: readonly Health[] = ['failed', 'missed', 'stopped', 'never-ran', 'condition-unmet', 'paused', 'fine'];
  const groups = groupBy(shown, ({ health }) => health);
  const lines = order.flatMap((health) =>
    firstLines(
      groups.get(health) ?? [],
      most,
      (each) => linesOf(each, times, space, page),
      (more) => `${pad(labels[health], margin)}${more}`,
    ),
  );
  const gone = goneWords(document);
  const rest = [summaryWords(document), gone ?? '', zoneWords(shown, times.zone)].filter((text) => text !== '');
  const below = rest.flatMap((text) => wrap(safeText(text), page.width));
  const blank = lines.length === 0 || below.length === 0 ? [] : [''];
  return `${[...lines, ...blank, ...below].join('\n')}\n`;
}

/** On one line where it fits; otherwise the people are on the next one, or everything is below its name. */
function linesOf(status: ScheduleStatus, times: StatusTimes, space: number, { theme, width }: Page): readonly string[] {
  const title = safeText(titleOf(status));
  const people = peopleWords(status).map((each) => safeText(each));
  const words = safeText(statusWords(status, times));
  const label = styleOf(status.health, theme)(pad(labels[status.health], margin));
  const fitting = [[words, ...people], [words]]
    .map((parts) => `${pad(title, space)}${gap}${parts.join(gap)}`)
    .filter((text) => displayWidth(text) <= width - margin);
  const [line] = fitting;
  if (line !== undefined) {
    const isWhole = fitting.length > 1;
    const below = ' '.repeat(margin + space + gap.length);
    return [label + line, ...(isWhole ? [] : wrap(people.join(', '), width, below))];
  }
  return [label + title, ...wrap([words, ...people].join(', '), width, ' '.repeat(margin + gap.length))];
}

/** The others are only listed with -v. */
const labels: Readonly<Record<Health, string>> = {
  failed: 'FAILED',
  missed: 'MISSED',
  stopped: 'STOPPED',
  fine: 'fine',
  paused: 'paused',
  'condition-unmet': 'unmet',
  'never-ran': 'new',
};

function styleOf(health: Health, theme: Theme): (text: string) => string {
  if (health === 'failed' || health === 'stopped') return theme.error;
  return health === 'missed' ? theme.warning : theme.dim;
}
