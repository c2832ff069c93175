// `--report FORMAT=FILE`: writes reports to files, from the same document as the one on stdout.

import { Failure } from '../../model/workspace/failure.ts';
import type { GlobalOptions } from './command.ts';
import { openWorkspace } from './session.ts';
import type { World } from './world.ts';

/** Called before the work. Throws Failure usage if two reports go to one file, or if a file cannot be written. */
export async function checkFiles(world: World, options: GlobalOptions, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const workspace = await openWorkspace(world, options);
  const named = new Map<string, string>();
  for (const file of files) {
    const target = await workspace.findWritable(file);
    const other = named.get(target);
    if (other !== undefined) throw writtenTwice(other, file);
    named.set(target, file);
  }
}

function writtenTwice(first: string, second: string): Failure {
  const to = first === second ? first : `one file: ${first} and ${second}`;
  return new Failure('usage', `Two results would be written to ${to}.`, { hint: 'Give each result its own file.' });
}
