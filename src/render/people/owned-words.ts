// What somebody owns, in words: how much of it, and what transfers it.

import { groupBy } from '../../model/values/group-by.ts';
import { countList, countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { mostEqual, nameSome } from '../text/more-words.ts';
import { safeText } from '../text/terminal-text.ts';
import type { OffboardReport, OwnedReport } from './offboard-report.ts';

type Owned = OwnedReport['schedules'][number];

/** Each begins a line of its own. */
export function ownedRows({ owned, to }: Pick<OffboardReport, 'owned' | 'to'>, { showsAll }: Page): readonly string[] {
  if (owned === undefined) return ['not known, because Omni was not asked (--offline)'];
  const { schedules, isMember } = owned;
  if (!isMember) return ['nothing: nobody in the organization has this address'];
  if (schedules.length === 0) return ['nothing'];
  const managed = schedules.filter((each) => each.managed).length;
  const counted = countList([
    [managed, 'tracked'],
    [schedules.length - managed, 'untracked'],
  ]);
  const others = schedules.filter((each) => each.instead !== undefined);
  const instead = groupBy(others, (each) => each.instead ?? '');
  const most = showsAll ? Number.POSITIVE_INFINITY : mostEqual;
  return [
    counted,
    ...(showsAll ? schedules.map(ownedName) : []),
    ...transferWords(owned, to),
    ...[...instead].map(([words, own]) => `${nameSome(own.map(ownedName), own.length, most)}: ${words}`),
  ];
}

function transferWords({ schedules, whyNoOwner, applies }: OwnedReport, to: string | undefined): readonly string[] {
  const count = schedules.filter((each) => each.instead === undefined).length;
  if (count === 0 || applies) return [];
  if (whyNoOwner !== undefined) return [safeText(whyNoOwner)];
  const requests = countOf(count, 'request');
  if (to === undefined) return [`with --to EMAIL and --apply: transferred, ${requests}`];
  return [`with --apply: transferred to ${safeText(to)}, ${requests}`];
}

/** What it is called here, or in Omni. */
export function ownedName({ address, name = '', id }: Pick<Owned, 'address' | 'name' | 'id'>): string {
  return safeText(address ?? `"${name}" (${id})`);
}

/** For the person who confirms it, and for whoever looks later for what was done: all of them. Ends with a newline. */
export function renderToTransfer(schedules: readonly Owned[], from: string, to: string): string {
  const head = `${countOf(schedules.length, 'schedule')} of ${safeText(from)} will belong to ${safeText(to)}:`;
  return `${[head, ...schedules.map((each) => `  ${ownedName(each)}`)].join('\n')}\n`;
}
