// `almanac fmt [PATH...]`: puts files into their canonical form.

import { formatFiles } from '../../engine/load/format-files.ts';
import { placeFindings } from '../../engine/load/place-findings.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { countOf } from '../../render/text/count-words.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { pageOf } from '../base/page.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import { openWorkspace, requireWorkspace } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { FormatOptions } from './command.ts';
import { type FinishedEntries, finishedEntries } from './finished-entries.ts';

/** The files that change go to stdout, one a line; everything else to stderr. */
export async function format(world: World, options: FormatOptions, paths: readonly string[]): Promise<number> {
  const workspace = await openWorkspace(world, options);
  if (paths.length === 0) await requireWorkspace(world, options, workspace);
  const entries = options.prune ? await finishedEntries(world, options, workspace) : undefined;
  const prune = entries?.origins ?? [];
  const formatted = await formatFiles({ workspace, environment: world.environment, paths, prune });
  const { changed, left, findings, fileNamed, fileCount, pruned } = formatted;
  for (const { path, text } of changed) {
    if (!options.check) await workspace.write(path, text);
    world.stdout.write(`${safeText(path)}\n`);
  }
  if (findings.length > 0) {
    const diagnostics = await placeFindings(findings, fileNamed);
    const source = { desired: nothingDeclared, fileNamed };
    world.stderr.write(diagnosticsText(diagnostics, source, pageOf(world.stderr, world, options)));
  }
  for (const path of left)
    world.stderr.write(`${safeText(path)} was not changed: parts of it are in a layout that fmt does not support.\n`);
  if (!options.quiet && !(fileCount === 0 && hasErrors(findings)))
    world.stderr.write(
      `${[summary(changed.length, fileCount, options), ...pruneSummary(pruned, entries, options)].join(' ')}\n`,
    );
  return hasErrors(findings) || (options.check && changed.length > 0) ? 1 : 0;
}

function pruneSummary(
  pruned: number,
  entries: FinishedEntries | undefined,
  { check }: FormatOptions,
): readonly string[] {
  if (entries === undefined) return [];
  const counted = countOf(pruned, 'finished entry', 'finished entries');
  const removed =
    pruned === 0 ? 'No entry is finished.' : check ? `${counted} would be removed.` : `Removed ${counted}.`;
  return [removed, ...entries.open.map((words) => safeText(words))];
}

function summary(changed: number, all: number, { check, prune }: FormatOptions): string {
  const files = countOf(all, 'file');
  if (changed === 0) return `Nothing to do in ${files}.`;
  return check
    ? `${changed} of ${files} would change: run almanac fmt${prune ? ' --prune' : ''}.`
    : `Formatted ${changed} of ${files}.`;
}
