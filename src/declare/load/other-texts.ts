// A workspace in which files have other texts than on the disk. What reads it parses again; this does not.

import { normalize } from 'node:path/posix';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Workspace } from '../workspace.ts';

/** A workspace in which some files have other texts. Nothing is written. `texts`: by path, relative to the root. */
export function overlayWorkspace(workspace: Workspace, texts: ReadonlyMap<string, string>): Workspace {
  const laidOver = (path: string, read: ReturnType<Workspace['read']>) => {
    const text = texts.get(normalize(path));
    // What cannot be read is no other with another text; what is not there yet is.
    return text === undefined || ('finding' in read && workspace.exists(path)) ? read : { text };
  };
  return {
    ...workspace,
    read: (path) => laidOver(path, workspace.read(path)),
    readReference: (path, states) => laidOver(path, workspace.readReference(path, states)),
  };
}

/** What a file was before; undefined where it was not there. */
export interface TextBefore {
  readonly path: string;
  readonly committed: string | undefined;
}

/** A workspace as it was before some of its files were changed, added or removed. Nothing is written. */
export function workspaceBefore(workspace: Workspace, changed: readonly TextBefore[]): Workspace {
  const texts = new Map(changed.map(({ path, committed }) => [path, committed?.replace(/^\uFEFF/, '')]));
  const asBefore = (path: string, read: ReturnType<Workspace['read']>): ReturnType<Workspace['read']> => {
    const at = normalize(path);
    const text = texts.get(at);
    if (text !== undefined) return { text };
    if (!texts.has(at)) return read;
    return { finding: { code: 'unreadable-file', message: `${at} was not there.`, place: { file: at, line: 1 } } };
  };
  const removed = changed.flatMap(({ path, committed }) => (committed === undefined ? [] : path));
  return {
    ...workspace,
    list: async (globs) => {
      const listed = (await workspace.list(globs)).filter((path) => !texts.has(path));
      return [...listed, ...(await workspace.among(removed, globs))].sort(byCodeUnit);
    },
    read: (path) => asBefore(path, workspace.read(path)),
    readReference: (path, states) => asBefore(path, workspace.readReference(path, states)),
  };
}
