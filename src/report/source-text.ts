// A new source file as text: sections with a blank line between entries, and comments. In comments, characters that
// nobody sees in an editor (controls, marks that turn text around) are escaped. Values are printed as everywhere.

import { kinds, kindsInOrder } from '../model/values/address.ts';
import type { Json } from '../model/values/json.ts';
import type { SourceDraft } from '../model/workspace/source-draft.ts';
import { type Notes, printEntry, type Style } from '../yaml/edit/print-value.ts';
import { printString } from '../yaml/format/print-string.ts';
import { sourceOrder } from '../yaml/format/source-order.ts';
import { visibleText } from './text/visible-values.ts';

/** Ends with a newline. */
export function renderSource({ resources, adoptions, schema, comments }: SourceDraft): string {
  return printNew({
    head: [...(schema === undefined ? [] : [`yaml-language-server: $schema=${schema}`]), ...comments],
    sections: kindsInOrder.map((kind): NewSection => {
      const { section } = kinds[kind];
      const entries = (resources[section] ?? []).map(
        ({ key, comments: above, fields }): NewEntry => ({
          key,
          above,
          fields: fields.map(({ name, value, comment }) => ({ name, value, above: comment })),
        }),
      );
      return { section, entries };
    }),
    list: [
      'adopt',
      adoptions.map(({ to, id, in: names }) => ({ to, id, ...(names === undefined ? {} : { in: [...names] }) })),
    ],
  });
}

interface NewText {
  /** Comments before the first section. */
  readonly head: readonly string[];
  readonly sections: readonly NewSection[];
  /** A list after the sections, with its key. */
  readonly list: readonly [string, readonly Json[]];
}

export interface NewSection {
  readonly section: string;
  readonly entries: readonly NewEntry[];
}

interface NewEntry {
  readonly key: string;
  /** Comments above its key, and the one after it. */
  readonly above?: readonly string[];
  readonly commentBehind?: string;
  readonly fields: readonly NewField[];
}

export interface NewField {
  readonly name: string;
  readonly value: Json;
  readonly above?: string | undefined;
  readonly notes?: Notes;
}

/** Ends with a newline. Sections and lists without entries are left out. */
export function printNew({ head, sections, list: [name, items] }: NewText): string {
  const written = sections.filter(({ entries }) => entries.length > 0).map(sectionLines);
  const list = items.length === 0 ? [] : [printEntry(name, items, { ...atRoot, order: sourceOrder.below(name) })];
  const parts = [...written, ...list];
  return [...head.map(commentOf), ...apart(parts)].map((line) => `${line}\n`).join('');
}

const atRoot: Style = {
  inFlow: false,
  column: 0,
  step: 2,
  order: undefined,
  quote: undefined,
  hasBlockTexts: true,
};

function sectionLines({ section, entries }: NewSection): readonly string[] {
  const order = sourceOrder.below(section);
  const each = entries.map(({ key, above = [], commentBehind, fields }) => {
    const head = `  ${printString(key, { inFlow: false, isKey: true })}:${fields.length === 0 ? ' {}' : ''}`;
    const lines = fields.flatMap(({ name, value, above: comment, notes }) => [
      ...(comment === undefined ? [] : [`    ${commentOf(comment)}`]),
      ...printEntry(name, value, {
        ...atRoot,
        column: 4,
        order: order?.below(key)?.below(name),
        // A comment has no place beside a text of several lines.
        hasBlockTexts: notes === undefined,
        notes,
      }),
    ]);
    return [
      ...above.map((line) => `  ${commentOf(line)}`),
      commentBehind === undefined ? head : `${head} ${commentOf(commentBehind)}`,
      ...lines,
    ];
  });
  return [`${section}:`, ...apart(each)];
}

function apart(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function commentOf(text: string): string {
  return `# ${visibleText(text)}`;
}
