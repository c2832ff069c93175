// Resolved declarations as a source file. A comment behind each field names the place that gives its value; where the
// parts of a value come from different places, behind each part.

import { Document, isCollection, isScalar, type Node, Pair, Scalar, visit, YAMLMap } from 'yaml';
import { kindsInOrder, sectionOf } from '../../model/values/address.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';
import type { ResolvedField, ResolvedResource, Via } from '../../model/workspace/origins.ts';
import { visibleText } from '../../report/text/visible-text.ts';
import { fileAndLine } from '../../report/text/words.ts';

/** Ends with a newline. */
export function renderResolved(resources: readonly ResolvedResource[]): string {
  if (resources.length === 0) return '{}\n';
  const root = new YAMLMap<Scalar, Node>();
  const document = new Document(root);
  for (const section of kindsInOrder.map((kind) => sectionOf[kind])) {
    const own = resources.filter((resource) => resource.section === section);
    if (own.length === 0) continue;
    const key = new Scalar(section);
    key.spaceBefore = root.items.length > 0;
    root.items.push(new Pair(key, sectionNode(document, own)));
  }
  const moved = resources.filter(({ address, section, key }) => address !== `${section}.${key}`);
  if (moved.length > 0) root.items.push(movedPair(document, moved));
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return `${text.replace(/\n$/, '').split('\n').map(visibleText).join('\n')}\n`;
}

/** Without its loop an instance has another address. */
function movedPair(document: Document, moved: readonly ResolvedResource[]): Pair<Scalar, Node> {
  const key = new Scalar('moved');
  key.spaceBefore = true;
  const entries = moved.map(({ address, section, key: own }) => ({ from: address, to: `${section}.${own}` }));
  const list = document.createNode(entries) as Node;
  visit(list, {
    Map: (_, map) => {
      map.flow = true;
    },
  });
  return new Pair(key, list);
}

function sectionNode(document: Document, resources: readonly ResolvedResource[]): Node {
  const map = new YAMLMap<Scalar, Node>();
  resources.forEach((resource, index) => {
    const key = new Scalar(resource.key);
    key.spaceBefore = index > 0;
    key.comment = comment(fileAndLine(resource));
    const fields = new YAMLMap<Scalar, Node>();
    for (const field of resource.fields) fields.items.push(fieldPair(document, field));
    map.items.push(new Pair(key, fields));
  });
  return map;
}

function fieldPair(document: Document, field: ResolvedField): Pair<Scalar, Node> {
  const key = new Scalar(field.name);
  const node = nodeOf(document, field);
  const { whole, parts } = commentsOf(field);
  if (!isCollection(node)) node.comment = comment(whole);
  else if (node.items.length === 0) key.commentBefore = comment(whole);
  else {
    key.comment = comment(whole);
    for (const [path, words] of parts) commentPart(node, path, words);
  }
  return new Pair(key, node);
}

function nodeOf(document: Document, { value }: ResolvedField): Node {
  const node = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
  visit(node, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && needsQuotes(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}

/** What nobody sees, the merge key, and blanks that a block would lose. A comment has no place beside a block. */
function needsQuotes(text: string): boolean {
  return text === '<<' || text.includes('\n') || visibleText(text) !== text;
}

interface Comments {
  readonly whole: string;
  readonly parts: ReadonlyMap<Pointer, string>;
}

function commentsOf({ via, parts, isHidden }: ResolvedField): Comments {
  const [first] = parts;
  if (isHidden) return { whole: `not shown, copy it from ${viaWords(via)}`, parts: new Map() };
  if (first === undefined) return { whole: viaWords(via), parts: new Map() };
  const places = new Set(parts.map((part) => placeKey(part.via)));
  if (places.size === 1) {
    const isOwn = placeKey(via) === placeKey(first.via);
    return { whole: viaWords(isOwn ? via : first.via), parts: new Map() };
  }
  const byPath = new Map<Pointer, string[]>();
  for (const part of parts) byPath.set(part.path, [...(byPath.get(part.path) ?? []), viaWords(part.via)]);
  const words = new Map([...byPath].map(([path, each]) => [path, [...new Set(each)].join('; ')]));
  return { whole: words.get('') ?? viaWords(via), parts: words };
}

/** The lines of one audience are one place. */
function placeKey({ kind, name, file }: Via): string {
  return JSON.stringify([kind, name, file]);
}

function viaWords(via: Via): string {
  const { kind, name } = via;
  const place = fileAndLine(via);
  if (kind === 'resource') return place;
  if (kind === 'sink') return `sink of ${name}, ${place}`;
  if (kind === 'text-file') return `text of ${place}`;
  return `${kind}${name === undefined ? '' : ` ${name}`}, ${place}`;
}

function commentPart(node: Node, path: Pointer, words: string): void {
  const part = isCollection(node) ? node.getIn(pointerSegments(path), true) : undefined;
  if (isScalar(part)) part.comment = comment(words);
}

function comment(words: string): string {
  return ` ${visibleText(words)}`;
}
