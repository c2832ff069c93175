// Formats files, and removes finished entries from them. A file with syntax errors is never changed.

import { type Environment, loadConfig } from '../../declare/load/load-config.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { type Finding, hasErrors, type Origin, type SourceFile } from '../../model/workspace/diagnostic.ts';
import { pruneYaml } from '../../yaml/edit/prune-yaml.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { configOrder, sourceOrder } from '../../yaml/format/sort-entries.ts';
import { parseSource } from '../../yaml/parse-source.ts';

export interface FormatOptions {
  readonly workspace: Workspace;
  readonly environment: Environment;
  /** Files and folders; if none is named, almanac.yaml and every source. */
  readonly paths: readonly string[];
  /** Entries to remove. */
  readonly prune?: readonly Origin[];
}

export interface FormattedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** How many entries were removed. */
  readonly pruned: number;
}

export interface FormattedFiles {
  readonly fileCount: number;
  /** Files that are not in canonical form. */
  readonly changed: readonly FormattedFile[];
  /** Files whose layout cannot be formatted. */
  readonly left: readonly string[];
  readonly findings: readonly Finding[];
  readonly fileNamed: (path: string) => SourceFile | undefined;
}

/** Writes nothing. */
export async function formatFiles({
  workspace,
  environment,
  paths,
  prune = [],
}: FormatOptions): Promise<FormattedFiles> {
  const files = new Map<string, SourceFile>();
  const { configFile } = workspace;
  const { sources } = (await loadConfig(workspace, environment, undefined)).usable;
  const { files: named, findings: ofPaths } =
    paths.length > 0 ? await workspace.resolve(paths, sources) : { files: await workspace.list(sources), findings: [] };
  const all = new Set(paths.length > 0 || configFile === undefined ? named : [configFile, ...named]);
  const findings: Finding[] = [...ofPaths];
  const changed: FormattedFile[] = [];
  const left: string[] = [];
  for (const path of all) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push(read.finding);
      continue;
    }
    const file: SourceFile = { path, text: read.text };
    files.set(path, file);
    const { findings: own } = parseSource(file);
    findings.push(...own);
    if (hasErrors(own)) continue;
    const entries = prune.filter((origin) => origin.file === path);
    const kept = entries.length === 0 ? read.text : pruneYaml(read.text, entries);
    const text = kept === undefined ? undefined : formatYaml(kept, path === configFile ? configOrder : sourceOrder);
    if (text === undefined) left.push(path);
    else if (text !== read.text) changed.push({ path, before: read.text, after: text, pruned: entries.length });
  }
  return { fileCount: all.size, changed, left, findings, fileNamed: (path) => files.get(path) };
}
