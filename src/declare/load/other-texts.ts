// A workspace in which files have other texts than on the disk. Its readers parse again; this does not.

import { normalize } from 'node:path/posix';
import type { Workspace } from '../workspace.ts';

/** A workspace in which some files have other texts, keyed by path relative to the root. Nothing is written. */
export function overlayWorkspace(workspace: Workspace, texts: ReadonlyMap<string, string>): Workspace {
  const laidOver = (path: string, read: ReturnType<Workspace['read']>) => {
    const text = texts.get(normalize(path));
    // An unreadable file stays so despite another text; a file that does not exist yet gets it.
    return text === undefined || ('finding' in read && workspace.exists(path)) ? read : { text };
  };
  return {
    ...workspace,
    read: (path) => laidOver(path, workspace.read(path)),
    readReference: (path, states) => laidOver(path, workspace.readReference(path, states)),
  };
}
