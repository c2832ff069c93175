// `almanac fmt [PATH...]`: puts files into their canonical form, and removes finished entries from them. A file with syntax
// errors is never changed.

import { finishedEverywhere } from '../../apply/propose/basis.ts';
import { parseOnce } from '../../declare/load/load-again.ts';
import { loadConfig } from '../../declare/load/load-config.ts';
import { placeFindings } from '../../declare/load/place-findings.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { mapAt } from '../../model/values/json.ts';
import { pushAll } from '../../model/values/many.ts';
import { once } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import { type Finding, hasErrors, type Origin, type SourceFile } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { configOrder, sourceOrder } from '../../yaml/format/source-order.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import { editFiles } from '../base/edit/edit-files.ts';
import {
  environmentWords,
  everyEnvironment,
  refuseOneEnvironment,
  type UnreadState,
} from '../base/edit/every-environment.ts';
import type { Side } from '../base/edit/prove-everywhere.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import type { Run } from '../base/run.ts';
import { writeFiles } from '../base/write-files.ts';
import type { FormatOptions } from './command.ts';
import { hasDefaultExtra, withFieldsMoved } from './move-fields.ts';

/** The files that change go to stdout, one a line; everything else to stderr. */
export async function format(run: Run, options: FormatOptions, paths: readonly string[]): Promise<number> {
  const workspace = await run.workspace();
  if (paths.length === 0) await run.requireWorkspace();
  const entries = options.prune ? await finishedEntries(run, options, workspace) : undefined;
  const formatted = await formatFiles(run, workspace, paths, entries?.origins ?? []);
  const { due, left, findings, files, fileCount } = formatted;
  const fixed = new Map(
    options.check
      ? []
      : due.flatMap(({ path }) => {
          const why = workspace.whyFixed(path);
          return why === undefined ? [] : [[path, why] as const];
        }),
  );
  const changed = due.filter(({ path }) => !fixed.has(path));
  if (!options.check) await writeFiles(run, workspace, changed, 'it was being formatted');
  for (const { path } of changed) run.say(path);
  if (findings.length > 0) {
    const fileNamed = (path: string) => files.get(path);
    const diagnostics = await placeFindings(findings, fileNamed);
    const source = { desired: nothingDeclared, fileNamed };
    run.stderr.write(diagnosticsText(diagnostics, source, run.page(run.stderr)));
  }
  for (const path of left)
    run.say(`${path} was not changed: parts of it are in a layout that fmt does not support.`, run.stderr);
  for (const [path, why] of fixed) run.say(`${path} cannot be written: ${why}.`, run.stderr);
  if (!options.quiet && !(fileCount === 0 && hasErrors(findings)))
    run.say(
      [summary(changed, due, fileCount, options), ...pruneSummary(changed, due, entries, options)].join(' '),
      run.stderr,
    );
  return hasErrors(findings) || fixed.size > 0 || (options.check && changed.length > 0) ? 1 : 0;
}

interface FormattedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** How many entries were removed. */
  readonly pruned: number;
}

/** Writes nothing. `paths`: if none is named, almanac.yaml and every source. `prune`: entries to remove. */
async function formatFiles(
  { environment }: Run,
  workspace: Workspace,
  paths: readonly string[],
  prune: readonly Origin[],
) {
  const files = new Map<string, SourceFile>();
  const { configFile } = workspace;
  const { sources } = (await loadConfig(workspace, environment, undefined)).usable;
  const { files: named, findings: ofPaths } =
    paths.length > 0 ? await workspace.resolve(paths, sources) : { files: await workspace.list(sources), findings: [] };
  const all = new Set(paths.length > 0 || configFile === undefined ? named : [configFile, ...named]);
  const findings: Finding[] = [...ofPaths];
  const givesExtra = once(() => configFile !== undefined && givesDefaultExtra(workspace.read(configFile)));
  const formatted = (text: string, isConfig: boolean) =>
    isConfig ? formatYaml(text, configOrder) : formatYaml(withFieldsMoved(text, givesExtra()), sourceOrder);
  // Files that are not in canonical form, and those whose layout cannot be formatted.
  const due: FormattedFile[] = [];
  const left: string[] = [];
  for (const path of all) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push(read.finding);
      continue;
    }
    const { text: before } = read;
    const file: SourceFile = { path, text: before };
    files.set(path, file);
    const { findings: own } = parseSource(file);
    pushAll(findings, own);
    if (hasErrors(own)) continue;
    const removals = prune.filter((origin) => origin.file === path).map((origin) => ({ ...origin, value: undefined }));
    const edited = editFiles(removals, { fileNamed: () => file, config: undefined });
    const kept = 'texts' in edited ? (edited.texts.get(path) ?? before) : undefined;
    const after = kept === undefined ? undefined : formatted(kept, path === configFile);
    if (after === undefined) left.push(path);
    else if (after !== before) due.push({ path, before, after, pruned: removals.length });
  }
  return { fileCount: all.size, due, left, findings, files };
}

/** In any environment. */
function givesDefaultExtra(read: ReturnType<Workspace['read']>): boolean {
  if (!('text' in read)) return true;
  const [{ value = null } = {}] = parseSource({ path: '', text: read.text }).value;
  return [value, ...Object.values(mapAt(value, 'environments'))].some(hasDefaultExtra);
}

interface FinishedEntries {
  readonly origins: readonly Origin[];
  /** Where entries are still to take effect, in words: one for each environment. */
  readonly open: readonly string[];
}

/**
 * An entry that is finished in one environment may still be needed in another. Throws Failure if the state of one cannot be
 * read, and invalid-workspace for errors in the files.
 */
async function finishedEntries(run: Run, options: FormatOptions, workspace: Workspace): Promise<FinishedEntries> {
  refuseOneEnvironment('--prune looks at the state of every environment', options);
  const { sides, unread } = await everyEnvironment(run, workspace, parseOnce());
  const [first] = unread;
  if (first !== undefined) throw notRead(first);
  // With environments, the part of the configuration that they share need not have a state of its own.
  const used = sides.filter(({ side }) => sides.length === 1 || side.name !== undefined || side.state !== undefined);
  const { origins, open } = await finishedEverywhere(
    used.map(({ side: { state }, loaded }) => ({ loaded, state })),
    run.randomness,
  );
  return { origins, open: used.flatMap(({ side }, index) => openWords(side, open[index] ?? 0)) };
}

function notRead({ side, failure }: UnreadState): Failure {
  const where = `The state of ${environmentWords(side.name)} cannot be read, so nothing was removed or formatted.`;
  return new Failure(failure.code, `${where} ${failure.message}`, { hint: failure.hint, cause: failure });
}

function openWords({ name, state }: Side, count: number): readonly string[] {
  if (count === 0) return [];
  const [entries, have] = [countOf(count, 'entry', 'entries'), count === 1 ? 'has' : 'have'];
  const why = state === undefined ? ', to which nothing was applied yet' : '';
  return [`${entries} ${have} not taken effect in ${environmentWords(name)}${why}.`];
}

function pruneSummary(
  changed: readonly FormattedFile[],
  due: readonly FormattedFile[],
  entries: FinishedEntries | undefined,
  { check }: FormatOptions,
): readonly string[] {
  if (entries === undefined) return [];
  const counted = countOf(prunedIn(changed), 'finished entry', 'finished entries');
  const removed =
    prunedIn(due) === 0 ? 'No entry is finished.' : check ? `${counted} would be removed.` : `Removed ${counted}.`;
  return [removed, ...entries.open];
}

function prunedIn(files: readonly FormattedFile[]): number {
  return files.reduce((sum, { pruned }) => sum + pruned, 0);
}

function summary(
  changed: readonly FormattedFile[],
  due: readonly FormattedFile[],
  all: number,
  { check, prune }: FormatOptions,
): string {
  const files = countOf(all, 'file');
  if (due.length === 0) return `Nothing to do in ${files}.`;
  return check
    ? `${changed.length} of ${files} would change: run almanac fmt${prune ? ' --prune' : ''}.`
    : `Formatted ${changed.length} of ${files}.`;
}
