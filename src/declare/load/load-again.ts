// Parses each text once for a workspace that is loaded again and again.

import type { SourceFile } from '../../model/workspace/diagnostic.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import type { ParsedSource } from '../../yaml/raw-document.ts';
import { readValues } from '../../yaml/read-values.ts';
import type { Workspace } from '../workspace.ts';

export type ParseAtOnce = (file: SourceFile) => ParsedSource;

/** Each text of its files is parsed once. */
export interface ParsedOnce extends Workspace {
  readonly parse: ParseAtOnce;
}

/** How many texts of one file are kept: the original one, and those of the latest steps. */
const maxKept = 3;

/** For a workspace that is loaded more than once. Parsed values must not be changed. */
export function parsedOnce(workspace: Workspace, parse: ParseAtOnce = parseNow): ParsedOnce {
  const known = new Map<string, { readonly text: string; readonly parsed: ReturnType<ParseAtOnce> }[]>();
  const parseAgain: ParseAtOnce = (file) => {
    const ofPath = known.get(file.path) ?? [];
    const found = ofPath.find(({ text }) => text === file.text);
    if (found !== undefined) return found.parsed;
    const parsed = parse(file);
    known.set(file.path, [{ text: file.text, parsed }, ...ofPath.slice(0, maxKept - 1)]);
    return parsed;
  };
  return { ...workspace, parse: parseAgain };
}

function parseNow(file: SourceFile): ParsedSource {
  const documents = readValues(file);
  return documents === undefined ? parseSource(file) : { value: documents, findings: [] };
}
