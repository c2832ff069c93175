// `almanac fold [SELECTOR...]`: makes one loop of the named resources. Nothing is written that is not proven. Without
// selectors it lists similar declarations.

import { parsedOnce } from '../../declare/load/load-again.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { writeFiles } from '../../edit/write-files.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { everyEnvironment, refuseOneEnvironment, unreadWords } from '../base/every-environment.ts';
import type { Run } from '../base/run.ts';
import type { FoldOptions } from './fold-command.ts';
import type { FoldDocument } from './fold-document.ts';
import { renderAlike, renderFolded } from './fold-report.ts';
import { type FoldedWorkspace, findAlike, foldNamed } from './fold-workspace.ts';

export function fold(run: Run, options: FoldOptions, selectors: readonly string[]): Promise<number> {
  return run.unlessInterrupted('changed', () => foldFiles(run, options, selectors));
}

async function foldFiles(run: Run, options: FoldOptions, selectors: readonly string[]): Promise<number> {
  // A fold must hold everywhere.
  refuseOneEnvironment('fold looks at every environment and its state', options);
  const isList = selectors.length === 0;
  if (isList && (options.name !== undefined || options.csv !== undefined))
    throw new Failure('usage', '--name and --csv are about the loop of what is selected, and nothing is.', {
      hint: `${command('fold')} alone lists what is alike.`,
    });
  const workspace = parsedOnce(await run.workspace());
  await run.requireWorkspace();
  const { environments, unread } = await everyEnvironment(run, workspace);
  const request = { workspace, environments };
  const table = options.csv === undefined ? undefined : newTable(workspace, options.csv);
  const folded = await (isList ? findAlike(request) : foldNamed(request, selectors, { name: options.name, table }));
  await writeFiles(run, workspace, folded.files, 'fold checked the result');
  const document = documentOf(folded, unread.map(unreadWords));
  run.print(options.format, document, (page) => (isList ? renderAlike : renderFolded)(document, page));
  return isList || document.notFolded.length === 0 ? 0 : 1;
}

/** The path from the root. Throws Failure usage. */
function newTable(workspace: Workspace, path: string): string {
  const table = workspace.locate(path);
  if (!/\.csv$/i.test(table)) throw new Failure('usage', `${path} is not called .csv, as a table is.`);
  if (!workspace.exists(table)) return table;
  throw new Failure('usage', `${path} is there already, and --csv writes a new file.`, { hint: 'Name another one.' });
}

function documentOf({ files, ...folded }: FoldedWorkspace, unread: readonly string[]): FoldDocument {
  const { loops, notFolded: refusals, empty, declarations } = folded;
  const paths = files.map(({ path }) => path);
  const notFolded = refusals.map(({ about: addresses, message, hint, place: { file } }) => ({
    file,
    addresses,
    message,
    hint,
  }));
  return { formatVersion: 1, files: paths, empty, loops, notFolded, declarations, unread };
}
