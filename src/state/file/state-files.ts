// The files of a state, and how they are read: strictly, because anything misread would be written back.

import { createHash } from 'node:crypto';
import { isLink, notRegular, readIfThere, whyOf } from '../../files/file-system.ts';
import { isInside, realPath } from '../../files/paths.ts';
import { decodeUtf8 } from '../../files/read-source.ts';
import { isTracked, isUnmerged } from '../../files/repository.ts';
import { targetOf } from '../../files/write-atomically.ts';
import type { State } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { unreadable } from '../format/damage.ts';
import { parseJournal } from '../format/parse-journal.ts';
import { parseState } from '../format/parse-state.ts';
import type { StoredState } from '../state-store.ts';
import type { Host } from './file-lock.ts';

interface StateLocation {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** The folder that the state must not lead out of; undefined if the user chose the place on the command line. */
  readonly within: string | undefined;
  readonly host: Host;
}

export interface StateFiles {
  readonly name: string;
  readonly host: Host;
  readonly state: string;
  readonly journal: string;
  readonly lock: string;
  /** The name that the state file gets when the state is moved to a shared place. */
  readonly aside: string;
}

interface StoredFiles {
  readonly stored: StoredState;
  /** The digest of the state file; null if there is none. Worked out when it is asked for: a plan does not need it. */
  readonly digest: () => string | null;
}

/**
 * Finds the files of a state. Throws Failure state-unreadable if the state is not a regular file, or leads out of
 * `within`, the folder of the workspace.
 */
export async function locateState({ path, name, within, host }: StateLocation): Promise<StateFiles> {
  const state = await targetOf(host.fs, path).catch((error: unknown) => {
    throw unreadable(name, whyOf(error), checkPath);
  });
  if (within !== undefined && !isInside(realPath(within), realPath(state))) {
    const hint = 'Move it into the workspace. Only --state names a state that is elsewhere.';
    throw unreadable(name, `it leads to ${state}, which is outside the workspace`, hint);
  }
  return { name, host, state, journal: `${state}.journal`, lock: `${state}.lock`, aside: `${state}.moved` };
}

/** Checks before a lock is created next to it. Throws Failure state-unreadable if it exists and is not a regular file. */
export async function checkRegular({ host, name, state }: StateFiles): Promise<void> {
  const stats = await host.fs.stat(state).catch(() => undefined); // reading it reports any other problem
  if (stats === undefined || stats.isFile()) return;
  throw unreadable(name, stats.isDirectory() ? 'it is a folder' : notRegular, checkPath);
}

const checkPath = 'Check the path of the state (`state.path`, `--state`) and its permissions.';

/**
 * Reads the journal first: if an apply commits in between, the journal is recognised as already folded. The part that was read
 * may then lack its end, so it is read again.
 */
export async function readStateFiles(files: StateFiles): Promise<StoredFiles> {
  const { host, name } = files;
  await checkMerged(files);
  const journalBytes = await readJournalBytes(files);
  const stateBytes = await readBytes(host, files.state, name);
  const state = stateBytes && parseState(decodedText(stateBytes, name), name);
  await refuseSetAside(files, state);
  const journal = journalBytes && parseJournal(journalTextOf(journalBytes, `${name}.journal`), `${name}.journal`);
  if (journal !== undefined && state !== undefined && journal.header.serial < state.serial) {
    const now = await readJournalBytes(files);
    if (digestOf(now) !== digestOf(journalBytes)) return readStateFiles(files);
  }
  return { stored: { state, journal }, digest: () => digestOf(stateBytes) };
}

/** A state that was set aside does not come back, such as with a branch from before the move, or without its file. */
async function refuseSetAside({ host, name, aside }: StateFiles, state: State | undefined): Promise<void> {
  const bytes = await readBytes(host, aside, `${name}.moved`);
  if (bytes === undefined) return;
  const left = parseState(decodedText(bytes, `${name}.moved`), `${name}.moved`);
  if (state !== undefined && state.lineage !== left.lineage) return;
  throw new Failure(
    'state-moved',
    `${name} is no longer the state: the state was moved to a shared place, and ${name}.moved is a copy of it from then.`,
    {
      hint: `Use an almanac.yaml whose \`state\` names that place: update this branch to the one where the state was moved${state === undefined ? '' : `, and remove ${name}`}. Without the state, everything would be created a second time. If it was moved back to the file, remove ${name}.moved.`,
    },
  );
}

/** Refuses a state in conflict. With `-merge` in .gitattributes, it is the whole state of one side and would be taken for the truth. */
async function checkMerged({ host, name, state }: StateFiles): Promise<void> {
  if (!(await isUnmerged(state, host.signal))) return;
  throw unreadable(
    name,
    'git has an unfinished merge of it: two branches were both applied, and the file is the state of only one of them',
    `Keep the side that was applied last: \`git checkout --ours ${name}\` or \`git checkout --theirs ${name}\`, then \`git add ${name}\`. What the other side made is not tracked then: \`${command('plan', '--refresh')}\` shows what differs, and with operations full ${command('apply')} refuses to create it again, and ${command('import')} finds it. A team should keep its state in one shared place.`,
  );
}

/** A journal that git tracks, or that is a link, was put there: no apply of this machine left it. */
async function readJournalBytes({ host, name, journal }: StateFiles): Promise<Uint8Array | undefined> {
  const bytes = await readBytes(host, journal, `${name}.journal`);
  if (bytes === undefined) return undefined;
  if (await isTracked(journal, host.signal)) {
    throw unreadable(
      `${name}.journal`,
      'git tracks it, so anybody who can commit may have written it, and it would be replayed into the state',
      `If it came with a commit, remove it: \`git rm -f ${name}.journal\`. If an apply broke off here and its journal was committed by mistake, keep the file: \`git rm --cached ${name}.journal\`. Add it to .gitignore in either case.`,
    );
  }
  if (await isLink(host.fs, journal))
    throw unreadable(`${name}.journal`, 'it is a link; Almanac never creates one', `Remove ${name}.journal.`);
  return bytes;
}

async function readBytes({ fs }: Host, path: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await readIfThere(fs, path);
  } catch (error) {
    throw unreadable(name, whyOf(error), checkPath);
  }
}

/** The last line may be cut off inside a character; all lines before it must be valid. */
function journalTextOf(bytes: Uint8Array, name: string): string {
  const whole = bytes.lastIndexOf(0x0a) + 1;
  return decodedText(bytes.subarray(0, whole), name) + new TextDecoder().decode(bytes.subarray(whole));
}

function decodedText(bytes: Uint8Array, name: string): string {
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  throw unreadable(name, decoded.problem, `Put its last good version back, for example with \`git restore ${name}\`.`);
}

export function digestOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex');
}
