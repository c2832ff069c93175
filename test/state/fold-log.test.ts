// Each rule of a log that an entry with a right checksum can break. Whoever wrote such an entry was no Almanac, or a
// broken one.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LockRecord } from '../../src/model/workspace/lock.ts';
import { emptyLog, foldLog } from '../../src/state/format/fold-log.ts';
import { type CommitEntry, renderLogEntry, type StateLogEntry, withSum } from '../../src/state/format/log-entry.ts';

type WithoutHead<E> = E extends StateLogEntry ? Omit<E, 'v' | 'id' | 'n' | 'at'> : never;
type Given = WithoutHead<StateLogEntry>;

const at = '2026-01-01T00:00:00.000Z';
const info: LockRecord = { who: 'ana', host: 'laptop', pid: 7, command: 'apply', since: at };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const name = 's3://bucket/prefix';

const lock = (run: string, over?: string): Given => ({
  kind: 'lock',
  run,
  info,
  lease: 120,
  over: over === undefined ? undefined : { run: over, info },
});
const lines = (run: string): Given => ({ kind: 'lines', run, lines: ['a line\n'] });
const unlock = (run: string): Given => ({ kind: 'unlock', run });
const commit = (run: string, serial: number, rest: Partial<CommitEntry> = {}): Given => {
  const { state = `state ${serial}` } = rest;
  const kept = { kind: 'commit', run, state, sha256: sha256(state), serial, lineage: 'one', info, changes: 0 } as const;
  return { ...kept, release: false, lease: 120, ...rest };
};

const textOf = (given: Given, n: number) => renderLogEntry({ v: 1, id: `id-${n}`, n, at, ...given });
const fold = (...given: readonly Given[]) =>
  foldLog(
    emptyLog,
    given.map((each, index) => ({ n: index + 1, text: textOf(each, index + 1) })),
    name,
  );
const foldText = (text: string) => foldLog(emptyLog, [{ n: 1, text }], name);

describe('a log is refused', () => {
  test.for<readonly [string, readonly Given[], RegExp]>([
    ['lines without a lock', [lines('a')], /entry 1 of its log was written without a lock/],
    ['lines after a release', [lock('a'), unlock('a'), lines('a')], /entry 3 of its log was written without a lock/],
    ['lines of a run that was overtaken', [lock('a'), lock('b', 'a'), lines('a')], /by a run that does not hold/],
    ['a commit of another run', [lock('a'), commit('b', 1)], /entry 2 of its log was written by a run that does not/],
    ['an unlock of another run', [lock('a'), unlock('b')], /by a run that does not hold the lock/],
    ['a second lock', [lock('a'), lock('b')], /takes a lock that another run holds/],
    [
      'a takeover of a run that holds no lock',
      [lock('a'), lock('b', 'c')],
      /takes over a lock that its run did not hold/,
    ],
    ['a takeover where nobody holds the lock', [lock('a', 'b')], /takes over a lock that its run did not hold/],
    ['a takeover of one’s own lock', [lock('a'), lock('a', 'a')], /takes a lock that its run holds already/],
    [
      'a lower serial',
      [lock('a'), commit('a', 2), commit('a', 1, { previous: 2 })],
      /has the serial 1, and entry 2 has 2 already/,
    ],
    [
      'another lineage',
      [lock('a'), commit('a', 1), commit('a', 2, { previous: 2, lineage: 'two' })],
      /is of another state: its lineage is two, and that of entry 2 is one/,
    ],
    [
      'a state that vanishes',
      [lock('a'), commit('a', 1), commit('a', 1, { previous: 2, state: '' })],
      /entry 3 of its log lacks the state of its serial/,
    ],
    [
      'a wrong SHA-256',
      [lock('a'), commit('a', 1, { sha256: sha256('other') })],
      /another state than the one whose SHA-256/,
    ],
    [
      'a commit that names no commit before it',
      [lock('a'), commit('a', 1), commit('a', 2)],
      /does not name the commit before/,
    ],
    [
      'a commit that names a wrong one',
      [lock('a'), commit('a', 1, { previous: 1 })],
      /does not name the commit before/,
    ],
    [
      'a lock that is kept without a lease',
      [lock('a'), withoutLease(commit('a', 1))],
      /keeps the lock but names no lease\.$/,
    ],
  ])('a log with %s is refused', ([, given, message]) => {
    expect(() => fold(...given)).toThrow(
      expect.objectContaining({
        code: 'state-unreadable',
        message: expect.stringMatching(/^s3:\/\/bucket\/prefix cannot be read: /),
        hint: expect.stringContaining('Restore the place from its backup'),
      }),
    );
    expect(() => fold(...given)).toThrow(message);
  });

  test('an entry with a missing field is refused with its name', () => {
    const { lease: _, ...rest } = lock('a') as Extract<Given, { readonly kind: 'lock' }>;
    const text = withSum(JSON.stringify({ v: 1, id: 'x', n: 1, at, ...rest }));
    expect(() => foldText(text)).toThrow('in entry 1 of its log, /lease is missing');
  });

  test('what is no entry at all is refused', () => {
    for (const text of ['', '{}', 'null', withSum('[]'), withSum('{"v":1'), '<html>Sign in</html>']) {
      expect(() => foldText(text)).toThrow('entry 1 of its log is corrupt');
    }
  });

  test('an entry that a newer almanac wrote is refused with the advice to upgrade', () => {
    const written = (change: object) => withSum(JSON.stringify({ v: 1, id: 'x', n: 1, at, ...lock('a'), ...change }));
    for (const change of [{ v: 2 }, { kind: 'compact' }, { kind: 'toString' }]) {
      expect(() => foldText(written(change))).toThrow(
        expect.objectContaining({ code: 'state-unreadable', hint: expect.stringContaining('Upgrade almanac') }),
      );
    }
  });

  test('an entry may hold fields that this version does not know', () => {
    const text = withSum(JSON.stringify({ v: 1, id: 'x', n: 1, at, ...lock('a'), colour: 'blue' }));
    expect(foldText(text).holder?.run).toBe('a');
  });

  test('a log whose numbers go back is refused', () => {
    const folded = fold(lock('a'), commit('a', 1));
    expect(() => foldLog(folded, [{ n: 2, text: textOf(commit('a', 1), 2) }], name)).toThrow(
      'entry 3 of its log is missing: 2 follows 2',
    );
  });
});

function withoutLease(given: Given): Given {
  if (given.kind !== 'commit') return given;
  const { lease: _, ...rest } = given;
  return rest;
}
