// Reads a source file: with js-yaml, which is fast, or where the file needs it with the yaml package, which is loaded for
// the first such file. Most workspaces have none.

import type { SourceFile } from '../model/workspace/diagnostic.ts';
import type { ParsedSource } from './raw-document.ts';
import { readValues } from './read-values.ts';

export type ParseFile = (file: SourceFile) => ParsedSource | Promise<ParsedSource>;

/** Never rejects for what the file holds: that is a finding. */
export async function readSource(file: SourceFile): Promise<ParsedSource> {
  const source = await readDocuments(file);
  if (!mayBeCut.test(file.text)) return source;
  const { cutTexts } = await import('./cut-texts.ts');
  return { ...source, findings: [...source.findings, ...cutTexts(file)] };
}

/** A value, or an item of a list, and behind it a `#` that no blank follows. */
const mayBeCut = /^[ \t]*(?:- |[\w-]+:[ \t])[^\n]*[^\s][ \t]#[^\s#]/m;

async function readDocuments(file: SourceFile): Promise<ParsedSource> {
  const documents = readValues(file);
  if (documents !== undefined) return { value: documents, findings: [] };
  const { parseSource } = await import('./parse-source.ts');
  return parseSource(file);
}
