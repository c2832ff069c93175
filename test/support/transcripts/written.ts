// The files of a workspace that differ from what a transcript last said.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { structuredPatch } from 'diff';

/** Whether a path is neither the state nor git's. */
const isSource = (path: string): boolean => !/\.state(?:\.\w+)?\.json|^\.git\//.test(path);

/** The source files of a folder by path; the state is not one of them. */
export function readFiles(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const sources = paths.filter((path) => isSource(path) && statSync(join(folder, path)).isFile());
  return new Map(sources.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]));
}

/** The most lines of one file that somebody reads in a transcript. */
const most = 500;

/** What was written since `before`, as git shows it: of each file the lines that went and came, and where. */
export function writtenSince(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string {
  const paths = [...new Set([...before.keys(), ...now.keys()])].filter(isSource).sort();
  return paths
    .filter((path) => before.get(path) !== now.get(path))
    .flatMap((path) => {
      const lines = hunksOf(before.get(path), now.get(path));
      if (lines.length > most)
        throw new Error(`${path} has ${lines.length} lines that are new. Write \`$ rm ${path}\` above \`> wrote\`.`);
      return [path + kindOf(before.get(path), now.get(path)), ...lines];
    })
    .map((line) => `${line.replace(/\r$/, '\\r')}\n`)
    .join('');
}

const kindOf = (before: string | undefined, now: string | undefined): string =>
  before === undefined ? ' (new)' : now === undefined ? ' (gone)' : '';

function hunksOf(before = '', now?: string): readonly string[] {
  if (now === undefined) return [];
  const { hunks } = structuredPatch('', '', before, now, '', '', { context: 0 });
  return hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((line) => line.replace(/^[-+]/, '$& ')),
  ]);
}
