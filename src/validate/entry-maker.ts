// Makes the entry of a source file: what it gives by itself. Nothing here depends on other files, on variables or on the
// day of the year, so an entry may be made in another thread, or in an earlier run.

import type { Finding } from '../model/workspace/diagnostic.ts';
import type { EntrySettings, FileEntry } from '../model/workspace/file-entry.ts';
import type { SourceFile } from '../model/workspace/source-file.ts';
import { parseDeclared } from '../parse/expand/parse-declared.ts';
import type { Scope } from '../parse/expand/resolve-reference.ts';
import { type ParsedSource, parseSource, type RawDocument } from '../parse/parse-source.ts';
import { asLiteral, textOfParsed } from '../parse/parsed-text.ts';
import { dependsOnMore } from '../parse/written/depends-on-more.ts';
import { checksAt } from './checks.ts';

export interface ParsedFile extends ParsedSource {
  /** Left out where nobody asked for it, or where a text would not say all of the file. */
  readonly entry?: FileEntry | undefined;
}

/** Every readable document, and the findings for the others. A promise where the parser may have to be loaded first. */
export type ParseFile = (file: SourceFile) => ParsedFile | Promise<ParsedFile>;

/** One for many files: they share what a check has to find out once. */
export interface EntryMaker {
  /** `source`: what the file was parsed to. */
  withEntry(file: SourceFile, source?: ParsedFile): ParsedFile;
  /** The check alone, for a file whose entry was made with other settings. */
  isFaultless(parsed: string, documents: readonly RawDocument[]): boolean;
}

export function entryMaker({ defaults, operations, year }: EntrySettings): EntryMaker {
  // What fires after the end of the year fires after each day of it.
  const checks = checksAt(Date.UTC(year + 1, 0, 1), operations);
  const isFaultless = (parsed: string, documents: readonly RawDocument[]): boolean => {
    if (dependsOnMore(parsed)) return false;
    const declared = parseDeclared([documents], { defaults, scopeOf: () => emptyScope, nearest: () => undefined });
    return (
      declared.findings.every(isEmpty) &&
      declared.documents.every((document) => isEmpty(checks.ofDocument(document))) &&
      declared.resources.every((resource) => isEmpty(checks.ofResource(resource, noAudiences)))
    );
  };
  return {
    withEntry: (file, { value, findings } = parseSource(file)) => {
      const parsed = textOfParsed({ value, findings }, file);
      if (parsed === undefined) return { value, findings };
      const documents = asLiteral(value, parsed);
      const entry = { parsed, isFaultless: isEmpty(findings) && isFaultless(parsed, documents) };
      return { value: documents, findings, entry };
    },
    isFaultless,
  };
}

const isEmpty = (findings: readonly Finding[]): boolean => findings.length === 0;

const noAudiences: ReadonlySet<string> = new Set();

/** Of what holds no reference. */
const emptyScope: Scope = {
  variables: {},
  environment: () => undefined,
  readFile: () => ({ code: 'unreadable-reference', message: 'No file is read here.' }),
  isReserved: () => false,
};
