// Sets, adds and removes single values in the text of a YAML file. The changes are cut out of the text and inserted by
// position, so that everything else stays byte for byte. Then the meaning of the file is compared with what the edits
// ask for, in all documents, so that an unforeseen layout leaves the file unchanged.

import { type CST, Parser } from 'yaml';
import { groupBy } from '../../model/values/group-by.ts';
import { equalJson, type Json } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { type Order, sourceOrder } from '../format/sort-entries.ts';
import { parseSource } from '../parse-source.ts';
import { changeValue } from './change-value.ts';
import { applyEdits, CannotEdit, type Edit, type EditTree, growEdits, valueAfter } from './edit-tree.ts';
import { entriesOf, isCollection, isMap, isMergeEntry, keyOf, rootOf, type Spot } from './source-entries.ts';
import { applySplices, type Splice } from './splice.ts';

export type { Edit } from './edit-tree.ts';

/**
 * The text with all edits, or undefined if its layout is not supported. The order decides where a missing field is added;
 * that of almanac.yaml is `configOrder`. A list or map that is set keeps what stays in it as it is written.
 *
 * What comes by an alias or a merge key is written at the place itself, and the anchor stays as it is. An anchor's own
 * value changes only with that of all places that refer to it; undefined is returned if one of them has no edit.
 */
export function editYaml(
  text: string,
  edits: readonly Edit[],
  order: Order = sourceOrder,
  parse: ParseText = parseText,
): string | undefined {
  const lineEnd = /^(?:[^\r\n]*\r\n)+[^\r\n]*$/.test(text) ? '\r\n' : '\n';
  const unix = lineEnd === '\n' ? text : text.replaceAll(lineEnd, '\n');
  try {
    const edited = editText(unix, edits, order, parse);
    return lineEnd === '\n' ? edited : edited?.replaceAll('\n', lineEnd);
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
}

/** Whoever has parsed a text already, or will need it, hands in how. */
export type ParseText = (text: string) => ReturnType<typeof parseSource>;

function parseText(text: string): ReturnType<ParseText> {
  return parseSource({ path: '', text });
}

type Values = ReadonlyMap<number, Json>;

interface DocumentChange {
  readonly root: Spot;
  readonly pointerOf: PointerOfAlias;
  readonly before: Json;
  readonly after: Json;
  readonly tree: EditTree;
}

function editText(text: string, edits: readonly Edit[], order: Order, parse: ParseText): string | undefined {
  const before = valuesOf(text, parse);
  if (before === undefined) return undefined;
  const isEnded = text === '' || text.endsWith('\n');
  const whole = isEnded ? text : `${text}\n`;
  const tokens = documentsOf(whole);
  const changes = new Map<number, DocumentChange>();
  for (const [document, inside] of groupBy(edits, ({ document }) => document)) {
    const [token, value] = [tokens[document], before.get(document)];
    if (token === undefined || value === undefined) return undefined;
    changes.set(document, documentChange(rootOf(token), value, inside));
  }
  const after = new Map([...before].map(([document, value]) => [document, changes.get(document)?.after ?? value]));
  const attempt = (hasBlockTexts: boolean) => {
    const changed = changeText(whole, [...changes.values()], order, hasBlockTexts);
    const edited = isEnded || !changed.endsWith('\n') ? changed : changed.slice(0, -1);
    return isMeant(edited, after, parse) ? edited : undefined;
  };
  // A comment that is indented deeper would become a part of a block text above it, but not of one in quotes.
  return attempt(true) ?? attempt(false);
}

function documentChange(root: Spot, before: Json, edits: readonly Edit[]): DocumentChange {
  const tree = growEdits(edits);
  return { root, pointerOf: pointersOfAliases(root), before, tree, after: applyEdits(before, tree) ?? null };
}

function changeText(text: string, changes: readonly DocumentChange[], order: Order, hasBlockTexts: boolean): string {
  const splices: Splice[] = [];
  for (const { root, pointerOf, before, after, tree } of changes) {
    const meaningOf = (alias: CST.Token) => {
      const pointer = pointerOf(alias);
      return pointer === undefined ? undefined : valueAfter(before, tree, pointer);
    };
    const holder = { ...root, column: -2, step: 2, isItem: false, inFlow: false, hasColon: true, order };
    changeValue(holder, { before, after }, tree, { text, splices, hasBlockTexts, meaningOf });
  }
  return applySplices(text, splices);
}

function isMeant(text: string, wanted: Values, parse: ParseText): boolean {
  const found = valuesOf(text, parse);
  // A document whose last section was removed is empty.
  const orEmpty = (value: Json | undefined): Json => value ?? {};
  return (
    found !== undefined &&
    found.size <= wanted.size &&
    [...wanted].every(([document, value]) => equalJson(orEmpty(found.get(document)), orEmpty(value)))
  );
}

/** The values of all documents; undefined if one has errors. */
function valuesOf(text: string, parse: ParseText): Values | undefined {
  const { value, findings } = parse(text);
  return hasErrors(findings) ? undefined : new Map(value.map((document) => [document.origin.document, document.value]));
}

function documentsOf(text: string): readonly CST.Document[] {
  return [...new Parser().parse(text)].filter((token) => token.type === 'document');
}

// The anchors of a document: where the value of an alias is written.

/**
 * The pointer of what an alias stands for; undefined where no pointer leads, as inside a map that is merged in place. The
 * document is walked when this is first asked.
 */
type PointerOfAlias = (alias: CST.Token) => Pointer | undefined;

interface Anchored {
  readonly start: number;
  readonly pointer: Pointer | undefined;
}

function pointersOfAliases(root: Spot): PointerOfAlias {
  const anchors = once(() => anchorsIn(root));
  return (alias) =>
    alias.type === 'alias'
      ? anchors()
          .get(alias.source.slice(1))
          ?.findLast(({ start }) => start < alias.offset)?.pointer
      : undefined;
}

function anchorsIn(root: Spot): ReadonlyMap<string, readonly Anchored[]> {
  const anchors = new Map<string, Anchored[]>();
  const visit = ({ anchor, head, value }: Spot, pointer: Pointer | undefined): void => {
    if (anchor !== undefined) anchors.set(anchor, [...(anchors.get(anchor) ?? []), { start: head, pointer }]);
    if (!isCollection(value)) return;
    const isOfMap = isMap(value);
    for (const [index, entry] of entriesOf(value).entries()) {
      const name = isOfMap ? keyOf(entry) : index;
      const isHidden = pointer === undefined || name === undefined || (isOfMap && isMergeEntry(entry));
      visit(entry, isHidden ? undefined : pointer + pointerTo(name));
    }
  };
  visit(root, '');
  return anchors;
}
