// Turns parsed values into what the workspace declares: first the schema, then rules per resource, then rules across
// resources. Returns all findings of all files at once.

import { secretFieldsOf } from '../model/fields/fields.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import type { Config, Operations } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import type { DeclaredObject, Desired, Resource } from '../model/workspace/resource.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import { checksAt } from './checks.ts';
import { entriesHere, knownEntries, splitByEnvironment, withoutIn } from './environments/presence.ts';
import { throughSink } from './environments/sinks.ts';
import type { PlacedFinding } from './findings/rule.ts';
import { entriesIn } from './listed-entries.ts';
import type { RawResource } from './parse-resources.ts';
import { expandMoves, referencesHold } from './rules/moved-and-adopted.ts';
import { uniqueAddresses, uniqueDashboards, uniqueSchedules } from './rules/unique.ts';
import type { AudiencesInUse } from './validate-resource.ts';

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
}

/** What is declared, with every finding; returns the value even if some findings are errors. */
export function validate(
  raw: Raw,
  { operations, now, environment, environments, deliver }: ValidateOptions,
): WithFindings<Desired> {
  const checks = checksAt(now, operations);
  const ofDocuments = raw.documents.map(checks.ofDocument);
  const split = splitByEnvironment(raw, { name: environment, known: environments });
  const findings: Finding[] = [...ofDocuments.flat(), ...split.findings];
  const ofAudiences = checks.ofAudiences(raw.audiences);
  for (const finding of ofAudiences.findings) findings.push(finding);
  const resources: Resource[] = [];
  for (const resource of split.present) {
    const sent = throughSink(withoutIn(withSecrets(resource)), deliver);
    resources.push(sent.value);
    for (const finding of checks.ofResource(resource, ofAudiences.faulty)) findings.push(finding);
    for (const finding of sent.findings) findings.push(finding);
  }
  const { loops = [] } = raw;
  const entries = entriesIn(raw.documents, ofDocuments);
  const everywhere = split.absent.length === 0 ? resources : [...resources, ...split.absent];
  const moves = expandMoves(entries.moves, loops);
  const value: Desired = {
    resources,
    ...entriesHere({ ...entries, moves }, resources, split),
    loops,
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

/** Whether a finding is about a whole document or section. */
function hidesSection({ place }: PlacedFinding): boolean {
  return pointerSegments(place.pointer).length <= 1;
}

/** The resource with literal passwords also turned into Secrets: nothing that comes later can show them. */
function withSecrets(raw: RawResource): Resource {
  const { kind, attributes } = raw;
  const isLiteral = (name: string) => typeof attributes[name] === 'string';
  if (!secretFieldsOf[kind].some(isLiteral)) return raw;
  const literal = secretFieldsOf[kind].filter(isLiteral);
  const sealed: DeclaredObject = {
    ...attributes,
    ...Object.fromEntries(literal.map((name) => [name, Secret.literal(String(attributes[name]))])),
  };
  return { ...raw, attributes: sealed };
}
