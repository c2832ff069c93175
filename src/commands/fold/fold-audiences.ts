// Turns lists of e-mail addresses that are written several times in one file into audiences of that file, from where its
// owner may move them to any other.

import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, isJsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo, valueAt } from '../../model/values/pointer.ts';
import { type Audience, audienceSection, noAudiences } from '../../model/workspace/resource.ts';
import type { FileEdit } from '../base/edit/edit-files.ts';
import { keyOf, withSuffix } from '../base/kebab.ts';
import type { FoldInput, FoldStage, NotFolded, ProposedFold } from './fold-stage.ts';
import { emailsOf, type PageOf, type RecipientList, recipientLists, setOf, sourcePages } from './recipient-lists.ts';

const fewest = 3;
const fewestPeople = 2;

export const foldAudiences: FoldStage = (input) => {
  const pageOf = sourcePages(input);
  const lists = recipientLists(input, pageOf);
  const plain = lists.filter(({ layout, emails }) => layout === 'plain' && emails.length >= fewestPeople);
  const groups = [...groupBy(plain, ({ file, set }) => `${file}\n${set}`).values()];
  const present = presentAudiences(input);
  const taken = new Set(input.loaded.audiences?.keys());
  const folds = groups.flatMap((all): readonly ProposedFold[] => {
    const [first] = all;
    if (first === undefined || all.length < fewest) return [];
    const audience = present.get(first.set);
    const name = audience?.name ?? nameIn(first.file, taken);
    const added = audience === undefined ? additionOf(name, first, pageOf) : [];
    if (added === undefined) return [];
    const used = all.map(({ file, document, pointer }) => ({ file, document, pointer, value: `\${audience.${name}}` }));
    const id = `audience ${name} in ${first.file}`;
    const file = audience?.origin.file ?? first.file;
    const fold = { kind: 'audience' as const, id, file, name, usedBy: all.map(({ address }) => address) };
    return [{ fold, edits: [...added, ...used], left: leftBy(name, first, lists) }];
  });
  return { folds, left: [] };
};

/** The audiences whose addresses are written as they are, by the set of them. */
function presentAudiences({ loaded, parse }: FoldInput): ReadonlyMap<string, Audience> {
  const { audiences = noAudiences, fileNamed } = loaded;
  const present = new Map<string, Audience>();
  const documentsIn = memoize((path: string) => {
    const file = fileNamed(path);
    return file === undefined ? [] : parse(file).value;
  });
  for (const name of [...audiences.keys()].sort(byCodeUnit)) {
    const audience = audiences.get(name);
    if (audience === undefined) continue;
    const { file, document, pointer } = audience.origin;
    const written = documentsIn(file).find(({ origin }) => origin.document === document)?.value;
    const emails = emailsOf(valueAt(written, pointer + pointerTo('emails')));
    const set = emails && setOf(emails);
    if (set !== undefined && !present.has(set)) present.set(set, audience);
  }
  return present;
}

/** Called after the file: `nps-1`, `nps-2`. */
function nameIn(file: string, taken: Set<string>): string {
  const label = keyOf(file.replace(/^.*\//, '').replace(/\.[^.]*$/, ''), 'audience');
  for (let number = 1; ; number += 1) {
    const name = withSuffix(label, String(number));
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** In the document that has audiences already, or else beside the first user. Undefined if it has no place there. */
function additionOf(
  name: string,
  { file, document: ofUser, emails }: RecipientList,
  pageOf: PageOf,
): readonly FileEdit[] | undefined {
  const { documents, layout } = pageOf(file);
  const having = documents.find(({ value }) => isJsonObject(value) && isJsonObject(value[audienceSection]));
  const document = having?.origin.document ?? ofUser;
  const pointer = pointerTo(audienceSection, name);
  return layout.isOwn(document, pointer) ? [{ file, document, pointer, value: { emails } }] : undefined;
}

function leftBy(name: string, { file, set }: RecipientList, lists: readonly RecipientList[]): NotFolded | undefined {
  const staying = lists.filter((list) => list.layout === 'commented' && list.file === file && list.set === set);
  if (staying.length === 0) return undefined;
  const message = `The same people are the audience \`${name}\` now. Here the list stays, because it has a comment.`;
  return { file, addresses: staying.map(({ address }) => address), message };
}
