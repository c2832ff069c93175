// Turns lists of e-mail addresses that are written several times in one file into audiences of that file, from where its
// owner may move them to any other.

import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, isJsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo, valueAt } from '../../model/values/pointer.ts';
import { type Audience, audienceSection, noAudiences } from '../../model/workspace/resource.ts';
import type { Edit } from '../../yaml/edit/edit-yaml.ts';
import { keyOf, withSuffix } from '../base/kebab.ts';
import type { Fold, FoldInput, FoldStage, NotFolded } from './fold-stage.ts';
import {
  editSource,
  emailsOf,
  type PageOf,
  type RecipientList,
  recipientLists,
  setOf,
  sourcePages,
} from './recipient-lists.ts';

const fewest = 3;
const fewestPeople = 2;

export const foldAudiences: FoldStage = (input) => {
  const pageOf = sourcePages(input);
  const lists = recipientLists(input, pageOf);
  const refused = new Set<string>();
  for (;;) {
    const found = audiencesIn(
      lists.filter(({ file }) => !refused.has(file)),
      input,
      pageOf,
    );
    const edited = editFiles(input, found);
    if (edited.refused.length === 0) {
      const staying = lists.filter(({ layout }) => layout === 'commented');
      return { texts: edited.texts, folds: found.map(({ fold }) => fold), left: leftBy(found, staying) };
    }
    for (const file of edited.refused) refused.add(file);
  }
};

interface FoldedAudience {
  readonly fold: Extract<Fold, { readonly kind: 'audience' }>;
  readonly set: string;
  /** The file whose lists it relayout. */
  readonly user: string;
  readonly edits: readonly (Edit & { readonly file: string })[];
}

function audiencesIn(lists: readonly RecipientList[], input: FoldInput, pageOf: PageOf) {
  const { loaded, skip } = input;
  const plain = lists.filter(({ layout, emails }) => layout === 'plain' && emails.length >= fewestPeople);
  const groups = [...groupBy(plain, ({ file, set }) => `${file}\n${set}`).values()].filter(
    ({ length }) => length >= fewest,
  );
  const present = presentAudiences(input);
  const taken = new Set(loaded.audiences?.keys());
  return groups.flatMap((all): readonly FoldedAudience[] => {
    const [first] = all;
    if (first === undefined) return [];
    const { set } = first;
    const audience = present.get(set);
    const name = audience?.name ?? nameIn(first.file, taken);
    const id = `audience ${name} in ${first.file}`;
    if (skip.has(id)) return [];
    const added = audience === undefined ? additionOf(name, first, pageOf) : [];
    if (added === undefined) return [];
    const used = all.map(({ file, document, pointer }) => ({ file, document, pointer, value: `\${audience.${name}}` }));
    const usedBy = all.map(({ address }) => address);
    const file = audience?.origin.file ?? first.file;
    return [{ fold: { kind: 'audience', id, file, name, usedBy }, set, user: first.file, edits: [...added, ...used] }];
  });
}

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
): FoldedAudience['edits'] | undefined {
  const { documents, layout } = pageOf(file);
  const having = documents.find(({ value }) => isJsonObject(value) && isJsonObject(value[audienceSection]));
  const document = having?.origin.document ?? ofUser;
  const pointer = pointerTo(audienceSection, name);
  return layout.isOwn(document, pointer) ? [{ file, document, pointer, value: { emails } }] : undefined;
}

function editFiles(input: FoldInput, found: readonly FoldedAudience[]) {
  const texts = new Map<string, string>();
  const refused: string[] = [];
  const edits = found.flatMap((each) => each.edits);
  for (const [file, inside] of groupBy(edits, (edit) => edit.file)) {
    const edited = editSource(file, input.files.get(file) ?? '', inside, input);
    if (edited === undefined) refused.push(file);
    else texts.set(file, edited);
  }
  return { texts, refused };
}

function leftBy(found: readonly FoldedAudience[], staying: readonly RecipientList[]): readonly NotFolded[] {
  return found.flatMap(({ fold: { name }, set, user }) => {
    const lists = staying.filter((list) => list.file === user && list.set === set);
    if (lists.length === 0) return [];
    const addresses = lists.map(({ address }) => address);
    const message = `The same people are the audience \`${name}\` now. Here the list stays, because it has a comment.`;
    return [{ file: user, addresses, message }];
  });
}
