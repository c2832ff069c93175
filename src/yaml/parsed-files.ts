// The documents of source files as they are written: a file is parsed when it is first asked for.

import { memoize } from '../model/values/collections.ts';
import type { Json } from '../model/values/json.ts';
import { type Pointer, valueAt } from '../model/values/pointer.ts';
import type { Origin, SourceFile } from '../model/workspace/diagnostic.ts';
import { parseSource } from './parse-source.ts';
import { type Supplier, type WrittenDocument, writtenDocuments } from './written-document.ts';
import { parseYaml } from './yaml-documents.ts';

export interface ParsedFiles {
  /** The places of the documents of a file. */
  documentsOf(file: string): readonly Origin[];
  /** The value of a place, with aliases and merge keys resolved. */
  valueAt(origin: Origin): Json | undefined;
  /** The givers of a place's value: the effective one first; empty if nothing is written. */
  suppliersAt(origin: Origin): readonly Supplier[];
  /** The places of its document that have what is written at a place. */
  readersOf(origin: Origin): readonly Pointer[];
  /** True if something outside of a map refers to it or to a part of it. */
  isReferredTo(origin: Origin): boolean;
  /** The line of a written place, from 1; undefined where nothing is written. */
  lineOf(origin: Origin): number | undefined;
}

export type FileNamed = (path: string) => SourceFile | undefined;

interface ParsedDocument {
  readonly written: WrittenDocument;
  readonly value: Json;
  readonly origin: Origin;
}

export function parsedFiles(fileNamed: FileNamed): ParsedFiles {
  const parsed = memoize((path: string): ReadonlyMap<number, ParsedDocument> => {
    const file = fileNamed(path);
    if (file === undefined || file.isTable) return new Map();
    // Parsed once for the values and for their places.
    const yaml = parseYaml(file);
    const written = writtenDocuments(yaml);
    const documents = parseSource(file, yaml).value.flatMap(({ origin, value }) => {
      const found = written.get(origin.document);
      return found === undefined ? [] : [[origin.document, { written: found, value, origin }] as const];
    });
    return new Map(documents);
  });
  const writtenAt = ({ file, document }: Origin) => parsed(file).get(document)?.written;
  return {
    documentsOf: (file) => [...parsed(file).values()].map(({ origin }) => origin),
    valueAt: ({ file, document, pointer }) => valueAt(parsed(file).get(document)?.value, pointer),
    suppliersAt: (origin) => writtenAt(origin)?.suppliersAt(origin.pointer) ?? [],
    readersOf: (origin) => writtenAt(origin)?.readersOf(origin.pointer) ?? [origin.pointer],
    isReferredTo: (origin) => writtenAt(origin)?.isReferredTo(origin.pointer) ?? false,
    lineOf: (origin) => writtenAt(origin)?.lineOf(origin.pointer),
  };
}
