// Turns parsed values into what the workspace declares: first the schema, then rules per resource, then rules across
// resources. Returns all findings of all files at once.

import { pointerSegments } from '../model/values/pointer.ts';
import type { Config, Operations } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import type { Desired, Resource } from '../model/workspace/resource.ts';
import type { RawResource } from '../parse/parse-resources.ts';
import type { RawDocument } from '../parse/parse-source.ts';
import { notes, validateSource } from './compiled.js';
import { entriesHere, knownEntries, splitByEnvironment, withoutIn } from './environments/presence.ts';
import { throughSink } from './environments/sinks.ts';
import type { RuleContext } from './findings/rule.ts';
import { entriesIn } from './listed-entries.ts';
import { type PlacedFinding, placed } from './placed.ts';
import { ruleContext } from './rule-context.ts';
import { expandMoves } from './rules/group-moves.ts';
import { referencesHold } from './rules/moved-and-adopted.ts';
import { uniqueAddresses, uniqueDashboards, uniqueSchedules } from './rules/unique.ts';
import { schemaFindings } from './schema-findings.ts';
import { type AudiencesInUse, checkAudiences } from './validate-audiences.ts';
import { validateResource, withSecrets } from './validate-resource.ts';

export interface Raw {
  readonly documents: readonly RawDocument[];
  readonly resources: readonly RawResource[];
  readonly loops?: Desired['loops'];
  readonly audiences?: AudiencesInUse;
}

export interface ValidateOptions {
  readonly operations: Operations;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The environment of this run; undefined where all resources are checked, as they are declared. */
  readonly environment?: string | undefined;
  /** Every environment; undefined where almanac.yaml does not tell. */
  readonly environments?: readonly string[] | undefined;
  readonly deliver?: Config['deliver'];
  /** Files in whose documents and resources nothing is found, as an earlier run knows. */
  readonly faultless?: ReadonlySet<string> | undefined;
}

/** What is declared, with every finding; returns the value even if some findings are errors. */
export function validate(
  raw: Raw,
  { operations, now, environment, environments, deliver, faultless = noFiles }: ValidateOptions,
): WithFindings<Desired> {
  const context = ruleContext(operations, now);
  const ofDocuments = raw.documents.map((document) => {
    return faultless.has(document.origin.file) ? [] : documentFindings(document);
  });
  const split = splitByEnvironment(raw, { name: environment, known: environments });
  const findings: Finding[] = [...ofDocuments.flat(), ...split.findings];
  const ofAudiences = checkAudiences(raw.audiences, context);
  for (const finding of ofAudiences.findings) findings.push(finding);
  const resources: Resource[] = [];
  for (const resource of split.present) {
    const { file } = resource.origin;
    const checked = faultless.has(file)
      ? { value: withSecrets(resource), findings: [] }
      : validateResource(resource, context, ofAudiences.faulty);
    const sent = throughSink(withoutIn(checked.value), deliver);
    resources.push(sent.value);
    for (const finding of checked.findings) findings.push(finding);
    for (const finding of sent.findings) findings.push(finding);
  }
  const { loops = [] } = raw;
  const entries = entriesIn(raw.documents, ofDocuments);
  const everywhere = split.absent.length === 0 ? resources : [...resources, ...split.absent];
  const moves = expandMoves(entries.moves, loops);
  const value: Desired = {
    resources,
    ...entriesHere({ ...entries, moves }, resources, split),
    ...(loops.length === 0 ? {} : { loops }),
  };
  return {
    value,
    findings: [
      ...findings,
      ...uniqueAddresses(everywhere, loops),
      ...uniqueDashboards(resources),
      ...uniqueSchedules(resources),
      // Whoever misspells a section declares nothing in it.
      ...(ofDocuments.flat().some(hidesSection)
        ? []
        : referencesHold({ ...value, resources: everywhere, ...knownEntries(entries, split) })),
    ],
  };
}

const noFiles: ReadonlySet<string> = new Set();

/** Whether nothing is wrong with the documents, nor with the resources one by one, wherever they exist. */
export function findsNothing({ documents, resources }: Raw, context: RuleContext): boolean {
  return (
    documents.every((document) => documentFindings(document).length === 0) &&
    resources.every((resource) => validateResource(resource, context).findings.length === 0)
  );
}

/** Whether a finding is about a whole document or section. */
function hidesSection({ place }: PlacedFinding): boolean {
  return pointerSegments(place.pointer).length <= 1;
}

function documentFindings({ value, origin }: RawDocument): readonly PlacedFinding[] {
  return placed(schemaFindings(value, validateSource, notes.source).findings, origin);
}
