// The effects of entries of `moved` and `removed`, and which have taken effect. For `adopt`: model/plan/adoptions.ts. An entry
// takes effect once: a finished entry is a note and nothing else.
//
// An entry of `moved` is followed from the old address to the first declared address on its way, so chains work. Moves where one
// goes to the address that another leaves make a path. A path that ends at a free address is carried out. A path that ends at a
// tracked address was carried out before if every address on it is declared; otherwise two resources want one address, which is
// an error: one of the two ids would be lost. Validation refuses circles.

import { didYouMean } from '../declare/findings/suggest.ts';
import { type EffectiveEntry, pruneHint } from '../model/plan/adoptions.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import { type Address, endFinder, groupOf } from '../model/values/address.ts';
import { once, pushAll } from '../model/values/collections.ts';
import { type Finding, type Origin, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import type { Desired, Move } from '../model/workspace/resource.ts';

type TrackedResources = ReadonlyMap<Address, StateResource>;
type DeclaredResources = ReadonlyMap<Address, unknown>;

/** The entries that a tracked resource follows, one after the other. */
type MoveChain = readonly [Move, ...Move[]];

export interface FollowedMoves extends WithFindings<ReadonlyMap<Address, Address>> {
  /** The entries that have taken effect. */
  readonly finished: readonly Origin[];
  /** The entries that move nothing, whether they are finished or never did. */
  readonly idle: readonly Origin[];
  /** The findings about `moved` entries that never took effect. */
  readonly neverMoved: readonly Finding[];
}

/** The new addresses, keyed by the old ones. No two are the same, and none is that of a tracked resource which stays. */
export function followMoves(
  { resources, moves, removals }: Pick<Desired<{ readonly address: Address }>, 'resources' | 'moves' | 'removals'>,
  tracked: TrackedResources,
): FollowedMoves {
  if (moves.length === 0) return { value: new Map(), findings: [], finished: [], idle: [], neverMoved: [] };
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  const next = new Map(moves.map((move) => [move.from, move]));
  const ways = new Map<Address, MoveChain>();
  const findings: Finding[] = [];
  const working = new Set<Move>();
  for (const move of moves) {
    if (!tracked.has(move.from)) continue;
    const way = chainOf(move, next, declared, tracked);
    const end = endOf(way);
    const after = next.get(end);
    const goesOn = after !== undefined && declared.has(endOf(chainOf(after, next, declared, tracked)));
    // It was carried out before: what came to its old address since is declared there, and what it moved moves on.
    if (declared.has(move.from) && !declared.has(end) && goesOn) continue;
    if (declared.has(end)) ways.set(move.from, way);
    else if (tracked.has(end)) findings.push(occupied(move, end));
    for (const entry of way) working.add(entry);
  }
  const moved = new Map([...ways].map(([from, way]) => [from, endOf(way)]));
  for (const path of pathsIn(moved)) {
    const verdict = judge(path, declared, tracked);
    if (verdict === 'move') continue;
    for (const [from] of path) {
      moved.delete(from);
      if (verdict === 'done') for (const entry of ways.get(from) ?? []) working.delete(entry);
    }
    const [from, to] = path[path.length - 1] ?? ['', ''];
    const entry = ways.get(from)?.[0];
    if (entry && verdict === 'occupied') findings.push(occupied(entry, to));
  }
  const idle = moves.filter((move) => !working.has(move));
  const entries = wholeEntries(idle, working);
  const trackedFrom = endFinder(new Map(moves.map(({ from, to }) => [from, to])), (address) => tracked.has(address));
  const finished = idle.filter(({ to }) => trackedFrom(to) !== undefined);
  const taken = new Set(finished.map(entryOf));
  const lost = lostIn({ moves, declared, tracked, moved, removals });
  const free = once(() => {
    const addresses = [...tracked.keys()].filter((address) => !declared.has(address));
    return { single: addresses, loop: [...new Set(addresses.map(groupOf))] };
  });
  const isDone = (move: Move) => taken.has(entryOf(move));
  const moving = entries.filter(({ group, from }) => !lost.has(group?.from ?? from));
  const neverMoved = moving.filter((move) => !isDone(move)).map((move) => movesNothing(move, free));
  pushAll(findings, [
    ...moving.filter(isDone).map(stale),
    ...neverMoved,
    ...singlesIntoLoops(moves, tracked),
    ...loopsIntoSingles(moves, tracked, lost),
  ]);
  return {
    value: moved,
    findings,
    finished: entries.flatMap((move) => (isDone(move) ? move.origin : [])),
    idle: entries.map(({ origin }) => origin),
    neverMoved,
  };
}

/** The same object for all moves that one entry about a loop stands for. */
function entryOf(move: Move): object {
  return move.group ?? move;
}

/** One move of each entry, if none of its instances moves. */
function wholeEntries(idle: readonly Move[], working: ReadonlySet<Move>): readonly Move[] {
  const busy = new Set([...working].map(entryOf));
  return [...new Map(idle.map((move) => [entryOf(move), move])).values()].filter((move) => !busy.has(entryOf(move)));
}

/** Each entry is reported once, however many instances it moves. */
function singlesIntoLoops(moves: readonly Move[], tracked: TrackedResources): readonly Finding[] {
  const origins = new Map(
    moves.flatMap(({ group, origin }) =>
      group !== undefined && tracked.has(group.from) ? [[group, origin] as const] : [],
    ),
  );
  return [...origins].map(([group, origin]) => ({
    code: 'invalid-moved',
    message: `\`${group.from}\` is a single resource, and \`${group.to}\` is a loop, so it can become only one of its instances.`,
    hint: 'Write the address of the instance behind `to`.',
    place: placeOf(origin),
  }));
}

interface FollowedEntries extends Pick<Desired, 'moves' | 'removals'> {
  readonly declared: DeclaredResources;
  readonly tracked: TrackedResources;
  readonly moved: ReadonlyMap<Address, Address>;
}

/** The first tracked instance of each loop that no entry names and that the plan would delete. */
function lostIn({ moves, declared, tracked, moved, removals }: FollowedEntries): ReadonlyMap<Address, Address> {
  const released = new Set(removals.map(({ from }) => from));
  const named = new Set([...released, ...moves.map(({ from }) => from)]);
  const isKept = (address: Address) => declared.has(address) || moved.has(address) || named.has(address);
  const lost = [...tracked.keys()].filter((address) => !isKept(address) && !released.has(groupOf(address)));
  return new Map(lost.toReversed().map((address) => [groupOf(address), address]));
}

/** Entries that seem to move the instances of a loop, although the plan would delete them. */
function loopsIntoSingles(
  moves: readonly Move[],
  tracked: TrackedResources,
  lost: ReadonlyMap<Address, Address>,
): readonly Finding[] {
  return moves.flatMap(({ group, from, to, origin }): readonly Finding[] => {
    const instance = group !== undefined || tracked.has(from) ? undefined : lost.get(from);
    if (instance === undefined) return [];
    return [
      {
        code: 'invalid-moved',
        message: `\`${from}\` is a loop in the state, so it can become only another loop, and \`${to}\` is a single resource.`,
        hint: `Write the address of the instance that stays behind \`from\`, such as \`${instance}\`. If the entry has taken effect, remove it.`,
        place: placeOf(origin, 'value', 'from'),
      },
    ];
  });
}

/** The chain of moves up to the first address that is declared, or that another resource has. */
function chainOf(
  move: Move,
  next: ReadonlyMap<Address, Move>,
  declared: DeclaredResources,
  tracked: TrackedResources,
): MoveChain {
  const way: [Move, ...Move[]] = [move];
  const seenAddresses = new Set([move.from]);
  for (let { to } = move; !declared.has(to) && !tracked.has(to) && !seenAddresses.has(to); ) {
    seenAddresses.add(to);
    const entry = next.get(to);
    if (entry === undefined) break;
    way.push(entry);
    to = entry.to;
  }
  return way;
}

function endOf(way: MoveChain): Address {
  return way[way.length - 1]?.to ?? way[0].to;
}

/** Moves in the order in which they make room: each goes to the address that the next one leaves. */
type Path = readonly (readonly [from: Address, to: Address])[];

function pathsIn(moved: ReadonlyMap<Address, Address>): readonly Path[] {
  const ends = new Set(moved.values());
  return [...moved.keys()]
    .filter((address) => !ends.has(address))
    .map((start) => {
      const path: (readonly [Address, Address])[] = [];
      const seenAddresses = new Set<Address>();
      for (
        let at = start, to = moved.get(at);
        to !== undefined && !seenAddresses.has(at);
        at = to, to = moved.get(at)
      ) {
        seenAddresses.add(at);
        path.push([at, to]);
      }
      return path;
    });
}

function judge(path: Path, declared: DeclaredResources, tracked: TrackedResources): 'move' | 'done' | 'occupied' {
  const [, end = ''] = path[path.length - 1] ?? [];
  if (!tracked.has(end)) return 'move';
  return path.every(([from]) => declared.has(from)) ? 'done' : 'occupied';
}

function stale(move: Move): Finding {
  return {
    code: 'stale-moved',
    message: `\`${(move.group ?? move).from}\` no longer has to be moved to \`${(move.group ?? move).to}\`.`,
    hint: pruneHint,
    place: placeOf(move.origin),
  };
}

/**
 * An entry that never took effect is about the resource that the plan may create instead. `free`: what is tracked and no
 * longer declared.
 */
function movesNothing(move: Move, free: () => Readonly<Record<'single' | 'loop', readonly Address[]>>): Finding {
  const { from, to } = move.group ?? move;
  return {
    code: 'stale-moved',
    message: `Nothing is tracked as \`${from}\`, so nothing becomes \`${to}\`.`,
    hint:
      didYouMean(from, free()[move.group === undefined ? 'single' : 'loop']) ??
      'Correct the address, or remove the entry. If it is for another environment, keep it.',
    address: to,
    place: placeOf(move.origin, 'value', 'from'),
  };
}

function occupied(move: Move, to: Address): Finding {
  return {
    code: 'invalid-moved',
    message: `\`${move.from}\` and \`${to}\` are both tracked, so one cannot become the other.`,
    hint: 'Remove the entry, or release one of them with a `removed` entry.',
    place: placeOf(move.origin),
  };
}

/** The removals with nothing left to release. */
export function finishedRemovals({ removals }: Pick<Desired<unknown>, 'removals'>, state: State | undefined) {
  if (removals.length === 0) return [];
  const tracked = new Set(Object.keys(state?.resources ?? {}).flatMap((address) => [address, groupOf(address)]));
  return removals
    .filter(({ from }) => !tracked.has(from))
    .map(({ from, origin }): EffectiveEntry => {
      const message = `\`${from}\` is not tracked.`;
      return { origin, finding: { code: 'stale-removed', message, hint: pruneHint, place: placeOf(origin) } };
    });
}
