// Turns parsed values into what the workspace declares: first the schema, then rules per resource, then rules across
// resources. Returns all findings of all files at once.

import { pointerSegments } from '../model/values/pointer.ts';
import type { Config, Operations } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import type { Desired, Resource } from '../model/workspace/resource.ts';
import type { Origin } from '../model/workspace/source-file.ts';
import type { RawResource } from '../parse/parse-resources.ts';
import type { RawDocument } from '../parse/parse-source.ts';
import type { Checks } from './checks.ts';
import { entriesHere, knownEntries, splitByEnvironment, withoutIn } from './environments/presence.ts';
import { throughSink } from './environments/sinks.ts';
import { entriesIn } from './listed-entries.ts';
import type { PlacedFinding } from './placed.ts';
import { expandMoves } from './rules/group-moves.ts';
import { referencesHold } from './rules/moved-and-adopted.ts';
import { uniqueAddresses, uniqueDashboards, uniqueSchedules } from './rules/unique.ts';
import type { AudiencesInUse } from './validate-audiences.ts';
import { withSecrets } from './with-secrets.ts';

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
  /** Files whose entries say that nothing is found in their documents and resources. */
  readonly faultless?: ReadonlySet<string> | undefined;
}

/** What is declared, with every finding; returns the value even if some findings are errors. */
export async function validate(
  raw: Raw,
  { operations, now, environment, environments, deliver, faultless = noFiles }: ValidateOptions,
): Promise<WithFindings<Desired>> {
  const isFaultless = ({ origin }: { readonly origin: Origin }) => faultless.has(origin.file);
  const isAll = raw.documents.every(isFaultless) && raw.resources.every(isFaultless);
  const checks =
    isAll && !raw.audiences?.audiences.size ? foundNothing : (await import('./checks.ts')).checksAt(now, operations);
  const checksOf = (part: { readonly origin: Origin }) => (isFaultless(part) ? foundNothing : checks);
  const ofDocuments = raw.documents.map((document) => checksOf(document).ofDocument(document));
  const split = splitByEnvironment(raw, { name: environment, known: environments });
  const findings: Finding[] = [...ofDocuments.flat(), ...split.findings];
  const ofAudiences = checks.ofAudiences(raw.audiences);
  for (const finding of ofAudiences.findings) findings.push(finding);
  const resources: Resource[] = [];
  for (const resource of split.present) {
    const sent = throughSink(withoutIn(withSecrets(resource)), deliver);
    resources.push(sent.value);
    for (const finding of checksOf(resource).ofResource(resource, ofAudiences.faulty)) findings.push(finding);
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

/** Of what was checked where its entry was made. */
const foundNothing: Checks = {
  ofDocument: () => [],
  ofAudiences: () => ({ findings: [], faulty: new Set() }),
  ofResource: () => [],
};

/** Whether a finding is about a whole document or section. */
function hidesSection({ place }: PlacedFinding): boolean {
  return pointerSegments(place.pointer).length <= 1;
}
