// `almanac fold [PATH...]`: makes one declaration of many that are alike. Nothing is written that is not proven.

import { parsedOnce } from '../../declare/load/load-again.ts';
import { loadConfig } from '../../declare/load/load-config.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { writeFiles } from '../../edit/write-files.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { everyEnvironment, refuseOneEnvironment, unreadWords } from '../base/every-environment.ts';
import type { Run } from '../base/run.ts';
import type { FoldOptions } from './command.ts';
import type { FoldDocument } from './document.ts';
import { renderFoldText } from './fold-report.ts';
import { type FoldedWorkspace, foldWorkspace } from './fold-workspace.ts';

export function fold(run: Run, options: FoldOptions, paths: readonly string[]): Promise<number> {
  return run.unlessInterrupted('changed', () => foldFiles(run, options, paths));
}

async function foldFiles(run: Run, options: FoldOptions, paths: readonly string[]): Promise<number> {
  // A fold must hold everywhere.
  refuseOneEnvironment('fold looks at every environment and its state', options);
  const workspace = parsedOnce(await run.workspace());
  await run.requireWorkspace();
  const named = paths.length === 0 ? undefined : await namedFiles(run, workspace, paths);
  const { sides, unread } = await everyEnvironment(run, workspace);
  const folded = await foldWorkspace({ workspace, sides, named });
  if (!options.check) await writeFiles(run, workspace, folded.files, 'fold checked the result');
  const document = documentOf(folded, unread.map(unreadWords));
  run.print(options.format, document, (page) => renderFoldText(document, options.check === true, page));
  return options.check && folded.files.length > 0 ? 1 : 0;
}

function documentOf({ files, ...folded }: FoldedWorkspace, unread: readonly string[]): FoldDocument {
  const { loops, left, empty, declarations } = folded;
  const paths = files.map(({ path }) => path);
  return { formatVersion: 1, files: paths, empty, loops, notFolded: left, declarations, unread };
}

async function namedFiles(run: Run, workspace: Workspace, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const { sources } = (await loadConfig(workspace, run.environment, undefined)).usable;
  const { files, findings } = await workspace.resolve(paths, sources);
  const [finding] = findings;
  if (finding !== undefined) throw new Failure('usage', finding.message, { hint: finding.hint });
  return new Set(files);
}
