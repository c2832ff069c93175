// A place that many share, in memory, as commands get it: it counts how often it was opened, read and closed.

import type { Outside } from '../../../src/commands/base/world.ts';
import type { State } from '../../../src/model/plan/state.ts';
import type { Failure } from '../../../src/model/workspace/failure.ts';
import { placeName } from '../../../src/model/workspace/state-place.ts';
import type { HeldLock, LockInfo, StateStore } from '../../../src/state/state-store.ts';
import { type FakeStore, makeStore } from './stage.ts';

export interface FakePlace {
  /** What a world opens in place of the real one. */
  readonly outside: Pick<Outside, 'openSharedState'>;
  readonly store: FakeStore;
  readonly counts: { opened: number; read: number; closed: number };
  /** Thrown by every reading. */
  failure: Failure | undefined;
  held: HeldLock | undefined;
  writer: LockInfo | undefined;
}

export function makeFakePlace(state?: State): FakePlace {
  const store = makeStore(state);
  const counts = { opened: 0, read: 0, closed: 0 };
  const place: FakePlace = {
    store,
    counts,
    failure: undefined,
    held: undefined,
    writer: undefined,
    outside: {
      openSharedState: async (options): Promise<StateStore> => {
        counts.opened += 1;
        return {
          ...store,
          name: placeName(options.place),
          read: async () => {
            counts.read += 1;
            if (place.failure !== undefined) throw place.failure;
            return { ...(await store.read()), lockHolder: place.held };
          },
          lockHolder: async () => {
            if (place.failure !== undefined) throw place.failure;
            return place.held;
          },
          shared: {
            check: async () => undefined,
            lastWriter: () => place.writer,
            history: async function* () {},
            version: async () => {
              throw new Error('not kept');
            },
          },
          close: async () => {
            counts.closed += 1;
          },
        };
      },
    },
  };
  return place;
}
