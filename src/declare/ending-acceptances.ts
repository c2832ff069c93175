// Acceptances that end soon: whoever reads a report before that day can still fix what they are about, or decide again.

import { daysBetween } from '../model/values/day.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { isCode, isOff } from '../model/workspace/codes.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, placeOf } from '../model/workspace/diagnostic.ts';
import { placeOfField, writtenOrigin } from '../model/workspace/field-place.ts';
import type { Audiences, Resource } from '../model/workspace/resource.ts';
import { type Acceptance, type AcceptanceDays, acceptancesOf, hasEnded } from './acceptances.ts';

/** The days, the last one among them, on which a note names an acceptance. */
const noticeDays = 30;

export function acceptancesEndSoon(
  resources: readonly Resource[],
  audiences: Audiences,
  checks: Config['checks'],
  days: AcceptanceDays,
): readonly Finding[] {
  const ofAudiences = [...audiences.values()].flatMap((audience) =>
    [...acceptancesOf(audience)].flatMap(([code, acceptance]): readonly Finding[] => {
      const words = endingWords(code, acceptance, checks, days);
      const pointer = pointerTo('accept', code, 'until');
      return words === undefined ? [] : [{ ...words, place: placeOf(writtenOrigin(audience, pointer)) }];
    }),
  );
  const ofResources = resources.flatMap((resource) => {
    if (resource.attributes['accept'] === undefined) return [];
    return [...acceptancesOf(resource)].flatMap(([code, acceptance]): readonly Finding[] => {
      const words = endingWords(code, acceptance, checks, days);
      if (words === undefined) return [];
      const { isInherited, isPart: _, ...places } = placeOfField(resource, pointerTo('accept', code, 'until'));
      const { address } = resource;
      return [{ ...words, ...(isInherited ? { concerns: [address] } : { address }), ...places }];
    });
  });
  return [...ofAudiences, ...ofResources];
}

/** Undefined where it does not end soon, or where nothing reports what it is about. */
function endingWords(
  code: string,
  acceptance: Acceptance,
  checks: Config['checks'],
  days: AcceptanceDays,
): Pick<Finding, 'code' | 'message' | 'hint'> | undefined {
  const { until } = acceptance;
  if (until === undefined || hasEnded(acceptance, days) || daysBetween(days.today, until) >= noticeDays)
    return undefined;
  if (!isCode(code) || isOff(code, checks)) return undefined;
  return {
    code: 'acceptance-ends',
    message: `\`${code}\` is accepted until ${until}. After that day, \`validate\` and \`plan\` report it again.`,
    hint: 'Fix what it is about, or write a later day.',
  };
}
