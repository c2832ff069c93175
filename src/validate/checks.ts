// What is wrong with documents, resources and audiences, each of them by itself.

import { sections } from '../model/values/address.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { audienceSection } from '../model/workspace/composed/audience.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { RawResource } from '../parse/parse-resources.ts';
import type { RawDocument } from '../parse/raw-document.ts';
import { notes, validateSource } from './compiled.js';
import type { RuleFinding } from './findings/rule.ts';
import { type PlacedFinding, placed } from './placed.ts';
import { ruleContext } from './rule-context.ts';
import { schemaFindings } from './schema-findings.ts';
import { type AudiencesInUse, type CheckedAudiences, checkAudiences } from './validate-audiences.ts';
import { resourceFindings } from './validate-resource.ts';

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
