// Keeps a state that cannot be written to its place in errored.state.json. The failure names that file and the command
// that restores it.

import { dirname, join } from 'node:path';
import { errnoOf, whyOf } from '../../files/file-system.ts';
import { createFile, ownerOnly } from '../../files/write-atomically.ts';
import { shellWord } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Host } from './holder.ts';
import type { StateFiles } from './state-files.ts';

/** For a state file that changed since it was read: leaves it as it is. */
export function keepConflicting(files: StateFiles, text: string): Promise<Failure> {
  const why = `${files.name} was changed by something else while this run held its lock. It was left as it is.`;
  return keepAside(files.host, dirname(files.state), text, new Failure('state-conflict', why), {
    kept: (push) =>
      `Run the command again: it names what the present file lacks, if that is a later state. If the state of this run is the right one, put it in place with ${push}.`,
    lost: [onlyInJournal(files)],
  });
}

/** For a state file that cannot be written. */
export function keepUnwritten(files: StateFiles, text: string, cause: unknown): Promise<Failure> {
  const fix = 'Free disk space or fix the permissions';
  const failure = new Failure('state-unwritable', `${files.name} cannot be written: ${whyOf(cause)}.`, { cause });
  return keepAside(files.host, dirname(files.state), text, failure, {
    kept: (push) => `${fix}, then put it back: ${push}`,
    lost: [onlyInJournal(files), `${fix}; the next apply folds the journal into the state. Do not delete it.`],
  });
}

/** For a state that could not be written to a shared place, which says why: keeps it in `root`, the workspace. */
export function keepUnshared(host: Host, root: string, text: string, name: string, failure: Failure): Promise<Failure> {
  return keepAside(host, root, text, failure, {
    kept: (push) =>
      failure.code === 'state-lock-lost'
        ? `Run \`almanac apply\` again: it goes on with the state of the other run, and finds out what this one left open. ${push} is only for what it cannot find out: compare the two with \`almanac state pull\` first.`
        : `Once ${name} can be written again, put it in place: ${push}. It is refused if this run wrote it after all.`,
    lost: [
      `The state of this run was not written to ${name}.`,
      'Nothing else knows its results: no file could be written. Compare the service with `almanac plan --refresh`.',
    ],
  });
}

function onlyInJournal({ journal }: StateFiles): string {
  return `The results of this run are only in ${journal}: no other file could be written.`;
}

interface Advice {
  /** The hint, by the command that puts the file in place. */
  readonly kept: (push: string) => string;
  /** Of results for which no file could be written. */
  readonly lost: readonly [where: string, hint?: string];
}

async function keepAside(
  host: Host,
  folder: string,
  text: string,
  failure: Failure,
  { kept, lost }: Advice,
): Promise<Failure> {
  const aside = await writeAside(host, folder, text);
  const [where, hint] =
    aside === undefined
      ? lost
      : [`The results of this run are kept in ${aside}.`, kept(`\`almanac state push ${shellWord(aside)}\``)];
  return failure.with({ message: `${failure.message} ${where}`, hint });
}

/** Writes to the folder, or else to the temporary one. Never overwrites. */
async function writeAside(host: Host, beside: string, text: string): Promise<string | undefined> {
  for (const folder of [beside, host.temporaryFolder]) {
    for (let count = 1; count < 100; count += 1) {
      const path = join(folder, count === 1 ? 'errored.state.json' : `errored.${count}.state.json`);
      try {
        await createFile(host.fs, path, text, { mode: ownerOnly }); // everyone can read the temporary folder
        return path;
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') break;
      }
    }
  }
  return undefined;
}
