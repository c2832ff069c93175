// Several clones push an entry with the same number at once, many times: one of them is told that it wrote it, and its
// entry is the one that is there. ALMANAC_RUNS multiplies how often.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import { openGitLog } from '../../src/state/git/git-log.ts';
import type { NewEntry, StateLog } from '../../src/state/state-log.ts';
import { placeOf } from '../support/place-of.ts';
import { runs } from '../support/runs/runs.ts';
import { type GitStage, makeGitStage, stateBranch } from '../support/state/git-remote.ts';
import { startGitServer } from '../support/state/git-server.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';

const place = placeOf({ backend: 'git' });
const clones = 4;

let stage: GitStage;
let logs: StateLog[];
beforeEach(() => {
  stage = makeGitStage();
  logs = [];
});
afterEach(async () => {
  for (const log of logs) await log.close();
  stage.remove();
});

/** A round is fair: all have seen the entry before. */
async function race(rounds: number): Promise<void> {
  const won: [number, string][] = [];
  const there = new Map<number, string>();
  const seeEntry = async (n: number): Promise<void> => {
    const seen = await Promise.all(logs.map((log) => log.read(n - 1)));
    for (const entry of seen.flat()) there.set(entry.n, textOf(entry));
  };
  for (let n = 1; n <= rounds; n += 1) {
    const entries = logs.map(() => newEntry(n % 10 === 0 ? 'commit' : 'lines'));
    const results = await Promise.all(logs.map((log, index) => log.append(n, entries[index] as NewEntry)));
    for (const [index, entry] of entries.entries()) if (results[index] === 'written') won.push([n, textOf(entry)]);
    await seeEntry(n);
  }
  expect([...there]).toEqual(won);
  const other = logs[0] as StateLog;
  for (let n = rounds; n > 0; n -= Math.ceil(rounds / 50)) {
    const entry = await other.entry(n);
    expect(entry && textOf(entry)).toBe(there.get(n));
  }
  expect(stage.git(stage.remote, 'rev-list', '--count', stateBranch)).toBe(String(rounds));
  expect(stage.git(stage.remote, 'fsck', '--strict', '--no-dangling')).toBe('');
}

function textOf({ bytes }: Pick<NewEntry, 'bytes'>): string {
  return Buffer.from(bytes).toString();
}

const folderRounds = runs(30);
test(`of ${clones} clones that push to a folder at once, one writes the entry in each of ${folderRounds} rounds`, {
  timeout: 60_000 + folderRounds * 5000,
}, async () => {
  for (let index = 0; index < clones; index += 1) {
    const root = stage.clone(`clone-${index}`);
    logs.push(await openGitLog({ place, root, clock: systemClock, environment: stage.environment }));
  }
  await race(folderRounds);
});

const serverRounds = runs(10);
test(`of ${clones} clones that push to a server at once, one writes the entry in each of ${serverRounds} rounds`, {
  timeout: 60_000 + serverRounds * 5000,
}, async () => {
  stage.git(stage.remote, 'config', 'http.receivepack', 'true');
  const { folder: root, environment } = stage;
  const server = await startGitServer({
    root,
    repository: 'remote.git',
    user: 'ana',
    password: 'pa55word',
    environment,
  });
  try {
    for (let index = 0; index < clones; index += 1) {
      const clone = stage.clone(`clone-${index}`, server.url.replace('://', '://ana:pa55word@'));
      logs.push(await openGitLog({ place, root: clone, clock: systemClock, environment }));
    }
    await race(serverRounds);
  } finally {
    await server.close();
  }
});
