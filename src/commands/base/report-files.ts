// `--report FORMAT=FILE`: writes reports to files, from the same document as the one on stdout.

import { Failure } from '../../model/workspace/failure.ts';
import type { GlobalOptions } from './command.ts';
import { openWorkspace } from './session.ts';
import type { World } from './world.ts';

/** Called before the work. Throws Failure usage if two reports go to one file, or if a file cannot be written. */
export async function checkFiles(world: World, options: GlobalOptions, files: readonly string[]): Promise<void> {
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) {
    throw new Failure('usage', `Two results would be written to ${twice}.`, { hint: 'Give each result its own file.' });
  }
  if (files.length === 0) return;
  const workspace = await openWorkspace(world, options);
  for (const file of files) await workspace.checkWritable(file);
}
