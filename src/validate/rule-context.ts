// What the rules know of the world, each answer worked out once.

import { firesAgain } from '../cron/coming-runs.ts';
import { parseCron } from '../cron/parse-cron.ts';
import { timeZoneNames } from '../cron/zones/time-zone.ts';
import { memoize } from '../model/values/memoize.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { RuleContext } from './findings/rule.ts';
import { nearest } from './findings/suggest.ts';
import { checkEmail } from './formats/check-email.ts';

export function ruleContext(operations: Operations, now: number): RuleContext {
  const cron = memoize(parseCron);
  const fires = memoize((expression) => {
    const parsed = cron(expression).cron;
    return memoize((zone) => parsed !== undefined && firesAgain(parsed, zone, now));
  });
  return {
    now,
    operations,
    cron,
    nearestTimeZone: memoize((name) => nearest(name, timeZoneNames())),
    email: memoize(checkEmail),
    firesAgain: (expression, zone) => fires(expression)(zone),
  };
}
