// Parses each text once, for whoever loads almost the same workspace again and again, in each environment.

import { parseSource } from '../../parse/parse-source.ts';

export type ParseAtOnce = typeof parseSource;

/** How many texts of one file are kept: what was there, and what the latest steps made of it. */
const most = 3;

/** Of what it returns, nothing may be changed. */
export function parseOnce(parse: ParseAtOnce = parseSource): ParseAtOnce {
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
