// Turns lists of e-mail addresses that are written several times into audiences. The audience is written into the file of
// its first user, from where its owner may move it to any other.

import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, isJsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { valueAt } from '../../model/values/value-at.ts';
import { type Audience, audienceSection, noAudiences } from '../../model/workspace/composed/audience.ts';
import { type Edit, editYaml } from '../../parse/edit/edit-yaml.ts';
import { parseSource } from '../../parse/parse-source.ts';
import type { Loaded } from '../load/load.ts';
import type { Fold, FoldInput, FoldStage, NotFolded } from './fold-stage.ts';
import { nameAudiences } from './name-audiences.ts';
import { emailsOf, type RecipientList, recipientLists, setOf } from './recipient-lists.ts';
import { type PageOf, sourcePages } from './source-pages.ts';

const fewest = 3;

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
    const edited = editFiles(input.files, found);
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
  readonly edits: readonly (Edit & { readonly file: string })[];
}

function audiencesIn(lists: readonly RecipientList[], { loaded, environments, skip }: FoldInput, pageOf: PageOf) {
  const uses = groupBy(
    lists.filter(({ layout }) => layout === 'plain'),
    ({ set }) => set,
  );
  const groups = [...uses].filter(([, all]) => all.length >= fewest);
  const present = presentAudiences(loaded);
  const names = nameAudiences(new Map(groups.filter(([set]) => !present.has(set))), {
    paths: loaded.files,
    dashboards: dashboardKeys(environments),
    taken: new Set(loaded.audiences?.keys()),
  });
  return groups.flatMap(([set, all]): readonly FoldedAudience[] => {
    const [first] = all;
    const audience = present.get(set);
    const name = audience?.name ?? names.get(set);
    if (first === undefined || name === undefined || skip.has(`audience ${name}`)) return [];
    const added = audience === undefined ? additionOf(name, first, pageOf) : [];
    if (added === undefined) return [];
    const used = all.map(({ file, document, pointer }) => ({ file, document, pointer, value: `\${audience.${name}}` }));
    const usedBy = all.map(({ address }) => address);
    const file = audience?.origin.file ?? first.file;
    return [
      { fold: { kind: 'audience', id: `audience ${name}`, file, name, usedBy }, set, edits: [...added, ...used] },
    ];
  });
}

/** The audiences whose addresses are written as they are, by the set of them. */
function presentAudiences({ audiences = noAudiences, fileNamed }: Loaded): ReadonlyMap<string, Audience> {
  const present = new Map<string, Audience>();
  const documentsIn = memoize((path: string) => {
    const file = fileNamed(path);
    return file === undefined ? [] : parseSource(file).value;
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

function dashboardKeys(environments: FoldInput['environments']): ReadonlyMap<string, string> {
  const dashboards = environments.flatMap(({ resources }) => resources.filter(({ kind }) => kind === 'dashboard'));
  return new Map(
    dashboards.flatMap(({ address, attributes: { identifier } }) => {
      const [, key = ''] = address.split('.');
      return typeof identifier === 'string' ? [[identifier, key]] : [];
    }),
  );
}

/** In the document that has audiences already, or else beside the first user. Undefined if it has no place there. */
function additionOf(
  name: string,
  { file, document: ofUser, emails }: RecipientList,
  pageOf: PageOf,
): FoldedAudience['edits'] | undefined {
  const { documents, places } = pageOf(file);
  const having = documents.find(({ value }) => isJsonObject(value) && isJsonObject(value[audienceSection]));
  const document = having?.origin.document ?? ofUser;
  const pointer = pointerTo(audienceSection, name);
  return places.isOwn(document, pointer) ? [{ file, document, pointer, value: { emails } }] : undefined;
}

function editFiles(files: FoldInput['files'], found: readonly FoldedAudience[]) {
  const texts = new Map<string, string>();
  const refused: string[] = [];
  const edits = found.flatMap((each) => each.edits);
  for (const [file, inside] of groupBy(edits, (edit) => edit.file)) {
    const edited = editYaml(files.get(file) ?? '', inside);
    if (edited === undefined) refused.push(file);
    else texts.set(file, edited);
  }
  return { texts, refused };
}

function leftBy(found: readonly FoldedAudience[], staying: readonly RecipientList[]): readonly NotFolded[] {
  const bySet = groupBy(staying, ({ set }) => set);
  return found.flatMap(({ fold: { name }, set }) =>
    [...groupBy(bySet.get(set) ?? [], ({ file }) => file)].map(([file, lists]) => ({
      file,
      addresses: lists.map(({ address }) => address),
      message: `The same people are the audience \`${name}\` now. Here the list stays, because it has a comment.`,
    })),
  );
}
