// `almanac fold [SELECTOR...]`: makes one loop of the named resources. Nothing is written that is not proven. Without
// selectors it lists similar declarations.

import { parsedOnce } from '../../declare/load/load-again.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { writeFiles } from '../../edit/write-files.ts';
import { kindAt, kinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type Block, type Doc, fewOf, indented, part } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import { refusalsDoc } from '../../report/refusals-doc.ts';
import type { Page } from '../../report/text/theme.ts';
import { everyEnvironment, refuseOneEnvironment, unreadWords } from '../base/every-environment.ts';
import type { Run } from '../base/run.ts';
import type { FoldOptions } from './fold-command.ts';
import type { FoldDocument, FoldedLoop } from './fold-document.ts';
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

// The output of `almanac fold`: the files that change with their new contents, and similar declarations that stay.

/** The loops that were made. Ends with a newline. */
function renderFolded(document: FoldDocument, page: Page): string {
  const loops = groupBy(document.loops, ({ file }) => file);
  const otherFiles = document.files.filter(
    (file) => !loops.has(file) && document.loops.every(({ table }) => table !== file),
  );
  const changed = [...loops].flatMap(([file, own]) => [file, ...own.map((loop) => indented(2, loopWords(loop)))]);
  return printText(
    [
      part(
        ...changed,
        otherFiles.length > 0 && [
          countOf(otherFiles.length, 'other file changes', 'other files change'),
          ': ',
          fewOf(otherFiles, page),
        ],
      ),
      notFoldedPart(document, page),
      part(emptyWords(document.empty)),
      ...unreadParts(document),
      part(madeWords(document)),
    ],
    page,
  );
}

/** The loops that could be made. Ends with a newline. */
export function renderAlike(document: FoldDocument, page: Page): string {
  const { loops, declarations } = document;
  const looked = countOf(declarations, 'declaration');
  return printText(
    [
      ...loops.map((loop) => part(loop.file, indented(2, loopWords(loop)), indented(2, loop.command ?? ''))),
      notFoldedPart(document, page),
      ...unreadParts(document),
      part(
        loops.length === 0
          ? `Nothing is alike in ${looked}.`
          : `${countOf(loops.length, 'loop')} could be made of ${looked}. Nothing was changed.`,
      ),
    ],
    page,
  );
}

function unreadParts({ unread }: FoldDocument): Doc {
  return [part(...unread.map((words) => `${words} Only the declarations were compared.`))];
}

function loopWords({ address, instances, values, table }: FoldedLoop): string {
  const count = countOf(instances.length, kinds[kindAt(address)].words);
  const rows = table === undefined ? '' : ` in ${table}`;
  return `${address}: ${count}${rows}, each with ${values.join(', ')}`;
}

function notFoldedPart({ notFolded }: FoldDocument, page: Page): Block {
  const left = notFolded.map(({ addresses, ...why }) => ({ ...why, about: addresses }));
  return part(...refusalsDoc(left, (about) => [{ hang: 2, of: ['Not folded: ', fewOf(about, page)] }], page));
}

/** Lists all of them, because they are to be deleted. */
function emptyWords(files: readonly string[]): string {
  if (files.length === 0) return '';
  const [declares, them] = files.length === 1 ? ['declares', 'it'] : ['declare', 'them'];
  return `${files.join(', ')} no longer ${declares} anything; you can delete ${them}.`;
}

function madeWords({ loops }: FoldDocument): string {
  const [loop] = loops;
  if (loop === undefined) return 'Nothing was folded.';
  const { instances, address } = loop;
  const moving = instances.filter(({ from, to }) => from !== to).length;
  if (moving === 0) return `Made rows of ${countOf(instances.length, 'item')}. Next: ${command('plan')}.`;
  if (moving < instances.length) return `Added ${countOf(moving, 'item')} to ${address}. Next: ${command('plan')}.`;
  return `Made one loop of ${countOf(moving, kinds[kindAt(address)].words)}. Next: ${command('plan')}.`;
}
