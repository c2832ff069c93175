// The stores that a command opened, so that they are closed when it ends, however it ends.

import type { StateStore } from '../../ports/state-store.ts';
import type { Outside } from './world.ts';

export interface OpenedStores {
  readonly outside: Outside;
  /** Never throws. */
  close(): Promise<void>;
}

export function noteOpenedStores(outside: Outside): OpenedStores {
  const opened = new Set<StateStore>();
  const noted = (store: StateStore): StateStore => {
    opened.add(store);
    return store;
  };
  return {
    outside: {
      ...outside,
      openState: async (options) => noted(await outside.openState(options)),
      openSharedState: async (options) => noted(await outside.openSharedState(options)),
    },
    close: async () => {
      await Promise.all([...opened].map((store) => store.close()));
    },
  };
}
