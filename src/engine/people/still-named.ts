// Where the source files still name somebody once the edits are made: a plain search of the texts, comments included, because
// nobody knows what a body or a field of `extra` that holds an address is for.

import { byCodeUnit } from '../../model/values/json.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { valueSpans } from '../../parse/written/value-spans.ts';

export interface StillNamed {
  readonly file: string;
  /** Of the file as it is, from 1. */
  readonly line: number;
  /** Of the file with the edits. */
  readonly lineAfter: number;
  readonly isComment: boolean;
}

/** `after`: the texts of the edited files. `names`: in any case. One for each line, by file and line. */
export function stillNamed(
  names: readonly string[],
  files: readonly SourceFile[],
  after: ReadonlyMap<string, string>,
): readonly StillNamed[] {
  return files
    .flatMap((file) => {
      const edited = after.get(file.path);
      const left = namedIn(names, edited === undefined ? file : { ...file, text: edited });
      if (left.length === 0) return [];
      const before = edited === undefined ? [...left] : namedIn(names, file);
      return left.map(({ text, line, isComment }): StillNamed => {
        // An edit changes the line of what follows it.
        const same = before.findIndex((each) => each.text === text);
        const [found] = before.splice(Math.max(0, same), 1);
        return { file: file.path, line: found?.line ?? line, lineAfter: line, isComment };
      });
    })
    .sort((a, b) => byCodeUnit(a.file, b.file) || a.lineAfter - b.lineAfter);
}

interface NamingLine {
  readonly line: number;
  readonly text: string;
  readonly isComment: boolean;
}

function namedIn(names: readonly string[], file: SourceFile): NamingLine[] {
  const found: NamingLine[] = [];
  const isNaming = naming(names);
  if (file.text.search(isNaming) < 0) return found;
  const spans = file.isTable ? undefined : valueSpans(file);
  let start = 0;
  for (const [index, text] of file.text.split('\n').entries()) {
    const places = [...text.matchAll(isNaming)].map((match) => start + match.index);
    start += text.length + 1;
    if (places.length === 0) continue;
    const isInValue = (place: number) => spans === undefined || spans.some((span) => isWithin(place, span));
    found.push({ line: index + 1, text, isComment: !places.some(isInValue) });
  }
  return found;
}

function isWithin(place: number, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return place >= start && place < end;
}

/** A longer address that ends or begins like one of them is another one. */
function naming(names: readonly string[]): RegExp {
  const either = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\w.+%@-])(?:${either})(?![\\w@-]|\\.\\w)`, 'gi');
}
