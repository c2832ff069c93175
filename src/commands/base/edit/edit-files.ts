// The new texts of files in which single values are edited: YAML by value, and CSV by cell.

import type { Loaded } from '../../../declare/load/load.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import type { Json } from '../../../model/values/json.ts';
import type { Pointer } from '../../../model/values/pointer.ts';
import type { Origin, SourceFile } from '../../../model/workspace/diagnostic.ts';
import { editTable } from '../../../yaml/edit/edit-table.ts';
import { editYaml } from '../../../yaml/edit/edit-yaml.ts';
import { configOrder, sourceOrder } from '../../../yaml/format/canonical-order.ts';
import type { OpenDocuments } from '../../../yaml/written/open-documents.ts';

/** `value` undefined removes the entry or the item; `/-` at the end of a list's pointer appends an item. */
export interface ValueEdit {
  readonly pointer: Pointer;
  readonly value: Json | undefined;
}

/** `notEdited`: the file whose layout cannot be edited. */
export type EditedFiles = { readonly texts: ReadonlyMap<string, string> } | { readonly notEdited: string };

export function editFiles(
  edits: readonly (ValueEdit & Origin)[],
  { fileNamed, config }: Pick<Loaded, 'fileNamed' | 'config'>,
): EditedFiles {
  const texts = new Map<string, string>();
  for (const [file, ofFile] of groupBy(edits, (edit) => edit.file)) {
    const edited = editFile(fileNamed(file), ofFile, file === config?.file);
    if (edited === undefined) return { notEdited: file };
    texts.set(file, edited);
  }
  return { texts };
}

function editFile(
  file: SourceFile | undefined,
  edits: readonly (ValueEdit & Origin)[],
  isConfig: boolean,
): string | undefined {
  if (file?.isTable !== true) return file && editYaml(file.text, edits, isConfig ? configOrder : sourceOrder);
  return editTable(
    file.text,
    edits.map(({ pointer, value }) => ({ pointer, text: String(value) })),
  );
}

/** What others refer to changes at all places that have it: an edit of one of them alone would part them. */
export function forAllReaders(
  origin: Origin,
  edits: readonly ValueEdit[],
  { readersOf }: Pick<OpenDocuments, 'readersOf'>,
): readonly ValueEdit[] {
  return readersOf(origin).flatMap((reader) =>
    edits.map((edit) => ({ ...edit, pointer: reader + edit.pointer.slice(origin.pointer.length) })),
  );
}
