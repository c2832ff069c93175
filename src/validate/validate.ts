// Turns parsed values into what the workspace declares: first the schema, then rules per resource, then rules across
// resources. Returns all findings of all files at once.

import { isJsonObject, type Json } from '../model/values/json.ts';
import { pointerSegments, pointerTo } from '../model/values/pointer.ts';
import type { Config, Operations } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import type { Desired, Resource } from '../model/workspace/resource.ts';
import type { RawResource } from '../parse/parse-resources.ts';
import type { RawDocument } from '../parse/parse-source.ts';
import { notes, validateSource } from './compiled.js';
import { entriesHere, splitByEnvironment, withoutIn } from './environments/presence.ts';
import { throughSink } from './environments/sinks.ts';
import { type PlacedFinding, placed } from './placed.ts';
import { ruleContext } from './rule-context.ts';
import { referencesHold } from './rules/moved-and-adopted.ts';
import { uniqueAddresses, uniqueDashboards, uniqueSchedules } from './rules/unique.ts';
import { schemaFindings } from './schema-findings.ts';
import { validateResource } from './validate-resource.ts';

export interface Raw {
  readonly documents: readonly RawDocument[];
  readonly resources: readonly RawResource[];
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
  const context = ruleContext(operations, now);
  const ofDocuments = raw.documents.map(documentFindings);
  const split = splitByEnvironment(raw.resources, { name: environment, known: environments });
  const findings: Finding[] = [...ofDocuments.flat(), ...split.findings];
  const resources: Resource[] = [];
  for (const resource of split.present) {
    const checked = validateResource(resource, context);
    const sent = throughSink(withoutIn(checked.value), deliver);
    resources.push(sent.value);
    for (const finding of checked.findings) findings.push(finding);
    for (const finding of sent.findings) findings.push(finding);
  }
  const entries = entriesIn(raw.documents, ofDocuments);
  const everywhere = split.absent.length === 0 ? resources : [...resources, ...split.absent];
  return {
    value: { resources, ...entriesHere(entries, resources, split.absent) },
    findings: [
      ...findings,
      ...uniqueAddresses(everywhere),
      ...uniqueDashboards(resources),
      ...uniqueSchedules(resources),
      // Whoever misspells a section declares nothing in it.
      ...(ofDocuments.flat().some(hidesSection) ? [] : referencesHold({ resources: everywhere, ...entries })),
    ],
  };
}

/** Whether a finding is about a whole document or section. */
function hidesSection({ place }: PlacedFinding): boolean {
  return pointerSegments(place.pointer).length <= 1;
}

function documentFindings({ value, origin }: RawDocument): readonly PlacedFinding[] {
  return placed(schemaFindings(value, validateSource, notes.source).findings, origin);
}

/** The entries of moved, adopt and removed that are valid by their schema. */
function entriesIn(
  documents: readonly RawDocument[],
  findings: readonly (readonly PlacedFinding[])[],
): Pick<Desired, 'moves' | 'adoptions' | 'removals'> {
  const entries = (name: string) =>
    documents.flatMap(({ value, origin }, document) => {
      const broken = new Set(
        findings[document]?.map(({ place }) => pointerSegments(place.pointer).slice(0, 2).join('/')),
      );
      return listIn(value, name).flatMap((entry, index) =>
        isJsonObject(entry) && !broken.has(`${name}/${index}`)
          ? [
              {
                from: String(entry['from']),
                to: String(entry['to']),
                id: String(entry['id']),
                origin: { ...origin, pointer: pointerTo(name, index) },
              },
            ]
          : [],
      );
    });
  return {
    moves: entries('moved').map(({ from, to, origin }) => ({ from, to, origin })),
    // Case makes no difference in a UUID; the service writes lower case.
    adoptions: entries('adopt').map(({ to, id, origin }) => ({ to, id: id.toLowerCase(), origin })),
    removals: entries('removed').map(({ from, origin }) => ({ from, origin })),
  };
}

function listIn(value: Json, name: string): readonly Json[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
