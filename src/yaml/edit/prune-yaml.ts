// Removes entries of `moved`, `adopt` and `removed` from a file; a section without entries goes as a whole. Comments on
// lines of their own stay.

import type { Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { parseSource } from '../parse-source.ts';
import type { RawDocument } from '../raw-document.ts';
import { type Edit, editYaml } from './edit-yaml.ts';

/** The place of an entry, such as `/adopt/3`. */
export interface EntryPlace {
  readonly document: number;
  readonly pointer: Pointer;
}

/** Undefined if the layout is not supported. */
export function pruneYaml(text: string, entries: readonly EntryPlace[]): string | undefined {
  const edits = entries.map(({ document, pointer }): Edit => ({ document, pointer, value: undefined }));
  return editYaml(text, [...edits, ...emptiedSections(parseSource({ path: '', text }).value, edits)]);
}

/** Removes the sections of which the edits leave no entry. */
export function emptiedSections(documents: readonly RawDocument[], edits: readonly Edit[]): readonly Edit[] {
  const keyOf = (document: number, pointer: Pointer) => `${document} ${pointer}`;
  const gone = new Set(
    edits.flatMap(({ document, pointer, value }) => (value === undefined ? keyOf(document, pointer) : [])),
  );
  return documents.flatMap(({ value, origin: { document } }) =>
    entriesOf(value).flatMap(([section, entries]) => {
      const keys = entriesOf(entries).map(([key]) => key);
      const isEmptied = keys.length > 0 && keys.every((key) => gone.has(keyOf(document, pointerTo(section, key))));
      return isEmptied ? [{ document, pointer: pointerTo(section), value: undefined }] : [];
    }),
  );
}

function entriesOf(value: Json): readonly (readonly [string, Json])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
