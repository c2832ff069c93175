// The files of a workspace that are other than a transcript last said, line by line.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a path is neither the state nor git's. */
const isSource = (path: string): boolean => !/\.state\.json|^\.git\//.test(path);

/** The source files of a folder by path; the state is not one of them. */
export function readFiles(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const sources = paths.filter((path) => isSource(path) && statSync(join(folder, path)).isFile());
  return new Map(sources.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]));
}

/** What was written since `before`: of each file its lines that went and came. */
export function writtenSince(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string {
  const paths = [...new Set([...before.keys(), ...now.keys()])].filter(isSource).sort();
  return paths
    .filter((path) => before.get(path) !== now.get(path))
    .map(
      (path) => `${path}${kindOf(before.get(path), now.get(path))}\n${differenceOf(before.get(path), now.get(path))}`,
    )
    .join('');
}

const kindOf = (before: string | undefined, now: string | undefined): string =>
  before === undefined ? ' (new)' : now === undefined ? ' (gone)' : '';

function differenceOf(before: string | undefined, now: string | undefined): string {
  if (now === undefined) return '';
  return changedLines(linesOf(before ?? ''), linesOf(now))
    .map((line) => `${line.replace(/\r$/, '\\r')}\n`)
    .join('');
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : `${text}\\`.split('\n');
}

/** The longest common lines stay. */
function changedLines(before: readonly string[], now: readonly string[]): readonly string[] {
  const common = before.map(() => now.map(() => 0));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      (common[row] as number[])[column] =
        before[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const changed: string[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < now.length) {
    if (row < before.length && column < now.length && before[row] === now[column])
      [row, column] = [row + 1, column + 1];
    else if (column >= now.length || (row < before.length && at(row + 1, column) >= at(row, column + 1)))
      changed.push(`- ${before[row++]}`);
    else changed.push(`+ ${now[column++]}`);
  }
  return changed;
}
