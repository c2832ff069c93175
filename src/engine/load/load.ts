// From files to the desired state: reads the configuration and the sources, parses and validates them. Sends nothing
// and writes nothing.

import { Secret } from '../../model/values/secret.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Audiences } from '../../model/workspace/composed/audience.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parseDeclared } from '../../parse/expand/parse-declared.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { acceptancesAreNeeded } from '../../validate/checks/accepted-nothing.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import { nearest } from '../../validate/findings/suggest.ts';
import { validate } from '../../validate/validate.ts';
import { findingsHere } from './findings-here.ts';
import { type Environment, loadConfig } from './load-config.ts';
import { type ReadingOptions, readSources } from './read-sources.ts';
import { type MissingEnvironment, missingEnvironment } from './require-environment.ts';
import { scopes } from './scopes.ts';

export interface LoadOptions extends ReadingOptions {
  readonly environment: Environment;
  /** The environment chosen with --env. */
  readonly environmentName?: string | undefined;
  /** The state that --state names, absolute. */
  readonly stateFile?: string | undefined;
  /** Only these files and folders; all sources if left out. */
  readonly paths?: readonly string[] | undefined;
}

export interface Loaded {
  /** Undefined if almanac.yaml has errors. */
  readonly config?: Config;
  /** If the findings contain errors: everything that could be read. */
  readonly desired: Desired;
  /** Left out where there are none. */
  readonly audiences?: Audiences;
  readonly findings: readonly Finding[];
  /** Every source file that was read; if the user named files, those files. */
  readonly files: readonly string[];
  readonly fileNamed: (path: string) => SourceFile | undefined;
  /** The run must name its environment, and does not: nothing may read the state or send a request. */
  readonly missingEnvironment?: MissingEnvironment;
  /** What the fingerprints of secrets are keyed with. */
  readonly stateKey?: Secret;
}

/** Reads, parses, expands and checks, in this order. Throws Failure interrupted. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { workspace, environment, clock, environmentName, parse } = options;
  const configured = await loadConfig(workspace, environment, environmentName, parse);
  const { config, usable, file: configFile } = configured;
  const { paths, named, findings: ofPaths } = await sourcesOf(workspace, usable, options.paths);

  const files = new Map<string, SourceFile>(configFile && [[configFile.path, configFile]]);
  const read = await readSources(paths, options, files);
  const isWhole = config !== undefined && read.isWhole;

  const scopeOf = await scopes(options, usable, files);
  const declared = parseDeclared(read.byFile, { defaults: usable.defaults, scopeOf, nearest });
  const { audiences } = declared.audiences;

  const { value: desired, findings: ofChecks } = validate(declared, {
    operations: usable.api.operations,
    now: clock.now(),
    environment: environmentName,
    environments: config?.environments,
    deliver: config?.deliver,
  });

  const beyondFiles = [...declared.findings.flat(), ...ofChecks];
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
  // A warning may be missing only because of what could not be read, or exists in another environment.
  const unneeded =
    isWhole && desired.absent === undefined ? acceptancesAreNeeded(desired.resources, found, usable.checks) : [];
  const ofAcceptances =
    named === undefined ? unneeded : unneeded.map((finding) => ({ ...finding, severity: 'note' as const }));
  const missing = missingEnvironment(usable, desired);
  const loaded: Loaded = {
    ...(config === undefined ? {} : { config }),
    desired,
    ...(audiences.size === 0 ? {} : { audiences }),
    findings: judgeFindings([...found, ...ofAcceptances], { config: usable, desired }),
    files: paths,
    fileNamed: (path) => files.get(path),
    ...(missing === undefined ? {} : { missingEnvironment: missing }),
    ...stateKeyIn(environment),
  };
  return named === undefined ? loaded : only(named, loaded, paths);
}

function stateKeyIn(environment: Environment): Pick<Loaded, 'stateKey'> {
  const key = environment('ALMANAC_STATE_KEY');
  return key === undefined || key === '' ? {} : { stateKey: Secret.literal(key) };
}

/** Codes that may be mere consequences of a file that could not be read. */
const needsTheRest: ReadonlySet<Code> = new Set<Code>([
  'invalid-moved',
  'invalid-adopt',
  'unknown-audience',
  'unused-audience',
]);
/** Codes that may be mere consequences of an error in almanac.yaml. */
const needsConfig: ReadonlySet<Code> = new Set<Code>([
  'unknown-variable',
  'required-field',
  'paused-needs-full',
  'owner-needs-full',
]);

/** Reduces the result to the named files. The other files were read because files refer to each other. */
function only(named: ReadonlySet<string>, loaded: Loaded, read: readonly string[]): Loaded {
  const others = new Set(read.filter((path) => !named.has(path)));
  const resources = loaded.desired.resources.filter(({ origin }) => named.has(origin.file));
  return {
    ...loaded,
    desired: { ...loaded.desired, resources },
    findings: loaded.findings.filter(
      ({ place, related = [] }) =>
        !others.has(place?.file ?? '') && !related.some((each) => others.has(each.place.file)),
    ),
    files: [...named],
  };
}

interface Sources {
  readonly paths: readonly string[];
  /** The files that the user named; undefined if there are none. */
  readonly named?: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

async function sourcesOf(workspace: Workspace, config: Config, paths: readonly string[] | undefined): Promise<Sources> {
  const sources = (await workspace.list(config.sources)).filter((path) => path !== config.file);
  if (paths !== undefined && paths.length > 0) {
    const resolved = await workspace.resolve(paths, config.sources);
    const named = new Set(resolved.files);
    // The named files come last, because duplicates are reported in the later file.
    const others = sources.filter((path) => !named.has(path));
    return { paths: [...others, ...named], named, findings: resolved.findings };
  }
  if (sources.length > 0) return { paths: sources, findings: [] };
  const nothing: Finding = {
    code: 'no-sources',
    message: `No file matches ${config.sources.join(', ')} in this workspace.`,
    hint:
      config.file === undefined
        ? 'Run it in the folder that holds almanac.yaml or schedules, name that folder with --chdir, or create a workspace with almanac init.'
        : `Check \`sources\` in ${config.file}.`,
  };
  return { paths: sources, findings: [nothing] };
}
