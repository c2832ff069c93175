// The neighbours that may track an id, and what is theirs to declare.

import { command } from '../values/command.ts';
import { record, type TypeOf, text } from '../values/schema.ts';
import { wildcard } from '../values/wildcard.ts';
import type { IgnoreEntry } from '../workspace/config.ts';
import { actions } from './action.ts';
import { openChanges } from './open-change.ts';
import type { State } from './state.ts';

/** The record of an id in the state of a neighbour. */
export interface OtherTracker {
  readonly address: string;
  /** The neighbour, in the middle of a sentence: `the environment staging`, `../customers`. */
  readonly who: string;
  /** The command that makes that state forget it. */
  readonly release: string;
  /** True if a table of its own workspace says who may see which of its rows. */
  readonly isJudged: boolean;
}

/** A request of a neighbour that makes a schedule, and whose answer is missing. */
export interface OpenElsewhere {
  readonly who: string;
  readonly address: string;
  readonly identifier?: string | undefined;
  readonly name?: string | undefined;
  readonly entityId?: string | undefined;
}

export interface ReadNeighbour {
  readonly who: string;
  readonly isEnvironment: boolean;
  readonly tracks: number;
  readonly state: State | undefined;
}

/** A neighbour whose state is not known. */
export interface UnreadNeighbour {
  readonly who: string;
  /** A whole sentence. */
  readonly why: string;
}

/** The states of the same organization that are not this run's: of other environments and workspaces, and those that `ignore` names. */
export interface Neighbours {
  /** By id, in lower case. */
  readonly trackers: ReadonlyMap<string, OtherTracker>;
  readonly open: readonly OpenElsewhere[];
  /** The neighbours whose states were read: the number of ids that each tracks, and the state if there is one. */
  readonly read: readonly ReadNeighbour[];
  /** The neighbours that this run should be able to read: whatever takes an unknown id waits for them. */
  readonly unread: readonly UnreadNeighbour[];
  /** The neighbours of which not even the place of their state is known. They hold back a recovery that has a candidate. */
  readonly unknown: readonly UnreadNeighbour[];
}

export const noNeighbours: Neighbours = { trackers: new Map(), open: [], read: [], unread: [], unknown: [] };

/** The ids and the open requests of a neighbour's state. `options` lead a command to that state. */
export function asNeighbour(
  state: Pick<State, 'resources' | 'orphans' | 'unresolved'>,
  who: string,
  options: readonly string[],
  isJudged = false,
): Pick<Neighbours, 'trackers' | 'open'> {
  const unresolved = openChanges(state);
  const release = (address: string) => command('state rm', address, ...options);
  const trackers = [
    ...unresolved.flatMap(({ address, replaced }) =>
      replaced === undefined ? [] : [[replaced, { address, who, release: release(address), isJudged }] as const],
    ),
    ...state.orphans.map(
      ({ id, address }) =>
        [id, { address, who, release: command('state orphans', '--clear', id, ...options), isJudged }] as const,
    ),
    ...Object.entries(state.resources).flatMap(([address, { id }]) =>
      id === undefined ? [] : [[id, { address, who, release: release(address), isJudged }] as const],
    ),
  ];
  return {
    // Omni lists ids in lower case, and a person may have written another one.
    trackers: new Map(trackers.map(([id, tracker]) => [id.toLowerCase(), tracker])),
    open: unresolved
      .filter(({ action }) => actions[action].findable)
      .map(({ address, identifier, name, entityId }) => ({ who, address, identifier, name, entityId })),
  };
}

/** The record of an id in a neighbour's state; undefined if no neighbour that was read tracks it. */
export function trackerOf(id: string, { trackers }: Pick<Neighbours, 'trackers'>): OtherTracker | undefined {
  return trackers.get(id.toLowerCase());
}

/** The neighbour's open request that may have made a schedule of this name there; undefined if there is none. */
export function openElsewhere(
  made: {
    readonly identifier?: string | undefined;
    readonly name?: string | undefined;
    readonly entityId?: string | undefined;
  },
  { open }: Pick<Neighbours, 'open'>,
): OpenElsewhere | undefined {
  return open.find(
    ({ identifier, name, entityId }) =>
      name === made.name &&
      ((identifier !== undefined && identifier === made.identifier) ||
        (entityId !== undefined && entityId === made.entityId)),
  );
}

/** The reason why an id that nobody is known to track cannot be taken: a neighbour's state is not known. */
export function whyNotTaken({ unread }: Pick<Neighbours, 'unread'>): string | undefined {
  return unread.length === 0 ? undefined : unread.map(({ why }) => why).join(' ');
}

/**
 * The reason, as a sentence, why the only schedule that a lost create may have made is not taken over: it may be a neighbour's,
 * or somebody said that it is nobody's. Undefined if it may be taken.
 */
export function whyNotRecovered(
  made: NamedRow & { readonly entityId: string | undefined },
  { ignore, neighbours }: LeftToOthers,
): string | undefined {
  const notKnown = whyNotTaken({ unread: [...neighbours.unread, ...neighbours.unknown] });
  if (notKnown !== undefined) return notKnown;
  const other = openElsewhere(made, neighbours);
  if (other !== undefined)
    return `${other.who} has sent \`${other.address}\` with the same name to the same dashboard, and its answer was lost as well.`;
  return ignoring(ignore)(made) ? '`ignore` in almanac.yaml leaves it to others.' : undefined;
}

/** The patterns and the neighbours that decide what is ours to declare or judge. */
export interface LeftToOthers {
  readonly ignore: readonly IgnoreEntry[];
  readonly neighbours: Neighbours;
}

interface NamedRow {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly ownerName?: string | undefined;
}

/** Tells whose a schedule is that this state does not hold: a neighbour's, nobody's by `ignore`, or undefined if it is ours to declare. */
export function ownerOfRow({
  ignore,
  neighbours,
}: LeftToOthers): (
  row: NamedRow,
) => (Pick<OtherTracker, 'who' | 'address'> & { readonly isJudged?: boolean }) | 'ignored' | undefined {
  const isIgnored = ignoring(ignore);
  return (row) => {
    const tracker = trackerOf(row.id, neighbours) ?? openElsewhere(row, neighbours);
    if (tracker !== undefined) return tracker;
    return isIgnored(row) ? 'ignored' : undefined;
  };
}

/** True if all patterns of some entry match; one that names a state has none. A value that is not reported matches only `*`. */
export function ignoring(
  ignore: readonly IgnoreEntry[],
): (row: Pick<NamedRow, 'identifier' | 'name' | 'ownerName'>) => boolean {
  const entries = ignore.flatMap(({ identifier, name, owner, state }) =>
    state === undefined
      ? { identifier: wildcard(identifier ?? '*'), name: wildcard(name ?? '*'), owner: wildcard(owner ?? '*') }
      : [],
  );
  return ({ identifier, name, ownerName = '' }) =>
    entries.some((entry) => entry.identifier(identifier) && entry.name(name) && entry.owner(ownerName));
}

/** How many of these each neighbour tracks, in the order of their first one. */
export function countsOf(trackers: readonly Pick<OtherTracker, 'who'>[]): readonly TrackedCount[] {
  const counts = new Map<string, number>();
  for (const { who } of trackers) counts.set(who, (counts.get(who) ?? 0) + 1);
  return [...counts].map(([who, count]) => ({ who, count }));
}

/** A neighbour's resource, and its address there. */
export const trackedBySchema = record({ who: text, address: text });
export type TrackedBy = TypeOf<typeof trackedBySchema>;

export interface TrackedCount {
  readonly who: string;
  readonly count: number;
}

/** `2 are tracked by ../customers`, one for each neighbour. */
export function trackedByWords(counts: readonly TrackedCount[]): readonly string[] {
  return counts.map(({ who, count }) => `${count} ${count === 1 ? 'is' : 'are'} tracked by ${who}`);
}
