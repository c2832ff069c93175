// The shape of the state branch: `almanac.state.json`, the state for people, and `log/`, the newest commit entry and what
// followed it. A tip of any other shape was not written by Almanac, and is never built upon.

import { Failure } from '../../../model/workspace/failure.ts';

export const stateFile = 'almanac.state.json';
const logFolder = 'log';
const digits = 12;
/** More than a run writes between two states. */
const mostEntries = 100_000;

export function entryPath(n: number): string {
  return `${logFolder}/${String(n).padStart(digits, '0')}.json`;
}

/** One commit of the branch. */
export interface LogCommit {
  readonly id: string;
  /** The number of the first entry in `log/`. */
  readonly low: number;
  /** The number of the entry that the commit added. */
  readonly high: number;
  /** The object of each entry, from the first on. */
  readonly blobs: readonly string[];
}

interface Printed {
  readonly id: string;
  /** Its header, and what follows. */
  readonly commit: string;
  /** As `git ls-tree -r -z` lists them. */
  readonly files: string;
}

/** Throws Failure state-unreadable if the commit is not one of Almanac's. */
export function readLogCommit({ id, commit, files }: Printed, name: string): LogCommit {
  const all = files
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode, blob = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return { mode, blob, path };
    });
  const entries = all.filter(({ path }) => path !== stateFile);
  const stray = entries.find(({ path }) => numberIn(path) === undefined);
  if (stray !== undefined) throw foreign(name, `it also holds ${JSON.stringify(stray.path.slice(0, 100))}`);
  const special = all.find(({ mode }) => mode !== plainFile);
  if (special !== undefined) throw foreign(name, `${special.path} is not a plain file`);
  const low = numberIn(entries[0]?.path ?? '') ?? 0;
  if (low < 1) throw foreign(name, `its folder ${logFolder} holds no entries`);
  if (entries.length > mostEntries)
    throw foreign(name, `its folder ${logFolder} holds more than ${mostEntries} entries`);
  if (entries.some(({ path }, index) => numberIn(path) !== low + index))
    throw foreign(name, `its folder ${logFolder} has a gap`);
  const high = low + entries.length - 1;
  // Earlier versions gave a state the state before as a parent as well.
  const parents = commit.split('\n\n', 1)[0]?.match(/^parent /gm)?.length ?? 0;
  if (parents > 2 || (parents === 0) !== (high === 1)) throw foreign(name, 'its history does not fit its entries');
  return { id, low, high, blobs: entries.map(({ blob }) => blob) };
}

const plainFile = '100644';

function numberIn(path: string): number | undefined {
  const [, number] = /^log\/(\d{12})\.json$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

function foreign(name: string, why: string): Failure {
  return new Failure('state-unreadable', `The newest commit of ${name} was not written by Almanac: ${why}.`, {
    hint: 'Set `state.branch` in almanac.yaml to a branch that only Almanac writes. If it was this one, restore its last commit by Almanac.',
  });
}
