// One connection for several parts of a run: made at the first use, closed at the end of all.

import type { Api, ConnectApi } from '../../ports/api.ts';

export interface KeptConnection {
  /** Whoever closes what it gives closes nothing. */
  readonly connect: ConnectApi;
  close(): Promise<void>;
}

export function keepConnection(connect: ConnectApi): KeptConnection {
  let api: Promise<Api> | undefined;
  return {
    connect: async (settings) => {
      api ??= connect(settings);
      return { ...(await api), close: async () => {} };
    },
    // Whoever asked for a connection that failed was told so.
    close: async () => (await api?.catch(() => undefined))?.close(),
  };
}
