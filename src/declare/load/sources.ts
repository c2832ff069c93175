// The source files of a workspace: those that are read, those that the user named, and those that look like one and are not
// read.

import { dirname, isAbsolute, normalize } from 'node:path/posix';
import { isReservedVariable } from '../../model/fields/reserved-variables.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pushAll } from '../../model/values/many.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { Config } from '../../model/workspace/config.ts';
import {
  type Finding,
  type FindingWords,
  hasErrors,
  type Origin,
  placeOf,
  type SourceFile,
} from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type ParseFile, type RawDocument, readSource } from '../../yaml/raw-document.ts';
import type { Scope } from '../expand/resolve-reference.ts';
import type { Workspace } from '../workspace.ts';
import type { Environment, LoadedConfig } from './load-config.ts';

interface ReadSources {
  /** The documents of each file. */
  readonly byFile: readonly (readonly RawDocument[])[];
  readonly findings: readonly (readonly Finding[])[];
  /** Every file could be read, and none has a mistake that hides something. */
  readonly isWhole: boolean;
}

/** `files` gets every file that is read. */
export async function readSources(
  paths: readonly string[],
  workspace: Workspace,
  files: Map<string, SourceFile>,
  parse: ParseFile = readSource,
): Promise<ReadSources> {
  const findings: (readonly Finding[])[] = [];
  const byFile: (readonly RawDocument[])[] = [];
  let isWhole = true;
  for (const path of paths) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push([read.finding]);
      isWhole = false;
      continue;
    }
    const file: SourceFile = { path, text: read.text };
    files.set(path, file);
    const source = await parse(file);
    byFile.push(source.value);
    findings.push(source.findings);
    isWhole &&= !hasErrors(source.findings);
  }
  return { byFile, findings, isWhole };
}

interface NamedSources {
  readonly files: ReadonlySet<string>;
  /** About paths that lead to nothing. */
  readonly findings: readonly Finding[];
}

/** `sources`: all that were found. Where almanac.yaml has errors, they may be too few. */
export async function namedSources(
  paths: readonly string[],
  sources: readonly string[],
  workspace: Workspace,
  { config, usable }: LoadedConfig,
): Promise<NamedSources> {
  const known = new Set([...sources, usable.file]);
  const files = new Set<string>();
  const findings: Finding[] = [];
  for (const path of paths) {
    const found = await workspace.resolve([path], usable.sources);
    pushAll(findings, found.findings);
    const matched = found.files.filter((file) => known.has(file));
    if (matched.length === 0 && found.findings.length === 0 && config !== undefined) {
      throw new Failure('usage', `No pattern of \`sources\` matches ${path}, so Almanac does not read it.`, {
        hint: `The patterns are ${usable.sources.join(', ')}. Move the file, or add a pattern to \`sources\` in almanac.yaml.`,
      });
    }
    for (const file of matched) files.add(file);
  }
  return { files, findings };
}

export function noSources({ sources, file }: Config): Finding {
  return {
    code: 'no-sources',
    message: `No file matches ${sources.join(', ')} in this workspace.`,
    hint:
      file === undefined
        ? 'Run it in the folder that holds almanac.yaml or schedules, name that folder with --chdir, or create a workspace with almanac init.'
        : `Check \`sources\` in ${file}.`,
  };
}

/** More YAML than a workspace has: it is the repository of something else. */
const mostFiles = 1000;

/**
 * Files that look like sources and are not read: a folder beside that of the sources, or `.YAML`. `read`: the sources that
 * were found.
 */
export async function unreadSources(
  { list, read: readFile, configFile }: Workspace,
  read: readonly string[],
): Promise<readonly Finding[]> {
  const known = new Set([...read, configFile]);
  const found = (await list(['**/*.{yaml,yml,YAML,YML}']).catch(noneWhereUnreadable)).filter(
    (path) => !known.has(path),
  );
  if (found.length > mostFiles) return [];
  const otherWorkspaces = found
    .filter((path) => /\/almanac\.ya?ml$/.test(path))
    .map((path) => path.replace(/[^/]+$/, ''));
  return found
    .filter((path) => !otherWorkspaces.some((folder) => path.startsWith(folder)))
    .filter((path) => {
      const file = readFile(path);
      return 'text' in file && looksLikeSource(file.text);
    })
    .map((file) => ({
      code: 'unread-source',
      message: 'The file looks like a source file and is not read: no pattern of `sources` matches its name.',
      hint: /\.ya?ml$/.test(file)
        ? 'Move it to the other source files, or add its folder to `sources` in almanac.yaml.'
        : 'Write the end of its name in lower case.',
      place: { file },
    }));
}

/** A folder that nobody may read holds no source: the sources have been read. */
function noneWhereUnreadable(error: unknown): readonly string[] {
  if (error instanceof Failure && error.code === 'invalid-workspace') return [];
  throw error;
}

function looksLikeSource(text: string): boolean {
  return /^(?:schedules|dashboards|aiJobs):/m.test(text) && /^\s+(?:identifier|destinationType|modelId):/m.test(text);
}

// How the references of a source file are resolved: variables, environment variables, and files, whose paths are relative
// to it.

const insideOnly = 'Move the file into the workspace, and write its path relative to this file.';

/** `files` gets every table that is read, so that a finding in it can be placed. */
export async function scopes(
  {
    workspace,
    environment,
    stateFile,
  }: { readonly workspace: Workspace; readonly environment: Environment; readonly stateFile?: string | undefined },
  config: Config,
  files: Map<string, SourceFile>,
): Promise<(file: string) => Scope> {
  const own = config.state.backend === 'local' ? [config.state.path] : [];
  const states = [...own, ...(stateFile === undefined ? [] : [stateFile])];
  const linesOf = await linesIn(config, files);
  const variablePlace = memoize((name: string) => {
    const origin = config.variableOrigins?.get(name);
    return origin && { origin, lineOf: linesOf(origin) };
  });
  // A loop of a thousand items may ask for the same file in each of them.
  const references = memoize((path: string) => workspace.readReference(path, states));
  const read = (file: string, path: string): SourceFile | FindingWords => {
    if (isAbsolute(path)) {
      const message = `The path \`${path}\` is absolute; a reference is relative to the file that contains it.`;
      return { code: 'reference-outside', message, hint: insideOnly };
    }
    const folder = dirname(file);
    const found = references(`${folder}/${path}`);
    if ('text' in found) return { path: normalize(`${folder}/${path}`), text: found.text };
    const { code, message, hint = '' } = found.finding;
    if (code === 'reference-outside') return { code, message, hint: insideOnly };
    if (code === 'reference-private') return { code, message, hint };
    const relative = code === 'unreadable-file' ? `The path is relative to ${folder}/.` : hint;
    return { code: 'unreadable-reference', message, hint: relative };
  };
  const scopeIn = (file: string): Scope => ({
    variables: config.variables,
    environment,
    isReserved: isReservedVariable,
    variablePlace,
    // A checkout on Windows says nothing else. Of a table the places of the cells count.
    readFile: (path) => {
      const found = read(file, path);
      return 'code' in found ? found : { ...found, text: found.text.replaceAll('\r\n', '\n') };
    },
    readTable: (path) => {
      const found = read(file, path);
      if ('code' in found) return found;
      const table: SourceFile = { ...found, isTable: true };
      files.set(table.path, table);
      return table;
    },
  });
  // One for all resources of a file, which come one after another.
  let last: { readonly file: string; readonly scope: Scope } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, scope: scopeIn(file) };
    return last.scope;
  };
}

/** The lines of the entries of a variable, which is the map of a loop. */
async function linesIn(
  { file: path = '', variables }: Config,
  files: ReadonlyMap<string, SourceFile>,
): Promise<(origin: Origin) => (key: string) => number> {
  const file = files.get(path);
  if (file === undefined || !Object.values(variables).some(isJsonObject)) return () => () => 1;
  const { makeLocator } = await import('../../yaml/locate.ts');
  const locator = makeLocator(() => file);
  return (origin) => (key) => locator.locate(placeOf(origin, 'key', key))?.line ?? 1;
}
