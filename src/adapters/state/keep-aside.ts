// A state that can not be written to its place is kept in errored.state.json; the failure that says so names the file
// and the command that puts it back.

import { dirname, join } from 'node:path';
import { Failure } from '../../model/workspace/failure.ts';
import { createFile } from '../files/atomic-write.ts';
import { errnoOf, whyOf } from '../files/file-system.ts';
import type { StateFiles } from './state-files.ts';

/** The state file is not the one that was read: it is left as it is, and the text is kept aside. */
export async function keepConflicting(files: StateFiles, text: string): Promise<Failure> {
  const aside = await writeAside(files, text);
  return new Failure(
    'state-conflict',
    `${files.name} was changed by something else while this run held its lock, and was left as it is. ${whereItIs(aside, files)}`,
    aside === undefined
      ? {}
      : { hint: `Compare the two. If this run's is right, ${pushCommand(aside)} puts it in place.` },
  );
}

/** The state file can not be written: the text is kept aside. */
export async function keepUnwritten(files: StateFiles, text: string, error: unknown): Promise<Failure> {
  const aside = await writeAside(files, text);
  const mend = 'Make room or mend the permissions';
  return new Failure(
    'state-unwritable',
    `${files.name} can not be written: ${whyOf(error)}. ${whereItIs(aside, files)}`,
    {
      hint:
        aside === undefined
          ? `${mend}; the next apply folds the journal into the state. Do not delete it.`
          : `${mend}, then put it back: ${pushCommand(aside)}`,
      cause: error,
    },
  );
}

function whereItIs(aside: string | undefined, files: StateFiles): string {
  if (aside !== undefined) return `What this run did is kept in ${aside}.`;
  return `What this run did stands in ${files.journal} alone: no other file could be written.`;
}

function pushCommand(path: string): string {
  const quoted = /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  return `\`almanac state push ${quoted}\``;
}

/** Beside the state file, else in the temporary folder. Never overwrites. */
async function writeAside({ host, state }: StateFiles, text: string): Promise<string | undefined> {
  for (const folder of [dirname(state), host.temporaryFolder]) {
    for (let count = 1; count < 100; count += 1) {
      const path = join(folder, count === 1 ? 'errored.state.json' : `errored.${count}.state.json`);
      try {
        await createFile(host.fs, path, text, { mode: 0o600 }); // the temporary folder is everyone's
        return path;
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') break;
      }
    }
  }
  return undefined;
}
