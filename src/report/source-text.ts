// A source file as text: YAML through the yaml package, which quotes what would be read as something else, and lays out
// comments. What nobody sees in an editor (controls, marks that turn text around) is escaped in double quotes.

import { Document, isScalar, type Node, Pair, Scalar, visit, YAMLMap } from 'yaml';
import { kinds, kindsInOrder } from '../model/values/address.ts';
import type { Json } from '../model/values/json.ts';
import type { ResourceDraft, SourceDraft } from '../model/workspace/source-draft.ts';
import { visibleText } from './text/visible-values.ts';

/** Ends with a newline. */
export function renderSource({ resources, adoptions, schema, comments }: SourceDraft): string {
  const root = new YAMLMap<Scalar, Node>();
  for (const kind of kindsInOrder) {
    const { section } = kinds[kind];
    const { [section]: drafts = [] } = resources;
    if (drafts.length > 0) addBelow(root, section, sectionOf(drafts));
  }
  const adopt = adoptions.map(({ to, id }) => ({ to, id }));
  if (adopt.length > 0) addBelow(root, 'adopt', listsInLines(newNode(adopt, mustBeEscaped)));
  const head = [...(schema === undefined ? [] : [`yaml-language-server: $schema=${schema}`]), ...comments];
  return printNew(root, { head: head.map((line) => `# ${line}`), isPadded: false });
}

function sectionOf(resources: readonly ResourceDraft[]): YAMLMap<Scalar, Node> {
  const map = new YAMLMap<Scalar, Node>();
  for (const { key, comments, fields } of resources) {
    const entries = new YAMLMap<Scalar, Node>();
    for (const { name, value, comment } of fields) {
      const label = new Scalar(name);
      if (comment !== undefined) label.commentBefore = commentOf([comment]);
      entries.items.push(new Pair(label, listsInLines(newNode(value, mustBeEscaped))));
    }
    const label = addBelow(map, key, entries);
    if (comments.length > 0) label.commentBefore = commentOf(comments);
  }
  return map;
}

/** The longest list that is written on one line. */
const longestFlow = 80;

function listsInLines(node: Node): Node {
  visit(node, {
    Seq: (_, list) => {
      list.flow = list.items.every(isScalar) && JSON.stringify(list.toJSON()).length <= longestFlow;
    },
  });
  return node;
}

/** Adds an entry to a map, with a blank line before every one but the first. Returns its key. */
export function addBelow(map: YAMLMap<Scalar, Node>, name: string, content: Node): Scalar {
  const key = new Scalar(name);
  key.spaceBefore = map.items.length > 0;
  map.items.push(new Pair(key, content));
  return key;
}

/** Its schema makes nodes of values. */
const maker = new Document();

export function newNode(value: Json, needsQuotes: (text: string) => boolean): Node {
  const node = maker.createNode(value, { aliasDuplicateObjects: false }) as Node;
  visit(node, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && needsQuotes(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}

/** A comment's text as the yaml package wants it. */
export function commentOf(lines: readonly string[]): string {
  return lines.map((line) => ` ${visibleText(line)}`).join('\n');
}

interface NewText {
  /** Whole lines before the first entry. */
  readonly head: readonly string[];
  /** `{ a: 1 }`, not `{a: 1}`. */
  readonly isPadded: boolean;
}

/** Ends with a newline. */
export function printNew(root: YAMLMap<Scalar, Node>, { head, isPadded }: NewText): string {
  const text = new Document(root).toString({
    lineWidth: 0,
    flowCollectionPadding: isPadded,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return `${[...head, ...text.replace(/\n$/, '').split('\n')].map(visibleText).join('\n')}\n`;
}

/** Also the merge key, which would merge, and lines whose blanks at an end nobody sees, or a block would lose. */
function mustBeEscaped(text: string): boolean {
  const lines = text.replaceAll('\n', '');
  const isBlock = lines !== text;
  return text === '<<' || visibleText(lines) !== lines || (isBlock && /^[ \n]| \n| $/.test(text));
}
