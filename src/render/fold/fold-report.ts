// What `almanac fold` says: the files that change with what they hold now, and what is alike and stays as it is.

import type { Fold, FoldDocument, NotFolded } from '../../model/plan/fold-document.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { firstLines, mostSingle, nameSome } from '../text/more-words.ts';
import { safeText } from '../text/terminal-text.ts';

/** Each line ends with a line break. `isCheck`: nothing was written. */
export function renderFoldText(document: FoldDocument, isCheck: boolean, page: Page): string {
  const folds = [...groupBy(document.folds, ({ file }) => file)];
  const lines = folds.flatMap(([file, own]) => [file, ...own.map((fold) => `  ${foldWords(fold)}`)]);
  const folded = new Set(folds.map(([file]) => file));
  const others = document.files.filter((file) => !folded.has(file));
  const most = page.showsAll ? Number.POSITIVE_INFINITY : mostSingle;
  const rest =
    others.length === 0
      ? []
      : [
          `${countOf(others.length, 'other file changes', 'other files change')}: ${nameSome(others, others.length, most)}`,
        ];
  const paragraphs = [
    [...lines, ...rest],
    leftLines(document.notFolded, page),
    emptyLines(document.empty, isCheck),
    [...document.unread.map((words) => `${words} Only the declarations were compared.`)],
    [summary(document, isCheck)],
  ].filter(({ length }) => length > 0);
  return paragraphs.map((own) => own.map((line) => `${safeText(line)}\n`).join('')).join('\n');
}

function foldWords(fold: Fold): string {
  switch (fold.kind) {
    case 'loop': {
      const { address, instances, values } = fold;
      const [section = ''] = address.split('.');
      const nouns: Readonly<Record<string, string>> = {
        schedules: 'schedules',
        dashboards: 'dashboards',
        aiJobs: 'AI jobs',
      };
      return `${address}: ${instances.length} ${nouns[section] ?? section}, each with ${nameSome(values, values.length, values.length)}`;
    }
    case 'audience':
      return `audience ${fold.name}: ${countOf(fold.usedBy.length, 'declaration')}`;
    case 'default':
      return `default ${fold.field}: ${fold.value}, for ${countOf(fold.usedBy.length, 'declaration')}`;
  }
}

function leftLines(left: readonly NotFolded[], { showsAll }: Page): readonly string[] {
  const most = showsAll ? Number.POSITIVE_INFINITY : mostSingle;
  const words = ({ addresses, message }: NotFolded) =>
    addresses.length === 0
      ? [message]
      : [`Not folded: ${nameSome(addresses, addresses.length, showsAll ? most : undefined)}. ${message}`];
  return firstLines(left, most, words, (more) => more);
}

function emptyLines(files: readonly string[], isCheck: boolean): readonly string[] {
  if (files.length === 0) return [];
  const [declare, them] = files.length === 1 ? ['declares', 'it'] : ['declare', 'them'];
  const when = isCheck ? `would ${files.length === 1 ? 'declare' : 'declare'}` : declare;
  return [`${nameSome(files, files.length, mostSingle)} ${when} nothing any more: delete ${them}.`];
}

function summary({ files, declarations }: FoldDocument, isCheck: boolean): string {
  const { before, after } = declarations;
  if (files.length === 0) return `Nothing to fold in ${countOf(before, 'declaration')}.`;
  const counts = `${countOf(before, 'declaration')} to ${after} in ${countOf(files.length, 'file')}`;
  return isCheck ? `Would fold ${counts}: run almanac fold.` : `Folded ${counts}. Next: almanac plan.`;
}
