// The source files of a workspace: those that are read, named by the user, or overlooked. Overlooked files look like
// sources and are not read.

import { sections } from '../../model/values/address.ts';
import { pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, hasErrors, type SourceFile } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import { readSource } from '../../yaml/read-source.ts';
import type { Workspace } from '../workspace.ts';
import type { LoadedConfig } from './load-config.ts';
import { slashHint } from './source-scopes.ts';

interface ReadSources {
  readonly byFile: readonly (readonly RawDocument[])[];
  readonly findings: readonly (readonly Finding[])[];
  /** True if every file could be read, and none has a mistake that hides something. */
  readonly isWhole: boolean;
}

/** `files` gets every file that is read. */
export async function readSources(
  paths: readonly string[],
  workspace: Workspace,
  files: Map<string, SourceFile>,
): Promise<ReadSources> {
  const { parse = readSource } = workspace;
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
    if (!yamlName.test(path) && source.value.some(({ value }) => !isJsonObject(value))) {
      findings.push([notYaml(path)]);
      isWhole = false;
      continue;
    }
    byFile.push(source.value);
    findings.push(source.findings);
    isWhole &&= !hasErrors(source.findings);
  }
  return { byFile, findings, isWhole };
}

const yamlName = /\.(?:ya?ml|json)$/i;

function notYaml(file: string): Finding {
  return {
    code: 'unreadable-file',
    message: 'A pattern of `sources` in almanac.yaml takes this file, which is not a source file.',
    hint: 'End the pattern with the endings of source files, as in `schedules/**/*.{yaml,yml}`.',
    place: { file },
  };
}

/** The reason why a path that somebody named leads to nothing, told from its form. */
function meantByPath(path: string): string | undefined {
  if (/[*{]/.test(path))
    return 'A shell expands no pattern in quotes. Write it without them, or name no path: all source files are checked then.';
  const [, section = ''] = /^(\w+)\.[\w.-]+$/.exec(path) ?? [];
  return sections.some((each) => each === section)
    ? 'That is an address, and files are meant. Without a path, all source files are checked.'
    : undefined;
}

interface NamedSources {
  readonly files: ReadonlySet<string>;
  /** About paths that lead to nothing. */
  readonly findings: readonly Finding[];
}

/** `sources` are all that were found; too few perhaps, if almanac.yaml has errors. */
export async function namedSources(
  paths: readonly string[],
  sources: readonly string[],
  workspace: Workspace,
  { config, usable, isFetched }: LoadedConfig & { readonly isFetched: boolean },
): Promise<NamedSources> {
  const known = new Set([...sources, usable.file]);
  const files = new Set<string>();
  const findings: Finding[] = [];
  for (const path of paths) {
    const found = await workspace.resolve([path], usable.sources);
    const matched = found.files.filter((file) => known.has(file));
    // The file may not have been fetched by git, which is an error already.
    if (matched.length === 0 && !isFetched) continue;
    const meant = meantByPath(path);
    pushAll(
      findings,
      found.findings.map((each) => (meant === undefined ? each : { ...each, hint: meant })),
    );
    if (matched.length === 0 && found.findings.length === 0 && config !== undefined) {
      throw new Failure('usage', `No pattern of \`sources\` matches ${path}, so Almanac does not read it.`, {
        hint: /\.(?:csv|md|txt)$/i.test(path)
          ? 'It is checked with the source file that reads it: without a path, all of them are checked.'
          : `The patterns are ${usable.sources.join(', ')}. Move the file, or add a pattern to \`sources\` in almanac.yaml.`,
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
        ? `Run it in the folder that holds almanac.yaml or schedules, name that folder with --chdir, or create a workspace with ${command('init')}.`
        : (sources.map(slashHint).find((hint) => hint !== undefined) ??
          `Write a declaration into such a file, or check \`sources\` in ${file}.`),
  };
}

/** With more YAML, it is the repository of something else. */
const maxFiles = 1000;

/**
 * Files that look like sources and are not read: a folder beside that of the sources, or `.YAML`. `read` are the
 * sources that were found.
 */
export async function unreadSources(
  { list, read: readFile, configFile }: Workspace,
  read: readonly string[],
): Promise<readonly Finding[]> {
  const known = new Set([...read, configFile]);
  const found = (await list(['**/*.{yaml,yml,YAML,YML}']).catch(noneWhereUnreadable)).filter(
    (path) => !known.has(path),
  );
  if (found.length > maxFiles) return [];
  const otherWorkspaces = found
    .filter((path) => /\/almanac\.ya?ml$/.test(path))
    .map((path) => path.slice(0, path.lastIndexOf('/') + 1));
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

/** An unreadable folder has no sources: these have been read. */
function noneWhereUnreadable(error: unknown): readonly string[] {
  if (error instanceof Failure && error.code === 'invalid-workspace') return [];
  throw error;
}

function looksLikeSource(text: string): boolean {
  return (
    new RegExp(`^(?:${sections.join('|')}):`, 'm').test(text) &&
    /^[ \t]+(?:identifier|destinationType|modelId):/m.test(text)
  );
}
