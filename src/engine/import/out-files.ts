// Where an import writes: the folder, one file per dashboard, and the line that names the schema for editors.

import { dirname } from 'node:path/posix';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { kebabOf, takeName } from './choose-keys.ts';

/** The folder that contains all matches of a glob, and the extension of its files: `schedules`, `.yaml`. */
export function placeOfGlob(glob: string): { readonly folder: string; readonly extension: string } {
  const segments = glob.replace(/^\.\//, '').split('/');
  const fixed = segments.slice(0, -1);
  const magic = fixed.findIndex((segment) => /[*?[\]{}()!]/.test(segment));
  const folder = (magic < 0 ? fixed : fixed.slice(0, magic)).join('/');
  const last = segments.at(-1) ?? '';
  return { folder: folder === '' ? '.' : folder, extension: /yml/.test(last) && !/yaml/.test(last) ? '.yml' : '.yaml' };
}

export interface NamedDashboard {
  readonly identifier: string;
  readonly name: string;
}

/** A file for each dashboard, by its identifier. */
export function nameFiles(
  dashboards: readonly NamedDashboard[],
  { folder, extension }: { readonly folder: string; readonly extension: string },
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    dashboards.map(({ identifier, name }) => {
      const base = kebabOf(name) || kebabOf(identifier) || 'dashboard';
      const file = takeName([base, `${base}-${kebabOf(identifier)}`], taken);
      return [identifier, folder === '.' ? file + extension : `${folder}/${file}${extension}`];
    }),
  );
}

const modeline = /^#\s*yaml-language-server:\s*\$schema=(\S+)\s*$/m;

/** The schema named in the first file that names one, relative to `folder`. */
export function schemaFor(folder: string, sources: readonly SourceFile[]): string | undefined {
  for (const { path, text } of sources) {
    const schema = modeline.exec(text)?.[1];
    if (schema === undefined) continue;
    if (/^(?:[a-z]+:|\/)/i.test(schema)) return schema;
    const there = segmentsOf(`${dirname(path)}/${schema}`);
    return relativeTo(segmentsOf(folder), there);
  }
  return undefined;
}

/** Without `.`, and without `..` where it can be resolved. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments;
}

function relativeTo(folder: readonly string[], target: readonly string[]): string {
  let shared = 0;
  while (shared < folder.length && shared < target.length - 1 && folder[shared] === target[shared]) shared += 1;
  const up = folder.slice(shared).map(() => '..');
  const path = [...up, ...target.slice(shared)].join('/');
  return up.length === 0 ? `./${path}` : path;
}
