// Keeps a state that cannot be written to its place in errored.state.json. The failure names that file and the command
// that restores it.

import { dirname, join } from 'node:path';
import { createFile, errnoOf, whyOf } from '../../files/file-system.ts';
import { shellWord } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Host } from './file-lock.ts';
import type { StateFiles } from './state-files.ts';

/** For a state file that changed since it was read: leaves it as it is and keeps the text in another file. */
export async function keepConflicting(files: StateFiles, text: string): Promise<Failure> {
  const aside = await writeAside(files.host, dirname(files.state), text);
  return new Failure(
    'state-conflict',
    `${files.name} was changed by something else while this run held its lock. It was left as it is. ${whereItIs(aside, files)}`,
    aside === undefined
      ? {}
      : {
          hint: `Run the command again: it names what the present file lacks, if that is a later state. If the state of this run is the right one, put it in place with ${pushCommand(aside)}.`,
        },
  );
}

/** For a state file that cannot be written: keeps the text in another file. */
export async function keepUnwritten(files: StateFiles, text: string, error: unknown): Promise<Failure> {
  const aside = await writeAside(files.host, dirname(files.state), text);
  const fix = 'Free disk space or fix the permissions';
  return new Failure(
    'state-unwritable',
    `${files.name} cannot be written: ${whyOf(error)}. ${whereItIs(aside, files)}`,
    {
      hint:
        aside === undefined
          ? `${fix}; the next apply folds the journal into the state. Do not delete it.`
          : `${fix}, then put it back: ${pushCommand(aside)}`,
      cause: error,
    },
  );
}

/** For a state that could not be written to a shared place: keeps the text in a file of the workspace. */
export async function unwritten(
  host: Host,
  root: string,
  name: string,
  { code, message, cause }: Failure,
  text: string,
): Promise<Failure> {
  const aside = await writeAside(host, root, text);
  if (aside === undefined) {
    const hint =
      'Nothing else knows its results: no file could be written. Compare the service with `almanac plan --refresh`.';
    return new Failure(code, `${message} The state of this run was not written to ${name}.`, { hint, cause });
  }
  const command = pushCommand(aside);
  const hint =
    code === 'state-lock-lost'
      ? `Run \`almanac apply\` again: it goes on with the state of the other run, and finds out what this one left open. ${command} is only for what it cannot find out: compare the two with \`almanac state pull\` first.`
      : `Once ${name} can be written again, put it in place: ${command}. It is refused if this run wrote it after all.`;
  return new Failure(code, `${message} The results of this run are kept in ${aside}.`, { hint, cause });
}

function whereItIs(aside: string | undefined, files: StateFiles): string {
  if (aside !== undefined) return `The results of this run are kept in ${aside}.`;
  return `The results of this run are only in ${files.journal}: no other file could be written.`;
}

function pushCommand(path: string): string {
  return `\`almanac state push ${shellWord(path)}\``;
}

/** Writes to the folder, or else to the temporary one. Never overwrites. */
async function writeAside(host: Host, beside: string, text: string): Promise<string | undefined> {
  for (const folder of [beside, host.temporaryFolder]) {
    for (let count = 1; count < 100; count += 1) {
      const path = join(folder, count === 1 ? 'errored.state.json' : `errored.${count}.state.json`);
      try {
        await createFile(host.fs, path, text, { mode: 0o600 }); // everyone can read the temporary folder
        return path;
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') break;
      }
    }
  }
  return undefined;
}
