// What is wrong with documents, resources and audiences, each of them by itself.

import { comingRuns } from '../cron/coming-runs.ts';
import { parseCron } from '../cron/parse-cron.ts';
import { timeZoneNames } from '../cron/time-zone.ts';
import { sections } from '../model/values/address.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { memoize } from '../model/values/memoize.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { audienceSection } from '../model/workspace/resource.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import { notes, validateSource } from './compiled.js';
import { type PlacedFinding, placed, type RuleContext, type RuleFinding } from './findings/rule.ts';
import { nearest } from './findings/suggest.ts';
import { checkEmail } from './formats/check-email.ts';
import type { RawResource } from './parse-resources.ts';
import { schemaFindings } from './schema-findings.ts';
import { type AudiencesInUse, type CheckedAudiences, checkAudiences, resourceFindings } from './validate-resource.ts';

export interface Checks {
  ofDocument(document: RawDocument): readonly PlacedFinding[];
  ofAudiences(inUse: AudiencesInUse | undefined): CheckedAudiences;
  /** `faulty`: the audiences with findings, which are reported there. */
  ofResource(resource: RawResource, faulty: ReadonlySet<string>): readonly Finding[];
}

/** One for many files: they share what a check has to find out once. `now`: in epoch milliseconds. */
export function checksAt(now: number, operations: Operations): Checks {
  const context = ruleContext(operations, now);
  return {
    ofDocument: ({ value, origin }) =>
      placed([...schemaFindings(value, validateSource, notes.source).findings, ...emptySections(value)], origin),
    ofAudiences: (inUse) => checkAudiences(inUse, context),
    ofResource: (resource, faulty) => resourceFindings(resource, context, faulty),
  };
}

/** A section without entries is allowed, and mostly left over. `{}` says that it is empty on purpose. */
function emptySections(value: Json): readonly RuleFinding[] {
  if (!isJsonObject(value)) return [];
  return [...sections, audienceSection].flatMap((name): readonly RuleFinding[] => {
    if (value[name] !== null) return [];
    return [
      {
        code: 'empty-section',
        message: `\`${name}\` is empty, so it declares nothing.`,
        hint: 'Write its entries below it, indented, or remove the line.',
        pointer: pointerTo(name),
        at: 'key',
      },
    ];
  });
}

/** What the rules of a workspace share: the settings, and answers that thousands of schedules would ask for again. */
function ruleContext(operations: Operations, now: number): RuleContext {
  const cron = memoize(parseCron);
  const fires = memoize((expression) => {
    const parsed = cron(expression).cron;
    return memoize((zone) => parsed !== undefined && comingRuns(parsed, zone, now).next().done !== true);
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
