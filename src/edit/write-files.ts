// Writes what a command has proven into the source files: all of them or none, and only if nobody changed one since it was
// read.

import type { PreparedText, Workspace } from '../declare/workspace.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface FileToWrite {
  readonly path: string;
  /** The present text; undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** A file that takes the place of another text. */
interface ReplacingFile extends FileToWrite {
  readonly before: string;
}

function isReplacing(file: FileToWrite): file is ReplacingFile {
  return file.before !== undefined;
}

/**
 * All or none, but for new files, which nothing refers to then: half of the files would be a change that nobody proved. `meanwhile`: what the command did since it read them,
 * in words. Throws Failure interrupted before the first file takes its place, and refused where one of them is no longer as
 * it was.
 */
export async function writeFiles(
  { signal }: { readonly signal: AbortSignal },
  workspace: Workspace,
  all: readonly FileToWrite[],
  meanwhile: string,
): Promise<void> {
  const files = all.filter(isReplacing);
  const checkSignal = () => {
    if (signal.aborted) throw new Failure('interrupted', 'Interrupted; no file was changed.');
  };
  checkSignal();
  for (const { path, before } of files) {
    const read = workspace.read(path);
    if (!('text' in read) || read.text !== before) throw changedMeanwhile(path, meanwhile);
  }
  const prepared: PreparedText[] = [];
  const written: ReplacingFile[] = [];
  const made: string[] = [];
  try {
    for (const { path, before, after } of files) {
      checkSignal();
      prepared.push(await workspace.prepare(path, before, after));
    }
    checkSignal();
    for (const { path, before, after } of all) {
      if (before !== undefined) continue;
      await workspace.write(path, after);
      made.push(path);
    }
    for (const [index, file] of files.entries()) {
      written.push(file);
      await prepared[index]?.put();
    }
  } catch (error) {
    // A failure meanwhile is not what stopped the command, and keeps nothing else from being undone.
    for (const each of prepared) await each.drop().catch(() => undefined);
    const notRestored: string[] = [];
    for (const { path, before, after } of written) {
      const read = workspace.read(path);
      if ('text' in read && read.text === after)
        await workspace.replace(path, after, before).catch(() => notRestored.push(path));
    }
    if (notRestored.length + made.length === 0 || !(error instanceof Failure)) throw error;
    const words = [
      error.message,
      ...(notRestored.length > 0
        ? [`Nevertheless changed, because it could not be undone: ${notRestored.join(', ')}.`]
        : []),
      ...(made.length > 0 ? [`Delete what was new: ${made.join(', ')}.`] : []),
    ];
    throw error.with({ message: words.join(' ') });
  }
}

function changedMeanwhile(path: string, meanwhile: string): Failure {
  return new Failure('refused', `${path} was changed while ${meanwhile}; no file was written.`, {
    hint: 'Run the command again.',
  });
}
