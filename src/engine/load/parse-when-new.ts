// Parses a source file. The parser is loaded for the first file that needs it: where each of them is known from an earlier
// run, none does.

import type { SourceFile } from '../../model/workspace/source-file.ts';
import type { ParsedFile } from '../../validate/entry-maker.ts';

export async function parseWhenNew(file: SourceFile): Promise<ParsedFile> {
  const { parseSource } = await import('../../parse/parse-source.ts');
  return parseSource(file);
}
