// What is tried: which declarations a run applies, what happens to it, and in which network. A seed says it all.

const schedule = (name: string, fields: object = {}) => ({
  identifier: '12db1a0a',
  name,
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/in',
  ...fields,
});
const moved = { url: 'https://hooks.example.com/new' };
/** Several requests are under way at once. */
const several = (fields: object) =>
  Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, schedule(`One of several ${key}`, fields)]));

/** What is declared first, and what then. */
export const declarations = {
  full: {
    before: {
      ...several({}),
      changed: schedule('Changed'),
      gone: schedule('Gone'),
      replaced: schedule('Replaced'),
      'to-pause': schedule('To pause'),
      'to-resume': schedule('To resume', { paused: true }),
    },
    after: {
      ...several(moved),
      changed: schedule('Changed', moved),
      new: schedule('New'),
      'new-and-paused': schedule('New and paused', { paused: true }),
      replaced: schedule('Replaced', moved),
      'to-pause': schedule('To pause', { paused: true }),
      'to-resume': schedule('To resume'),
    },
  },
  core: {
    before: { ...several({}), kept: schedule('Kept'), gone: schedule('Gone'), changed: schedule('Changed') },
    after: {
      ...several(moved),
      kept: schedule('Kept'),
      changed: schedule('Changed', moved),
      one: schedule('One'),
      two: schedule('Two'),
    },
  },
} as const;

export type Operations = keyof typeof declarations;

export interface Trial {
  readonly seed: number;
  readonly operations: Operations;
  /** `compete`: it does not reach its state for a while, and another run starts. */
  readonly how: 'kill' | 'stop' | 'compete';
  /** Which effect of the run it is, from 1; or the milliseconds after its first one. */
  readonly at: { readonly point: number } | { readonly ms: number };
  /** Whether a run that was stopped goes on as soon as the next one has taken the lock, instead of after its end. */
  readonly isEarly: boolean;
  /** Of a hundred pieces that the network carries, so many come to harm. */
  readonly harmed: number;
  /** The longest time that the network takes for a piece. */
  readonly delayMs: number;
}

/** Of a run to which nothing happens. */
export interface Course {
  readonly points: number;
  readonly ms: number;
}

type Kind = Pick<Trial, 'how' | 'isEarly' | 'harmed' | 'delayMs'> & { readonly by: 'point' | 'time' };

const calm = { harmed: 0, delayMs: 0 };
const slow = { harmed: 0, delayMs: 15 };
const lossy = { harmed: 4, delayMs: 15 };
/** Eight seeds in a row try all of them. */
const kinds: readonly Kind[] = [
  { how: 'kill', by: 'point', isEarly: false, ...calm },
  { how: 'stop', by: 'point', isEarly: false, ...calm },
  { how: 'stop', by: 'point', isEarly: true, ...calm },
  { how: 'kill', by: 'time', isEarly: false, ...lossy },
  { how: 'stop', by: 'time', isEarly: false, ...slow },
  { how: 'stop', by: 'time', isEarly: true, ...slow },
  { how: 'stop', by: 'time', isEarly: true, ...lossy },
  { how: 'compete', by: 'time', isEarly: false, ...lossy },
];

export function trialOf(seed: number, courses: Readonly<Record<Operations, Course>>): Trial {
  const random = randomFrom(seed);
  const { by, ...kind } = kinds[seed % kinds.length] as Kind;
  const operations = random() < 0.5 ? 'full' : 'core';
  const { points, ms } = courses[operations];
  // A network that is slow or loses things makes a run longer.
  const longest = ms * (kind.delayMs > 0 ? 2 : 1);
  const at = by === 'point' ? { point: 1 + Math.floor(random() * points) } : { ms: Math.floor(random() * longest) };
  return { seed, operations, at, ...kind };
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
