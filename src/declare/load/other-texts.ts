// A workspace with other texts than on the disk. Its readers parse again; this does not.

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

/** The files that a workspace has elsewhere, such as in another commit. */
interface OtherFiles {
  /** All of them. */
  readonly paths: readonly string[];
  /** The texts that differ from those on the disk. */
  readonly texts: ReadonlyMap<string, string>;
  /** Says why a file cannot be read; undefined for all others. */
  readonly whyUnread: (path: string) => string | undefined;
}

/** A workspace that has these files and no others. */
export function otherWorkspace(workspace: Workspace, { paths, texts, whyUnread }: OtherFiles): Workspace {
  const over = overlayWorkspace(workspace, texts);
  const all = new Set(paths);
  const reading = (path: string, read: () => ReturnType<Workspace['readReference']>) => {
    const named = normalize(path);
    const why = all.has(named) ? whyUnread(named) : 'it does not exist';
    if (why === undefined) return read();
    const message = `${path} cannot be read: ${why}.`;
    return { finding: { code: 'unreadable-file', message, place: { file: path } } } as const;
  };
  return {
    ...over,
    list: (globs) => workspace.among(paths, globs),
    exists: (path) => all.has(normalize(path)),
    read: (path) => reading(path, () => over.read(path)),
    readReference: (path, states) => reading(path, () => over.readReference(path, states)),
  };
}
