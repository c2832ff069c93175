// Writes what a command has proven into the source files: all of them or none, and only if nobody changed one since it was
// read.

import type { PreparedText, Workspace } from '../declare/workspace.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface FileToWrite {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * All or none: half of the files would be a change that nobody proved. `meanwhile`: what the command did since it read them,
 * in words. Throws Failure interrupted before the first file takes its place, and refused where one of them is no longer as
 * it was.
 */
export async function writeFiles(
  { signal }: { readonly signal: AbortSignal },
  workspace: Workspace,
  files: readonly FileToWrite[],
  meanwhile: string,
): Promise<void> {
  const checkSignal = () => {
    if (signal.aborted) throw new Failure('interrupted', 'Interrupted; no file was changed.');
  };
  checkSignal();
  for (const { path, before } of files) {
    const read = workspace.read(path);
    if (!('text' in read) || read.text !== before) throw changedMeanwhile(path, meanwhile);
  }
  const prepared: PreparedText[] = [];
  const written: FileToWrite[] = [];
  try {
    for (const { path, before, after } of files) {
      checkSignal();
      prepared.push(await workspace.prepare(path, before, after));
    }
    checkSignal();
    for (const [index, file] of files.entries()) {
      written.push(file);
      await prepared[index]?.put();
    }
  } catch (error) {
    // What fails meanwhile is not what stopped the command, and keeps nothing else from being undone.
    for (const each of prepared) await each.drop().catch(() => undefined);
    const left: string[] = [];
    for (const { path, before, after } of written) {
      const read = workspace.read(path);
      if ('text' in read && read.text === after)
        await workspace.replace(path, after, before).catch(() => left.push(path));
    }
    if (left.length === 0 || !(error instanceof Failure)) throw error;
    const words = `Nevertheless changed, because it could not be undone: ${left.join(', ')}.`;
    throw error.with({ message: `${error.message} ${words}` });
  }
}

function changedMeanwhile(path: string, meanwhile: string): Failure {
  return new Failure('refused', `${path} was changed while ${meanwhile}; no file was written.`, {
    hint: 'Run the command again.',
  });
}
