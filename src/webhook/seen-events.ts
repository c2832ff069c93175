// Remembers the keys of the latest ten thousand events.

const most = 10_000;

export interface SeenEvents {
  has(key: string): boolean;
  add(key: string): void;
}

export function makeSeenEvents(limit = most): SeenEvents {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (key) => {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > limit && oldest !== undefined) keys.delete(oldest);
    },
  };
}
