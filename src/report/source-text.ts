// A source file as text: YAML through the yaml package, which quotes what would be read as something else, and lays out
// comments. What nobody sees in an editor (controls, marks that turn text around) is escaped in double quotes.

import { Document, isScalar, type Node, Pair, Scalar, visit, YAMLMap } from 'yaml';
import type { Json } from '../model/values/json.ts';
import type { ResourceDraft, SourceDraft } from '../model/workspace/source-draft.ts';
import { visibleText } from './text/terminal-text.ts';

/** Ends with a newline. */
export function renderSource(draft: SourceDraft): string {
  const root = new YAMLMap<Scalar, Node>();
  const section = (name: string, content: Node) => {
    const key = new Scalar(name);
    key.spaceBefore = root.items.length > 0;
    root.items.push(new Pair(key, content));
  };
  const document = new Document(root);
  if (draft.dashboards.length > 0) section('dashboards', sectionOf(document, draft.dashboards));
  if (draft.schedules.length > 0) section('schedules', sectionOf(document, draft.schedules));
  if (draft.adoptions.length > 0)
    section(
      'adopt',
      nodeOf(
        document,
        draft.adoptions.map(({ to, id }) => ({ to, id })),
      ),
    );
  const body = document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  const head = [
    ...(draft.schema === undefined ? [] : [`yaml-language-server: $schema=${draft.schema}`]),
    ...draft.comments,
  ].map((line) => `# ${line}`);
  return `${[...head, ...body.replace(/\n$/, '').split('\n')].map(visibleText).join('\n')}\n`;
}

function sectionOf(document: Document, resources: readonly ResourceDraft[]): Node {
  const map = new YAMLMap<Scalar, Node>();
  resources.forEach(({ key, comments, fields }, index) => {
    const entries = new YAMLMap<Scalar, Node>();
    for (const { name, value, comment } of fields)
      entries.items.push(new Pair(commentedKey(name, comment === undefined ? [] : [comment]), nodeOf(document, value)));
    const label = commentedKey(key, comments);
    label.spaceBefore = index > 0;
    map.items.push(new Pair(label, entries));
  });
  return map;
}

function commentedKey(name: string, comments: readonly string[]): Scalar {
  const key = new Scalar(name);
  if (comments.length > 0) key.commentBefore = comments.map((line) => ` ${visibleText(line)}`).join('\n');
  return key;
}

/** The longest list that is written on one line. */
const longestFlow = 80;

function nodeOf(document: Document, value: Json): Node {
  const node = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
  visit(node, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && mustBeEscaped(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
    Seq: (_, list) => {
      list.flow = list.items.every(isScalar) && JSON.stringify(list.toJSON()).length <= longestFlow;
    },
  });
  return node;
}

/** Also the merge key, which would merge, and lines whose blanks at an end nobody sees, or a block would lose. */
function mustBeEscaped(text: string): boolean {
  const lines = text.replaceAll('\n', '');
  const isBlock = lines !== text;
  return text === '<<' || visibleText(lines) !== lines || (isBlock && /^[ \n]| \n| $/.test(text));
}
