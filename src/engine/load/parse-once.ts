// Keeps what was parsed, for whoever loads almost the same workspace again and again, in each environment.

import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parseSource } from '../../parse/parse-source.ts';
import type { ParsedSource } from '../../parse/raw-document.ts';
import { readValues } from '../../parse/read-values.ts';

export type ParseAtOnce = (file: SourceFile) => ParsedSource;

/** How many texts of one file are kept: what was there, and what the latest steps made of it. */
const most = 3;

/** Of what it returns, nothing may be changed. */
export function parseOnce(parse: ParseAtOnce = parseNow): ParseAtOnce {
  const known = new Map<string, { readonly text: string; readonly parsed: ReturnType<ParseAtOnce> }[]>();
  return (file) => {
    const ofPath = known.get(file.path) ?? [];
    const found = ofPath.find(({ text }) => text === file.text);
    if (found !== undefined) return found.parsed;
    const parsed = parse(file);
    known.set(file.path, [{ text: file.text, parsed }, ...ofPath.slice(0, most - 1)]);
    return parsed;
  };
}

function parseNow(file: SourceFile): ParsedSource {
  const documents = readValues(file);
  return documents === undefined ? parseSource(file) : { value: documents, findings: [] };
}
