// The new texts of files in which single values are edited: YAML by value, CSV by cell, and what a declaration reads as text
// as a whole.

import type { Loaded } from '../declare/load/load.ts';
import type { ParseAtOnce } from '../declare/load/load-again.ts';
import { groupBy } from '../model/values/collections.ts';
import { mapAt } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { Origin, SourceFile } from '../model/workspace/diagnostic.ts';
import { editTable } from '../yaml/edit/edit-table.ts';
import { type Edit, editYaml } from '../yaml/edit/edit-yaml.ts';
import { configOrder, type Order, sourceOrder } from '../yaml/format/source-order.ts';
import { parseSource } from '../yaml/parse-source.ts';
import type { ParsedFiles } from '../yaml/parsed-files.ts';
import type { RawDocument } from '../yaml/raw-document.ts';

/**
 * `value` undefined removes the entry or the item; `/-` at the end of a list's pointer appends an item, or a row with values by column, and an empty one stands
 * for the whole text of a file.
 */
export type ValueEdit = Pick<Edit, 'pointer' | 'value' | 'key'>;

export type FileEdit = ValueEdit & Origin;

/** `notEdited` is the file whose layout cannot be edited. */
type EditedFiles = { readonly texts: ReadonlyMap<string, string> } | { readonly notEdited: string };

/** `parse` comes from whoever has parsed a text already, or will need it. */
export function editFiles(
  edits: readonly FileEdit[],
  { fileNamed, config }: Pick<Loaded, 'fileNamed' | 'config'>,
  parse: ParseAtOnce = parseSource,
): EditedFiles {
  const texts = new Map<string, string>();
  for (const [file, ofFile] of groupBy(edits, (edit) => edit.file)) {
    const edited = editFile(fileNamed(file), ofFile, file === config?.file ? configOrder : sourceOrder, parse);
    if (edited === undefined) return { notEdited: file };
    texts.set(file, edited);
  }
  return { texts };
}

function editFile(
  file: SourceFile | undefined,
  edits: readonly FileEdit[],
  order: Order,
  parse: ParseAtOnce,
): string | undefined {
  const whole = edits.find(({ pointer }) => pointer === '');
  if (whole !== undefined) return String(whole.value);
  if (file === undefined) return undefined;
  if (file.isTable !== true) {
    const all = [...edits, ...emptiedSections(parse(file).value, edits)];
    return editYaml(file.text, all, order, (text) => parse({ path: file.path, text }));
  }
  const cells = edits.filter(({ pointer }) => pointer !== '/-');
  const rows = edits
    .filter(({ pointer }) => pointer === '/-')
    .map(({ value }) => mapAt({ value: value ?? null }, 'value'));
  return editTable(
    file.text,
    cells.map(({ pointer, value }) => ({ pointer, text: String(value) })),
    rows,
  );
}

/** A section that loses all its entries goes as a whole. */
function emptiedSections(documents: readonly RawDocument[], edits: readonly Edit[]): readonly Edit[] {
  const keyOf = (document: number, pointer: Pointer) => `${document} ${pointer}`;
  const gone = new Set(
    edits.flatMap((edit) =>
      edit.value === undefined && edit.key === undefined ? keyOf(edit.document, edit.pointer) : [],
    ),
  );
  if (gone.size === 0) return [];
  return documents.flatMap(({ value, origin: { document } }) =>
    Object.entries(mapAt(value)).flatMap(([section, entries]) => {
      const keys = Object.keys(typeof entries === 'object' && entries !== null ? entries : {});
      const isEmptied = keys.length > 0 && keys.every((key) => gone.has(keyOf(document, pointerTo(section, key))));
      return isEmptied ? [{ document, pointer: pointerTo(section), value: undefined }] : [];
    }),
  );
}

/** Edits a value that others refer to wherever it is read: one edit alone would part them. A cell is one place. */
export function forAllReaders(
  origin: Origin,
  edits: readonly ValueEdit[],
  { readersOf }: Pick<ParsedFiles, 'readersOf'>,
): readonly ValueEdit[] {
  return readersOf(origin).flatMap((reader) =>
    edits.map((edit) => ({ ...edit, pointer: reader + edit.pointer.slice(origin.pointer.length) })),
  );
}
