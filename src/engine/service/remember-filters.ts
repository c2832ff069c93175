// A connection that asks for the filters of a dashboard once: online checks and a refresh of the same run both need them.

import type { RemoteFilters } from '../../model/service/remote.ts';
import type { Connection } from './connect.ts';

export function rememberFilters(connection: Connection): Connection {
  const found = new Map<string, RemoteFilters>();
  return {
    ...connection,
    open: async () => {
      const api = await connection.open();
      return {
        ...api,
        getFilters: async (identifier, options) => {
          const filters = found.get(identifier) ?? (await api.getFilters(identifier, options));
          found.set(identifier, filters);
          return filters;
        },
      };
    },
  };
}
