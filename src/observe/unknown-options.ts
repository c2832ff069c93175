// Options of schedules that Omni shows and no field stands for. An update replaces a schedule, so it may reset them. They are
// named and never shown: nobody knows what their values hold.

import { quote } from '../declare/formats/quote.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import type { RemoteSchedule } from '../model/service/remote.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { countOf, nameSome } from '../model/values/words.ts';
import type { FindingWords } from '../model/workspace/diagnostic.ts';

const unset: readonly unknown[] = [false, 0, '', null, undefined];
const maxNames = 5;

/** About all schedules whose details were read. What each of them has is no choice of anybody, but how Omni shows schedules. */
export function unknownOptions(schedules: readonly Pick<RemoteSchedule, 'metadata'>[]): readonly FindingWords[] {
  const counts = new Map<string, number>();
  for (const { metadata } of schedules)
    for (const [name, value] of Object.entries(metadata))
      if (!Object.hasOwn(fieldsOf.schedule, name) && !unset.includes(value))
        counts.set(name, (counts.get(name) ?? 0) + 1);
  const found = [...counts].filter(([, count]) => count < schedules.length);
  if (found.length === 0) return [];
  const words = found
    .sort(([a, some], [b, others]) => others - some || byCodeUnit(a, b))
    .map(([name, count]) => `${/^\w{1,60}$/.test(name) ? name : quote(name)} in ${countOf(count, 'schedule')}`);
  return [
    {
      code: 'unknown-option',
      message: `Omni has options that Almanac does not know (${nameSome(words, words.length, maxNames)}); an update may reset them.`,
      hint: 'After an update of such a schedule, look at it in Omni. `checks: { unknown-option: off }` in almanac.yaml turns this note off.',
    },
  ];
}
