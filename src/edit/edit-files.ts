// The new texts of files in which single values are edited: YAML by value, and CSV by cell.

import type { Loaded } from '../declare/load/load.ts';
import type { ParseAtOnce } from '../declare/load/load-again.ts';
import type { Address } from '../model/values/address.ts';
import { groupBy } from '../model/values/group-by.ts';
import { mapAt } from '../model/values/json.ts';
import { largest, pushAll } from '../model/values/many.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { Origin, SourceFile } from '../model/workspace/diagnostic.ts';
import { editTable } from '../yaml/edit/edit-table.ts';
import { type Edit, editYaml } from '../yaml/edit/edit-yaml.ts';
import { configOrder, type Order, sourceOrder } from '../yaml/format/source-order.ts';
import { parseSource } from '../yaml/parse-source.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import type { OpenDocuments } from '../yaml/written/open-documents.ts';

/** `value` undefined removes the entry or the item; `/-` at the end of a list's pointer appends an item. */
export type ValueEdit = Pick<Edit, 'pointer' | 'value' | 'key'>;

/** At a place of a file. */
export type FileEdit = ValueEdit & Origin;

/** `notEdited`: the file whose layout cannot be edited. */
type EditedFiles = { readonly texts: ReadonlyMap<string, string> } | { readonly notEdited: string };

/** `parse`: whoever has parsed a text already, or will need it, hands in how. */
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
  if (file === undefined) return undefined;
  if (file.isTable !== true) {
    const all = [...edits, ...emptiedSections(parse(file).value, edits)];
    return editYaml(file.text, all, order, (text) => parse({ path: file.path, text }));
  }
  return editTable(
    file.text,
    edits.map(({ pointer, value }) => ({ pointer, text: String(value) })),
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

/** What others refer to changes at all places that have it: an edit of one of them alone would part them. A cell is one place. */
export function forAllReaders(
  origin: Origin,
  edits: readonly ValueEdit[],
  { readersOf }: Pick<OpenDocuments, 'readersOf'>,
): readonly ValueEdit[] {
  return readersOf(origin).flatMap((reader) =>
    edits.map((edit) => ({ ...edit, pointer: reader + edit.pointer.slice(origin.pointer.length) })),
  );
}

/** Why edits do not hold. */
export interface EditFault {
  /** A whole sentence. */
  readonly message: string;
  /** The resources that are at fault, as far as that is known, each with what is wrong with it. */
  readonly blame: ReadonlyMap<Address, string>;
}

export type SettledProof<T, R extends string> =
  | { readonly holds: true; readonly result: T }
  | (EditFault & { readonly holds: false; readonly reason: R });

interface SettledEdits<E, T, R> {
  readonly kept: readonly E[];
  /** Of the proof of those that are kept; undefined if none is. */
  readonly result: T | undefined;
  readonly refused: readonly { readonly edit: E; readonly reason: R; readonly message: string }[];
}

interface Settling<E, T, R extends string> {
  readonly prove: (edits: readonly E[]) => Promise<SettledProof<T, R>>;
  /** The resources that an edit changes: the edits of one resource are parted only if they do not hold together. */
  readonly addressesOf: (edit: E) => readonly Address[];
  /** Edits that cannot be parted, out of those of one resource; each alone if left out. */
  readonly partsOf?: (unit: readonly E[]) => readonly (readonly E[])[];
}

/**
 * Which of many edits hold together. All of them are proven at once; where that fails, those that are at fault are found
 * and left out, with as few proofs as possible, because each proof loads the whole workspace.
 */
export async function settleEdits<E, T, R extends string>(
  edits: readonly E[],
  { prove, addressesOf, partsOf = (unit) => unit.map((edit) => [edit]) }: Settling<E, T, R>,
): Promise<SettledEdits<E, T, R>> {
  /** Edits that are kept or left out together. */
  type Unit = readonly E[];
  const kept: E[] = [];
  const refused: { edit: E; reason: R; message: string }[] = [];
  let result: T | undefined;
  const settle = async (units: readonly Unit[]): Promise<void> => {
    if (units.length === 0) return;
    const proof = await prove([...kept, ...units.flat()]);
    if (proof.holds) {
      pushAll(kept, units.flat());
      result = proof.result;
      return;
    }
    const wordsFor = (unit: Unit) =>
      unit.flatMap(addressesOf).flatMap((address) => proof.blame.get(address) ?? [])[0] ??
      (units.length === 1 ? proof.message : undefined);
    const blamed = units.filter((unit) => wordsFor(unit) !== undefined);
    if (blamed.length < units.length) {
      const innocent = units.filter((unit) => !blamed.includes(unit));
      for (const some of blamed.length === 0 ? halvesOf(units) : [innocent, blamed]) await settle(some);
      return;
    }
    const several: (readonly Unit[])[] = [];
    for (const unit of units) {
      const parts = partsOf(unit);
      if (parts.length > 1) several.push(parts);
      else
        pushAll(
          refused,
          unit.map((edit) => ({ edit, reason: proof.reason, message: wordsFor(unit) ?? proof.message })),
        );
    }
    const [only, ...others] = several;
    // One unit may have thousands of parts, of which most hold.
    if (only !== undefined && others.length === 0) {
      for (const half of halvesOf(only)) await settle([half.flat()]);
      return;
    }
    // One part of each at a time, so that a part at fault does not spoil the others of its resource.
    const most = largest(
      0,
      several.map((parts) => parts.length),
    );
    for (let part = 0; part < most; part += 1) await settle(several.flatMap((parts) => parts.slice(part, part + 1)));
  };
  await settle([...groupBy(edits, (edit) => addressesOf(edit)[0] ?? '').values()]);
  return { kept, result, refused };
}

function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}
