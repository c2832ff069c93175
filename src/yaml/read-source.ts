// Reads a source file. The yaml package is loaded for the first file that needs it: most workspaces have none.

import type { SourceFile } from '../model/workspace/source-file.ts';
import type { ParsedSource } from './raw-document.ts';
import { readValues } from './read-values.ts';

export type ParseFile = (file: SourceFile) => ParsedSource | Promise<ParsedSource>;

/** Never rejects for what the file holds: that is a finding. */
export async function readSource(file: SourceFile): Promise<ParsedSource> {
  const documents = readValues(file);
  if (documents !== undefined) return { value: documents, findings: [] };
  const { parseSource } = await import('./parse-source.ts');
  return parseSource(file);
}
