// A workspace in which some files have other texts. Nothing is written.

import { normalize } from 'node:path/posix';
import type { Workspace } from '../../ports/workspace.ts';

/** `texts`: by path, relative to the root. */
export function overlayWorkspace(workspace: Workspace, texts: ReadonlyMap<string, string>): Workspace {
  const laidOver = (path: string, read: ReturnType<Workspace['read']>) => {
    const text = texts.get(normalize(path));
    return text === undefined || 'finding' in read ? read : { text };
  };
  return {
    ...workspace,
    read: (path) => laidOver(path, workspace.read(path)),
    readReference: (path, states) => laidOver(path, workspace.readReference(path, states)),
  };
}
