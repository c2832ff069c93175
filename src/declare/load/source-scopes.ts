// Resolves the references of a source file: variables, environment variables, and files. Paths of files are relative to
// the source file.

import { dirname, isAbsolute, normalize } from 'node:path/posix';
import { memoize } from '../../model/values/collections.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { isReservedVariable } from '../../model/values/references.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type FindingWords, type Origin, placeOf, type SourceFile } from '../../model/workspace/diagnostic.ts';
import type { Scope } from '../expand/resolve-reference.ts';
import type { Workspace } from '../workspace.ts';
import type { Environment } from './load-config.ts';

const insideOnly = 'Move the file into the workspace, and write its path relative to this file.';

/** A path as Windows shows it. */
export function slashHint(path: string): string | undefined {
  return path.includes('\\') ? `Write \`${path.replaceAll(/\\+/g, '/')}\`, with \`/\` also on Windows.` : undefined;
}

interface FilesRead {
  /** Gets every table, so that a finding in it can be placed. */
  readonly files: Map<string, SourceFile>;
  /** Gets the path of every text. */
  readonly texts: Set<string>;
}

export async function scopes(
  {
    workspace,
    environment,
    stateFile,
  }: { readonly workspace: Workspace; readonly environment: Environment; readonly stateFile?: string | undefined },
  config: Config,
  { files, texts }: FilesRead,
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
    if (code === 'reference-private' || code === 'not-fetched') return { code, message, hint };
    const relative = code === 'unreadable-file' ? (slashHint(path) ?? `The path is relative to ${folder}/.`) : hint;
    return { code: 'unreadable-reference', message, hint: relative };
  };
  const scopeIn = (file: string): Scope => ({
    variables: config.variables,
    environment,
    isReserved: isReservedVariable,
    variablePlace,
    // On Windows, a checkout has the same content. In a table, the places of the cells count.
    readFile: (path) => {
      const found = read(file, path);
      if ('code' in found) return found;
      texts.add(found.path);
      return { ...found, text: found.text.replaceAll('\r\n', '\n') };
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
