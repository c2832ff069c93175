// Declared user group names that mean another group than the one sent to. The former group is gone, and the group that
// has its name now may hold other people.

import { concernedBySubject, foldedItems } from '../../model/plan/danger.ts';
import { countOf } from '../../model/values/words.ts';
import { sendsGroups } from '../plan.ts';
import type { DangerRule } from './world.ts';

export const otherGroups: DangerRule = (steps) => {
  const found = concernedBySubject(
    steps
      .filter(sendsGroups)
      .flatMap(({ change: { address }, groups: { replaced = [] } }) =>
        replaced.map((text) => [`another group called ${text}`, address] as const),
      ),
  );
  const title = `${countOf(found.size, 'name means', 'names mean')} a different user group: the group that Almanac sent to is gone`;
  return [{ code: 'another-group', title, items: foldedItems(found) }];
};
