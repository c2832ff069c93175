// Sets, adds and removes single values in the text of a YAML file. The tokens of the yaml package hold every character, so
// what no edit names stays byte for byte. Then the meaning of the file is compared with what the edits ask for, in all
// documents, so that an unforeseen layout leaves the file unchanged.

import { CST } from 'yaml';
import { groupBy } from '../../model/values/collections.ts';
import { equalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { type Order, sourceOrder } from '../format/source-order.ts';
import { parseSource } from '../parse-source.ts';
import { changeValue, type MeaningOf } from './change-value.ts';
import { applyEdits, CannotEdit, type Edit, type EditTree, growEdits } from './edit-tree.ts';
import { type Entry, entriesOf, isCollection, isMap, isMerge, keyOf, readDocuments } from './entries.ts';

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

type DocumentValues = ReadonlyMap<number, Json>;

function editText(text: string, edits: readonly Edit[], order: Order, parse: ParseText): string | undefined {
  const before = valuesOf(text, parse);
  if (before === undefined) return undefined;
  const changes = new Map<number, DocumentChange>();
  for (const [document, inside] of groupBy(edits, (edit) => edit.document)) {
    const value = before.get(document);
    if (value === undefined) return undefined;
    const tree = growEdits(inside);
    changes.set(document, { before: value, after: applyEdits(value, tree) ?? null, edits: tree });
  }
  const after = new Map([...before].map(([document, value]) => [document, changes.get(document)?.after ?? value]));
  const attempt = (hasBlockTexts: boolean) => {
    const edited = changeText(text, changes, { order, hasBlockTexts });
    return isMeant(edited, after, parse) ? edited : undefined;
  };
  // A comment that is indented deeper would become a part of a block text above it, but not of one in quotes.
  return attempt(true) ?? attempt(false);
}

interface DocumentChange {
  readonly before: Json;
  readonly after: Json;
  readonly edits: EditTree;
}

function changeText(
  text: string,
  changes: ReadonlyMap<number, DocumentChange>,
  style: { readonly order: Order; readonly hasBlockTexts: boolean },
): string {
  const isEnded = text === '' || text.endsWith('\n');
  const { tokens, documents } = readDocuments(isEnded ? text : `${text}\n`);
  for (const [document, change] of changes) {
    const [root] = documents[document] ?? [];
    if (root === undefined) throw new CannotEdit('no such document');
    const around = { ...style, inFlow: false, column: -2, step: 2, quote: undefined };
    const place = { ...around, entry: root, siblings: documents[document] ?? [], outer: undefined };
    changeValue(place, { ...change, meaningOf: meaningsIn(root, change) });
  }
  const edited = tokens.map((token) => CST.stringify(token)).join('');
  return isEnded ? edited : edited.replace(/\n$/, '');
}

function isMeant(text: string, wanted: DocumentValues, parse: ParseText): boolean {
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
function valuesOf(text: string, parse: ParseText): DocumentValues | undefined {
  const { value, findings } = parse(text);
  return hasErrors(findings) ? undefined : new Map(value.map((document) => [document.origin.document, document.value]));
}

/** The values of aliases after all edits: the last anchor above counts. Nothing is known inside a merged map. */
function meaningsIn(root: Entry, { before, edits }: DocumentChange): MeaningOf {
  const anchors: { readonly name: string; readonly offset: number; readonly meaning: () => Json | undefined }[] = [];
  const visit = (entry: Entry, value: Json | undefined, tree: EditTree | undefined): void => {
    const { source, offset } = entry.sep.find(({ type }) => type === 'anchor') ?? {};
    if (source !== undefined && offset !== undefined)
      anchors.push({ name: source.slice(1), offset, meaning: () => tree && applyEdits(value, tree) });
    if (!isCollection(entry.value)) return;
    const inside = tree?.own === undefined ? tree : undefined;
    for (const [index, item] of entriesOf(entry.value).entries()) {
      const name = isMap(entry.value) ? keyOf(item) : item.key ? undefined : String(index);
      const part = name === undefined || isMerge(item) ? undefined : memberOf(value, name);
      visit(item, part, part === undefined ? undefined : inside && (inside.children.get(name ?? '') ?? noEdits));
    }
  };
  visit(root, before, edits);
  return (alias) =>
    anchors
      .findLast(({ name, offset }) => alias.type === 'alias' && name === alias.source.slice(1) && offset < alias.offset)
      ?.meaning();
}

const noEdits = growEdits([]);

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(name)];
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
