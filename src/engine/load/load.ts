// From files to the desired state: configuration, sources, parse, validate. Reads files and the environment, sends
// nothing, writes nothing.

import type { Code } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import type { Scope } from '../../parse/interpolate.ts';
import { parseResources, type RawResource } from '../../parse/parse-resources.ts';
import { parseSource, type RawDocument } from '../../parse/parse-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { nearest } from '../../validate/findings/suggest.ts';
import { validate } from '../../validate/validate.ts';
import { type Environment, loadConfig } from './load-config.ts';

export interface LoadOptions {
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly clock: Clock;
  /** The environment chosen with --env. */
  readonly environmentName?: string | undefined;
  /** Only these files and folders; all sources where left out. */
  readonly paths?: readonly string[] | undefined;
}

export interface Loaded {
  /** Undefined where almanac.yaml has errors. */
  readonly config?: Config;
  /** With errors among the findings, what could be read of it. */
  readonly desired: Desired;
  readonly findings: readonly Finding[];
  /** Every source file that was read, or that was named. */
  readonly files: readonly string[];
  readonly fileNamed: (path: string) => SourceFile | undefined;
}

export async function load(options: LoadOptions): Promise<Loaded> {
  const { workspace, environment, clock } = options;
  const files = new Map<string, SourceFile>();
  const {
    config,
    usable,
    file: configFile,
    findings: ofConfig,
  } = loadConfig(workspace, environment, options.environmentName);
  if (configFile) files.set(configFile.path, configFile);
  const { paths, named, findings: ofPaths } = await sourcesOf(workspace, usable, options.paths);
  // Lists of lists: a hostile file has more findings than a call has room for arguments.
  const findings: (readonly Finding[])[] = [config === undefined ? [] : ofPaths];
  let isWhole = config !== undefined;
  const scopeOf = scopes(workspace, usable, environment);
  const documents: RawDocument[] = [];
  const resources: RawResource[] = [];
  for (const path of paths) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push([read.finding]);
      isWhole = false;
      continue;
    }
    const file: SourceFile = { path, text: read.text };
    files.set(path, file);
    const source = parseSource(file);
    const declared = parseResources(source.documents, usable.defaults, scopeOf);
    for (const document of source.documents) documents.push(document);
    for (const resource of declared.resources) resources.push(resource);
    findings.push(source.findings, declared.findings);
    isWhole &&= !hasErrors(source.findings);
  }
  const { value: desired, findings: invalid } = validate(
    { documents, resources },
    { operations: usable.api.operations, now: clock.now() },
  );
  findings.push(isWhole ? invalid : invalid.filter(({ code }) => !needsTheRest.has(code)));
  const certain = config === undefined ? findings.flat().filter(({ code }) => !needsConfig.has(code)) : findings.flat();
  const loaded: Loaded = {
    ...(config === undefined ? {} : { config }),
    desired,
    findings: [...ofConfig, ...certain],
    files: paths,
    fileNamed: (path) => files.get(path),
  };
  return named === undefined ? loaded : only(named, loaded, paths);
}

/** Codes that may be nothing but a consequence of what could not be read in another file. */
const needsTheRest: ReadonlySet<Code> = new Set<Code>(['invalid-moved', 'invalid-adopt']);
/** Codes that may be nothing but a consequence of an error in almanac.yaml. */
const needsConfig: ReadonlySet<Code> = new Set<Code>(['unknown-variable', 'required-field', 'paused-needs-full']);

/** What is to be said of the files that were named: the others were read because files refer to each other. */
function only(named: ReadonlySet<string>, loaded: Loaded, read: readonly string[]): Loaded {
  const others = new Set(read.filter((path) => !named.has(path)));
  const resources = loaded.desired.resources.filter(({ origin }) => named.has(origin.file));
  return {
    ...loaded,
    desired: { ...loaded.desired, resources },
    findings: loaded.findings.filter(({ place }) => place === undefined || !others.has(place.file)),
    files: [...named],
  };
}

interface Sources {
  readonly paths: readonly string[];
  /** Those that the user named; undefined where none was. */
  readonly named?: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

async function sourcesOf(workspace: Workspace, config: Config, paths: readonly string[] | undefined): Promise<Sources> {
  const sources = (await workspace.list(config.sources)).filter((path) => path !== config.file);
  if (paths !== undefined && paths.length > 0) {
    const resolved = await workspace.resolve(paths, config.sources);
    const named = new Set(resolved.files);
    // The named ones come last: what stands twice is said of the later.
    const others = sources.filter((path) => !named.has(path));
    return { paths: [...others, ...named], named, findings: resolved.findings };
  }
  if (sources.length > 0) return { paths: sources, findings: [] };
  const nothing: Finding = {
    code: 'no-sources',
    message: `No file matches ${config.sources.join(', ')} in this workspace.`,
    hint:
      config.file === undefined
        ? 'Run it where almanac.yaml or the folder schedules is, name that folder with --chdir, or begin one with almanac init.'
        : `Look at \`sources\` in ${config.file}.`,
  };
  return { paths: sources, findings: [nothing] };
}

const insideOnly = 'Put the file into the workspace, and write its path from here.';

/** Where the references of a file are looked up; a path of ${file.…} is relative to the file. */
function scopes(workspace: Workspace, config: Config, environment: Environment): (file: string) => Scope {
  return (file) => ({
    variables: config.variables,
    environment,
    nearestVariable: (name) => nearest(name, Object.keys(config.variables)),
    readFile: (path) => {
      if (path.startsWith('/')) {
        const message = `The path \`${path}\` begins at the root; a reference is relative to the file in which it stands.`;
        return { code: 'reference-outside', message, hint: insideOnly };
      }
      const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
      const read = workspace.read(`${folder}/${path}`);
      if ('text' in read) return read;
      const { code, message, hint = '' } = read.finding;
      if (code === 'reference-outside') return { code, message, hint: insideOnly };
      const relative = code === 'unreadable-file' ? `The path is relative to ${folder}/.` : hint;
      return { code: 'unreadable-reference', message, hint: relative };
    },
  });
}
