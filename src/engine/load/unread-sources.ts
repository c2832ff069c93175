// Files that look like sources and are not read: a folder beside that of the sources, or `.YAML`.

import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Workspace } from '../../ports/workspace.ts';

/** More YAML than a workspace has: it is the repository of something else. */
const mostFiles = 1000;

/** `read`: the sources that were found. */
export async function unreadSources(
  { list, read: readFile, configFile }: Workspace,
  read: readonly string[],
): Promise<readonly Finding[]> {
  const known = new Set([...read, configFile]);
  const found = (await list(['**/*.{yaml,yml,YAML,YML}']).catch(noneWhereUnreadable)).filter(
    (path) => !known.has(path),
  );
  if (found.length > mostFiles) return [];
  const otherWorkspaces = found
    .filter((path) => /\/almanac\.ya?ml$/.test(path))
    .map((path) => path.replace(/[^/]+$/, ''));
  return found
    .filter((path) => !otherWorkspaces.some((folder) => path.startsWith(folder)))
    .filter((path) => {
      const file = readFile(path);
      return 'text' in file && looksLikeSource(file.text);
    })
    .map((file) => ({
      code: 'unread-source',
      message: 'The file looks like a source file and is not read: no pattern of `sources` matches its name.',
      hint: /\.ya?ml$/.test(file)
        ? 'Move it to the other source files, or add its folder to `sources` in almanac.yaml.'
        : 'Write the end of its name in lower case.',
      place: { file },
    }));
}

/** A folder that nobody may read holds no source: the sources have been read. */
function noneWhereUnreadable(error: unknown): readonly string[] {
  if (error instanceof Failure && error.code === 'invalid-workspace') return [];
  throw error;
}

function looksLikeSource(text: string): boolean {
  return /^(?:schedules|dashboards|aiJobs):/m.test(text) && /^\s+(?:identifier|destinationType|modelId):/m.test(text);
}
