// From files to the desired state: configuration, sources, parse, validate. Reads files and the environment, sends
// nothing, writes nothing.

import type { Config } from '../model/config.ts';
import type { Finding } from '../model/diagnostic.ts';
import { type Desired, nothingDeclared } from '../model/resource.ts';
import type { SourceFile } from '../model/source-file.ts';
import type { Scope } from '../parse/interpolate.ts';
import { parseResources, type RawResource } from '../parse/parse-resources.ts';
import { parseSource, type RawDocument } from '../parse/parse-source.ts';
import type { Clock } from '../ports/clock.ts';
import type { Workspace } from '../ports/workspace.ts';
import { validate } from '../validate/validate.ts';
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
  readonly desired: Desired;
  readonly findings: readonly Finding[];
  /** Every source file read. */
  readonly fileCount: number;
  readonly fileNamed: (path: string) => SourceFile | undefined;
}

export async function load(options: LoadOptions): Promise<Loaded> {
  const { workspace, environment, clock } = options;
  const files = new Map<string, SourceFile>();
  const fileNamed = (path: string) => files.get(path);
  const {
    config,
    file: configFile,
    findings: configFindings,
  } = loadConfig(workspace, environment, options.environmentName);
  if (configFile) files.set(configFile.path, configFile);
  const findings: Finding[] = [...configFindings];
  if (config === undefined) return { desired: nothingDeclared, findings, fileCount: 0, fileNamed };

  const paths = await sourcesOf(workspace, config, options.paths, findings);
  const scopeOf = scopes(workspace, config, environment);
  const documents: RawDocument[] = [];
  const resources: RawResource[] = [];
  for (const path of paths) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push(read.finding);
      continue;
    }
    const file: SourceFile = { path, text: read.text };
    files.set(path, file);
    const source = parseSource(file);
    const declared = parseResources(source.documents, config.defaults, scopeOf);
    documents.push(...source.documents);
    for (const resource of declared.resources) resources.push(resource);
    findings.push(...source.findings, ...declared.findings);
  }
  const { value: desired, findings: invalid } = validate(
    { documents, resources },
    { operations: config.api.operations, now: clock.now() },
  );
  return { config, desired, findings: findings.concat(invalid), fileCount: paths.length, fileNamed };
}

async function sourcesOf(
  workspace: Workspace,
  config: Config,
  paths: readonly string[] | undefined,
  findings: Finding[],
): Promise<readonly string[]> {
  if (paths !== undefined && paths.length > 0) {
    const resolved = await workspace.resolve(paths, config.sources);
    findings.push(...resolved.findings);
    return resolved.files;
  }
  const sources = await workspace.list(config.sources);
  if (sources.length === 0) {
    findings.push({
      code: 'no-sources',
      message: `No file matches ${config.sources.join(', ')} in ${workspace.root}.`,
      hint:
        config.file === undefined
          ? 'Run it where almanac.yaml or the folder schedules is, or name the folder with --chdir.'
          : `Look at \`sources\` in ${config.file}.`,
    });
  }
  return sources.filter((path) => path !== config.file);
}

/** Where the references of a file are looked up; a path of ${file.…} is relative to the file. */
function scopes(workspace: Workspace, config: Config, environment: Environment): (file: string) => Scope {
  return (file) => ({
    variables: config.variables,
    environment,
    readFile: (path) => {
      const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
      const read = workspace.read(`${folder}/${path}`);
      if ('text' in read) return read;
      const { code, message } = read.finding;
      return { code: code === 'reference-outside' ? code : 'unreadable-reference', message };
    },
  });
}
