// Where the source files still name somebody once the edits are made: a plain search of the texts, comments included, because
// nobody knows what a body or a field of `extra` that holds an address is for.

import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { SourceFile } from '../../model/workspace/diagnostic.ts';
import { layoutOf } from '../../yaml/edit/layout.ts';

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
      if (edited === undefined)
        return left.map(({ line, isComment }) => ({ file: file.path, line, lineAfter: line, isComment }));
      // An edit changes the line of what follows it.
      const before = new Set(namedIn(names, file));
      const same = groupBy([...before], (each) => each.text);
      const sameFor = new Map([...same].map(([text, lines]) => [text, lines.values()]));
      return left.map(({ text, line, isComment }): StillNamed => {
        const found = firstIn(before, sameFor.get(text) ?? []) ?? firstIn(before, before);
        if (found !== undefined) before.delete(found);
        return { file: file.path, line: found?.line ?? line, lineAfter: line, isComment };
      });
    })
    .sort((a, b) => byCodeUnit(a.file, b.file) || a.lineAfter - b.lineAfter);
}

/** What the iterator of a list has passed is taken, so it need not begin at the first again. */
function firstIn(all: ReadonlySet<NamingLine>, some: Iterable<NamingLine>): NamingLine | undefined {
  const iterator = some[Symbol.iterator]();
  for (let next = iterator.next(); next.done !== true; next = iterator.next())
    if (all.has(next.value)) return next.value;
  return undefined;
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
  const layout = file.isTable ? undefined : layoutOf(file.text);
  let start = 0;
  for (const [index, text] of file.text.split('\n').entries()) {
    const places = [...text.matchAll(isNaming)].map((match) => start + match.index);
    start += text.length + 1;
    if (places.length === 0) continue;
    found.push({ line: index + 1, text, isComment: layout !== undefined && places.every(layout.isComment) });
  }
  return found;
}

/** A longer address that ends or begins like one of them is another one. */
function naming(names: readonly string[]): RegExp {
  const either = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\w.+%@-])(?:${either})(?![\\w@-]|\\.\\w)`, 'gi');
}
