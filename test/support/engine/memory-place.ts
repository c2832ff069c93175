// A place in memory that many share, as StateStore promises it: a state or a note, a journal, a lock, and the history.
// Every process that opens it sees the same. A lock that is not released stays until `expire`.

import type { Journal } from '../../../src/model/plan/journal.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import { parseMovedState, parseState } from '../../../src/parse/parse-state.ts';
import type { LockedStore, LockInfo, StateStore, StateVersion } from '../../../src/ports/state-store.ts';
import { renderMovedState, renderState } from '../../../src/render/state/render-state.ts';

export interface MemoryPlace {
  readonly name: string;
  text: string | undefined;
  journal: Journal | undefined;
  holder: LockInfo | undefined;
  isPrepared: boolean;
  /** Why it is unfit. */
  unfit: string | undefined;
  /** Oldest first, each with its text. */
  readonly versions: { readonly version: StateVersion; readonly text: string }[];
  open(): StateStore;
  /** As if the lease of a run that ended were over. */
  expire(): void;
}

export const ana: LockInfo = {
  who: 'ana',
  host: 'runner-7',
  pid: 42,
  command: 'apply',
  since: '2026-03-01T00:00:00.000Z',
};

export function makeMemoryPlace(name: string, state?: State, journal?: Journal): MemoryPlace {
  const write = (text: string, serial: number, lineage: string, rest: Partial<StateVersion> = {}) => {
    place.text = text;
    const by = place.holder ?? ana;
    const at = `2026-03-01T00:00:${String(place.versions.length).padStart(2, '0')}.000Z`;
    place.versions.push({ text, version: { serial, lineage, at, by, changes: 0, ...rest } });
  };
  const read = async () => ({
    state: place.text === undefined ? undefined : parseState(place.text, name),
    journal: place.journal,
  });
  const lockedBy = (holder: LockInfo): LockedStore => {
    const check = () => {
      if (place.holder !== holder) throw new Failure('state-lock-lost', `The lock of ${name} was lost.`);
    };
    return {
      notes: [],
      lost: new AbortController().signal,
      read,
      begin: async (header) => {
        check();
        place.journal = { header, lines: [] };
      },
      append: async (lines) => {
        check();
        if (place.journal !== undefined)
          place.journal = { ...place.journal, lines: [...place.journal.lines, ...lines] };
      },
      note: () => undefined,
      windowFor: () => 1,
      guard: async () => undefined,
      holds: () => place.holder === holder,
      commit: async (next, { release = false } = {}) => {
        check();
        if (next !== undefined) write(renderState(next), next.serial, next.lineage);
        place.journal = undefined;
        if (release) place.holder = undefined;
      },
      leave: async (moved) => {
        check();
        const { serial, lineage, movedTo, arriving } = moved;
        write(renderMovedState(moved), serial, lineage, arriving === undefined ? { movedTo } : {});
      },
      release: async () => {
        if (place.holder === holder) place.holder = undefined;
      },
    };
  };
  const place: MemoryPlace = {
    name,
    text: undefined,
    journal,
    holder: undefined,
    isPrepared: false,
    unfit: undefined,
    versions: [],
    expire: () => {
      place.holder = undefined;
    },
    open: () => ({
      name,
      read,
      moved: async () => (place.text === undefined ? undefined : parseMovedState(place.text, name)),
      lock: async (command) => {
        if (place.holder !== undefined) throw new Failure('state-locked', `${name} is locked by ${place.holder.who}.`);
        place.holder = { ...ana, command };
        return lockedBy(place.holder);
      },
      lockHolder: async () => place.holder && { holder: place.holder, isDead: false, expiresIn: 80 },
      unlock: async () => {
        const { holder } = place;
        place.holder = undefined;
        return holder && { holder };
      },
      shared: {
        check: async () => {
          if (place.unfit !== undefined) throw new Failure('state-backend-unfit', place.unfit);
        },
        prepare: async () => {
          place.isPrepared = true;
        },
        isEmpty: async () => place.versions.length === 0,
        history: async function* () {
          for (const { version, text } of place.versions.toReversed())
            if (parseMovedState(text, name)?.arriving === undefined) yield version;
        },
        version: async (serial) => {
          const found = place.versions.findLast(
            ({ version, text }) => version.serial === serial && parseMovedState(text, name) === undefined,
          );
          if (found === undefined) throw new Failure('refused', `${name} kept no state with serial ${serial}.`);
          return parseState(found.text, name);
        },
      },
      close: async () => undefined,
    }),
  };
  if (state !== undefined) write(renderState(state), state.serial, state.lineage);
  return place;
}
