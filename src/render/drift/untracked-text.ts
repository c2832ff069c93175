// The list of schedules in Omni that nobody declared, with the command that declares those of a dashboard.

import type { DriftDocument, UntrackedSchedule } from '../../model/plan/drift-document.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { inEnvironment } from '../text/hint-text.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { quoteText } from '../text/visible-text.ts';

/** The untracked schedules of each dashboard, in their order; undefined where the service does not name a dashboard. */
export function untrackedByDashboard({
  untracked = [],
}: Pick<DriftDocument, 'untracked'>): ReadonlyMap<string | undefined, readonly UntrackedSchedule[]> {
  return groupBy(untracked, ({ identifier }) => identifier);
}

/** Plain enough to stand in a command line that people paste into a shell. */
const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** The command that declares a dashboard's schedules; undefined where its identifier cannot be pasted as it is. */
export function importCommand(identifier: string | undefined): string | undefined {
  return identifier !== undefined && plain.test(identifier) ? `almanac import --identifier ${identifier}` : undefined;
}

export function untrackedLines(
  page: Page,
  document: Pick<DriftDocument, 'untracked'>,
  environment: string | undefined,
): readonly string[] {
  const { theme, width } = page;
  const { length: count } = document.untracked ?? [];
  if (count === 0) return [];
  const title = 'Untracked:';
  const lines = wrap(`${title} ${countOf(count, 'schedule')} in Omni that no declaration and no state knows.`, width);
  const head = lines.map((line, index) => (index === 0 ? theme.strong(title) + line.slice(title.length) : line));
  const groups = [...untrackedByDashboard(document)].flatMap(([identifier, schedules]) => {
    const command = importCommand(identifier);
    return [
      '',
      ...wrap(dashboardWords(identifier, schedules[0]?.dashboardName), width, '  '),
      ...schedules.flatMap((schedule) => scheduleLines(page, schedule)),
      ...(command === undefined ? [] : [`    ${inEnvironment(command, environment)}`]),
    ];
  });
  return [...head, ...groups];
}

function dashboardWords(identifier: string | undefined, name: string | undefined): string {
  const named = name === undefined ? '' : `, ${quoteText(name)}`;
  return `Dashboard ${identifier === undefined ? 'unknown' : safeText(identifier)}${named}:`;
}

function scheduleLines({ width }: Page, { id, name, owner, lastRunAt }: UntrackedSchedule): readonly string[] {
  const words = [
    name === undefined ? 'without a name' : quoteText(name),
    ...(owner === undefined ? [] : [`owner ${quoteText(owner)}`]),
    lastRunAt === undefined ? 'never ran' : `last run ${safeText(lastRunAt)}`,
  ];
  const margin = ' '.repeat(4);
  const lines = [words.join(', '), `id ${safeText(id)}`].flatMap((text) => wrap(text, width, `${margin}  `));
  return lines.map((line, index) => (index === 0 ? `${margin}- ${line.trimStart()}` : line));
}
