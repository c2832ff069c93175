// `almanac fmt [PATH...]`: puts files into their canonical form, and removes finished entries from them. A file with syntax
// errors is never changed.

import { type ParsedOnce, parsedOnce } from '../../declare/load/load-again.ts';
import { loadConfig } from '../../declare/load/load-config.ts';
import { placeFindings } from '../../declare/load/place-findings.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { type EnvironmentState, environmentWords, type InEnvironment } from '../../edit/in-environment.ts';
import { faultsIn, openProposals } from '../../edit/propose.ts';
import { type FileToWrite, writeFiles } from '../../edit/write-files.ts';
import { pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import { type Finding, hasErrors, type Origin, type SourceFile } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { finishedEverywhere } from '../../plan/inputs.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { configOrder, sourceOrder } from '../../yaml/format/source-order.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import type { FileNamed } from '../../yaml/parsed-files.ts';
import { everyEnvironment, refuseOneEnvironment, type UnreadState } from '../base/every-environment.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import type { Run } from '../base/run.ts';
import type { FormatOptions } from './fmt-command.ts';

/** The changed files go to stdout, one per line; everything else to stderr. */
export async function format(run: Run, options: FormatOptions, paths: readonly string[]): Promise<number> {
  const workspace = await run.workspace();
  if (paths.length === 0) await run.requireWorkspace();
  const named = await namedFiles(run, workspace, paths);
  const entries = options.prune ? await finishedEntries(run, options, parsedOnce(workspace), named.paths) : undefined;
  const { due, left, findings, files } = formatFiles(workspace, named, entries);
  const fixed = new Map(
    options.check
      ? []
      : due.flatMap(({ path }) => {
          const why = workspace.readOnlyReason(path);
          return why === undefined ? [] : [[path, why] as const];
        }),
  );
  const changed = due.filter(({ path }) => !fixed.has(path));
  if (!options.check) await writeFiles(run, workspace, changed, 'it was being formatted');
  for (const { path } of changed) run.say(path);
  if (findings.length > 0) {
    const source = { desired: nothingDeclared, fileNamed: (path: string) => files.get(path) };
    const diagnostics = await placeFindings(findings, source);
    run.stderr.write(diagnosticsText(diagnostics, source, run.page(run.stderr)));
  }
  for (const path of left)
    run.say(`${path} was not changed: parts of it are in a layout that fmt does not support.`, run.stderr);
  for (const words of entries?.refused ?? []) run.say(words, run.stderr);
  for (const [path, why] of fixed) run.say(`${path} cannot be written: ${why}.`, run.stderr);
  if (!options.quiet && !(named.paths.size === 0 && hasErrors(findings)))
    run.say(
      [summary(changed, due, named.paths.size, options), ...pruneSummary(changed, due, entries, options)].join(' '),
      run.stderr,
    );
  return hasErrors(findings) || fixed.size > 0 || (options.check && changed.length > 0) ? 1 : 0;
}

interface FormattedFile extends FileToWrite {
  /** How many entries were removed. */
  readonly pruned: number;
}

interface NamedFiles {
  readonly paths: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** All sources and almanac.yaml if none is named. */
async function namedFiles({ environment }: Run, workspace: Workspace, paths: readonly string[]): Promise<NamedFiles> {
  const { sources } = (await loadConfig(workspace, environment, undefined)).usable;
  const { files, findings } =
    paths.length > 0 ? await workspace.resolve(paths, sources) : { files: await workspace.list(sources), findings: [] };
  const { configFile } = workspace;
  return { paths: new Set(paths.length > 0 || configFile === undefined ? files : [configFile, ...files]), findings };
}

/** Writes nothing. */
function formatFiles(workspace: Workspace, named: NamedFiles, entries: FinishedEntries | undefined) {
  const files = new Map<string, SourceFile>();
  const { configFile } = workspace;
  const findings: Finding[] = [...named.findings];
  // Files that are not in canonical form, and those whose layout cannot be formatted.
  const due: FormattedFile[] = [];
  const left: string[] = [];
  for (const path of named.paths) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push(read.finding);
      continue;
    }
    const before = entries?.fileNamed(path)?.text ?? read.text;
    const file: SourceFile = { path, text: before };
    files.set(path, file);
    const { findings: own } = parseSource(file);
    pushAll(findings, own);
    if (hasErrors(own)) continue;
    const { texts, removed = [] } = entries ?? {};
    const after = formatYaml(texts?.get(path) ?? before, path === configFile ? configOrder : sourceOrder);
    const pruned = removed.filter((origin) => origin.file === path).length;
    if (after === undefined) left.push(path);
    else if (after !== before) due.push({ path, before, after, pruned });
  }
  return { due, left, findings, files };
}

interface FinishedEntries {
  readonly removed: readonly Origin[];
  /** The files as they were when the entries were looked for. */
  readonly fileNamed: FileNamed;
  /** The files' texts without these entries. */
  readonly texts: ReadonlyMap<string, string>;
  /** Sentences that say which entries stay, and why. */
  readonly refused: readonly string[];
  /** Sentences about entries that are still to take effect, one for each environment. */
  readonly open: readonly string[];
}

/**
 * The finished entries of some files. An entry that is finished in one environment may still be needed in another.
 * Throws Failure if the state of one cannot be read, and invalid-workspace for errors in the files.
 */
async function finishedEntries(
  run: Run,
  options: FormatOptions,
  workspace: ParsedOnce,
  files: ReadonlySet<string>,
): Promise<FinishedEntries> {
  refuseOneEnvironment('--prune looks at the state of every environment', options);
  const { environments, unread } = await everyEnvironment(run, workspace);
  const [first] = unread;
  if (first !== undefined) throw notRead(first);
  // With environments, the shared part of the configuration need not have a state of its own.
  const used: readonly InEnvironment[] = environments.filter(
    ({ name, state }) => environments.length === 1 || name !== undefined || state !== undefined,
  );
  const { origins, open } = await finishedEverywhere(used);
  const [{ loaded }] = used as readonly [InEnvironment];
  const removals = origins.filter(({ file }) => files.has(file)).map((origin) => ({ ...origin, value: undefined }));
  const {
    keptEdits,
    refused,
    files: made,
  } = await openProposals(
    workspace,
    used,
    loaded,
  )({
    edits: removals,
    filesOf: (removal) => [removal],
    addressesOf: () => [],
    // Without the entries, all declarations and plans stay the same.
    allowed: () => ({}),
    faultsOf: faultsIn({ done: 'Without it', planned: 'before', declared: 'as it was' }),
  });
  return {
    removed: keptEdits,
    fileNamed: loaded.fileNamed,
    texts: new Map(made.map(({ path, after }) => [path, after])),
    refused: refused.flatMap(({ about, message }) =>
      about.map(({ file }) => `${file} keeps an entry that is finished. ${message}`),
    ),
    open: used.flatMap((side, index) => openWords(side, open[index] ?? 0)),
  };
}

function notRead({ name, failure }: UnreadState): Failure {
  const where = `The state of ${environmentWords(name)} cannot be read, so nothing was removed or formatted.`;
  return new Failure(failure.code, `${where} ${failure.message}`, { hint: failure.hint, cause: failure });
}

function openWords({ name, state }: EnvironmentState, count: number): readonly string[] {
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
    ? `${changed.length} of ${files} would change: run ${command('fmt', prune === true && '--prune')}.`
    : `Formatted ${changed.length} of ${files}.`;
}
