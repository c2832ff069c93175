// Removes entries of `moved`, `adopt` and `removed` from a file; a section without entries goes as a whole. Comments on
// lines of their own stay.

import { isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { parseSource } from '../parse-source.ts';
import { type Edit, editYaml } from './edit-yaml.ts';

/** The place of an entry, such as `/adopt/3`. */
export interface EntryPlace {
  readonly document: number;
  readonly pointer: Pointer;
}

/** Undefined if the layout is not supported. */
export function pruneYaml(text: string, entries: readonly EntryPlace[]): string | undefined {
  const edits = entries.map(({ document, pointer }): Edit => ({ document, pointer, value: undefined }));
  const sections = parseSource({ path: '', text }).value.flatMap(({ origin: { document }, value }) => {
    const gone = edits.filter((edit) => edit.document === document).map(({ pointer }) => pointer);
    return emptySections(value, new Set(gone)).map((pointer): Edit => ({ document, pointer, value: undefined }));
  });
  return editYaml(text, [...edits, ...sections]);
}

/** The sections that have no other entries. */
function emptySections(value: Json, gone: ReadonlySet<Pointer>): readonly Pointer[] {
  const names = new Set([...gone].map((pointer) => pointerSegments(pointer)[0] ?? ''));
  return [...names].flatMap((name) => {
    const list = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    const isEmpty = Array.isArray(list) && list.every((_, index) => gone.has(pointerTo(name, index)));
    return isEmpty ? [pointerTo(name)] : [];
  });
}
