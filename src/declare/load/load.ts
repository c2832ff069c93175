// From files to the desired state: reads the configuration and the sources, parses and validates them. Sends nothing
// and writes nothing.

import type { Clock } from '../../model/outside.ts';
import { groupOf } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { isWithin, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { Secret } from '../../model/values/secret.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding, Origin, SourceFile } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import { type Absence, type Audiences, type Desired, originOf, type Resource } from '../../model/workspace/resource.ts';
import type { ParseFile, RawDocument } from '../../yaml/raw-document.ts';
import { startExpansion } from '../expand/expansion-room.ts';
import { parseAudiences } from '../expand/parse-audiences.ts';
import type { ScopeOf } from '../expand/resolve-reference.ts';
import type { AudienceUse } from '../expand/use-audience.ts';
import { judgeFindings } from '../judge-findings.ts';
import { acceptancesAreNeeded } from '../needed-acceptances.ts';
import { parseResources } from '../parse-resources.ts';
import { validate } from '../validate.ts';
import type { Workspace } from '../workspace.ts';
import { type Environment, loadConfig } from './load-config.ts';
import { type MissingEnvironment, missingEnvironment } from './missing-environment.ts';
import { scopes } from './source-scopes.ts';
import { namedSources, noSources, readSources } from './sources.ts';

export interface LoadOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly environment: Environment;
  /** The environment chosen with --env. */
  readonly environmentName?: string;
  /** The state that --state names, absolute. */
  readonly stateFile?: string;
  /** Report only on these files and folders; on all sources if left out. */
  readonly paths?: readonly string[];
  /** How a file is parsed, for whoever loads it more than once. */
  readonly parse?: ParseFile;
}

export interface Loaded {
  /** Undefined if almanac.yaml has errors. */
  readonly config?: Config;
  /** If the findings contain errors: everything that could be read. */
  readonly desired: Desired;
  /** Left out where there are none. */
  readonly audiences?: Audiences;
  readonly findings: readonly Finding[];
  /** Every source file that was read; if the user named files, those of them. */
  readonly files: readonly string[];
  readonly fileNamed: (path: string) => SourceFile | undefined;
  /** The run must name its environment, and does not: nothing may read the state or send a request. */
  readonly missingEnvironment?: MissingEnvironment;
  /** What the fingerprints of secrets are keyed with. */
  readonly stateKey?: Secret;
}

/** Reads, parses, expands and checks, in this order. Throws Failure usage for a named path that is no source. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { workspace, environment, clock, environmentName, parse } = options;
  const configured = await loadConfig(workspace, environment, environmentName, parse);
  const { config, usable, file: configFile } = configured;
  const paths = (await workspace.list(usable.sources)).filter((path) => path !== usable.file);
  const named = options.paths?.length ? await namedSources(options.paths, paths, workspace, configured) : undefined;
  const ofPaths = named?.findings ?? (paths.length > 0 ? [] : [noSources(usable)]);

  const files = new Map<string, SourceFile>(configFile && [[configFile.path, configFile]]);
  const read = await readSources(paths, workspace, files, parse);
  const isWhole = config !== undefined && read.isWhole;

  const scopeOf = await scopes(options, usable, files);
  const declared = parseDeclared(read.byFile, usable, scopeOf);
  const { audiences } = declared.audiences;

  const { value: desired, findings: ofChecks } = validate(declared, {
    operations: usable.api.operations,
    now: clock.now(),
    environment: environmentName,
    environments: config?.environments,
    deliver: config?.deliver,
  });

  const beyondFiles = [...declared.findings, ...ofChecks];
  const findings = [
    ...(config === undefined ? [] : ofPaths),
    ...read.findings.flat(),
    ...(isWhole ? beyondFiles : beyondFiles.filter(({ code }) => !needsTheRest.has(code))),
  ];
  const relevant = findingsHere(findings, desired, audiences);
  const found = [
    ...configured.findings,
    ...(config === undefined ? relevant.filter(({ code }) => !needsConfig.has(code)) : relevant),
  ];
  // A warning may be missing only because it exists in another environment.
  const ofAcceptances =
    desired.absent === undefined ? acceptancesAreNeeded(desired.resources, found, usable.checks) : [];
  const stateKey = environment('ALMANAC_STATE_KEY');
  const loaded: Loaded = {
    config,
    desired,
    audiences: audiences.size === 0 ? undefined : audiences,
    findings: judgeFindings([...found, ...ofAcceptances], { config: usable, desired }),
    files: paths,
    fileNamed: (path) => files.get(path),
    missingEnvironment: missingEnvironment(usable, desired),
    stateKey: stateKey ? Secret.literal(stateKey) : undefined,
  };
  return named === undefined ? loaded : about(named.files, loaded);
}

/** Audiences come first, because resources of any file use them. The defaults of a file apply to all of its documents. */
function parseDeclared(files: readonly (readonly RawDocument[])[], { defaults }: Config, scopeIn: ScopeOf) {
  const expansion = startExpansion();
  const scopeOf: ScopeOf = (file) => ({ ...scopeIn(file), expansion });
  const documents = files.flat();
  const ofAudiences = parseAudiences(documents, scopeOf);
  const audiences: AudienceUse = { audiences: ofAudiences.value, used: new Set() };
  const parsed = files.map((file) => parseResources(file, defaults, scopeOf, audiences));
  return {
    documents,
    audiences,
    resources: parsed.flatMap(({ value }) => value),
    loops: parsed.flatMap(({ loops }) => loops),
    findings: [...ofAudiences.findings, ...parsed.flatMap(({ findings }) => findings)],
  };
}

/** The failure of a command that cannot continue because the files have errors. */
export function invalidWorkspace(message: string, findings: readonly Finding[], source: FindingSource): Failure {
  return new Failure('invalid-workspace', message, { hint: 'Fix the reported errors.', findings, source });
}

/** Codes that may be mere consequences of a file that could not be read. */
const needsTheRest: ReadonlySet<string> = new Set<Finding['code']>([
  'invalid-moved',
  'invalid-adopt',
  'unknown-audience',
  'unused-audience',
]);
/** Codes that may be mere consequences of an error in almanac.yaml. */
const needsConfig: ReadonlySet<string> = new Set<Finding['code']>([
  'unknown-variable',
  'required-field',
  'paused-needs-full',
  'override-needs-full',
  'owner-needs-full',
]);

/** What concerns the named files: something in them, or something that they declare. */
function about(named: ReadonlySet<string>, loaded: Loaded): Loaded {
  const { desired, findings, files } = loaded;
  const sources = new Set(files);
  const resources = desired.resources.filter(({ origin }) => named.has(origin.file));
  const addresses = new Set(resources.map(({ address }) => address));
  const isAbout = ({ code, place, related = [], address = '', concerns = '' }: Finding) => {
    const places = [place?.file ?? '', ...related.map((each) => each.place.file)].filter((file) => sources.has(file));
    // It stands at the second of two declarations, and the file may hold the first.
    const isDuplicate = code === 'duplicate-address' && addresses.has(address);
    return places.length === 0 || places.some((file) => named.has(file)) || isDuplicate || addresses.has(concerns);
  };
  return {
    ...loaded,
    desired: { ...desired, resources },
    findings: findings.filter(isAbout),
    files: files.filter((file) => named.has(file)),
  };
}

/**
 * Which findings concern the environment of this run. What exists elsewhere only is judged there, and a secret that a sink
 * replaced is not needed.
 */
function findingsHere(
  findings: readonly Finding[],
  { resources, absent = [] }: Desired,
  audiences: Audiences,
): readonly Finding[] {
  if (findings.length === 0) return findings;
  const replaced = replacedIn(resources);
  if (replaced.fields.length === 0 && absent.length === 0) return findings;
  const unneeded = placesOf(replaced.fields);
  const elsewhere = placesOf([
    ...absent.map(({ origin }) => origin),
    ...defaultsElsewhere(resources, absent),
    ...audiencesElsewhere(resources, absent, audiences),
  ]);
  const addresses = new Set(absent.map(({ address }) => address));
  const isElsewhere = (finding: Finding) =>
    isAt(finding, elsewhere) ||
    (finding.address !== undefined && (addresses.has(finding.address) || addresses.has(groupOf(finding.address))));
  return findings.filter(
    (finding) =>
      !(ofVariables.has(finding.code) && isUnneeded(finding, replaced.values, unneeded)) &&
      !(ofValues.has(finding.code) && isElsewhere(finding)),
  );
}

const ofVariables: ReadonlySet<Finding['code']> = new Set<Finding['code']>(['missing-variable', 'secret-blank-end']);

/** What the values of an environment decide: where the resource does not exist, nobody needs them. */
const ofValues: ReadonlySet<Finding['code']> = new Set<Finding['code']>([
  'unknown-variable',
  ...ofVariables,
  'unreadable-reference',
  'reference-outside',
  'reference-private',
  'for-each-list',
  'for-each-key',
  'for-each-missing',
  'for-each-unused',
  'for-each-empty',
  'for-each-many',
  'for-each-rows',
  'not-interpolated',
  'unknown-audience',
  'audience-incomplete',
]);

interface Replaced {
  /** The fields that sinks replaced, as they are declared. */
  readonly fields: readonly Origin[];
  /** The same by the address of the resource, for values that stand elsewhere, such as in the item of a loop. */
  readonly values: ReadonlyMap<string, Resource>;
}

function replacedIn(resources: readonly Resource[]): Replaced {
  const values = new Map<string, Resource>();
  const fields = resources.flatMap((resource) => {
    if (resource.sink === undefined) return [];
    values.set(resource.address, resource);
    return Object.keys(resource.sink.declared).map((field) => originOf(resource, field));
  });
  return { fields, values };
}

/** At a replaced field, or at the value of an item that such a field takes over as a whole. */
function isUnneeded(finding: Finding, values: Replaced['values'], unneeded: Places): boolean {
  if (isAt(finding, unneeded)) return true;
  const resource = finding.address === undefined ? undefined : values.get(finding.address);
  if (resource === undefined) return false;
  return finding.related?.some(({ place }) => isAt({ ...finding, place }, unneeded)) === true;
}

/** The defaults of files in which everything of a kind is declared for other environments. */
function defaultsElsewhere(resources: readonly Resource[], absent: readonly Absence[]): readonly Origin[] {
  const sectionOf = (origin: Origin) => JSON.stringify([origin.file, pointerSegments(origin.pointer)[0]]);
  const here = new Set(resources.map(({ origin }) => sectionOf(origin)));
  return absent
    .filter(({ origin }) => !here.has(sectionOf(origin)))
    .map(({ origin }) => ({ ...origin, pointer: pointerTo('defaults', pointerSegments(origin.pointer)[0] ?? '') }));
}

/** The audiences that only absent resources use. */
function audiencesElsewhere(
  resources: readonly Resource[],
  absent: readonly Absence[],
  audiences: Audiences,
): readonly Origin[] {
  if (audiences.size === 0) return [];
  const here = namesIn(resources);
  return [...namesIn(absent)].flatMap((name) => (here.has(name) ? [] : (audiences.get(name)?.origin ?? [])));
}

function namesIn(users: readonly Pick<Resource, 'origins'>[]): ReadonlySet<string> {
  return new Set(users.flatMap(({ origins }) => audiencesIn(origins)));
}

type Places = ReadonlyMap<string, readonly Origin[]>;

function placesOf(origins: readonly Origin[]): Places {
  return groupBy(origins, ({ file }) => file);
}

function isAt({ place }: Finding, places: Places): boolean {
  if (place === undefined || !('pointer' in place)) return false;
  const { file, document, pointer } = place;
  return (places.get(file) ?? []).some((origin) => origin.document === document && isWithin(pointer, origin.pointer));
}
