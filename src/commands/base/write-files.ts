// Writes what a command has proven into the source files: each as a whole, and only if nobody changed it since it was read.

import type { PreparedText, Workspace } from '../../declare/workspace.ts';
import { mostSingle, nameSome } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Run } from './run.ts';

export interface FileToWrite {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface Writing {
  /** What the command did since it read the files, in words. */
  readonly meanwhile: string;
  /** Half of them would mean something else: all are prepared first, and take their places right after each other. */
  readonly isOneChange: boolean;
}

/** Throws Failure interrupted between two files, and refused where one of them is no longer as it was. */
export async function writeFiles(
  { signal }: Run,
  workspace: Workspace,
  files: readonly FileToWrite[],
  { meanwhile, isOneChange }: Writing,
): Promise<void> {
  if (signal.aborted) throw interrupted(files, 0);
  // Looked at together first: half of the files would be a change that nobody proved.
  for (const { path, before } of files) {
    const read = workspace.read(path);
    if (!('text' in read) || read.text !== before) throw changedMeanwhile(path, meanwhile);
  }
  if (isOneChange) return writeTogether(signal, workspace, files);
  for (const [index, { path, before, after }] of files.entries()) {
    if (signal.aborted) throw interrupted(files, index);
    await workspace.replace(path, before, after);
  }
}

/** What ends it before the first file leaves no trace; what ends it later is put back. */
async function writeTogether(signal: AbortSignal, workspace: Workspace, files: readonly FileToWrite[]): Promise<void> {
  const prepared: PreparedText[] = [];
  const written: FileToWrite[] = [];
  try {
    for (const { path, before, after } of files) {
      if (signal.aborted) throw interrupted(files, 0);
      prepared.push(await workspace.prepare(path, before, after));
    }
    if (signal.aborted) throw interrupted(files, 0);
    for (const [index, file] of files.entries()) {
      written.push(file);
      await prepared[index]?.put();
    }
  } catch (error) {
    for (const each of prepared) await each.drop();
    for (const { path, before, after } of written) {
      const read = workspace.read(path);
      if ('text' in read && read.text === after) await workspace.replace(path, after, before);
    }
    throw error;
  }
}

/** Before the file with this index; those before it are complete. */
function interrupted(files: readonly FileToWrite[], index: number): Failure {
  if (index === 0) return new Failure('interrupted', 'Interrupted; no file was changed.');
  const [written, left] = [files.slice(0, index), files.slice(index)].map((some) =>
    nameSome(
      some.map(({ path }) => path),
      some.length,
      mostSingle,
    ),
  );
  return new Failure('interrupted', `Interrupted; written: ${written}. Not written: ${left}.`, {
    hint: 'Every file is whole. Run the command again to write the rest, or put the files back with git.',
  });
}

function changedMeanwhile(path: string, meanwhile: string): Failure {
  return new Failure('refused', `${path} was changed while ${meanwhile}; no file was written.`, {
    hint: 'Run the command again.',
  });
}
