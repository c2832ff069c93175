// What `who --online` and `offboard` could not find out, in sentences.

import type { ListedSchedule } from '../../model/service/remote.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { firstOf } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

export interface Unread {
  readonly left: number;
  readonly refused: readonly { readonly row: Pick<ListedSchedule, 'id' | 'name'>; readonly reason: string }[];
  readonly knowsMembers: boolean;
}

export function unreadLines({ left, refused, knowsMembers }: Unread, page: Page): readonly string[] {
  const notRead = refused.map(
    ({ row, reason }) => `${safeText(row.name)} (id ${safeText(row.id)}). ${safeText(reason)}`,
  );
  const sentences = [
    ...firstOf(notRead, page).map((words) => `Not read: ${words}`),
    ...(knowsMembers
      ? []
      : ['Whether an address belongs to a member is not known: only an organization key may ask for that.']),
    ...(left === 0 ? [] : [`${countOf(left, 'schedule')} left by --limit: continue with --resume.`]),
  ];
  return sentences.flatMap((sentence) => wrap(sentence, page.room ?? page.width));
}
